#include "model/cone.h"
#include "transform/bits/rebuild.h"
#include "transform/passes.h"

namespace lem::transform {

/// Inputs that a constraint, read as a conjunction, fixes: they are constant in every trace. A
/// contradiction is ignored here: the constraint then folds to false by itself.
static SignalSubstitution forced_inputs(const Aig& aig) {
  SignalSubstitution substitution = no_substitution(aig);
  std::vector<AigLit> conjuncts(aig.constraints().begin(), aig.constraints().end());
  std::vector<bool> seen(aig.num_vars(), false);
  while (!conjuncts.empty()) {
    AigLit lit = conjuncts.back();
    conjuncts.pop_back();
    if (aig.is_input(lit.var()) && substitution[lit.var()].var() != 0)
      substitution[lit.var()] = lit.negative() ? kAigFalse : kAigTrue;
    if (!aig.is_and(lit.var()) || lit.negative() || seen[lit.var()]) continue;
    seen[lit.var()] = true;
    conjuncts.push_back(aig.gate_of(lit.var()).left);
    conjuncts.push_back(aig.gate_of(lit.var()).right);
  }
  return substitution;
}

/// What is outside the cone gets any value, so that rewriting spends no time on it: with many
/// properties each cone may be a small part of the model.
static void drop_what_is_outside(const Problem& problem, SignalSubstitution& substitution) {
  const Aig& aig = problem.aig();
  std::vector<AigLit> roots(aig.constraints().begin(), aig.constraints().end());
  roots.push_back(problem.property().bad());
  std::vector<bool> inside = sequential_cone(aig, std::move(roots));
  for (std::uint32_t var = 1; var < aig.num_vars(); ++var)
    if (!inside[var]) substitution[var] = kAigFalse;
}

Transformed apply_coi(const Problem& problem, const Context& /*ctx*/) {
  const Aig& aig = problem.aig();
  SignalSubstitution substitution = forced_inputs(aig);
  drop_what_is_outside(problem, substitution);
  Rebuilt rebuilt = rebuild(problem, substitution);
  rebuilt.origins.facts.clear();  // the constraints imply it, or nothing depends on it
  for (std::uint32_t i = 0; i < aig.num_inputs(); ++i)
    rebuilt.origins.idle_inputs[i] = substitution[aig.input(i).var()] == kAigTrue;
  return {std::move(rebuilt.problem), make_renaming(aig, std::move(rebuilt.origins))};
}

}  // namespace lem::transform
