// The part of an inductive invariant that the property needs: found by unsat cores, starting from
// what excludes a step to a violation, then for each lemma of that what keeps it, and so on.
#pragma once

#include "model/transition_system.h"

namespace lem::transform {

/// A conjunction of conjuncts of `invariant`, inductive together with `not bad` as that is; the
/// invariant itself if the solver does not know.
///   require: `invariant` with `not bad` is inductive
Term inductive_core(const TransitionSystem& system, Term bad, Term invariant);

}  // namespace lem::transform
