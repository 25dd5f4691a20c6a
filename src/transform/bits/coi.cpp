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

Transformed apply_coi(const Problem& problem, const Context& /*ctx*/) {
  const Aig& aig = problem.aig();
  SignalSubstitution substitution = forced_inputs(aig);
  Rebuilt rebuilt = rebuild_cone(problem, substitution);
  rebuilt.origins.facts.clear();  // the constraints imply it
  for (std::uint32_t i = 0; i < aig.num_inputs(); ++i)
    rebuilt.origins.idle_inputs[i] = substitution[aig.input(i).var()] == kAigTrue;
  return {std::move(rebuilt.problem), make_renaming(aig, std::move(rebuilt.origins))};
}

}  // namespace lem::transform
