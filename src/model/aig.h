// And-inverter graphs with latches: the bit-level model (AIGER 1.9 without liveness).
//
// Variables are dense and in topological order: 0 is the constant false, then the inputs, then the
// latches, then the gates, each gate after its fan-ins. So a cone walk is a loop over indices.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/assert.h"

namespace lem {

/// A signal or its complement: 2 * variable + sign, as in AIGER.
class AigLit {
 public:
  constexpr AigLit() = default;
  constexpr AigLit(std::uint32_t var, bool negative) : code_(2 * var + (negative ? 1 : 0)) {}
  static constexpr AigLit from_code(std::uint32_t code) {
    AigLit lit;
    lit.code_ = code;
    return lit;
  }
  constexpr std::uint32_t code() const { return code_; }
  constexpr std::uint32_t var() const { return code_ >> 1; }
  constexpr bool negative() const { return (code_ & 1) != 0; }
  constexpr AigLit operator!() const { return from_code(code_ ^ 1); }
  /// The literal, complemented if `flip`.
  constexpr AigLit operator^(bool flip) const { return from_code(code_ ^ (flip ? 1U : 0U)); }
  friend constexpr auto operator<=>(AigLit, AigLit) = default;

 private:
  std::uint32_t code_ = 0;
};
static_assert(sizeof(AigLit) == 4);

inline constexpr AigLit kAigFalse = AigLit::from_code(0);
inline constexpr AigLit kAigTrue = AigLit::from_code(1);

enum class Reset : std::uint8_t { Zero, One, Free };

struct Latch {
  AigLit next;
  Reset reset = Reset::Zero;
};

struct AndGate {
  AigLit left;
  AigLit right;
};

/// Immutable; made by AigBuilder.
class Aig {
 public:
  std::uint32_t num_inputs() const { return num_inputs_; }
  std::uint32_t num_latches() const { return static_cast<std::uint32_t>(latches_.size()); }
  std::uint32_t num_ands() const { return static_cast<std::uint32_t>(ands_.size()); }
  std::uint32_t num_vars() const { return first_and() + num_ands(); }

  std::uint32_t first_input() const { return 1; }
  std::uint32_t first_latch() const { return 1 + num_inputs_; }
  std::uint32_t first_and() const { return first_latch() + num_latches(); }

  bool is_constant(std::uint32_t var) const { return var == 0; }
  bool is_input(std::uint32_t var) const { return var >= 1 && var < first_latch(); }
  bool is_latch(std::uint32_t var) const { return var >= first_latch() && var < first_and(); }
  bool is_and(std::uint32_t var) const { return var >= first_and(); }

  AigLit input(std::uint32_t index) const { return {first_input() + index, false}; }
  AigLit latch(std::uint32_t index) const { return {first_latch() + index, false}; }

  std::span<const Latch> latches() const { return latches_; }
  std::span<const AndGate> ands() const { return ands_; }
  const Latch& latch_of(std::uint32_t var) const {
    LEM_DASSERT(is_latch(var));
    return latches_[var - first_latch()];
  }
  const AndGate& gate_of(std::uint32_t var) const {
    LEM_DASSERT(is_and(var));
    return ands_[var - first_and()];
  }

  /// Hold at every step of every trace, the first and the last included.
  std::span<const AigLit> constraints() const { return constraints_; }

 private:
  friend class AigBuilder;
  std::uint32_t num_inputs_ = 0;
  std::vector<Latch> latches_;
  std::vector<AndGate> ands_;
  std::vector<AigLit> constraints_;
};

/// Declares inputs, then latches, then gates (in topological order), then freezes.
class AigBuilder {
 public:
  AigLit add_input();
  /// The next-state function may be set later; it is the latch itself until then.
  AigLit add_latch(Reset reset);
  void set_next(AigLit latch, AigLit next);

  /// Conjunction with constant folding and structural hashing: may return an existing literal.
  AigLit and_gate(AigLit left, AigLit right);
  AigLit or_gate(AigLit left, AigLit right) { return !and_gate(!left, !right); }
  AigLit xor_gate(AigLit left, AigLit right);
  AigLit mux_gate(AigLit condition, AigLit then_lit, AigLit else_lit);
  /// A new gate exactly as given: for readers, whose variables must match the file's.
  AigLit raw_and(AigLit left, AigLit right);

  void add_constraint(AigLit constraint);
  std::uint32_t num_vars() const { return aig_.num_vars(); }
  Aig freeze() &&;

 private:
  Aig aig_;
  std::unordered_map<std::uint64_t, AigLit> hashed_;
};

}  // namespace lem
