#include "run/jobs.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/time_box.h"
#include "base/try.h"
#include "run/methods/simulate.h"
#include "run/methods/unrolling.h"

namespace lem::run {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr Seconds kFirstBudget{0.05};
constexpr Seconds kUnrollingTime{1.0};     // of the first joint unrollings; four times as much
constexpr std::size_t kUnrollings = 4;     // in each of the rounds after it, so many in all
constexpr Seconds kLeastShare{0.01};       // of the one for a part of the model
constexpr std::size_t kMostProposals = 3;  // for each property
constexpr Seconds kProposalTime{0.03};     // between two looks at the workers
constexpr double kMostShares = 10;         // of the first of many that are alike
constexpr std::size_t kMostPaused = 32;    // jobs for each core
constexpr std::uint32_t kSimulatedSteps = 128;
// On a single core no member keeps it: after so long the others get their turn.
constexpr std::uint32_t kSharedTurnMs = 2000;
constexpr std::uint32_t kMostDoublings = 8;  // of a member's turns
// Bounds how long a stop request or a used up budget goes unnoticed.
constexpr std::chrono::milliseconds kTick{10};

}  // namespace

Jobs::Jobs(Open& open, std::vector<Member> members, const Settings& settings, const Context& ctx,
           std::optional<Prepared> prepared)
    : open_(open),
      settings_(settings),
      ctx_(ctx),
      members_(std::move(members)),
      several_(open.size() > 1),
      prepared_(std::move(prepared)),
      pool_(open.problem(), cores_for(ctx.options), memory_for(ctx.options),
            settings.growth == nullptr ? Sampling::Off : Sampling::On),
      turns_(members_.size()),
      budget_(kFirstBudget),
      started_(ctx.stats.counter("portfolio.started")),
      crashed_(ctx.stats.counter("portfolio.crashed")),
      rejections_(ctx.stats.counter("portfolio.rejected")),
      by_likeness_(ctx.stats.counter("schedule.by-likeness")) {
  assert(!members_.empty() && (members_.size() == 1 || !members_.front().chosen) &&
         "the engine of the user works alone");
  if (several_) cones_.emplace(open.problem(), open.all());
  if (several_ && !is_chosen() && open.problem().is_bits()) likeness_.emplace(open.problem());
}

Status Jobs::run() {
  if (is_chosen()) return run_here();
  LEM_TRY(simulate_all());
  plan_round();
  while (!open_.empty() && !ctx_.stopped()) {
    LEM_TRY(try_proposals());
    drop_settled();
    if (fill_cores() == Started::No) return run_here();
    if (pool_.running() == 0) break;  // nobody has anything more to say
    std::vector<Pool::News> all = pool_.listen(kTick);
    LEM_TRY(check_consistent(all));
    for (Pool::News& news : all) LEM_TRY(hear(std::move(news)));
    if (several_ && ctx_.progress.due()) show();
  }
  drop_settled();  // and keep what they counted
  return open_.empty() || ctx_.stopped() || !open_.rejected() ? Status(Ok{}) : *open_.rejected();
}

/// The engine of the user; or the first member, where no process can be had.
Status Jobs::run_here() {
  here_ = true;
  members_.resize(1, members_.front());
  queue_.clear();
  plan_round();
  Options options = member_options(members_.front(), ctx_.options);
  while (!open_.empty() && !ctx_.stopped()) {
    std::optional<Task> task = next_task();
    if (!task) break;
    bool last = open_.size() == 1;
    TimeBox box(ctx_.stop, last ? std::nullopt : std::optional(task->budget.time));
    Context boxed = ctx_.with_stop(box.token()).with_options(options);
    ++ctx_.stats.counter(task->members.size() > 1 ? "schedule.joint-runs" : "schedule.single-runs");
    Status settled = Ok{};
    auto found = [&](const Found& what) {
      if (settled) settled = accept(*task, what, ctx_.stats);
    };
    Result<Reason> end = search(asked(*task), members_.front(), found, boxed);
    if (!settled) return settled;
    if (!end) return end.error();
    // In this process a wrong claim is an internal error.
    if (open_.rejected() && !ctx_.stopped()) return *open_.rejected();
    Pool::Kind kind = boxed.stopped() ? Pool::Kind::Late : Pool::Kind::Ended;
    LEM_TRY(over(*task, kind, *end));
  }
  return Ok{};
}

Reason Jobs::reason() const {
  if (ctx_.stopped()) return Reason::Stopped;
  if (shed_) return Reason::OutOfMemory;  // they did not give up
  return reason_.value_or(Reason::Crashed);
}

// ------------------------------------------------------------------------------- the queue

/// Whether the user's engine executes a program once for all properties.
bool Jobs::is_joint_execution() const {
  return is_chosen() && open_.problem().is_program() && members_.front().live == nullptr &&
         members_.front().engine->several_runs;
}

/// All are one group for an engine that takes any number of a program's properties at once.
std::vector<std::vector<std::size_t>> Jobs::groups() const {
  if (!cones_ || is_joint_execution()) return {open_.all()};
  return cones_->groups(open_.all());
}

Pool::Budget Jobs::budget_for(std::size_t members) const {
  // One symbolic execution of a program is worth as much as one of each alone.
  double share = static_cast<double>(members) / (is_joint_execution() ? 1 : 2);
  return {Pool::Budget::Of::Processor, budget_ * std::max(1.0, share)};
}

/// False if this job has ended before, or runs now.
bool Jobs::plan(Config config, const std::vector<std::size_t>& members, Pool::Budget budget) {
  auto runs = [&](const auto& entry) {
    return !entry.second.paused && entry.second.task.key() == Key{config, members};
  };
  if (exhausted_.contains({config, members})) return false;
  if (std::any_of(jobs_.begin(), jobs_.end(), runs)) return false;
  queue_.push_back({config, members, budget});
  return true;
}

/// The next configurations go last: every group has the first one before any has the second.
void Jobs::plan_round() {
  if (open_.empty()) return;
  if (open_.size() == 1 && !here_) return plan_turns();
  std::vector<std::vector<std::size_t>> groups = this->groups();
  std::size_t configs = std::min(round_ + 1, members_.size());
  while (true) {
    plan_groups(groups);
    for (Config config = 1; config < configs; ++config)
      for (const std::vector<std::size_t>& group : groups)
        if (!plan(config, group, budget_for(group.size())) && group.size() > 1)
          for (std::size_t property : group) plan(config, {property}, budget_for(1));
    if (!here_) plan_unrolling();
    if (here_ || configs == members_.size()) break;
    if (queue_.size() + pool_.running() >= pool_.cores()) break;
    queue_.clear();
    ++configs;
  }
  ++round_;
}

/// The last property: a turn for every member, twice as long as its turn before. Easy models are
/// settled in a first quick round, and hard ones are not chopped up.
void Jobs::plan_turns() {
  if (!prepared_) prepared_ = prepare(open_.problem(), open_.all().front(), ctx_);
  if (!prepared_) return;  // stopped
  for (Config config = 0; config < members_.size(); ++config) {
    std::uint32_t first = members_[config].turn_ms;
    bool keeps_core = first == 0 && pool_.cores() > 1;
    std::uint64_t turn = std::uint64_t{first == 0 ? kSharedTurnMs : first}
                         << std::min(turns_[config], kMostDoublings);
    Pool::Budget budget{Pool::Budget::Of::Clock, Seconds(static_cast<double>(turn) / 1000)};
    if (plan(config, open_.all(), keeps_core ? Pool::kEndless : budget)) ++turns_[config];
  }
}

/// Of properties that are alike the first goes ahead, with some of the others' time: what proves it
/// is likely to prove them.
void Jobs::plan_groups(std::vector<std::vector<std::size_t>> groups) {
  std::map<std::uint64_t, double> share;  // by shape: how many wait for the first
  auto waits = [&](std::size_t property) {
    return likeness_ && proposed_[property] < kMostProposals &&
           share.contains(likeness_->shape_of(property));
  };
  auto first_waiting = std::stable_partition(groups.begin(), groups.end(), [&](const auto& group) {
    bool all_wait = std::all_of(group.begin(), group.end(), waits);
    for (std::size_t property : group)
      if (likeness_) share[likeness_->shape_of(property)] += 1;
    return !all_wait;
  });
  for (auto group = groups.begin(); group != groups.end(); ++group) {
    Pool::Budget budget = budget_for(group->size());
    if (likeness_ && group < first_waiting)
      budget.time *= std::min(kMostShares, share[likeness_->shape_of(group->front())]);
    if (!plan(0, *group, budget) && group->size() > 1)
      for (std::size_t property : *group) plan(0, {property}, budget_for(1));
  }
}

/// In each of the first rounds, with limits that grow: assertions of one design often are inductive
/// together long before any of them has a proof of its own.
void Jobs::plan_unrolling() {
  if (open_.problem().is_program()) {
    if (round_ == 0) plan_joint_search();
    return;
  }
  if (round_ >= kUnrollings) return;
  Seconds time = kUnrollingTime * std::exp2(2 * static_cast<double>(round_));
  std::map<std::uint32_t, std::vector<std::size_t>> parts;
  for (std::size_t property : open_.all()) parts[cones_->part_of(property)].push_back(property);
  Seconds share = std::max(kLeastShare, time / static_cast<double>(parts.size()));
  for (const auto& [part, members] : parts)
    plan(kUnrolling + round_, members, {Pool::Budget::Of::Processor, share});
}

/// One symbolic execution for all properties of a program goes first: it settles what is short.
void Jobs::plan_joint_search() {
  for (Config config = 0; config < members_.size(); ++config) {
    if (members_[config].rung || !members_[config].engine->several_runs) continue;
    if (!plan(config, open_.all(), budget_for(open_.size()))) continue;
    std::rotate(queue_.begin(), queue_.end() - 1, queue_.end());
  }
}

/// Plans the next round if the queue is empty. Nothing if every configuration has said all it can
/// say, or is at work.
std::optional<Jobs::Task> Jobs::next_task() {
  for (bool planned = false;; planned = true) {
    while (!queue_.empty()) {
      Task task = std::move(queue_.front());
      queue_.pop_front();
      task.members = open_.among(task.members);
      if (!task.members.empty() && !exhausted_.contains(task.key())) return task;
    }
    if (planned) return {};
    budget_ *= 2;
    plan_round();
  }
}

// -------------------------------------------------------------------------------- the jobs

/// Starts what there is room for. No: no process can be had at all.
Jobs::Started Jobs::fill_cores() {
  while (pool_.has_room()) {
    std::optional<Task> task = next_task();
    if (!task) return Started::Yes;
    if (resume(*task)) continue;
    if (auto id = pool_.start(work_of(*task), options_of(*task), task->budget)) {
      ++started_;
      jobs_.emplace(*id, Job{*std::move(task)});
      continue;
    }
    queue_.push_front(*std::move(task));
    if (pool_.running() > 0) return Started::Yes;  // one of them will end
    if (!end_oldest_paused()) {
      ctx_.log.info([&] {
        return "portfolio: no process could be started: " + members_.front().name() + " alone";
      });
      return Started::No;
    }
  }
  return Started::Yes;
}

/// What may help with the members: proved properties of the same part of the model. Not in the
/// first round: it makes proofs longer.
std::vector<Proved> Jobs::proved_beside(const std::vector<std::size_t>& members) const {
  std::vector<Proved> beside;
  if (round_ < 2 || !cones_) return beside;
  for (const auto& [property, certificate] : open_.proved())
    if (cones_->part_of(property) == cones_->part_of(members.front()))
      beside.push_back({property, certificate});
  return beside;
}

/// The members, and what is proved in their part of the model: assumed together with them it may
/// make them inductive.
std::vector<std::size_t> Jobs::with_held(const std::vector<std::size_t>& members) const {
  std::vector<std::size_t> all = members;
  for (std::size_t property : open_.held())
    if (cones_->part_of(property) == cones_->part_of(members.front())) all.push_back(property);
  std::sort(all.begin(), all.end());
  return all;
}

/// A slice is looked at first by members that bring the program to another form, and by the user's
/// engine as long as its time is limited: where it does not end, the whole program may.
Asked Jobs::asked(const Task& task) const {
  const Member& member = members_[task.config];
  bool as_it_is = !member.rung && member.live == nullptr && member.engine->several_runs;
  bool slices = is_chosen() ? open_.size() > 1 : ctx_.options.on("portfolio.slice");
  return {open_.problem(),
          task.members,
          proved_beside(task.members),
          slices && !as_it_is ? Asked::Slicing::First : Asked::Slicing::No,
          cones_ ? cones_->dependence() : nullptr,
          prepared_ && task.members == open_.all() ? &*prepared_ : nullptr};
}

Options Jobs::options_of(const Task& task) const {
  if (is_unrolling(task.config)) return ctx_.options;
  return member_options(members_[task.config], ctx_.options);
}

Work Jobs::work_of(const Task& task) const {
  if (is_unrolling(task.config))
    return [this, task](const OnFound& found, const Context& ctx) {
      auto number = static_cast<std::uint32_t>(task.config - kUnrolling);
      Unrolling(open_.problem(), number, found, ctx).run(with_held(task.members));
      return Reason::GaveUp;
    };
  return [this, task](const OnFound& found, const Context& ctx) {
    Result<Reason> end = search(asked(task), members_[task.config], found, ctx);
    return end ? *end : Reason::GaveUp;  // the engine does not take this model; others do
  };
}

/// A job that had a turn before goes on, with all that it has learnt.
bool Jobs::resume(const Task& task) {
  auto at = std::find_if(paused_.begin(), paused_.end(),
                         [&](JobId id) { return jobs_.at(id).task.key() == task.key(); });
  if (at == paused_.end()) return false;
  pool_.resume(*at, task.budget);
  jobs_.at(*at).paused = false;
  paused_.erase(at);
  return true;
}

void Jobs::keep_paused(JobId id) {
  jobs_.at(id).paused = true;
  paused_.push_back(id);
  if (paused_.size() > kMostPaused * pool_.cores()) end_oldest_paused();
}

bool Jobs::end_oldest_paused() {
  if (paused_.empty()) return false;
  pool_.end(paused_.front());
  jobs_.erase(paused_.front());
  paused_.pop_front();
  return true;
}

/// Both sides of a contradiction are heard before either counts.
Status Jobs::check_consistent(std::span<const Pool::News> news) {
  std::vector<const Found*> claims;
  for (const Pool::News& one : news)
    if (const auto* claim = std::get_if<Claim>(&one.message)) claims.push_back(&claim->found);
  for (std::size_t i = 0; i < claims.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) LEM_TRY(open_.check_consistent(*claims[j], *claims[i]));
  return Ok{};
}

Status Jobs::hear(Pool::News news) {
  auto at = jobs_.find(news.from);
  if (at == jobs_.end()) return Ok{};  // dropped with what came before
  Job& job = at->second;
  if (settings_.growth != nullptr) note_growth(news, job.task.config);
  Reason why = Reason::Crashed;
  switch (news.kind) {
    case Pool::Kind::Found: {
      auto& claim = std::get<Claim>(news.message);
      job.stats = std::move(claim.stats);
      return accept(Task(job.task), claim.found, job.stats);
    }
    case Pool::Kind::Status:
      job.status = status_of(news.message);
      if (!several_) ctx_.progress.publish(job.status);
      return Ok{};
    case Pool::Kind::Late:
      keep_paused(news.from);
      return over(Task(job.task), news.kind, Reason::Stopped);
    case Pool::Kind::Ended:
      why = std::get<FinalWord>(news.message).reason;
      job.stats = std::move(std::get<FinalWord>(news.message).stats);
      break;
    case Pool::Kind::Died:
    case Pool::Kind::Shed:
      ++crashed_;
      shed_ = shed_ || news.kind == Pool::Kind::Shed;
      ctx_.log.info([&] {
        return "portfolio: worker " + name_of(job.task.config) +
               (news.kind == Pool::Kind::Shed ? " ended: the memory is full"
                                              : " died without an answer");
      });
  }
  add_counts(ctx_.stats, job.stats);
  Task task = std::move(job.task);
  std::erase(paused_, news.from);
  jobs_.erase(at);
  return over(task, news.kind, why);
}

Status Jobs::accept(const Task& task, const Found& found, const Stats& stats) {
  bool run = is_unsafe(found.verdict);
  std::string by = !is_unrolling(task.config) ? std::string(members_[task.config].id())
                   : run                      ? "bmc"
                                              : "kind";
  note_depth(task, stats);
  // What settles most of the rest is checked with all cores: others then work in vain, most likely.
  bool most = 2 * found.properties.size() > open_.size();
  if (most) pool_.stand_still();
  Result<Accepted> accepted = open_.accept(found, by);
  if (most) pool_.go_on();
  if (!accepted) return accepted.error();
  if (*accepted == Accepted::Yes) {
    if (!run && !is_unrolling(task.config)) propose(found.properties);
    return Ok{};
  }
  ++rejections_;
  ctx_.log.info(
      [&] { return "portfolio: evidence of " + name_of(task.config) + " was not accepted"; });
  exhausted_.insert(task.key());
  return Ok{};
}

/// A worker that died costs its properties a second attempt, in another one; not the last property,
/// which the other members are at. What ended has said all it can say about these properties
/// together; alone they get another run.
Status Jobs::over(const Task& task, Pool::Kind kind, Reason reason) {
  bool again = kind == Pool::Kind::Died && open_.size() > 1 && died_.insert(task.key()).second;
  if (again) {
    queue_.push_front(task);
    return Ok{};
  }
  if (kind == Pool::Kind::Ended) reason_ = reason;
  if (kind != Pool::Kind::Late) exhausted_.insert(task.key());
  if (is_unrolling(task.config)) return Ok{};
  std::vector<std::size_t> left = open_.among(task.members);
  if (task.members.size() > 1) {
    for (std::size_t property : left) plan(task.config, {property}, budget_for(1));
    return Ok{};
  }
  // Nobody else will look at it.
  bool nobody = here_ && kind == Pool::Kind::Ended && !left.empty();
  return nobody ? open_.give_up(left.front(), reason) : Status(Ok{});
}

/// Ends jobs all of whose properties are settled.
void Jobs::drop_settled() {
  auto settled = [&](const Job& job) { return open_.among(job.task.members).empty(); };
  std::erase_if(paused_, [&](JobId id) { return settled(jobs_.at(id)); });
  std::erase_if(jobs_, [&](const auto& entry) {
    if (!settled(entry.second)) return false;
    pool_.end(entry.first);
    add_counts(ctx_.stats, entry.second.stats);
    return true;
  });
}

// ------------------------------------------------------------------ methods beside the engines

/// One property has all members at once instead.
Status Jobs::simulate_all() {
  if (!several_ || !open_.problem().is_bits()) return Ok{};
  for (Violation& found : simulate(open_.problem(), open_.all(), kSimulatedSteps, ctx_.stop)) {
    LEM_LET(Accepted accepted,
            open_.accept({{found.property}, Unsafe{std::move(found.trace)}}, "simulation"));
    if (accepted == Accepted::No) return *open_.rejected();
  }
  return Ok{};
}

/// The proofs of these for properties that are alike, which instances of one module have.
void Jobs::propose(std::span<const std::size_t> proved) {
  if (!likeness_) return;
  for (std::size_t one : proved)
    for (std::size_t other : open_.all()) {
      if (!likeness_->alike(one, other) || proposed_[other] == kMostProposals) continue;
      ++proposed_[other];
      proposals_.push_back({one, other});
    }
}

/// Between the news, for some time. A proposal that proves nothing is dropped.
Status Jobs::try_proposals() {
  auto start = std::chrono::steady_clock::now();
  while (!proposals_.empty() && std::chrono::steady_clock::now() - start < kProposalTime) {
    auto [from, to] = proposals_.front();
    proposals_.pop_front();
    auto proof = open_.proved().find(from);
    if (!open_.has(to) || proof == open_.proved().end()) continue;
    Certificate known = proof->second;
    InductiveInvariant candidate{likeness_->renamed(clauses_of(known), from, to)};
    if (candidate.clauses.empty()) continue;
    LEM_LET(Accepted accepted, open_.try_proof(to, std::move(candidate), "likeness"));
    if (accepted == Accepted::Yes) ++by_likeness_;
  }
  return Ok{};
}

// ---------------------------------------------------------------------------- for the user

/// A job on some of several properties is a curve of its own.
void Jobs::note_growth(const Pool::News& news, Config config) {
  std::string name = name_of(config);
  if (name.ends_with("{}")) name.resize(name.size() - 2);
  if (several_) name += " (job " + std::to_string(static_cast<std::uint32_t>(news.from) + 1) + ")";
  if (const auto* sample = std::get_if<Sample>(&news.message))
    settings_.growth->add(name, sample->stats, sample->memory_bytes, sample->text);
  if (const auto* claim = std::get_if<Claim>(&news.message))
    settings_.growth->add(name, claim->stats, 0, {});
  if (const auto* last = std::get_if<FinalWord>(&news.message))
    settings_.growth->add(name, last->stats, 0, {});
}

/// The depth of the engine that answers is the run's.
void Jobs::note_depth(const Task& task, const Stats& stats) {
  if (several_ || is_chosen()) return;
  if (members_[task.config].live != nullptr) return;
  auto depth = stats.counters().find(std::string(members_[task.config].engine->id) + ".depth");
  if (depth != stats.counters().end()) ctx_.stats.counter("auto.depth").value = depth->second.value;
}

std::string Jobs::name_of(Config config) const {
  return is_unrolling(config) ? "joint unrolling" : members_[config].name();
}

/// Which properties are at work, and what their engines say.
void Jobs::show() const {
  std::string line;
  for (const auto& [id, job] : jobs_) {
    std::vector<std::size_t> open = open_.among(job.task.members);
    if (open.empty() || job.paused) continue;
    if (!line.empty()) line += " | ";
    line += open_.problem().properties[open.front()].name;
    if (open.size() > 1) line += " +" + std::to_string(open.size() - 1);
    line += " (" + (job.status.empty() ? name_of(job.task.config) : job.status) + ")";
  }
  ctx_.progress.publish(line);
}

}  // namespace lem::run
