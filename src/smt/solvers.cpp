#include "smt/solvers.h"

#include <cassert>

#include "base/assert.h"

namespace lem::smt {

std::unique_ptr<SmtSolver> Solvers::make(TermStore& terms, Workload workload) const {
  switch (choice_) {
    case SolverChoice::Auto:  // Z3 suits all theories so far (docs/benchmarks.md, SMT streams)
    case SolverChoice::Z3:
      return make_z3(terms, workload, stop_);
    case SolverChoice::Cvc5:
      return make_cvc5(terms, workload, stop_);
  }
  unreachable();
}

}  // namespace lem::smt
