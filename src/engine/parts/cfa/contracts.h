// What must hold of cubes along a step of an automaton, asked of a solver of its own. Engines
// assert it in checked builds (LEM_CHECKED); a query that stays undecided counts as true.
#pragma once

#include <span>
#include <vector>

#include "engine/parts/cfa/steps.h"

namespace lem::engine {

/// A counterexample to induction is in the preimage: every state of the cube satisfies the parts;
/// where the step leaves values open, some state of it does, for some values.
bool in_preimage(TermStore& terms, const CfaStep& step, std::span<const Term> parts,
                 std::span<const Term> cube);

/// A lemma is inductive along the step: frame & step & post' is unsatisfiable.
bool excluded_after(CfaSteps& steps, StepId step, Term frame, Term post);

}  // namespace lem::engine
