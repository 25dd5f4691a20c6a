// Cube: a conjunction of literals, the currency of all IC3-style engines. A literal is a signed
// index into the engine's atoms (latches here, predicates elsewhere).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sat/sat_solver.h"

namespace lem::engine {

using sat::Lit;

/// Sorted, without duplicates, with a signature that settles most subsumption tests.
class Cube {
 public:
  Cube() = default;
  explicit Cube(std::vector<Lit> lits) : lits_(std::move(lits)) {
    std::sort(lits_.begin(), lits_.end());
    lits_.erase(std::unique(lits_.begin(), lits_.end()), lits_.end());
    for (Lit lit : lits_) signature_ |= bit(lit);
  }

  std::span<const Lit> lits() const { return lits_; }
  std::size_t size() const { return lits_.size(); }
  bool empty() const { return lits_.empty(); }
  bool contains(Lit lit) const {
    return (signature_ & bit(lit)) != 0 && std::binary_search(lits_.begin(), lits_.end(), lit);
  }
  /// Every literal of this cube is in `other`: the clause !this implies the clause !other.
  bool subsumes(const Cube& other) const {
    if (size() > other.size() || (signature_ & ~other.signature_) != 0) return false;
    return std::includes(other.lits_.begin(), other.lits_.end(), lits_.begin(), lits_.end());
  }
  friend bool operator==(const Cube& a, const Cube& b) { return a.lits_ == b.lits_; }

 private:
  static std::uint64_t bit(Lit lit) {
    return std::uint64_t{1} << ((lit.code() * 0x9E3779B1U) >> 26);
  }
  std::vector<Lit> lits_;
  std::uint64_t signature_ = 0;
};

}  // namespace lem::engine
