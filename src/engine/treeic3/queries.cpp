#include "engine/treeic3/queries.h"

#include "smt/solvers.h"

#include <algorithm>

namespace lem::engine {

StepQueries::StepQueries(CfaSteps& steps, CfaLiterals& literals, Lemmas& lemmas, const Context& ctx)
    : steps_(steps),
      literals_(literals),
      lemmas_(lemmas),
      ctx_(ctx),
      terms_(steps.terms()),
      askers_(steps.size()),
      queries_(ctx.stats.counter("treeic3.queries")),
      solve_(ctx.stats.timer("treeic3.solve")) {}

StepQueries::Asker& StepQueries::asker(StepId step) {
  Asker& asker = askers_[index(step)];
  if (asker.solver) return asker;
  asker.solver = smt::Solvers(ctx_).make(terms_, smt::Workload::Stream);
  for (Term guard : steps_[step].guards) asker.solver->add(guard);
  return asker;
}

Term StepQueries::label(LemmaId id) {
  while (labels_.size() <= index(id)) labels_.push_back(terms_.fresh("lemma", terms_.bool_sort()));
  return labels_[index(id)];
}

void StepQueries::assert_lemma(Asker& asker, LemmaId id) {
  if (asker.lemmas.size() <= index(id)) asker.lemmas.resize(lemmas_.size());
  if (asker.lemmas[index(id)]) return;
  asker.lemmas[index(id)] = true;
  std::vector<Term> clause{terms_.make_not(label(id))};
  for (Lit lit : lemmas_[id].lits()) clause.push_back(literals_.formula(!lit));
  asker.solver->add(terms_.make_or(clause));
}

void StepQueries::assert_literal(Asker& asker, StepId step, Lit lit) {
  if (asker.literals.size() <= lit.code()) asker.literals.resize(literals_.codes());
  if (asker.literals[lit.code()]) return;
  asker.literals[lit.code()] = true;
  asker.solver->add(
      terms_.make_implies(literals_.label(lit), steps_.before(step, literals_.formula(lit))));
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
  ++queries_;
  TimerScope timer(solve_);
  return asker.solver->solve(assumptions);
}

StepQueries::Reply StepQueries::ask_why(const NodeLemmas& before, StepId step,
                                        std::span<const Lit> cube) {
  Reply reply{ask(before, step, cube), {}};
  if (!reply.blocked()) return reply;
  const std::vector<Term>& failed = asker(step).solver->core();
  auto needed = [&](Term label) {
    return std::find(failed.begin(), failed.end(), label) != failed.end();
  };
  for (LemmaId id : before.strongest())
    if (needed(label(id))) reply.core.before.push_back(id);
  for (Lit lit : cube)
    if (needed(literals_.label(lit))) reply.core.cube.push_back(lit);
  return reply;
}

bool StepQueries::known(const NodeLemmas& before, StepId step, LemmaId after) const {
  const Asker& asker = askers_[index(step)];
  if (asker.facts.size() <= index(after)) return false;
  return std::any_of(asker.facts[index(after)].begin(), asker.facts[index(after)].end(),
                     [&](const Fact& fact) {
                       return std::all_of(fact.begin(), fact.end(),
                                          [&](LemmaId id) { return before.has(lemmas_, id); });
                     });
}

void StepQueries::record(StepId step, LemmaId after, std::vector<LemmaId> before) {
  Asker& asker = askers_[index(step)];
  if (asker.facts.size() <= index(after)) asker.facts.resize(index(after) + 1);
  asker.facts[index(after)].push_back(std::move(before));
}

}  // namespace lem::engine
