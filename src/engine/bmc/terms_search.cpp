// BMC on transition systems: one SMT solver, one step after the other [Biere99].
// Tests: tests/unit/engine/term_engines_test.cpp.
#include "engine/bmc/terms_search.h"

#include "engine/bmc/options.h"
#include "engine/bmc/stats.h"
#include "engine/parts/common/outcome.h"
#include "engine/parts/terms/system.h"
#include "smt/solvers.h"

namespace lem::engine {

Verdict bmc_on_terms(const Problem& problem, const Context& ctx) {
  TermSystem system(problem);
  TermUnroller path(system, "bmc:");
  BmcConfig config(ctx.options);
  BmcStats stats(ctx.stats);
  std::unique_ptr<smt::SmtSolver> solver =
      smt::Solvers(ctx).make(system.terms(), smt::Workload::Stream);
  solver->add(path.at(system.init(), 0));
  for (std::size_t k = 0; !ctx.stopped(); ++k) {
    if (k > config.max_depth) return Unknown{Reason::BoundReached};
    stats.depth.value = k;
    if (ctx.progress.due()) ctx.progress.publish("bmc: step " + std::to_string(k));
    Term bad = path.at(system.bad(), k);
    TimerScope time(stats.solve);
    ++stats.queries;
    switch (solver->solve({&bad, 1})) {
      case smt::Answer::Sat:
        return Unsafe{system.trace(k + 1, [&](Term variable, std::size_t step) {
          return solver->value(path.at(variable, step));
        })};
      case smt::Answer::Unsat:
        solver->add(system.terms().make_not(bad));
        solver->add(path.between(system.trans(), k));
        break;
      case smt::Answer::Unknown:
        return unknown(ctx);
    }
  }
  return Unknown{Reason::Stopped};
}

}  // namespace lem::engine
