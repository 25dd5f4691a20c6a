#include "engine/parts/bits/cone.h"

namespace lem {

std::vector<bool> sequential_cone(const Aig& aig, std::span<const AigLit> roots) {
  std::vector<bool> inside(aig.num_vars());
  std::vector<std::uint32_t> todo;
  auto want = [&](AigLit lit) {
    if (inside[lit.var()]) return;
    inside[lit.var()] = true;
    todo.push_back(lit.var());
  };
  for (AigLit root : roots) want(root);
  for (AigLit constraint : aig.constraints()) want(constraint);
  while (!todo.empty()) {
    std::uint32_t var = todo.back();
    todo.pop_back();
    if (aig.is_latch(var)) want(aig.latch_of(var).next);
    if (!aig.is_and(var)) continue;
    want(aig.gate_of(var).left);
    want(aig.gate_of(var).right);
  }
  return inside;
}

}  // namespace lem
