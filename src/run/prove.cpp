#include "run/prove.h"

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "run/apart.h"
#include "run/jobs.h"
#include "run/live/search.h"
#include "run/lowering.h"
#include "run/members.h"
#include "run/search.h"
#include "transform/passes.h"

namespace lem::run {

/// Engines are for safety properties, methods for justice properties; `auto` has both.
static Status check_kinds(const Problem& problem, std::span<const std::size_t> properties,
                          const Selectable& selected) {
  for (std::size_t property : properties) {
    const Property& one = problem.properties[property];
    if (selected.is_auto() || one.is_justice() == (selected.live != nullptr)) continue;
    std::string works = selected.live != nullptr ? "justice" : "safety";
    std::string other = one.is_justice() ? "a justice property: see l2s, klive, rlive and auto"
                                         : "a safety property";
    return Error{{problem.source.file},
                 "engine '" + std::string(selected.id) + "' works on " + works + " properties, '" +
                     one.name + "' is " + other,
                 ErrorKind::Usage};
  }
  return Ok{};
}

Status check_fits(const Problem& problem, std::span<const std::size_t> properties,
                  const Selectable& selected, const Context& ctx) {
  LEM_TRY(check_kinds(problem, properties, selected));
  bool lowered = selected.accepts == Rung::Bits && problem.is_terms() && !problem.has_justice();
  if (!lowered || properties.size() < 2 || transform::why_no_bits(problem).empty()) return Ok{};
  Stats apart;
  Context quiet = ctx.with_stats(apart);
  for (std::size_t property : properties) {
    Problem one = focus(problem, property);
    Lowering lowering(one, quiet, Rung::Bits);
    if (!lowering.obstacle().empty())
      return does_not_fit(problem, *selected.engine, lowering.obstacle());
  }
  return Ok{};
}

/// The members of `auto` are chosen by what the model is: of one property after transforms.
static std::vector<Member> members_of_auto(const Problem& problem,
                                           const std::optional<Prepared>& prepared) {
  if (problem.has_justice())
    return members_for(problem, why_no_bits_for(problem).empty() ? Bits::Yes : Bits::No);
  if (prepared)
    return members_for(prepared->question.problem(), prepared->bits ? Bits::Yes : Bits::No);
  bool bits = problem.is_terms() && transform::why_no_bits(problem).empty();
  return members_for(problem, bits ? Bits::Yes : Bits::No);
}

Status prove_all(const Problem& problem, std::span<const std::size_t> properties,
                 const Selectable& selected, const Settings& settings, const OnSettled& on_settled,
                 const Context& ctx) {
  assert(!properties.empty() && "something to prove");
  if (problem.has_justice()) {
    LEM_TRY(check_kinds(problem, properties, selected));
    if (problem.properties.size() > 1)
      return prove_apart(problem, properties, selected, settings, on_settled, ctx);
  }
  Open open(problem, properties, settings, on_settled, ctx);
  std::optional<Prepared> prepared;
  std::vector<Member> members = {
      Member{.engine = selected.engine, .chosen = true, .live = selected.live}};
  if (selected.is_auto()) {
    if (open.size() == 1) {
      prepared = prepare(problem, open.all().front(), ctx);
      if (!prepared) return open.give_up_all(Reason::Stopped);
    }
    members = members_of_auto(problem, prepared);
  }
  Jobs jobs(open, std::move(members), settings, ctx, std::move(prepared));
  LEM_TRY(jobs.run());
  return open.give_up_all(jobs.reason());
}

Result<check::Certified> prove(const Problem& problem, const Selectable& selected,
                               const Settings& settings, const Context& ctx) {
  std::optional<check::Certified> answer;
  auto keep = [&](std::size_t, check::Certified outcome, std::string_view) -> Status {
    answer = std::move(outcome);
    return Ok{};
  };
  const std::size_t only[] = {0};
  LEM_TRY(prove_all(problem, only, selected, settings, keep, ctx));
  return *std::move(answer);
}

}  // namespace lem::run
