// The two-level rules are those of [Brummayer06] that create no gate besides the one at hand.
#include "transform/bits/canonical.h"

#include <utility>

namespace lem::transform {

static std::uint64_t key_of(const AndGate& gate) {
  return (std::uint64_t{gate.left.code()} << 32) | gate.right.code();
}

Canonical::Canonical(const Aig& aig, std::span<const AigLit> substitution,
                     const std::vector<bool>& inside)
    : aig_(aig), canonical_(aig.num_vars()), gates_(aig.num_ands()) {
  hashed_.reserve(aig.num_ands());
  for (std::uint32_t var = 0; var < aig.num_vars(); ++var) {
    if (aig.is_and(var) && !inside.empty() && !inside[var]) continue;
    AigLit plain(var, false);
    Conjunction simplified{plain, {}};
    if (aig.is_and(var))
      simplified = conjunction((*this)[aig.gate_of(var).left], (*this)[aig.gate_of(var).right]);
    std::optional<AigLit> known = existing(simplified);
    AigLit equal = substitution[var];
    if (equal != plain) {
      assert(equal.var() < var && "a substitution leads to smaller variables");
      canonical_[var] = (*this)[equal];
      if (known != canonical_[var]) unexplained_.push_back(var);
      if (!known) hashed_.emplace(key_of(simplified.gate), var);
    } else if (known) {
      canonical_[var] = *known;
    } else {
      canonical_[var] = plain;
      gates_[var - aig.first_and()] = simplified.gate;
      hashed_.emplace(key_of(simplified.gate), var);
    }
  }
}

std::optional<AigLit> Canonical::existing(const Conjunction& conjunction) const {
  if (conjunction.lit) return conjunction.lit;
  auto found = hashed_.find(key_of(conjunction.gate));
  if (found == hashed_.end()) return std::nullopt;
  return canonical_[found->second];
}

Canonical::Conjunction Canonical::conjunction(AigLit left, AigLit right) const {
  if (left < right) std::swap(left, right);
  if (right == kAigFalse || left == !right) return {kAigFalse, {}};
  if (right == kAigTrue || left == right) return {left, {}};
  if (auto simpler = one_sided(left, right)) return *simpler;
  if (auto simpler = one_sided(right, left)) return *simpler;
  if (auto simpler = two_sided(left, right)) return *simpler;
  if (auto simpler = two_sided(right, left)) return *simpler;
  return {std::nullopt, {left, right}};
}

/// left & right by looking into left alone.
std::optional<Canonical::Conjunction> Canonical::one_sided(AigLit left, AigLit right) const {
  if (!is_gate(left)) return std::nullopt;
  auto [x, y] = gate(left.var());
  if (left.negative()) {
    if (right == !x || right == !y) return Conjunction{right, {}};  // !(x & y) & !x = !x
    if (right == x) return conjunction(right, !y);                  // !(x & y) & x = x & !y
    if (right == y) return conjunction(right, !x);
    return std::nullopt;
  }
  if (right == x || right == y) return Conjunction{left, {}};
  if (right == !x || right == !y) return Conjunction{kAigFalse, {}};
  return std::nullopt;
}

/// left & right by looking into both; the caller covers the mirrored case.
std::optional<Canonical::Conjunction> Canonical::two_sided(AigLit left, AigLit right) const {
  if (!is_gate(left) || !is_gate(right)) return std::nullopt;
  auto [x, y] = gate(left.var());
  auto [u, v] = gate(right.var());
  bool clash = x == !u || x == !v || y == !u || y == !v;
  if (!left.negative() && !right.negative()) {
    if (clash) return Conjunction{kAigFalse, {}};
    return std::nullopt;
  }
  if (!left.negative()) {  // (x & y) & !(u & v)
    if (clash) return Conjunction{left, {}};
    if (u == x || u == y) return conjunction(left, !v);
    if (v == x || v == y) return conjunction(left, !u);
    return std::nullopt;
  }
  if (!right.negative()) return std::nullopt;
  if ((x == u && y == !v) || (x == v && y == !u)) return Conjunction{!x, {}};  // resolution
  if ((y == u && x == !v) || (y == v && x == !u)) return Conjunction{!y, {}};
  return std::nullopt;
}

}  // namespace lem::transform
