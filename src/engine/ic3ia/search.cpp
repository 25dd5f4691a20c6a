// The loops of IC3+IA [Cimatti14 Fig. 2].
#include "engine/ic3ia/search.h"

#include <fmt/format.h>

#include "engine/parts/common/outcome.h"
#include "engine/parts/common/progress.h"

namespace lem::engine {

Ic3iaSearch::Ic3iaSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      system_(problem),
      terms_(system_.terms()),
      refiner_(system_, config_, ctx),
      frames_(system_, config_, ctx),
      blocker_(frames_, ctx, "ic3ia",
               {.around_model = [this] { return frames_.counterexample(); }}) {
  Seeds seeds = find_seeds(system_, problem, config_.seeds(terms_), ctx);
  frames_.assume_invariants(seeds.invariants);
  frames_.add_predicates(seeds.predicates);
}

/// Lines 4 to 15; Init & Bad is asked for beforehand, so that the first frame is F_1.
Verdict Ic3iaSearch::run() {
  if (!frames_.meets_initial({}))
    return Safe{TermInvariant{terms_.boolean(false)}};  // no state at all
  if (auto trace = frames_.bad_in_init()) return Unsafe{std::move(*trace)};
  while (!stopped()) {
    switch (strengthen()) {  // until F_k & Bad is unsatisfiable
      case Blocked::All:
      case Blocked::Refined:
        break;
      case Blocked::Counterexample:
        return Unsafe{std::move(*trace_)};
      case Blocked::Stopped:
        return unknown(ctx_);
    }
    frames_.extend();
    if (auto fixpoint = frames_.propagate())  // lines 11 to 15
      return Safe{TermInvariant{frames_.frame(next(*fixpoint))}};
  }
  return unknown(ctx_);
}

/// Lines 5 to 9: blocks P-cubes of the top frame that violate the property; spurious abstract
/// counterexamples refine, and the search goes on with all it has learnt.
Ic3iaSearch::Blocked Ic3iaSearch::strengthen() {
  TimerScope timer(stats_.block);
  while (!stopped()) {
    auto popped = obligations_.pop(frames_.top());
    if (!popped) {
      std::optional<Cube> violation = frames_.bad_in_top();
      if (!violation) return stopped() ? Blocked::Stopped : Blocked::All;
      obligations_.push(obligations_.make({std::move(*violation)}).id(), frames_.top());
      continue;
    }
    Blocked outcome = discharge(popped->obligation.id(), popped->level);
    if (outcome == Blocked::Refined) {
      // Cubes over the old predicates may be too coarse now: the search starts anew from Bad.
      while (obligations_.pop(frames_.top())) continue;
    }
    if (outcome == Blocked::Counterexample || outcome == Blocked::Stopped) return outcome;
  }
  return Blocked::Stopped;
}

/// recBlock with a queue instead of recursion.
Ic3iaSearch::Blocked Ic3iaSearch::discharge(ObligationId id, Level level) {
  if (ctx_.progress.due()) report_progress();
  ++stats_.obligations;
  const Cube& cube = obligations_[id].cube;
  if (frames_.meets_initial(cube.lits())) return simulate(id);
  Level blocked = level;
  if (auto known = frames_.frames().blocked_at(level, cube)) {
    blocked = *known;
  } else {
    Induction answer = frames_.inductive(level, cube.lits());
    if (answer.stopped()) return Blocked::Stopped;
    if (answer.fails()) return enqueue_predecessor(id, level);
    blocked = blocker_.block(level, answer.core, config_.effort);
  }
  if (blocked < frames_.top()) obligations_.push(id, next(blocked));
  return stopped() ? Blocked::Stopped : Blocked::All;
}

Ic3iaSearch::Blocked Ic3iaSearch::enqueue_predecessor(ObligationId id, Level level) {
  std::uint32_t depth = obligations_[id].depth + 1;
  auto predecessor = obligations_.make({Cube(frames_.counterexample()), id, depth});
  if (level == Level{1}) return simulate(predecessor.id());  // from F_0: abstractly initial
  obligations_.push(predecessor.id(), previous(level));
  obligations_.push(id, level);
  return Blocked::All;
}

/// An abstract counterexample: concrete, or the reason for new predicates (lines 7 to 9).
Ic3iaSearch::Blocked Ic3iaSearch::simulate(ObligationId id) {
  TimerScope timer(stats_.refine);
  std::vector<std::vector<Term>> path;
  for (ObligationId at : obligations_.chain(id))
    path.push_back(frames_.formulas(obligations_[at].cube.lits()));
  Refinement refinement = refiner_.refine(path, frames_.predicates());
  if (refinement.trace) {
    trace_ = std::move(refinement.trace);
    return Blocked::Counterexample;
  }
  if (refinement.predicates.empty()) {
    gave_up_ = true;
    return Blocked::Stopped;
  }
  ++stats_.refinements;
  frames_.add_predicates(refinement.predicates);
  return Blocked::Refined;
}

void Ic3iaSearch::report_progress() {
  ctx_.progress.publish(
      fmt::format("ic3ia: frame {}, predicates {}, refinements {}, obligations {}, {}",
                  index(frames_.top()), frames_.predicates().size(), stats_.refinements.value,
                  obligations_.size(), lemma_counts(frames_.frames())));
}

}  // namespace lem::engine
