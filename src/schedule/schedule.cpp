#include "schedule/schedule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/time_box.h"
#include "schedule/cones.h"
#include "schedule/joint.h"
#include "schedule/paths.h"
#include "schedule/simulate.h"

namespace lem::schedule {

namespace {

using Seconds = TimeBox::Seconds;

constexpr std::uint32_t kSimulatedSteps = 128;
constexpr std::uint32_t kUnrolledSteps = 40;  // of the joint unrolling, if the time suffices
constexpr std::uint32_t kInductionSteps = 6;  // largest k that is worth it before IC3
constexpr Seconds kShortcutTime{1.0};         // of all joint unrollings
constexpr Seconds kLeastShare{0.01};          // of the one for a part of the model
constexpr std::chrono::milliseconds kQuestionTime{20};  // of one question about it
constexpr Seconds kFirstBudget{0.05};                   // of one property in the first round

class Schedule {
 public:
  Schedule(const Problem& problem, std::span<const std::size_t> properties, const Hooks& hooks,
           const Context& ctx)
      : problem_(problem),
        hooks_(hooks),
        ctx_(ctx),
        open_(properties.begin(), properties.end()),
        joint_runs_(ctx.stats.counter("schedule.joint-runs")),
        single_runs_(ctx.stats.counter("schedule.single-runs")),
        by_shortcut_(ctx.stats.counter("schedule.by-shortcut")) {
    if (can_join(problem)) cones_.emplace(problem, properties);
  }

  Status run(Shortcuts shortcuts) {
    if (shortcuts == Shortcuts::Yes && cones_ && open_.size() > 1)
      if (Status done = take_shortcuts(); !done) return done;
    for (Seconds budget = kFirstBudget; !open_.empty() && !ctx_.stopped(); budget *= 2) {
      for (std::vector<std::size_t>& group : groups())
        if (Status done = try_group(std::move(group), budget); !done) return done;
      strengthen_ = true;
    }
    while (!open_.empty())
      if (Status done = settle(open_.front(), check::trust_unchecked(Unknown{Reason::Stopped}));
          !done)
        return done;
    return Ok{};
  }

 private:
  // What is cheap for all.
  Status take_shortcuts();
  Status search_and_induct(const std::vector<std::size_t>& members, const std::stop_token& stop);
  Status search(Paths& paths, std::vector<std::size_t> all, const std::stop_token& stop);
  Status induct(Paths& paths, std::uint32_t k, std::vector<std::size_t> candidates,
                std::vector<std::size_t>& proved);
  Certificate k_inductive(std::uint32_t k) const;

  // Proofs.
  struct Attempt {
    check::Certified outcome;
    bool out_of_time;
  };
  std::vector<std::vector<std::size_t>> groups() const;
  Status try_group(std::vector<std::size_t> group, Seconds budget);
  Status attempt(std::vector<std::size_t> members, std::optional<Seconds> budget);
  Result<Attempt> prove(const Problem& problem, std::optional<Seconds> budget);
  std::vector<Proved> proved_beside(std::span<const std::size_t> members) const;

  // Answers.
  Status settle(std::size_t property, check::Certified outcome, std::string_view method = {});
  Status settle_run(std::size_t property, const Run& run, std::string_view method = {});
  Status settle_proof(std::span<const std::size_t> claimed, const Certificate& certificate,
                      std::string_view method = {});
  std::vector<std::size_t> easy(std::vector<std::size_t> among) const {
    keep_open(among);
    std::erase_if(among, [&](std::size_t property) { return hard_.contains(property); });
    return among;
  }
  bool is_open(std::size_t property) const {
    return std::find(open_.begin(), open_.end(), property) != open_.end();
  }
  void keep_open(std::vector<std::size_t>& properties) const {
    std::erase_if(properties, [&](std::size_t property) { return !is_open(property); });
  }

  const Problem& problem_;
  const Hooks& hooks_;
  const Context& ctx_;
  std::vector<std::size_t> open_;
  std::optional<Cones> cones_;
  std::set<std::size_t> hard_;  // questions about them take too long to be asked beside others
  std::map<std::size_t, Certificate> proved_;  // those with inductive invariants
  bool strengthen_ = false;                    // not in the first round: it makes proofs longer
  Counter &joint_runs_, &single_runs_, &by_shortcut_;
};

Status Schedule::settle(std::size_t property, check::Certified outcome, std::string_view method) {
  std::erase(open_, property);
  if (!method.empty()) ++by_shortcut_;
  return hooks_.settle(property, std::move(outcome), method);
}

Status Schedule::settle_run(std::size_t property, const Run& run, std::string_view method) {
  Result<check::Certified> outcome =
      check::certify(focus(problem_, property), Unsafe{run}, ctx_.stop);
  if (!outcome) return outcome.error();
  return settle(property, *std::move(outcome), method);
}

/// Settles the open ones of `claimed`: the certificate says that none of them fails.
Status Schedule::settle_proof(std::span<const std::size_t> claimed, const Certificate& certificate,
                              std::string_view method) {
  Result<std::vector<check::Certified>> outcomes =
      check::certify_together(problem_, claimed, certificate, ctx_.stop);
  if (!outcomes) return outcomes.error();
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    const auto* safe = std::get_if<Safe>(&(*outcomes)[i].verdict());
    if (safe == nullptr || !is_open(claimed[i])) continue;  // undecided: stays open
    if (is_inductive(safe->certificate)) proved_.emplace(claimed[i], safe->certificate);
    if (Status done = settle(claimed[i], (*outcomes)[i], method); !done) return done;
  }
  return Ok{};
}

Status Schedule::take_shortcuts() {
  if (problem_.is_bits())
    for (Violation& found : simulate(problem_, open_, kSimulatedSteps, ctx_.stop))
      if (Status done = settle_run(found.property, std::move(found.trace), "simulation"); !done)
        return done;
  std::map<std::uint32_t, std::vector<std::size_t>> parts;
  for (std::size_t property : open_) parts[cones_->part_of(property)].push_back(property);
  Seconds share = std::max(kLeastShare, kShortcutTime / static_cast<double>(parts.size()));
  for (const auto& [part, members] : parts) {
    TimeBox box(ctx_.stop, share);
    if (Status done = search_and_induct(members, box.token()); !done) return done;
  }
  return Ok{};
}

/// Bounded search and k-induction for properties of one part of the model on one unrolling:
/// [Sheeran00] with the conjunction of the open ones as the property, shrunk until it is inductive.
Status Schedule::search_and_induct(const std::vector<std::size_t>& members,
                                   const std::stop_token& stop) {
  std::unique_ptr<Paths> paths = make_paths(problem_, members, kQuestionTime, stop);
  std::vector<std::size_t> proved;
  for (std::uint32_t k = 0; k < kUnrolledSteps && !stop.stop_requested(); ++k) {
    if (ctx_.progress.due()) ctx_.progress.publish("joint unrolling: step " + std::to_string(k));
    paths->extend();
    if (k > 0 && k <= kInductionSteps)
      if (Status done = induct(*paths, k, easy(members), proved); !done) return done;
    if (Status done = search(*paths, easy(members), stop); !done) return done;
    if (easy(members).empty()) break;
  }
  return Ok{};
}

/// Who fails at the last step: all in one question, one by one where that takes too long. Those
/// that take too long alone are set aside.
Status Schedule::search(Paths& paths, std::vector<std::size_t> all, const std::stop_token& stop) {
  std::vector<std::vector<std::size_t>> questions{std::move(all)};
  while (!questions.empty() && !stop.stop_requested()) {
    std::vector<std::size_t> among = std::move(questions.back());
    questions.pop_back();
    if (among.empty()) continue;
    switch (paths.some_fails(among)) {
      case smt::Answer::Unsat:
        paths.none_fails(among);
        break;
      case smt::Answer::Sat: {
        std::vector<std::size_t> failed;
        for (std::size_t property : among)
          if (paths.fails(property)) failed.push_back(property);
        Run run = paths.run();
        for (std::size_t property : failed)
          if (Status done = settle_run(property, run, "bmc"); !done) return done;
        keep_open(among);
        if (failed.empty())
          hard_.insert(among.begin(), among.end());  // the model does not say
        else
          questions.push_back(std::move(among));
        break;
      }
      case smt::Answer::Unknown:
        if (among.size() == 1)
          hard_.insert(among.front());
        else
          for (std::size_t property : among) questions.push_back({property});
    }
  }
  return Ok{};
}

/// The largest set of candidates that k good steps of all of them keep good, beside what is proved.
///   require: none of them fails within the first k steps   ensure: `proved` has them too
Status Schedule::induct(Paths& paths, std::uint32_t k, std::vector<std::size_t> candidates,
                        std::vector<std::size_t>& proved) {
  auto remove_failing = [&](std::span<const std::size_t> among) {
    return std::erase_if(candidates, [&](std::size_t property) {
      return std::find(among.begin(), among.end(), property) != among.end() &&
             paths.fails_after_good(property);
    });
  };
  smt::Answer answer = smt::Answer::Unknown;
  for (bool one_by_one = false; !candidates.empty();) {
    answer = paths.some_fails_after_good(candidates, candidates);
    if (answer == smt::Answer::Unsat) break;
    if (answer == smt::Answer::Sat && remove_failing(candidates) == 0) return Ok{};
    if (answer == smt::Answer::Sat) continue;
    if (one_by_one) return Ok{};
    one_by_one = true;
    for (std::size_t property : std::vector(candidates)) {
      std::size_t alone[] = {property};
      smt::Answer single = paths.some_fails_after_good(candidates, alone);
      if (single == smt::Answer::Sat) remove_failing(alone);
      if (single == smt::Answer::Unknown) std::erase(candidates, property);
    }
  }
  if (candidates.empty()) return Ok{};
  paths.never_fail(candidates);
  proved.insert(proved.end(), candidates.begin(), candidates.end());
  return settle_proof(proved, k_inductive(k), "kind");
}

Certificate Schedule::k_inductive(std::uint32_t k) const {
  if (problem_.is_terms()) return TermInvariant{problem_.system().terms().boolean(true), k};
  if (k == 1) return InductiveInvariant{};
  return KInductive{k, SimplePath::No, {}};
}

/// Without cones every property is a group.
std::vector<std::vector<std::size_t>> Schedule::groups() const {
  if (cones_) return cones_->groups(open_);
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t property : open_) groups.push_back({property});
  return groups;
}

Status Schedule::try_group(std::vector<std::size_t> group, Seconds budget) {
  if (group.size() > 1) {
    Seconds for_all = budget * std::max(1.0, static_cast<double>(group.size()) / 2);
    if (Status done = attempt(group, for_all); !done) return done;
    keep_open(group);
  }
  for (std::size_t property : group) {
    if (ctx_.stopped()) break;
    bool last = open_.size() == 1;
    Status done = attempt({property}, last ? std::nullopt : std::optional(budget));
    if (!done) return done;
  }
  return Ok{};
}

/// One run of the engine for all members; after a counterexample another one for those left.
Status Schedule::attempt(std::vector<std::size_t> members, std::optional<Seconds> budget) {
  while (!members.empty() && !ctx_.stopped()) {
    ++(members.size() > 1 ? joint_runs_ : single_runs_);
    Joint joint(problem_, members, proved_beside(members));
    Result<Attempt> attempt = prove(joint.problem(), budget);
    if (!attempt) return attempt.error();
    const Verdict& verdict = attempt->outcome.verdict();
    bool unknown = std::holds_alternative<Unknown>(verdict);
    if (unknown && (attempt->out_of_time || members.size() > 1)) return Ok{};
    if (unknown || joint.is_plain()) return settle(members.front(), std::move(attempt->outcome));
    if (const auto* safe = std::get_if<Safe>(&verdict))
      return settle_proof(members, joint.certificate(safe->certificate));
    const Run& run = std::get<Unsafe>(verdict).run;
    for (std::size_t property : joint.violated(run))
      if (Status done = settle_run(property, run); !done) return done;
    std::size_t before = members.size();
    keep_open(members);
    if (members.size() == before)
      return Error{{problem_.source.file}, "a joint run violates no property", ErrorKind::Internal};
  }
  return Ok{};
}

Result<Schedule::Attempt> Schedule::prove(const Problem& problem, std::optional<Seconds> budget) {
  TimeBox box(ctx_.stop, budget);
  Context boxed{ctx_.options, ctx_.stats, ctx_.log, ctx_.progress, box.token()};
  Result<check::Certified> outcome = hooks_.prove(problem, boxed);
  if (!outcome) return outcome.error();
  return Attempt{*std::move(outcome), boxed.stopped()};
}

/// What may help with the members: proved properties of the same part of the model.
std::vector<Proved> Schedule::proved_beside(std::span<const std::size_t> members) const {
  std::vector<Proved> beside;
  if (!strengthen_ || !cones_) return beside;
  for (const auto& [property, certificate] : proved_)
    if (cones_->part_of(property) == cones_->part_of(members.front()))
      beside.push_back({property, certificate});
  return beside;
}

}  // namespace

Status check_all(const Problem& problem, std::span<const std::size_t> properties,
                 Shortcuts shortcuts, const Hooks& hooks, const Context& ctx) {
  return Schedule(problem, properties, hooks, ctx).run(shortcuts);
}

}  // namespace lem::schedule
