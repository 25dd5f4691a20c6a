// The one place where engines get their SMT solvers: which one it is depends on the option
// `smt.solver` and on the theories of the terms. Another solver is another choice here. The checker
// (check/) makes fresh solvers of its own and never asks here.
// Tests: tests/unit/smt/solvers_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/context.h"
#include "smt/smt_solver.h"

namespace lem::smt {

enum class SolverChoice : std::uint8_t { Auto, Arith, Z3, Cvc5 };
constexpr std::string_view words(SolverChoice) {
  return "auto|arith|z3|cvc5";
}

inline constexpr std::array kSolverOptions = {
    OptionRow::choice("smt.solver", SolverChoice::Auto,
                      "which SMT solver engines ask; auto: the one that suits the theories"),
    OptionRow{"smt.record", 0, 0, 0,
              "prefix of files to which queries are recorded for bench/replay, one for each solver",
              "PATH"},
};

class Solvers {
 public:
  /// As the options of a run say; its solvers stop when the run does.
  explicit Solvers(const Context& ctx)
      : Solvers(ctx.options.get<SolverChoice>("smt.solver"), ctx.stop) {
    stats_ = &ctx.stats;
    record_ = ctx.options.text("smt.record");
  }
  /// For what has no options: back-translation, explanations, the contracts of checked builds.
  explicit Solvers(std::stop_token stop = {}) : Solvers(SolverChoice::Auto, std::move(stop)) {}
  Solvers(SolverChoice choice, std::stop_token stop) : choice_(choice), stop_(std::move(stop)) {}

  /// A solver for formulas of `terms`, which it borrows, with nothing asserted.
  ///   ensure: it has a projector
  std::unique_ptr<SmtSolver> make(TermStore& terms, Workload workload) const;

 private:
  std::unique_ptr<SmtSolver> choose(TermStore& terms, Workload workload) const;

  SolverChoice choice_;
  std::stop_token stop_;
  Stats* stats_ = nullptr;  // of the run, if there is one
  std::string record_;      // prefix of recordings; empty: none are made
};

}  // namespace lem::smt
