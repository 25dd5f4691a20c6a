#include "schedule/schedule.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/time_box.h"
#include "schedule/cones.h"
#include "schedule/jobs.h"
#include "schedule/joint.h"
#include "schedule/settling.h"
#include "schedule/simulate.h"
#include "schedule/together.h"
#include "transform/cfa/program_slice.h"
#include "transform/passes.h"

namespace lem::schedule {

namespace {

using Seconds = TimeBox::Seconds;

constexpr std::uint32_t kSimulatedSteps = 128;
constexpr Seconds kFirstBudget{0.05};  // of one property in the first round

class Schedule {
 public:
  Schedule(const Problem& problem, std::span<const std::size_t> properties,
           const EngineInfo* engine, const Hooks& hooks, const Context& ctx)
      : problem_(problem),
        engine_(engine),
        hooks_(hooks),
        ctx_(ctx),
        settling_(problem, properties, hooks, ctx),
        cones_(problem, properties),
        joint_runs_(ctx.stats.counter("schedule.joint-runs")),
        single_runs_(ctx.stats.counter("schedule.single-runs")) {}

  Status run() {
    if (Status done = engine_ == nullptr ? share_out() : take_rounds(); !done) return done;
    while (!settling_.open().empty()) {
      Status done = settling_.settle(settling_.open().front(),
                                     check::trust_unchecked(Unknown{Reason::Stopped}), {});
      if (!done) return done;
    }
    return Ok{};
  }

 private:
  // `auto`: jobs for workers.
  Status share_out();
  Status simulate_all();
  Status settle_unknown(const Jobs& jobs);

  // In this process: one engine, or a portfolio where no worker can be had.
  struct Attempt {
    portfolio::Decision decision;
    bool out_of_time;
  };
  Status take_rounds();
  std::vector<std::vector<std::size_t>> groups() const;
  bool takes_programs() const {
    return problem_.is_program() && engine_ != nullptr && engine_->check_joint != nullptr;
  }
  Status attempt_slice(const std::vector<std::size_t>& members, Seconds budget);
  Status try_group(std::vector<std::size_t> group, Seconds budget);
  Status attempt_together(const std::vector<std::size_t>& members, Seconds budget);
  Status attempt(std::vector<std::size_t> members, std::optional<Seconds> budget);
  Result<Attempt> prove(const Problem& problem, std::optional<Seconds> budget);
  std::vector<Proved> proved_beside(std::span<const std::size_t> members) const;
  Status claim(const Found& found, std::string_view by);

  const Problem& problem_;
  const EngineInfo* engine_;
  const Hooks& hooks_;
  const Context& ctx_;
  Settling settling_;
  Cones cones_;
  bool strengthen_ = false;  // not in the first round: it makes proofs longer
  Counter &joint_runs_, &single_runs_;
};

/// In this process a wrong claim is an internal error.
Status Schedule::claim(const Found& found, std::string_view by) {
  Result<Accepted> accepted = settling_.accept(found, by);
  if (!accepted) return accepted.error();
  if (*accepted == Accepted::No) return *settling_.rejected();
  return Ok{};
}

// ------------------------------------------------------------------------------------ auto

Status Schedule::share_out() {
  if (Status done = simulate_all(); !done) return done;
  bool bits = problem_.is_terms() && transform::why_no_bits(problem_).empty();
  Jobs jobs(settling_, cones_,
            portfolio::members_for(problem_, bits ? portfolio::Bits::Yes : portfolio::Bits::No),
            ctx_, hooks_.growth);
  Result<Jobs::End> end = jobs.run();
  if (!end) return end.error();
  switch (*end) {
    case Jobs::End::Settled:
    case Jobs::End::Stopped:
      return Ok{};
    case Jobs::End::LastOpen:
      return attempt({settling_.open().begin(), settling_.open().end()}, {});
    case Jobs::End::NoProcess:
      return take_rounds();
    case Jobs::End::Exhausted:
      return settle_unknown(jobs);
  }
  unreachable();
}

Status Schedule::simulate_all() {
  if (!problem_.is_bits()) return Ok{};
  std::vector<std::size_t> open(settling_.open().begin(), settling_.open().end());
  for (Violation& found : simulate(problem_, open, kSimulatedSteps, ctx_.stop))
    if (Status done = claim({{found.property}, Unsafe{std::move(found.trace)}}, "simulation");
        !done)
      return done;
  return Ok{};
}

Status Schedule::settle_unknown(const Jobs& jobs) {
  if (jobs.rejected()) return *jobs.rejected();
  while (!settling_.open().empty()) {
    Status done = settling_.settle(settling_.open().front(),
                                   check::trust_unchecked(Unknown{jobs.reason()}), {});
    if (!done) return done;
  }
  return Ok{};
}

// ------------------------------------------------------------------------- in this process

Status Schedule::take_rounds() {
  for (Seconds budget = kFirstBudget; !settling_.open().empty() && !ctx_.stopped(); budget *= 2) {
    for (std::vector<std::size_t>& group : groups())
      if (Status done = try_group(std::move(group), budget); !done) return done;
    strengthen_ = true;
  }
  return Ok{};
}

/// All are one group for an engine that takes any number of a program's properties at once.
std::vector<std::vector<std::size_t>> Schedule::groups() const {
  if (takes_programs()) return {{settling_.open().begin(), settling_.open().end()}};
  return cones_.groups(settling_.open());
}

Status Schedule::try_group(std::vector<std::size_t> group, Seconds budget) {
  if (problem_.is_program() && !takes_programs()) {
    Seconds for_slice = budget * std::max(1.0, static_cast<double>(group.size()) / 2);
    if (Status done = attempt_slice(group, for_slice); !done) return done;
    group = settling_.open_among(group);
  }
  if (group.size() > 1) {
    // One symbolic execution of a program is worth as much as one of each alone.
    double share = static_cast<double>(group.size()) / (takes_programs() ? 1 : 2);
    Seconds for_all = budget * std::max(1.0, share);
    bool several = takes_programs() || (engine_ != nullptr && !problem_.is_program() &&
                                        engine_->check_together != nullptr);
    Status done = several ? attempt_together(group, for_all) : attempt(group, for_all);
    if (!done) return done;
  }
  for (std::size_t property : settling_.open_among(group)) {
    if (ctx_.stopped()) break;
    bool last = settling_.open().size() == 1;
    Status done = attempt({property}, last ? std::nullopt : std::optional(budget));
    if (!done) return done;
  }
  return Ok{};
}

/// One run of an engine that takes several properties.
Status Schedule::attempt_together(const std::vector<std::size_t>& members, Seconds budget) {
  ++joint_runs_;
  TimeBox box(ctx_.stop, budget);
  Context boxed{ctx_.options, ctx_.stats, ctx_.log, ctx_.progress, box.token()};
  Status settled = Ok{};
  auto found = [&](const Found& what) {
    if (settled) settled = claim(what, engine_->id);
  };
  portfolio::Member member{engine_, {}, 0};
  check_together(problem_, members, proved_beside(members), member, found, boxed);
  return settled;
}

/// What the members of a program depend on, alone: a proof settles them.
Status Schedule::attempt_slice(const std::vector<std::size_t>& members, Seconds budget) {
  transform::ProgramSlice slice(problem_, *cones_.dependence(), members);
  if (slice.size() == problem_.cfa().variables().size() || ctx_.stopped()) return Ok{};
  ++joint_runs_;
  Result<Attempt> attempt = prove(slice.problem(), budget);
  if (!attempt) return attempt.error();
  auto& [outcome, engine] = attempt->decision;
  const auto* safe = std::get_if<Safe>(&outcome.verdict());
  if (safe == nullptr) return Ok{};
  auto certificate = slice.certificate(std::get<LocationInvariants>(safe->certificate));
  return certificate ? claim({members, Safe{*std::move(certificate)}}, engine) : Status(Ok{});
}

/// One run of the engine for all members; after a counterexample another one for those left.
Status Schedule::attempt(std::vector<std::size_t> members, std::optional<Seconds> budget) {
  while (!members.empty() && !ctx_.stopped()) {
    ++(members.size() > 1 ? joint_runs_ : single_runs_);
    Joint joint(problem_, members, proved_beside(members));
    Result<Attempt> attempt = prove(joint.problem(), budget);
    if (!attempt) return attempt.error();
    auto& [outcome, engine] = attempt->decision;
    const Verdict& verdict = outcome.verdict();
    bool unknown = std::holds_alternative<Unknown>(verdict);
    if (unknown && (attempt->out_of_time || members.size() > 1)) return Ok{};
    if (unknown || joint.is_plain())
      return settling_.settle(members.front(), std::move(outcome), engine);
    if (const auto* safe = std::get_if<Safe>(&verdict))
      return claim({members, Safe{joint.certificate(safe->certificate)}}, engine);
    const Run& run = std::get<Unsafe>(verdict).run;
    if (Status done = claim({joint.violated(run), Unsafe{run}}, engine); !done) return done;
    std::vector<std::size_t> left = settling_.open_among(members);
    if (left.size() == members.size()) return Ok{};  // not confirmed; they are tried alone
    members = std::move(left);
  }
  return Ok{};
}

Result<Schedule::Attempt> Schedule::prove(const Problem& problem, std::optional<Seconds> budget) {
  TimeBox box(ctx_.stop, budget);
  Context boxed{ctx_.options, ctx_.stats, ctx_.log, ctx_.progress, box.token()};
  Result<portfolio::Decision> decision = hooks_.prove(problem, boxed);
  if (!decision) return decision.error();
  return Attempt{*std::move(decision), boxed.stopped()};
}

/// What may help with the members: proved properties of the same part of the model.
std::vector<Proved> Schedule::proved_beside(std::span<const std::size_t> members) const {
  std::vector<Proved> beside;
  if (!strengthen_) return beside;
  for (const auto& [property, certificate] : settling_.proved())
    if (cones_.part_of(property) == cones_.part_of(members.front()))
      beside.push_back({property, certificate});
  return beside;
}

}  // namespace

Status check_all(const Problem& problem, std::span<const std::size_t> properties,
                 const EngineInfo* engine, const Hooks& hooks, const Context& ctx) {
  assert(!properties.empty());
  return Schedule(problem, properties, engine, hooks, ctx).run();
}

}  // namespace lem::schedule
