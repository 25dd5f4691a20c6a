#include "model/cone.h"

namespace lem {

std::vector<bool> sequential_cone(const Aig& aig, std::vector<AigLit> roots) {
  std::vector<bool> cone(aig.num_vars(), false);
  while (!roots.empty()) {
    std::uint32_t var = roots.back().var();
    roots.pop_back();
    if (cone[var]) continue;
    cone[var] = true;
    if (aig.is_latch(var)) roots.push_back(aig.latch_of(var).next);
    if (!aig.is_and(var)) continue;
    roots.push_back(aig.gate_of(var).left);
    roots.push_back(aig.gate_of(var).right);
  }
  return cone;
}

std::vector<bool> constrained_cone(const Aig& aig, std::vector<AigLit> roots) {
  roots.insert(roots.end(), aig.constraints().begin(), aig.constraints().end());
  return sequential_cone(aig, std::move(roots));
}

}  // namespace lem
