// Remembers which equalities were proved in earlier rounds. A proof depends on the cones of its two
// sides and, unless it needed none, on the assumptions made in the query (the context); while these
// are the same, so is the result. Most rounds refute few candidates, so most goals recur unchanged.
//
// Cones are compared by 64-bit hashes of their structure. A collision could let a wrong equality
// pass; like any other bug it would be caught when the evidence is certified.
#pragma once

#include <cstdint>
#include <set>
#include <unordered_set>
#include <vector>

#include "transform/bits/sweep/miters.h"

namespace lem::transform {

/// By variable of the graph: a hash of its cone that does not depend on the graph's numbering.
std::vector<std::uint64_t> structure_of(const Miters& miters);

class ProofMemory {
 public:
  /// A new round. Proofs in the old context are discarded unless the new one contains all of it.
  void enter(std::vector<std::uint64_t> structure, const std::vector<Miter>& context);
  /// The context grows during a round.
  void widen(const Miter& equality) { context_.insert(key_of(equality)); }

  bool proved(const Miter& goal) const {
    return plain_.contains(key_of(goal)) || in_context_.contains(key_of(goal));
  }
  bool needs_context(const Miter& goal) const { return refuted_.contains(key_of(goal)); }

  void prove_plain(const Miter& goal) { plain_.insert(key_of(goal)); }
  void refute_plain(const Miter& goal) { refuted_.insert(key_of(goal)); }
  void prove_in_context(const Miter& goal) { in_context_.insert(key_of(goal)); }

 private:
  std::uint64_t key_of(const Miter& equality) const;

  std::vector<std::uint64_t> structure_;          // of the round's graph
  std::unordered_set<std::uint64_t> plain_;       // proved without any assumption
  std::unordered_set<std::uint64_t> refuted_;     // refuted without any assumption
  std::unordered_set<std::uint64_t> in_context_;  // proved with those of context_
  std::set<std::uint64_t> context_;
};

}  // namespace lem::transform
