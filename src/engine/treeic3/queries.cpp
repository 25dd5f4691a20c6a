#include "engine/treeic3/queries.h"

#include "smt/solvers.h"

#include <algorithm>
#include <cassert>

namespace lem::engine {

StepQueries::StepQueries(CfaSteps& steps, CfaLiterals& literals, Lemmas& lemmas, const Context& ctx)
    : steps_(steps),
      literals_(literals),
      lemmas_(lemmas),
      ctx_(ctx),
      terms_(steps.terms()),
      askers_(steps.size()),
      facts_(steps.size()),
      labels_(terms_, "lemma"),
      queries_(ctx, "treeic3.") {}

Asker& StepQueries::asker(StepId step) {
  Asker& asker = askers_[index(step)];
  if (asker.solver) return asker;
  asker.solver = smt::Solvers(ctx_).make(terms_, smt::Workload::Stream);
  for (Term guard : steps_[step].guards) asker.solver->add(guard);
  return asker;
}

void StepQueries::assert_lemma(Asker& asker, LemmaId id) {
  assert(index(id) < lemmas_.size() && "a lemma that was made");
  if (!asker.lemmas.insert(index(id))) return;
  std::vector<Term> clause{terms_.make_not(label(id))};
  for (Lit lit : lemmas_[id].lits()) clause.push_back(literals_.formula(!lit));
  asker.add(terms_.make_or(clause));
}

void StepQueries::assert_literal(Asker& asker, StepId step, Lit lit) {
  if (!asker.literals.insert(lit.code())) return;
  asker.add(terms_.make_implies(literals_.label(lit), steps_.before(step, literals_.formula(lit))));
}

smt::Answer StepQueries::ask(const NodeLemmas& before, StepId step, std::span<const Lit> cube) {
  Asker& asker = this->asker(step);
  std::vector<Term> assumptions;
  for (LemmaId id : before.strongest()) {
    assert_lemma(asker, id);
    assumptions.push_back(label(id));
  }
  for (Lit lit : cube) {
    assert_literal(asker, step, lit);
    assumptions.push_back(literals_.label(lit));
  }
  return queries_.ask(*asker.solver, assumptions);
}

StepQueries::Reply StepQueries::ask_why(const NodeLemmas& before, StepId step,
                                        std::span<const Lit> cube) {
  Reply reply{ask(before, step, cube), {}};
  if (!reply.blocked()) return reply;
  const smt::SmtSolver& solver = *asker(step).solver;
  for (LemmaId id : before.strongest())
    if (is_in_core(solver.core(), label(id))) reply.core.before.push_back(id);
  reply.core.cube = needed_of(solver, cube, [&](Lit lit) { return literals_.label(lit); });
  return reply;
}

bool StepQueries::known(const NodeLemmas& before, StepId step, LemmaId after) const {
  const std::vector<std::vector<Fact>>& facts = facts_[index(step)];
  if (facts.size() <= index(after)) return false;
  return std::any_of(facts[index(after)].begin(), facts[index(after)].end(), [&](const Fact& fact) {
    return std::all_of(fact.begin(), fact.end(),
                       [&](LemmaId id) { return before.has(lemmas_, id); });
  });
}

void StepQueries::record(StepId step, LemmaId after, std::vector<LemmaId> before) {
  assert(index(step) < facts_.size() && "a step of the automaton");
  std::vector<std::vector<Fact>>& facts = facts_[index(step)];
  if (facts.size() <= index(after)) facts.resize(index(after) + 1);
  facts[index(after)].push_back(std::move(before));
}

}  // namespace lem::engine
