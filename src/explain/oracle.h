// Implications between selected formulas, asked of SMT solvers: which of them are used is read from
// the core.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "explain/lemmas.h"
#include "smt/smt_solver.h"

namespace lem::explain {

/// Facts that always hold, and premises with a number each of which any may be selected.
class Implication {
 public:
  Implication(TermStore& terms, std::stop_token stop);

  void add_fact(Term fact);
  /// Several formulas may have the same number.
  void add_premise(std::size_t number, Term premise);

  /// Whether the facts and the selected premises imply the goal, and which premises are used.
  /// Selected numbers without a premise here do not matter.
  ///   require: `selected` is ascending
  Support imply(std::span<const std::size_t> selected, Term goal);

 private:
  Term selector(std::size_t number);
  Implied ask_afresh(std::span<const std::size_t> selected, Term goal) const;

  TermStore& terms_;
  std::stop_token stop_;
  std::unique_ptr<smt::SmtSolver> solver_;
  std::vector<Term> facts_;
  std::vector<Term> selectors_;              // by number; none: no premise has it
  std::vector<std::vector<Term>> premises_;  // by number
};

}  // namespace lem::explain
