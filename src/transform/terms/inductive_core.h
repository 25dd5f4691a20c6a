// The part of an inductive invariant that the property needs: found by unsat cores, starting from
// the lemmas that exclude a step to a violation, then adding the lemmas that make each of these
// inductive.
#pragma once

#include "model/transition_system.h"

namespace lem::transform {

/// A conjunction of conjuncts of `invariant`, inductive together with `not bad` as `invariant` is;
/// `invariant` itself if the solver gives no answer.
///   require: `invariant` with `not bad` is inductive
Term inductive_core(const TransitionSystem& system, Term bad, Term invariant);

}  // namespace lem::transform
