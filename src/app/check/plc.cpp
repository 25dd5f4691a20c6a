#include "app/check/plc.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <new>
#include <vector>

#include "base/time_box.h"
#include "model/st/source.h"

namespace lem::app {

namespace {

/// Asks with a stop request after so many seconds, or when the run is stopped.
std::optional<check::Certified> within(double seconds, const Problem& problem,
                                       const run::Selectable& engine, const Context& ctx,
                                       const Prover& prover) {
  TimeBox box(ctx.stop, std::chrono::duration<double>(seconds));
  if (!box.limited()) return {};
  Stats apart;
  try {
    Result<check::Certified> outcome =
        run::prove(problem, engine, prover.settings, ctx.with_stats(apart).with_stop(box.token()));
    return outcome ? std::optional(*std::move(outcome)) : std::nullopt;
  } catch (const std::bad_alloc&) {
    return {};  // the verdict stands
  }
}

/// The automaton with an error that is reached where `place` is.
Cfa with_error_after(const Cfa& cfa, LocationId place) {
  CfaBuilder builder(cfa.store());
  for (Term variable : cfa.variables()) builder.add_variable(variable);
  for (const Location& one : cfa.locations()) builder.add_location(one.name, one.line);
  for (const CfaEdge& one : cfa.edges()) builder.add_edge(one.from, one.command, one.to, one.line);
  LocationId error = builder.add_location("reached");
  builder.add_edge(place, Command::skip(), error);
  builder.set_initial(cfa.initial());
  builder.set_error(error);
  Result<Cfa> made = std::move(builder).freeze();
  assert(made.ok() && "a valid automaton with one more location is valid");
  return *std::move(made);
}

/// Whether it is proved that no run gets there.
bool never(const Problem& original, LocationId place, double seconds, const Context& ctx,
           const Prover& prover) {
  if (ctx.stopped()) return false;
  Problem question{with_error_after(original.cfa(), place), original.properties, original.source};
  question.source.st = nullptr;  // a run to there is none of the requirement
  std::optional<check::Certified> answer =
      within(std::clamp(seconds, 2.0, 20.0), question, prover.selected, ctx, prover);
  return answer && is_safe(answer->verdict());
}

/// Whether a loop of the automaton does not pass through `head`: a cycle may then have no end.
bool loops_within_a_cycle(const Cfa& cfa, LocationId head) {
  // Locations without a way in are removed until none is left, or a loop.
  std::vector<std::size_t> ways_in(cfa.locations().size());
  for (const CfaEdge& edge : cfa.edges())
    if (edge.from != head) ++ways_in[index(edge.to)];
  std::vector<LocationId> free;
  std::size_t removed = 0;
  for (std::uint32_t i = 0; i < ways_in.size(); ++i)
    if (ways_in[i] == 0) free.push_back(LocationId{i});
  while (!free.empty()) {
    LocationId one = free.back();
    free.pop_back();
    ++removed;
    if (one == head) continue;
    for (EdgeId edge : cfa.out(one))
      if (--ways_in[index(cfa[edge].to)] == 0) free.push_back(cfa[edge].to);
  }
  return removed < ways_in.size();
}

std::size_t cycles_of(const Problem& original, const check::Certified& outcome) {
  if (!is_unsafe(outcome.verdict())) return 0;
  return original.source.st->cycles(original.cfa(), run_as<CfaTrace>(outcome.verdict()).edges);
}

}  // namespace

std::string no_cycle_ends(const Problem& original, double seconds, const Context& ctx,
                          const Prover& prover) {
  if (original.source.st == nullptr) return {};
  const StSource& source = *original.source.st;
  if (source.ended && never(original, *source.ended, seconds, ctx, prover))
    return "no run gets past the assumptions";
  bool endless = loops_within_a_cycle(original.cfa(), source.head) &&
                 never(original, source.cycle_end, seconds, ctx, prover);
  return endless ? "no cycle ends" : "";
}

std::string unreached_premise(const Problem& original, double seconds, const Context& ctx,
                              const Prover& prover) {
  if (original.source.st == nullptr) return {};
  std::optional<LocationId> premise = original.source.st->about(original.property().name).premise;
  bool unreached = premise && never(original, *premise, seconds, ctx, prover);
  return unreached ? "the premise of the property never holds" : "";
}

std::optional<check::Certified> shorter_run(const Problem& original, const check::Certified& found,
                                            double seconds, const Context& ctx,
                                            const Prover& prover) {
  if (original.source.st == nullptr || ctx.stopped()) return {};
  std::size_t cycles = cycles_of(original, found);
  if (cycles < 2) return {};
  std::optional<check::Certified> answer =
      within(std::clamp(seconds, 2.0, 20.0), original, *run::find_selectable("kind"), ctx, prover);
  std::size_t fewer = answer ? cycles_of(original, *answer) : 0;
  return fewer > 0 && fewer < cycles ? answer : std::nullopt;
}

}  // namespace lem::app
