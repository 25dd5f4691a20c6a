#include "schedule/jobs.h"

#include <algorithm>
#include <cassert>

#include "schedule/together.h"
#include "schedule/unrolling.h"

namespace lem::schedule {

namespace {

using portfolio::JobId;
using portfolio::Member;
using portfolio::Pool;

constexpr std::chrono::duration<double> kFirstBudget{0.05};
constexpr std::chrono::duration<double> kUnrollingTime{1.0};  // of all joint unrollings
constexpr std::chrono::duration<double> kLeastShare{0.01};    // of the one for a part of the model
constexpr std::size_t kMostProposals = 3;                     // for each property
constexpr std::chrono::duration<double> kProposalTime{0.03};  // between two looks at the workers
constexpr double kMostShares = 10;                            // of the first of many that are alike
constexpr std::size_t kMostPaused = 32;                       // jobs for each core
// Bounds how long a stop request or a used up budget goes unnoticed.
constexpr std::chrono::milliseconds kTick{10};

}  // namespace

Jobs::Jobs(Settling& settling, const Cones& cones, std::vector<Member> members, const Context& ctx,
           Growth* growth)
    : settling_(settling),
      cones_(cones),
      ctx_(ctx),
      growth_(growth),
      members_(std::move(members)),
      pool_(settling.problem(), portfolio::cores_for(ctx.options),
            portfolio::memory_for(ctx.options), growth == nullptr ? Sampling::Off : Sampling::On),
      budget_(kFirstBudget),
      started_(ctx.stats.counter("portfolio.started")),
      crashed_(ctx.stats.counter("portfolio.crashed")),
      rejections_(ctx.stats.counter("portfolio.rejected")),
      by_likeness_(ctx.stats.counter("schedule.by-likeness")) {
  if (settling.problem().is_bits()) likeness_.emplace(settling.problem());
}

Result<Jobs::End> Jobs::run() {
  plan_round();
  while (!settling_.open().empty()) {
    if (ctx_.stopped()) return End::Stopped;
    if (Status done = try_proposals(); !done) return done.error();
    if (settling_.open().empty()) break;
    drop_settled();
    if (!fill_cores()) return End::NoProcess;
    if (pool_.running() == 0) return settling_.open().size() == 1 ? End::LastOpen : End::Exhausted;
    for (Pool::News& news : pool_.listen(kTick))
      if (Status done = hear(std::move(news)); !done) return done.error();
    if (ctx_.progress.due()) show();
  }
  return End::Settled;
}

// ------------------------------------------------------------------------------- the queue

std::vector<std::vector<std::size_t>> Jobs::groups() const {
  return cones_.groups(settling_.open());
}

Jobs::Seconds Jobs::budget_for(std::size_t members) const {
  return budget_ * std::max(1.0, static_cast<double>(members) / 2);
}

/// False if this job has ended before, or runs now.
bool Jobs::plan(Config config, const std::vector<std::size_t>& members, Seconds budget) {
  auto is_this = [&](const auto& entry) {
    return entry.second.task.config == config && entry.second.task.members == members;
  };
  if (exhausted_.contains({config, members})) return false;
  if (std::any_of(running_.begin(), running_.end(), is_this)) return false;
  queue_.push_back({config, members, budget});
  return true;
}

/// The next configurations go last: every group has the first one before any has the second.
void Jobs::plan_round() {
  std::vector<std::vector<std::size_t>> groups = this->groups();
  std::size_t configs = std::min(round_ + 1, members_.size());
  while (true) {
    plan_groups(groups);
    for (Config config = 1; config < configs; ++config)
      for (const std::vector<std::size_t>& group : groups)
        if (!plan(config, group, budget_for(group.size())) && group.size() > 1)
          for (std::size_t property : group) plan(config, {property}, budget_);
    if (round_ == 0) plan_unrolling();
    if (queue_.size() + running_.size() >= pool_.cores() || configs == members_.size()) break;
    queue_.clear();
    ++configs;
  }
  ++round_;
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
    Seconds budget = budget_for(group->size());
    if (likeness_ && group < first_waiting)
      budget *= std::min(kMostShares, share[likeness_->shape_of(group->front())]);
    if (!plan(0, *group, budget) && group->size() > 1)
      for (std::size_t property : *group) plan(0, {property}, budget_);
  }
}

void Jobs::plan_unrolling() {
  if (settling_.problem().is_program()) return plan_joint_search();
  std::map<std::uint32_t, std::vector<std::size_t>> parts;
  for (std::size_t property : settling_.open()) parts[cones_.part_of(property)].push_back(property);
  Seconds share = std::max(kLeastShare, kUnrollingTime / static_cast<double>(parts.size()));
  for (const auto& [part, members] : parts) plan(kUnrolling, members, share);
}

/// One symbolic execution for all properties of a program goes first: it settles what is short.
void Jobs::plan_joint_search() {
  for (Config config = 0; config < members_.size(); ++config) {
    if (members_[config].rung || members_[config].engine->check_joint == nullptr) continue;
    std::vector<std::size_t> all(settling_.open().begin(), settling_.open().end());
    if (!plan(config, all, budget_for(all.size()))) continue;
    std::rotate(queue_.begin(), queue_.end() - 1, queue_.end());
  }
}

/// Starts what there is room for; false if no process can be had at all.
bool Jobs::fill_cores() {
  while (pool_.has_room()) {
    if (queue_.empty()) {
      // With one property left the portfolio takes over when these jobs are over.
      if (settling_.open().size() == 1) return true;
      budget_ *= 2;
      plan_round();
      if (queue_.empty()) return true;
    }
    Task task = std::move(queue_.front());
    queue_.pop_front();
    task.members = settling_.open_among(task.members);
    if (task.members.empty() || exhausted_.contains({task.config, task.members})) continue;
    if (start(task)) continue;
    queue_.push_front(std::move(task));
    return pool_.running() > 0;
  }
  return true;
}

// -------------------------------------------------------------------------------- the jobs

/// What may help with the members: proved properties of the same part of the model. Not in the
/// first round: it makes proofs longer.
std::vector<Proved> Jobs::proved_beside(const std::vector<std::size_t>& members) const {
  std::vector<Proved> beside;
  if (round_ < 2) return beside;
  for (const auto& [property, certificate] : settling_.proved())
    if (cones_.part_of(property) == cones_.part_of(members.front()))
      beside.push_back({property, certificate});
  return beside;
}

portfolio::Work Jobs::work_of(const Task& task) const {
  const Problem& problem = settling_.problem();
  if (task.config == kUnrolling)
    return [&problem, members = task.members](const OnFound& found, const Context& ctx) {
      Unrolling(problem, found, ctx).run(members);
      return Reason::GaveUp;
    };
  return [this, &problem, task](const OnFound& found, const Context& ctx) {
    return check_together(problem, task.members, proved_beside(task.members), members_[task.config],
                          found, ctx, cones_.dependence());
  };
}

/// A job that had a turn before goes on, with all that it has learnt.
bool Jobs::resume(const Task& task) {
  auto at = std::find_if(paused_.begin(), paused_.end(), [&](const auto& entry) {
    return entry.first == Key{task.config, task.members};
  });
  if (at == paused_.end()) return false;
  pool_.resume(at->second, task.budget);
  running_.emplace(at->second, Running{task});
  paused_.erase(at);
  return true;
}

void Jobs::keep_paused(Key key, JobId id) {
  paused_.emplace_back(std::move(key), id);
  if (paused_.size() <= kMostPaused * pool_.cores()) return;
  pool_.end(paused_.front().second);
  paused_.pop_front();
}

bool Jobs::start(const Task& task) {
  if (resume(task)) return true;
  Options options = task.config == kUnrolling
                        ? ctx_.options
                        : portfolio::member_options(members_[task.config], ctx_.options);
  std::optional<JobId> id = pool_.start(work_of(task), options, task.budget);
  if (!id) return false;
  ++started_;
  running_.emplace(*id, Running{task});
  return true;
}

/// A job is a curve of its own.
void Jobs::note_growth(const Pool::News& news, Config config) {
  std::string name = name_of(config);
  if (name.ends_with("{}")) name.resize(name.size() - 2);
  name += " (job " + std::to_string(static_cast<std::uint32_t>(news.from) + 1) + ")";
  if (const auto* sample = std::get_if<portfolio::Sample>(&news.message))
    growth_->add(name, sample->stats, sample->memory_bytes, sample->text);
  if (const auto* last = std::get_if<portfolio::FinalWord>(&news.message))
    growth_->add(name, last->stats, 0, {});
}

Status Jobs::hear(Pool::News news) {
  auto at = running_.find(news.from);
  if (at == running_.end()) {  // paused and now dead, or dropped with what came before
    std::erase_if(paused_, [&](const auto& entry) { return entry.second == news.from; });
    return Ok{};
  }
  if (growth_ != nullptr) note_growth(news, at->second.task.config);
  switch (news.kind) {
    case Pool::Kind::Found:
      return accept(at->second.task, std::get<Found>(news.message));
    case Pool::Kind::Status:
      at->second.status = portfolio::status_of(news.message);
      return Ok{};
    case Pool::Kind::Ended: {
      const auto& last = std::get<portfolio::FinalWord>(news.message);
      if (const auto* unknown = std::get_if<Unknown>(&last.verdict)) reason_ = unknown->reason;
      portfolio::add_counts(ctx_.stats, last.stats);
      break;
    }
    case Pool::Kind::Died:
    case Pool::Kind::Late:
      break;
  }
  over(news.from, news.kind);
  return Ok{};
}

Status Jobs::accept(const Task& task, const Found& found) {
  bool run = std::holds_alternative<Unsafe>(found.verdict);
  std::string by = task.config != kUnrolling ? std::string(members_[task.config].engine->id)
                   : run                     ? "bmc"
                                             : "kind";
  // What settles most of the rest is checked with all cores: others then work in vain, most likely.
  bool most = 2 * found.properties.size() > settling_.open().size();
  if (most) pool_.stand_still();
  Result<Accepted> accepted = settling_.accept(found, by);
  if (most) pool_.go_on();
  if (!accepted) return accepted.error();
  if (*accepted == Accepted::Yes) {
    if (!run && task.config != kUnrolling) propose(found.properties);
    return Ok{};
  }
  ++rejections_;
  rejected_ = settling_.rejected();
  ctx_.log.info([&] { return "evidence of " + by + " was not accepted: " + rejected_->message; });
  exhausted_.insert({task.config, task.members});
  return Ok{};
}

/// The proofs of these for properties that are alike, which instances of one module have.
void Jobs::propose(std::span<const std::size_t> proved) {
  if (!likeness_) return;
  for (std::size_t one : proved)
    for (std::size_t other : settling_.open()) {
      if (!likeness_->alike(one, other) || proposed_[other] == kMostProposals) continue;
      ++proposed_[other];
      proposals_.push_back({one, other});
    }
}

/// Between the news, for some time. A proposal that proves nothing is dropped.
Status Jobs::try_proposals() {
  Pool::Seconds time = kProposalTime;
  auto start = std::chrono::steady_clock::now();
  while (!proposals_.empty() && std::chrono::steady_clock::now() - start < time) {
    auto [from, to] = proposals_.front();
    proposals_.pop_front();
    auto proof = settling_.proved().find(from);
    if (!settling_.is_open(to) || proof == settling_.proved().end()) continue;
    Certificate known = proof->second;
    InductiveInvariant candidate{likeness_->renamed(clauses_of(known), from, to)};
    if (candidate.clauses.empty()) continue;
    Problem one = focus(settling_.problem(), to);
    Result<check::Certified> outcome = check::certify(one, Safe{std::move(candidate)}, ctx_.stop);
    if (!outcome || !std::holds_alternative<Safe>(outcome->verdict())) continue;
    ++by_likeness_;
    if (Status done = settling_.settle(to, *std::move(outcome), "likeness"); !done) return done;
  }
  return Ok{};
}

/// A worker that died costs its properties a second attempt, in another one. What ended has said
/// all it can say about these properties together; alone they get another run.
void Jobs::over(JobId id, Pool::Kind kind) {
  Task task = std::move(running_.at(id).task);
  running_.erase(id);
  Key key{task.config, task.members};
  if (kind == Pool::Kind::Died) {
    ++crashed_;
    reason_ = Reason::Crashed;
    ctx_.log.info([&] { return "a worker died: " + name_of(task.config); });
    if (died_.insert(key).second) return queue_.push_front(std::move(task));
  }
  if (kind == Pool::Kind::Late)
    keep_paused(std::move(key), id);
  else
    exhausted_.insert(std::move(key));
  if (task.config == kUnrolling || task.members.size() < 2) return;
  for (std::size_t property : settling_.open_among(task.members))
    plan(task.config, {property}, budget_);
}

/// Ends jobs all of whose properties are settled.
void Jobs::drop_settled() {
  std::erase_if(running_, [&](const auto& entry) {
    bool settled = settling_.open_among(entry.second.task.members).empty();
    if (settled) pool_.end(entry.first);
    return settled;
  });
  std::erase_if(paused_, [&](const auto& entry) {
    bool settled = settling_.open_among(entry.first.second).empty();
    if (settled) pool_.end(entry.second);
    return settled;
  });
}

// ---------------------------------------------------------------------------- for the user

std::string Jobs::name_of(Config config) const {
  return config == kUnrolling ? "joint unrolling" : members_[config].name();
}

/// Which properties are at work, and what their engines say.
void Jobs::show() const {
  std::string line;
  for (const auto& [id, running] : running_) {
    std::vector<std::size_t> open = settling_.open_among(running.task.members);
    if (open.empty()) continue;
    if (!line.empty()) line += " | ";
    line += settling_.problem().properties[open.front()].name;
    if (open.size() > 1) line += " +" + std::to_string(open.size() - 1);
    std::string status = running.status.empty() ? name_of(running.task.config) : running.status;
    line += " (" + status + ")";
  }
  ctx_.progress.publish(line);
}

}  // namespace lem::schedule
