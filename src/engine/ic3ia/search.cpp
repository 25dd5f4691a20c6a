// The steps of IC3+IA [Cimatti14 Fig. 2].
#include "engine/ic3ia/search.h"

#include <fmt/format.h>

#include <cassert>

#include "engine/parts/common/progress.h"

namespace lem::engine {

Ic3iaSearch::Ic3iaSearch(const Problem& problem, const Context& ctx)
    : config_(ctx.options),
      system_(problem),
      refiner_(system_, config_, ctx),
      frames_(system_, config_, ctx),
      loop_(ctx, frames_, "ic3ia", config_.effort,
            {.around_model = [this] { return frames_.counterexample(); }}),
      refinements_(ctx.stats.counter("ic3ia.refinements")),
      refine_(ctx.stats.timer("ic3ia.refine")) {
  Seeds seeds = find_seeds(system_, problem, config_.seeds(system_.terms()), ctx);
  frames_.assume_invariants(seeds.invariants);
  frames_.add_predicates(seeds.predicates);
}

Outcome Ic3iaSearch::not_inductive(ObligationId id, Level level) {
  Cube state(frames_.counterexample());
  assert(state.size() == frames_.predicates().size() && "a state gives every predicate a value");
  auto predecessor =
      loop_.obligations.make({std::move(state), id, loop_.obligations[id].depth + 1});
  if (level == Level{1}) return simulate(predecessor.id());  // from F_0: abstractly initial
  loop_.obligations.push(predecessor.id(), previous(level));
  loop_.obligations.push(id, level);
  return Outcome::Done;
}

/// An abstract counterexample: concrete, or the reason for new predicates (lines 7 to 9). The
/// search goes on with all it has learnt.
Outcome Ic3iaSearch::simulate(ObligationId id) {
  TimerScope timer(refine_);
  std::vector<std::vector<Term>> path;
  for (ObligationId at : loop_.obligations.chain(id))
    path.push_back(frames_.atoms().formulas(loop_.obligations[at].cube.lits()));
  Refinement refinement = refiner_.refine(path, frames_.predicates());
  if (refinement.trace) {
    loop_.trace = std::move(refinement.trace);
    return Outcome::Counterexample;
  }
  if (refinement.predicates.empty()) {
    loop_.gave_up = true;
    return Outcome::Stopped;
  }
  ++refinements_;
  frames_.add_predicates(refinement.predicates);
  // Cubes over the old predicates may be too coarse now: the search starts anew from Bad.
  loop_.obligations.clear(frames_.top());
  return Outcome::Done;
}

std::string Ic3iaSearch::progress() const {
  return fmt::format("ic3ia: frame {}, predicates {}, refinements {}, obligations {}, {}",
                     index(frames_.top()), frames_.predicates().size(), refinements_.value,
                     loop_.obligations.size(), lemma_counts(frames_.clauses().lists()));
}

}  // namespace lem::engine
