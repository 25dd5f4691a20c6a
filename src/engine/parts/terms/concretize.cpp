#include "engine/parts/terms/concretize.h"

#include <cassert>
#include <memory>

#include "base/assert.h"
#include "smt/solvers.h"

namespace lem::engine {

std::optional<TermTrace> concretize(TermSystem& system, const std::vector<std::vector<Term>>& cubes,
                                    const Context& ctx) {
  assert(!cubes.empty() && "a run has a state");
  TermUnroller path(system, "cex:");
  std::unique_ptr<smt::SmtSolver> solver =
      smt::Solvers(ctx).make(system.terms(), smt::Workload::Single);
  solver->add(path.at(system.init(), 0));
  for (std::size_t step = 0; step < cubes.size(); ++step) {
    for (Term literal : cubes[step]) solver->add(path.at(literal, step));
    if (step + 1 < cubes.size()) solver->add(path.between(system.trans(), step));
  }
  solver->add(path.at(system.bad(), cubes.size() - 1));
  smt::Answer answer = solver->solve();
  LEM_CHECKED(answer != smt::Answer::Unsat, "the chain of an obligation is no run");
  if (answer != smt::Answer::Sat) return {};
  return system.trace(cubes.size(), [&](Term variable, std::size_t step) {
    return solver->value(path.at(variable, step));
  });
}

}  // namespace lem::engine
