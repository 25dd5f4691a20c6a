// The SAT interface shared by our solver and the foreign ones. A shared conformance suite
// (tests/unit/sat) runs against every implementation.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <stop_token>

namespace lem::sat {

using Var = std::uint32_t;

/// 2 * variable + sign: the numbering of AigLit, so that single-frame encodings are the identity.
class Lit {
 public:
  constexpr Lit() = default;
  constexpr Lit(Var var, bool negative) : code_(2 * var + (negative ? 1 : 0)) {}
  static constexpr Lit from_code(std::uint32_t code) {
    Lit lit;
    lit.code_ = code;
    return lit;
  }
  constexpr std::uint32_t code() const { return code_; }
  constexpr Var var() const { return code_ >> 1; }
  constexpr bool negative() const { return (code_ & 1) != 0; }
  constexpr Lit operator!() const { return from_code(code_ ^ 1); }
  constexpr Lit operator^(bool flip) const { return from_code(code_ ^ (flip ? 1U : 0U)); }
  friend constexpr auto operator<=>(Lit, Lit) = default;

 private:
  std::uint32_t code_ = 0;
};
static_assert(sizeof(Lit) == 4);

enum class SatResult : std::uint8_t { Sat, Unsat, Stopped };

class SatSolver {
 public:
  virtual ~SatSolver() = default;
  /// Variables are numbered 0, 1, 2, ...
  virtual Var new_var() = 0;
  virtual Var num_vars() const = 0;
  /// Adds a clause for good. The empty clause makes the solver unsatisfiable.
  virtual void add_clause(std::span<const Lit> clause) = 0;
  /// Satisfiability of the clauses under the assumptions.
  virtual SatResult solve(std::span<const Lit> assumptions) = 0;
  /// require: the last answer was Sat.
  virtual bool value(Lit lit) const = 0;
  /// require: the last answer was Unsat and lit was an assumption.  ensure: the failed assumptions
  /// are together unsatisfiable with the clauses.
  virtual bool failed(Lit lit) const = 0;
  /// A query that meets more conflicts than this answers Stopped; the default is no limit.
  virtual void limit_conflicts(std::uint64_t per_query) = 0;
  /// Polled during solve; a stop request makes it answer Stopped.
  virtual void set_stop(std::stop_token stop) = 0;
};

}  // namespace lem::sat
