// Instances of one module have proofs that differ in names alone. Properties are alike if they fail
// in the same shape of gates over latches and inputs; walking through two of them side by side
// gives a correspondence of signals, along which a proof is renamed. The result is a candidate: the
// caller checks it. Tests: tests/unit/run/likeness_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/problem.h"
#include "model/verdict.h"

namespace lem::run {

class Likeness {
 public:
  /// Borrows the problem.   require: bits
  explicit Likeness(const Problem& problem);

  /// Properties that are alike have the same.
  std::uint64_t shape_of(std::size_t property) const {
    return 2 * shape_[bad(property).var()] + (bad(property).negative() ? 1 : 0);
  }
  bool alike(std::size_t a, std::size_t b) const { return shape_of(a) == shape_of(b); }
  /// Clauses about the one property as clauses about the other; those with a signal that has no
  /// counterpart are left out.
  std::vector<SignalClause> renamed(std::span<const SignalClause> clauses, std::size_t from,
                                    std::size_t to) const;

 private:
  using Hash = std::uint64_t;
  AigLit bad(std::size_t property) const { return problem_.properties[property].bad(); }
  std::vector<Hash> hashes(const std::vector<Hash>& latches) const;
  bool crossed(const AndGate& a, const AndGate& b) const;
  std::unordered_map<std::uint32_t, std::uint32_t> correspondence(AigLit a, AigLit b) const;

  const Problem& problem_;
  std::vector<Hash> shape_;  // by variable: of its gates
  std::vector<Hash> deep_;   // the same with the next states of latches
};

}  // namespace lem::run
