// A solver over some cones of a round's graph. Queries are confined to the cone of their literals
// and of the equalities assumed so far.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "sat/cdcl.h"
#include "transform/bits/sweep/miters.h"

namespace lem::transform {

class MiterSolver {
 public:
  /// Loads the cones of `roots`. A query with more than `conflicts` conflicts returns Stopped.
  MiterSolver(const Aig& graph, std::span<const AigLit> roots, std::uint64_t conflicts,
              std::stop_token stop);

  /// Adds an equality to every query from now on. require: its sides are loaded
  void assume(const Miter& equality);
  /// Can both literals be true? require: they are loaded
  sat::SatResult ask(AigLit left, AigLit right);
  /// The value in the last model; Unassigned outside the cone of the query.
  sat::Truth value(AigLit lit) const {
    return is_loaded(lit) ? solver_.model(to_sat(lit)) : sat::Truth::Unassigned;
  }

 private:
  static constexpr sat::Var kNotLoaded = UINT32_MAX;

  std::vector<std::uint32_t> number_variables(const Aig& graph, std::span<const AigLit> roots);
  bool is_loaded(AigLit lit) const { return sat_var_[lit.var()] != kNotLoaded; }
  sat::Lit to_sat(AigLit lit) const { return {sat_var_[lit.var()], lit.negative()}; }

  sat::Cdcl solver_;
  std::vector<sat::Var> sat_var_;  // by variable of the graph
};

}  // namespace lem::transform
