#include "engine/parts/cfa/contracts.h"

#include <algorithm>

#include "smt/smt_solver.h"

namespace lem::engine {

bool in_preimage(TermStore& terms, const CfaStep& step, std::span<const Term> parts,
                 std::span<const Term> cube) {
  std::vector<Term> used = variables_of(terms, parts);
  bool open = std::any_of(step.fresh.begin(), step.fresh.end(), [&](Term variable) {
    return std::binary_search(used.begin(), used.end(), variable);
  });
  auto solver = smt::make_z3(terms, smt::Workload::Single, {});
  for (Term literal : cube) solver->add(literal);
  Term all = terms.make_and(parts);
  solver->add(open ? all : terms.make_not(all));
  return solver->solve() != (open ? smt::Answer::Unsat : smt::Answer::Sat);
}

bool excluded_after(CfaSteps& steps, StepId step, Term frame, Term post) {
  auto solver = smt::make_z3(steps.terms(), smt::Workload::Single, {});
  solver->add(frame);
  for (Term guard : steps[step].guards) solver->add(guard);
  solver->add(steps.before(step, post));
  return solver->solve() != smt::Answer::Sat;
}

}  // namespace lem::engine
