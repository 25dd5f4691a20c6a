#include "app/plc.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "base/time_box.h"
#include "model/st/source.h"

namespace lem {

namespace {

/// Asks with a stop request after so many seconds, or when the run is stopped.
std::optional<check::Certified> within(double seconds, const Problem& problem,
                                       std::string_view engine, const Context& ctx,
                                       const AskAgain& ask) {
  TimeBox box(ctx.stop, std::chrono::duration<double>(seconds));
  if (!box.limited()) return {};
  Stats apart;
  Context limited{ctx.options, apart, ctx.log, ctx.progress, box.token()};
  try {
    Result<check::Certified> outcome = ask(problem, engine, limited);
    return outcome ? std::optional(*std::move(outcome)) : std::nullopt;
  } catch (const std::bad_alloc&) {
    return {};  // the verdict stands
  }
}

std::size_t cycles_of(const Problem& original, const check::Certified& outcome) {
  const auto* unsafe = std::get_if<Unsafe>(&outcome.verdict());
  if (unsafe == nullptr) return 0;
  const std::vector<EdgeId>& edges = unsafe->cfa_trace().edges;
  return static_cast<std::size_t>(std::count_if(edges.begin(), edges.end(), [&](EdgeId edge) {
    return original.cfa()[edge].to == original.source.st->cycle_begin;
  }));
}

}  // namespace

std::string unreached_premise(const Problem& original, double seconds, const Context& ctx,
                              const AskAgain& ask) {
  if (original.source.st == nullptr || ctx.stopped()) return {};
  auto never = [&](std::optional<LocationId> place) {
    if (!place) return false;
    Problem question{with_error(original.cfa(), *place), original.properties, original.source};
    question.source.st = nullptr;  // a run to there is none of the requirement
    std::optional<check::Certified> answer =
        within(std::clamp(seconds, 2.0, 20.0), question, {}, ctx, ask);
    return answer && std::holds_alternative<Safe>(answer->verdict());
  };
  if (never(original.source.st->ended)) return "no run gets past the assumptions";
  bool unreached = never(original.source.st->about(original.property().name).premise);
  return unreached ? "the premise of the property never holds" : "";
}

std::optional<check::Certified> shorter_run(const Problem& original, const check::Certified& found,
                                            double seconds, const Context& ctx,
                                            const AskAgain& ask) {
  if (original.source.st == nullptr || ctx.stopped()) return {};
  std::size_t cycles = cycles_of(original, found);
  if (cycles < 2) return {};
  std::optional<check::Certified> answer =
      within(std::clamp(seconds, 2.0, 20.0), original, "bmc", ctx, ask);
  std::size_t fewer = answer ? cycles_of(original, *answer) : 0;
  return fewer > 0 && fewer < cycles ? answer : std::nullopt;
}

}  // namespace lem
