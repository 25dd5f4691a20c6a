#include "smt/solvers.h"

#include <unistd.h>

#include <cassert>
#include <filesystem>
#include <fstream>

#include "base/assert.h"
#include "smt/arith.h"
#include "smt/record.h"
#include "smt/theories.h"

namespace lem::smt {

/// A file of that prefix that does not exist yet: workers are processes of one prefix.
static std::string free_name(const std::string& prefix) {
  for (std::size_t i = 0; true; ++i) {
    std::string name = prefix + "." + std::to_string(getpid()) + "." + std::to_string(i);
    if (!std::filesystem::exists(name)) return name;
  }
}

std::unique_ptr<SmtSolver> Solvers::make(TermStore& terms, Workload workload) const {
  std::unique_ptr<SmtSolver> solver = choose(terms, workload);
  if (record_.empty()) return solver;
  return record(std::move(solver), terms, std::make_unique<std::ofstream>(free_name(record_)));
}

/// Linear arithmetic over integers or reals with nothing else in the store.
static bool suits_arith(const TermStore& terms, Workload workload) {
  if (workload != Workload::Stream) return false;
  const Theories found = theories_of(terms);
  return (found.integers || found.reals) && !found.nonlinear && !found.bit_vectors &&
         !found.floats && !found.arrays;
}

std::unique_ptr<SmtSolver> Solvers::choose(TermStore& terms, Workload workload) const {
  switch (choice_) {
    case SolverChoice::Auto:
      if (suits_arith(terms, workload)) return make_arith(terms, workload, stop_, stats_);
      [[fallthrough]];
    case SolverChoice::Z3:
      return make_z3(terms, workload, stop_);
    case SolverChoice::Arith:
      return make_arith(terms, workload, stop_, stats_);
    case SolverChoice::Cvc5:
      return make_cvc5(terms, workload, stop_);
  }
  unreachable();
}

}  // namespace lem::smt
