#include "engine/parts/cfa/contracts.h"

#include <algorithm>

#include "smt/solvers.h"

namespace lem::engine {

bool in_preimage(TermStore& terms, const CfaStep& step, std::span<const Term> parts,
                 std::span<const Term> cube) {
  std::vector<Term> used = variables_of(terms, parts);
  bool open = std::any_of(step.fresh.begin(), step.fresh.end(), [&](Term variable) {
    return std::binary_search(used.begin(), used.end(), variable);
  });
  auto solver = smt::Solvers().make(terms, smt::Workload::Single);
  for (Term literal : cube) solver->add(literal);
  Term all = terms.make_and(parts);
  solver->add(open ? all : terms.make_not(all));
  return solver->solve() != (open ? smt::Answer::Unsat : smt::Answer::Sat);
}

bool excluded_after(CfaSteps& steps, StepId step, Term frame, Term post) {
  auto solver = smt::Solvers().make(steps.terms(), smt::Workload::Single);
  solver->add(frame);
  for (Term guard : steps[step].guards) solver->add(guard);
  solver->add(steps.before(step, post));
  return solver->solve() != smt::Answer::Sat;
}

}  // namespace lem::engine
