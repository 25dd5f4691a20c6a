// One query of the checker to fresh solvers.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/fork.h"
#include "check/terms.h"
#include "smt/smt_solver.h"
#include "term/traverse.h"

namespace lem::check {

/// Formulas given to Z3, and to cvc5 if Z3 returns unknown.
class Question {
 public:
  Question(TermStore& terms, std::stop_token stop)
      : terms_(terms), stop_(stop), z3_(smt::make_z3(terms, smt::Workload::Single, stop)) {}

  void add(Term formula) {
    formulas_.push_back(formula);
    z3_->add(formula);
  }
  /// Whether the formulas imply it, all at once if that is easy, else one conjunct after the other.
  TermHolds imply(Term claim) {
    smt::Answer answer = ask_z3(terms_.make_not(claim), 1000);
    if (answer == smt::Answer::Unsat) return TermHolds::Yes;
    if (answer == smt::Answer::Sat) return TermHolds::No;
    for (Term part : conjuncts(terms_, claim))
      if (TermHolds holds = excludes(terms_.make_not(part)); holds != TermHolds::Yes) return holds;
    return TermHolds::Yes;
  }
  /// Whether the formulas exclude `violation`. Each solver gets a short time first: where one does
  /// not terminate (non-linear arithmetic, sums of words), another often answers at once.
  TermHolds excludes(Term violation) {
    for (std::uint32_t milliseconds : std::array<std::uint32_t, 3>{1000, 8000, 0}) {
      smt::Answer answer = ask_z3(violation, milliseconds);
      // A proof over integers is accepted; a counterexample is not, since it need not be one over
      // words.
      if (answer == smt::Answer::Unknown && milliseconds != 0 && adds_words(violation) &&
          ask_cvc5(violation, milliseconds, smt::Workload::Sums) == smt::Answer::Unsat)
        answer = smt::Answer::Unsat;
      if (answer == smt::Answer::Unknown)
        answer = ask_cvc5(violation, milliseconds, smt::Workload::Single);
      if (answer == smt::Answer::Unsat) return TermHolds::Yes;
      if (answer == smt::Answer::Sat) return TermHolds::No;
      if (stop_.stop_requested()) return TermHolds::Stopped;
    }
    return TermHolds::Undecided;
  }

 private:
  smt::Answer ask_z3(Term violation, std::uint32_t milliseconds) {
    smt::Scope scope(*z3_);
    z3_->limit_time(milliseconds);
    z3_->add(violation);
    return z3_->solve();
  }
  bool adds_words(Term violation) const {
    std::vector<Term> roots = formulas_;
    roots.push_back(violation);
    bool adds = false;
    for_each_subterm(terms_, roots, [&](Term term) {
      adds = adds || terms_.op(term) == Op::BvAdd || terms_.op(term) == Op::BvMul;
    });
    return adds;
  }
  /// In a copy of this process: cvc5 1.0.3 may abort when its time is over (docs/gotchas.md), which
  /// must cost one answer and not the run.
  smt::Answer ask_cvc5(Term violation, std::uint32_t milliseconds, smt::Workload workload) const {
    if (stop_.stop_requested()) return smt::Answer::Unknown;
    Forked copy = fork_with_pipe([&](int write_end) {
      std::unique_ptr<smt::SmtSolver> cvc5 = smt::make_cvc5(terms_, workload, {});
      cvc5->limit_time(milliseconds);
      for (Term formula : formulas_) cvc5->add(formula);
      cvc5->add(violation);
      smt::Answer answer = cvc5->solve();
      write_all(write_end, answer == smt::Answer::Unsat ? "unsat"
                           : answer == smt::Answer::Sat ? "sat"
                                                        : "unknown");
    });
    std::optional<std::string> said = copy.read_all(stop_);
    if (said == "unsat") return smt::Answer::Unsat;
    return said == "sat" ? smt::Answer::Sat : smt::Answer::Unknown;
  }

  TermStore& terms_;
  std::stop_token stop_;
  std::unique_ptr<smt::SmtSolver> z3_;
  std::vector<Term> formulas_;
};

}  // namespace lem::check
