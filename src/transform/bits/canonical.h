// A canonical literal for every signal of an AIG, in the AIG's own variables: each gate is either
// an earlier signal or itself with canonical fan-ins. So every signal of a rewritten model has an
// equal signal in the model it came from, which back-translation of evidence relies on.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/aig.h"

namespace lem::transform {

class Canonical {
 public:
  /// require: substitution[v] is v or a literal over a smaller variable, for every v.
  /// Gates outside of `inside` (by variable; empty: none is) are left out: no other gate may depend
  /// on them, and they have no canonical literal.
  Canonical(const Aig& aig, std::span<const AigLit> substitution,
            const std::vector<bool>& inside = {});

  AigLit operator[](AigLit lit) const { return canonical_[lit.var()] ^ lit.negative(); }
  /// The canonical fan-ins. require: var is a gate and its own canonical literal.
  const AndGate& gate(std::uint32_t var) const {
    LEM_DASSERT(aig_.is_and(var) && canonical_[var] == AigLit(var, false));
    return gates_[var - aig_.first_and()];
  }
  /// The substituted variables whose equality does not follow by structure from the others'.
  std::span<const std::uint32_t> unexplained() const { return unexplained_; }

 private:
  /// What the conjunction simplifies to: a literal, or a pair of fan-ins for a gate.
  struct Conjunction {
    std::optional<AigLit> lit;
    AndGate gate;
  };
  Conjunction conjunction(AigLit left, AigLit right) const;
  std::optional<Conjunction> one_sided(AigLit left, AigLit right) const;
  std::optional<Conjunction> two_sided(AigLit left, AigLit right) const;
  std::optional<AigLit> existing(const Conjunction& conjunction) const;
  bool is_gate(AigLit lit) const { return aig_.is_and(lit.var()); }

  const Aig& aig_;  // borrowed; outlives this
  std::vector<AigLit> canonical_;
  std::vector<AndGate> gates_;
  std::unordered_map<std::uint64_t, std::uint32_t> hashed_;  // fan-in pair to gate
  std::vector<std::uint32_t> unexplained_;
};

}  // namespace lem::transform
