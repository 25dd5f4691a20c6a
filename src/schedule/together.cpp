#include "schedule/together.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "transform/cfa/program_slice.h"
#include "transform/transform.h"

namespace lem::schedule {

namespace {

using portfolio::Member;
using transform::Pipeline;

/// The problem on the rung of the member, if it is not there already.
std::optional<Pipeline> lowered(const Problem& problem, const Member& member, const Context& ctx) {
  if (member.rung) return Pipeline(problem, ctx, *member.rung);
  Rung own = problem.is_bits() ? Rung::Bits : problem.is_terms() ? Rung::Terms : Rung::Program;
  if (member.engine->accepts.has(own)) return {};
  return Pipeline(problem, ctx, member.engine->accepts);
}

/// One run of an engine that takes several properties.
Reason run_several(const Joint& joint, const std::vector<std::size_t>& members,
                   const Member& member, const OnFound& found, const Context& ctx) {
  Pipeline first(joint.problem(), ctx);
  if (ctx.stopped()) return Reason::Stopped;
  std::optional<Pipeline> second = lowered(first.problem(), member, ctx);
  if (second && !second->obstacle().empty()) return Reason::GaveUp;
  if (ctx.stopped()) return Reason::Stopped;
  auto back = [&](Found some) {
    if (second) some.verdict = second->back(std::move(some.verdict));
    some.verdict = first.back(std::move(some.verdict));
    if (std::holds_alternative<Unknown>(some.verdict)) return;  // does not carry over
    if (auto* safe = std::get_if<Safe>(&some.verdict))
      safe->certificate = joint.certificate(std::move(safe->certificate));
    for (std::size_t& property : some.properties) property = members[property];
    found(std::move(some));
  };
  const Problem& problem = second ? second->problem() : first.problem();
  member.engine->check_together(problem, back, ctx);
  return ctx.stopped() ? Reason::Stopped : Reason::GaveUp;
}

/// Runs of a program whose property stands for several, and a proof that there is none: by one run
/// of an engine.
Reason run_joint(const Problem& joint, const Member& member, const std::function<void(Verdict)>& on,
                 const Context& ctx) {
  Pipeline first(joint, ctx);
  if (ctx.stopped()) return Reason::Stopped;
  auto back = [&](Found some) { on(first.back(std::move(some.verdict))); };
  member.engine->check_joint(first.problem(), back, ctx);
  return ctx.stopped() ? Reason::Stopped : Reason::GaveUp;
}

Verdict run_joint(const Problem& joint, const Member& member, const Context& ctx) {
  Pipeline first(joint, ctx);
  if (ctx.stopped()) return Unknown{Reason::Stopped};
  std::optional<Pipeline> second = lowered(first.problem(), member, ctx);
  if (second && !second->obstacle().empty()) return Unknown{Reason::GaveUp};
  if (ctx.stopped()) return Unknown{Reason::Stopped};
  const Problem& problem = second ? second->problem() : first.problem();
  Verdict verdict = member.engine->make()->check(problem, ctx);
  if (second) verdict = second->back(std::move(verdict));
  return first.back(std::move(verdict));
}

}  // namespace

/// Nothing if the whole program has to be looked at.
static std::optional<Reason> check_slice(const Problem& problem,
                                         const std::vector<std::size_t>& members,
                                         const transform::Dependence& dependence,
                                         const Member& member, const OnFound& found,
                                         const Context& ctx) {
  transform::ProgramSlice slice(problem, dependence, members);
  if (slice.size() == problem.cfa().variables().size()) return {};
  Verdict verdict = run_joint(slice.problem(), member, ctx);
  if (const auto* unknown = std::get_if<Unknown>(&verdict)) return unknown->reason;
  const auto* safe = std::get_if<Safe>(&verdict);
  if (safe == nullptr) return {};
  auto claim = slice.certificate(std::get<LocationInvariants>(safe->certificate));
  if (!claim) return {};
  found({members, Safe{*std::move(claim)}});
  return Reason::GaveUp;
}

/// Again for those that are left while runs are found.
static Reason check_program(const Problem& problem, std::vector<std::size_t> left,
                            const Member& member, const OnFound& found, const Context& ctx) {
  for (bool progress = true; progress && !left.empty() && !ctx.stopped();) {
    progress = false;
    Joint joint(problem, left);
    std::vector<std::size_t> members = left;
    auto on = [&](Verdict verdict) {
      if (auto* safe = std::get_if<Safe>(&verdict)) {
        found({members, Safe{joint.certificate(std::move(safe->certificate))}});
        left.clear();
      }
      auto* unsafe = std::get_if<Unsafe>(&verdict);
      if (unsafe == nullptr) return;
      std::vector<std::size_t> violated = joint.violated(unsafe->run);
      if (violated.empty()) return;  // a run that ends nowhere: not worth a claim
      found({violated, std::move(*unsafe)});
      std::erase_if(left, [&](std::size_t one) {
        return std::find(violated.begin(), violated.end(), one) != violated.end();
      });
      progress = true;
    };
    if (Reason why = run_joint(joint.problem(), member, on, ctx); why == Reason::Stopped)
      return why;
  }
  return Reason::GaveUp;
}

Reason check_together(const Problem& problem, const std::vector<std::size_t>& members,
                      const std::vector<Proved>& proved, const Member& member, const OnFound& found,
                      const Context& ctx, const transform::Dependence* dependence) {
  bool several = members.size() > 1 && member.engine->check_together != nullptr;
  if (several && !problem.is_program()) {
    Joint joint(problem, members, proved, Joint::Form::Several);
    return run_several(joint, members, member, found, ctx);
  }
  bool runs = problem.is_program() && !member.rung && member.engine->check_joint != nullptr;
  if (runs && members.size() > 1) return check_program(problem, members, member, found, ctx);
  if (dependence != nullptr && problem.is_program()) {
    std::optional<Reason> end = check_slice(problem, members, *dependence, member, found, ctx);
    if (end) return *end;
  }
  std::vector<std::size_t> left = members;
  while (!left.empty()) {
    Joint joint(problem, left, proved);
    Verdict verdict = run_joint(joint.problem(), member, ctx);
    if (const auto* unknown = std::get_if<Unknown>(&verdict)) return unknown->reason;
    if (auto* safe = std::get_if<Safe>(&verdict)) {
      Certificate certificate = joint.certificate(std::move(safe->certificate));
      found({left, Safe{std::move(certificate)}});
      break;
    }
    Run& run = std::get<Unsafe>(verdict).run;
    std::vector<std::size_t> violated = joint.violated(run);
    if (violated.empty()) return Reason::GaveUp;  // a run that ends nowhere: not worth a claim
    found({violated, Unsafe{std::move(run)}});
    std::erase_if(left, [&](std::size_t one) {
      return std::find(violated.begin(), violated.end(), one) != violated.end();
    });
  }
  return Reason::GaveUp;
}

}  // namespace lem::schedule
