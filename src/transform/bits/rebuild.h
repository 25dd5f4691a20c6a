// Shared by coi, ternary, sweep and fold: rewrites a problem under known equalities of signals and
// translates evidence back.
#pragma once

#include <memory>
#include <vector>

#include "model/problem.h"
#include "transform/transform.h"

namespace lem::transform {

/// By variable: an equal literal over a smaller variable, or the variable itself.
using SignalSubstitution = std::vector<AigLit>;
SignalSubstitution no_substitution(const Aig& aig);

/// Where the signals of a new problem come from.
struct Origins {
  std::vector<AigLit> signal;       // by new variable: an equal signal of the old problem
  std::vector<bool> idle_inputs;    // by old input: its value in traces if the new problem lacks it
  std::vector<SignalClause> facts;  // over the old problem, inductive together (see make_renaming)
  // Old states that satisfy the facts differ only if new ones do, on the latches that the old
  // property, constraints, facts and signals depend on.
  bool keeps_states = true;
};

/// A back-translator that renames signals.
///
/// require: `facts` hold in every reset state, and facts & C & T => facts' (with C the constraints;
///   not C': see below). Under facts & C every new signal equals its origin; every old constraint
///   follows from facts, the new constraints and the idle inputs.
/// Evidence is then translated back as follows.
/// - Inductive invariant: the renamed clauses and the facts. Facts hold at the next step by their
///   own induction, so there the renamed clauses mean what they meant in the new problem.
/// - k-induction: Q is extended by the facts. They are 1-inductive alone, so no trace violates them
///   and k Q-steps (the last one suffices) are followed by a step on which they hold; on k + 1 such
///   steps renaming changes no value, so the new problem's step case is the old one's. Over simple
///   paths this holds if `keeps_states`: else an old path may be simple and its image not.
/// - Trace: as facts need no constraint of their own step, they hold at every step whose
///   predecessors were allowed; so the first old constraint to fail would fail in the new problem.
std::unique_ptr<BackTranslator> make_renaming(const Aig& old, Origins origins);

/// The problem with every signal replaced by its canonical equal (substitution, constant folding,
/// structural hashing, two-level rules), reduced to the cone of the property and the constraints.
/// `Origins::facts` gets the equalities of the substitution that structure alone does not give.
///   require: the substitution is sound in the sense of make_renaming's contract
struct Rebuilt {
  Problem problem;
  Origins origins;
};
Rebuilt rebuild(const Problem& old, const SignalSubstitution& substitution);
/// The same where the substitution fixes inputs alone: looks at nothing but the cone, which is a
/// small part of a model with many properties.
Rebuilt rebuild_cone(const Problem& old, const SignalSubstitution& substitution);

/// rebuild() together with its back-translator.
Transformed rebuild_with_way_back(const Problem& old, const SignalSubstitution& substitution);

}  // namespace lem::transform
