#include "transform/terms/inductive_core.h"

#include <set>
#include <vector>

#include "smt/solvers.h"
#include "term/traverse.h"

namespace lem::transform {

Term inductive_core(const TransitionSystem& system, Term bad, Term invariant) {
  TermStore& terms = system.terms();
  TermMap next;
  for (const StateVar& state : system.states()) next[state.current] = state.next;
  for (Term input : system.inputs()) next[input] = terms.fresh("after", terms.sort(input));
  auto after = [&](Term formula) { return substitute(terms, formula, next); };

  auto solver = smt::Solvers().make(terms, smt::Workload::Stream);
  solver->limit_time(1000);
  for (Term each : {terms.make_not(bad), system.constraint(), system.trans_formula(),
                    after(system.constraint())})
    solver->add(each);
  std::vector<Term> lemmas = conjuncts(terms, invariant);
  std::set<Term> needed;
  std::vector<Term> todo{terms.make_not(bad)};
  while (!todo.empty()) {
    Term kept = todo.back();
    todo.pop_back();
    smt::Scope scope(*solver);
    solver->add(terms.make_not(after(kept)));
    if (solver->solve(lemmas) != smt::Answer::Unsat) return invariant;
    for (Term lemma : solver->core())
      if (needed.insert(lemma).second) todo.push_back(lemma);
  }
  std::vector<Term> core;
  for (Term lemma : lemmas)
    if (needed.contains(lemma)) core.push_back(lemma);
  return terms.make_and(core);
}

}  // namespace lem::transform
