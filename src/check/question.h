// One question of the checker to solvers of its own.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "check/terms.h"
#include "smt/smt_solver.h"

namespace lem::check {

/// Formulas that Z3 is asked about, and cvc5 where Z3 does not know.
class Question {
 public:
  Question(TermStore& terms, std::stop_token stop)
      : terms_(terms), stop_(stop), z3_(smt::make_z3(terms, smt::Workload::Single, stop)) {}

  void add(Term formula) {
    formulas_.push_back(formula);
    z3_->add(formula);
  }
  /// Whether the formulas exclude `violation`. Both solvers get a short time first, since where one
  /// would never answer (non-linear numbers) the other often does at once.
  TermHolds excludes(Term violation) {
    constexpr std::uint32_t kShort = 3000;
    for (std::uint32_t milliseconds : {kShort, 0U}) {
      smt::Answer answer = ask_z3(violation, milliseconds);
      if (answer == smt::Answer::Unknown) answer = ask_cvc5(violation, milliseconds);
      if (answer == smt::Answer::Unsat) return TermHolds::Yes;
      if (answer == smt::Answer::Sat) return TermHolds::No;
    }
    return stop_.stop_requested() ? TermHolds::Stopped : TermHolds::Undecided;
  }

 private:
  smt::Answer ask_z3(Term violation, std::uint32_t milliseconds) {
    smt::Scope scope(*z3_);
    z3_->limit_time(milliseconds);
    z3_->add(violation);
    return z3_->solve();
  }
  smt::Answer ask_cvc5(Term violation, std::uint32_t milliseconds) const {
    if (stop_.stop_requested()) return smt::Answer::Unknown;
    std::unique_ptr<smt::SmtSolver> cvc5 = smt::make_cvc5(terms_, smt::Workload::Single, stop_);
    cvc5->limit_time(milliseconds);
    for (Term formula : formulas_) cvc5->add(formula);
    cvc5->add(violation);
    return cvc5->solve();
  }

  TermStore& terms_;
  std::stop_token stop_;
  std::unique_ptr<smt::SmtSolver> z3_;
  std::vector<Term> formulas_;
};

}  // namespace lem::check
