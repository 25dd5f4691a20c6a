// One time step of an Aig as clauses for sat::Cdcl: current-state and input variables are free, the
// next state is read off as literals of the same step (x' is the literal of x's next-state
// function), so no primed copy exists. SAT variable v is Aig variable v.
//
// Conjunction trees and if-then-else shapes become one definition each: about half the variables
// and clauses of the plain encoding [Een07].
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/parts/common/cube.h"
#include "model/problem.h"
#include "sat/cdcl.h"

namespace lem::engine {

inline Lit to_lit(AigLit lit) {
  return Lit::from_code(lit.code());
}
inline AigLit to_aig(Lit lit) {
  return AigLit::from_code(lit.code());
}

class TransitionCnf {
 public:
  /// require: `problem` outlives this.
  explicit TransitionCnf(const Problem& problem);

  /// A solver over the step with all constraints. With `Track::Latches` its models can be shrunk
  /// (Cdcl::drop_from_model), for some memory and time per clause.
  enum class Track : std::uint8_t { Nothing, Latches };
  std::unique_ptr<sat::Cdcl> make_solver(Track track = Track::Nothing) const;
  /// The same without constraints (lifting proves that they hold).
  std::unique_ptr<sat::Cdcl> make_free_solver(Track track = Track::Nothing) const;

  const Aig& aig() const { return aig_; }
  /// `lit` is over a latch: its value one step later.
  Lit next(Lit lit) const { return to_lit(aig_.latch_of(lit.var()).next) ^ lit.negative(); }
  /// Where a property of the problem fails.
  Lit bad(std::size_t property = 0) const { return bad_[property]; }
  const std::vector<Lit>& constraints() const { return constraints_; }
  /// Literals fixed by reset.
  const std::vector<Lit>& reset() const { return reset_; }
  /// The latch literal is false in every initial state.
  bool excluded_by_reset(Lit lit) const { return excluded_[lit.code()] != 0; }
  /// No literal contradicts the reset values: some initial state is in the cube.
  bool meets_reset(std::span<const Lit> cube) const {
    for (Lit lit : cube) {
      if (excluded_by_reset(lit)) return false;
    }
    return true;
  }
  /// Has a definition (or is an input or latch): carries a value in models. Gates absorbed into
  /// a larger definition do not.
  bool has_value(std::uint32_t var) const { return defined_[var] != 0; }

 private:
  void encode(const std::vector<std::uint32_t>& fanout);
  void encode_and(std::uint32_t var, const std::vector<std::uint32_t>& fanout);
  bool encode_mux(std::uint32_t var, const std::vector<std::uint32_t>& fanout);
  void define(std::uint32_t var, std::vector<AigLit> support);
  void clause(std::initializer_list<AigLit> lits);

  const Aig& aig_;
  std::vector<Lit> bad_;  // by property
  std::vector<Lit> constraints_;
  std::vector<Lit> reset_;
  std::vector<std::uint8_t> excluded_;  // by literal code
  std::vector<std::uint8_t> defined_;   // by variable
  std::vector<std::vector<Lit>> clauses_;
  std::vector<std::vector<sat::Var>> depends_;
  std::shared_ptr<const sat::Dependencies> dependencies_;
};

}  // namespace lem::engine
