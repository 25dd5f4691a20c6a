// A refutation in clauses: what was asserted, conflicts of arithmetic with Farkas coefficients, and
// chains of resolution steps. Kept on request only; interpolants are read from it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arith/number.h"
#include "sat/sat_solver.h"

namespace lem::arith {

using ProofId = std::uint32_t;

struct ProofStep {
  enum class Kind : std::uint8_t {
    Input,   // an asserted clause of a part
    Theory,  // the negation of contradictory bounds, with their weights
    Chain,   // resolution of premises[0] with premises[1] on pivots[0], and so on
  };
  Kind kind = Kind::Input;
  std::uint32_t part = 0;
  std::vector<sat::Lit> clause;
  std::vector<Number> weights;    // of the literals, of Theory
  std::vector<ProofId> premises;  // of Chain
  std::vector<sat::Lit> pivots;   // of Chain: the literal that the later premise has
};

struct Proof {
  static constexpr ProofId kNone = UINT32_MAX;
  std::vector<ProofStep> steps;
  ProofId refutation = kNone;  // the empty clause

  ProofId add(ProofStep step) {
    steps.push_back(std::move(step));
    return static_cast<ProofId>(steps.size() - 1);
  }
};

/// Every chain gives its clause, and the refutation is the empty one; for assertions and tests.
bool is_resolution_proof(const Proof& proof);

}  // namespace lem::arith
