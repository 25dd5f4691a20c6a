#include "transform/bits/sweep/proof_memory.h"

#include <algorithm>
#include <utility>

namespace lem::transform {

static std::uint64_t mix(std::uint64_t left, std::uint64_t right) {
  std::uint64_t z = left * 0x9e3779b97f4a7c15ULL + (right ^ (right >> 29)) + 0x632be59bd9b4e019ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

static std::uint64_t hash_of(const std::vector<std::uint64_t>& structure, AigLit lit) {
  return lit.negative() ? mix(structure[lit.var()], 1) : structure[lit.var()];
}

std::vector<std::uint64_t> structure_of(const Miters& miters) {
  const Aig& graph = miters.graph;
  std::vector<std::uint64_t> structure(graph.num_vars(), 0);
  auto name = [&](AigLit leaf, std::uint64_t id) {
    if (graph.is_input(leaf.var())) structure[leaf.var()] = mix(id, 2);
  };
  // Backwards: the leaf of several equal latches is named by the first, its representative.
  for (std::size_t i = miters.first_latches.size(); i-- > 0;) name(miters.first_latches[i], 3 * i);
  for (std::size_t i = 0; i < miters.first_inputs.size(); ++i)
    name(miters.first_inputs[i], 3 * i + 1);
  for (std::size_t i = 0; i < miters.last_inputs.size(); ++i)
    name(miters.last_inputs[i], 3 * i + 2);
  for (std::uint32_t var = graph.first_and(); var < graph.num_vars(); ++var) {
    std::uint64_t left = hash_of(structure, graph.gate_of(var).left);
    std::uint64_t right = hash_of(structure, graph.gate_of(var).right);
    structure[var] = mix(std::min(left, right), mix(std::max(left, right), 3));
  }
  return structure;
}

void ProofMemory::enter(std::vector<std::uint64_t> structure, const std::vector<Miter>& context) {
  structure_ = std::move(structure);
  std::set<std::uint64_t> now;
  for (const Miter& equality : context) now.insert(key_of(equality));
  if (!std::includes(now.begin(), now.end(), context_.begin(), context_.end())) in_context_.clear();
  context_ = std::move(now);
}

std::uint64_t ProofMemory::key_of(const Miter& equality) const {
  return mix(hash_of(structure_, equality.left), hash_of(structure_, equality.right));
}

}  // namespace lem::transform
