#include "engine/ic3cfa/inductivity.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "smt/solvers.h"
#include "term/traverse.h"

namespace lem::engine {

Inductivity::Inductivity(const Cfa& cfa, CfaSteps& steps, CfaLiterals& literals, CfaFrames& frames,
                         const Ic3cfaConfig& config, const Context& ctx)
    : cfa_(cfa),
      steps_(steps),
      literals_(literals),
      frames_(frames),
      config_(config),
      ctx_(ctx),
      terms_(cfa.terms()),
      askers_(cfa.locations().size()),
      local_(cfa.locations().size()),
      answers_(frames, steps, config.query_cache, ctx.stats),
      stats_(ctx.stats) {
  for (Term variable : cfa.variables())
    next_.push_back(terms_.fresh("next", terms_.sort(variable)));
}

std::unique_ptr<smt::SmtSolver> Inductivity::new_solver() const {
  return smt::Solvers(ctx_).make(terms_, smt::Workload::Stream);
}

Inductivity::Asker& Inductivity::asker(LocationId to) {
  Asker& asker = askers_[index(to)];
  if (!asker.solver) open(asker, to);
  return asker;
}

void Inductivity::open(Asker& asker, LocationId to) {
  asker.solver = new_solver();
  asker.any = terms_.fresh("any_step", terms_.bool_sort());
  for (StepId id : steps_.into(to)) {
    const CfaStep& step = steps_[id];
    Term taken = terms_.fresh("step", terms_.bool_sort());
    std::vector<Term> what = step.guards;
    for (std::size_t i = 0; !config_.wep_inductivity && i < next_.size(); ++i)
      if (auto at = step.effect.find(cfa_.variables()[i]); at != step.effect.end())
        what.push_back(terms_.make_eq(next_[i], at->second));
    asker.solver->add(terms_.make_implies(taken, terms_.make_and(what)));
    auto source = std::find_if(asker.at.begin(), asker.at.end(),
                               [&](const auto& each) { return each.first == step.from; });
    if (source == asker.at.end()) {
      asker.at.emplace_back(step.from, terms_.fresh("at", terms_.bool_sort()));
      asker.asserted.push_back(0);
      source = asker.at.end() - 1;
    }
    asker.solver->add(terms_.make_implies(taken, source->second));
    asker.taken.push_back(taken);
  }
  asker.literals.resize(asker.taken.size());
  asker.solver->add(terms_.make_implies(asker.any, terms_.make_or(asker.taken)));
}

Term Inductivity::level_switch(Asker& asker, Level level) {
  while (asker.levels.size() <= lem::index(level)) {
    asker.levels.push_back(terms_.fresh("level", terms_.bool_sort()));
    std::size_t last = asker.levels.size() - 1;
    if (last > 0)  // F_i is the lists from i on
      asker.solver->add(terms_.make_implies(asker.levels[last - 1], asker.levels[last]));
  }
  return asker.levels[lem::index(level)];
}

void Inductivity::assert_lemmas(Asker& asker, std::size_t source) {
  auto [location, here] = asker.at[source];
  std::span<const CfaFrames::Added> history = frames_.history(location);
  for (std::size_t& i = asker.asserted[source]; i < history.size(); ++i) {
    std::vector<Term> clause{terms_.make_not(here),
                             terms_.make_not(level_switch(asker, history[i].level))};
    for (Lit lit : history[i].cube.lits()) clause.push_back(literals_.formula(!lit));
    asker.solver->add(terms_.make_or(clause));
  }
}

void Inductivity::assert_literal(Asker& asker, LocationId to, std::size_t step, Lit lit) {
  std::vector<bool>& asserted = asker.literals[step];
  if (asserted.size() <= lit.code()) asserted.resize(literals_.codes());
  if (asserted[lit.code()]) return;
  asserted[lit.code()] = true;
  StepId id = steps_.into(to)[step];
  Term formula = literals_.formula(lit);
  Term asked = config_.wep_inductivity ? steps_.before(id, formula) : after(id, formula);
  asker.solver->add(
      terms_.make_implies(terms_.make_and(literals_.label(lit), asker.taken[step]), asked));
}

/// With primes on what the step writes, as in Example 4.4: the rest is the same before and after.
Term Inductivity::after(StepId step, Term formula) {
  TermMap written;
  for (std::size_t i = 0; i < next_.size(); ++i)
    if (steps_[step].effect.contains(cfa_.variables()[i])) written[cfa_.variables()[i]] = next_[i];
  return written.empty() ? formula : substitute(terms_, formula, written);
}

Inductivity::Reply Inductivity::ask(Asker& asker, std::vector<Term> assumptions,
                                    std::span<const Lit> cube, Need need) {
  for (Lit lit : cube) assumptions.push_back(literals_.label(lit));
  ++stats_.queries;
  TimerScope timer(stats_.solve);
  std::uint32_t limit = this->limit(need);
  if (limit != asker.limit) asker.solver->limit_time(asker.limit = limit);
  Reply reply{asker.solver->solve(assumptions)};
  if (reply.answer == smt::Answer::Unknown && !ctx_.stopped()) {
    ++stats_.timeouts;
    if (need == Need::Critical) gave_up_ = true;
  }
  if (!reply.inductive()) return reply;
  const std::vector<Term>& failed = asker.solver->core();
  for (Lit lit : cube)  // which may have a literal twice
    if (std::find(failed.begin(), failed.end(), literals_.label(lit)) != failed.end() &&
        std::find(reply.core.begin(), reply.core.end(), lit) == reply.core.end())
      reply.core.push_back(lit);
  return reply;
}

Inductivity::Reply Inductivity::on_edge(Level from, StepId id, std::span<const Lit> cube,
                                        Need need) {
  if (impossible(from, id)) return {smt::Answer::Unsat};
  pending_.reset();
  if (!answers_.enabled()) return ask_step(from, id, cube, need);
  CfaAnswers::Question question{from, id, Cube({cube.begin(), cube.end()}), limit(need)};
  if (auto known = answers_.find(question)) {
    if (known->answer == smt::Answer::Sat) pending_ = std::move(question);
    if (known->answer == smt::Answer::Unknown && need == Need::Critical) gave_up_ = true;
    return {known->answer, std::move(known->core)};
  }
  Reply reply = ask_step(from, id, cube, need);
  if (!ctx_.stopped()) answers_.remember(question, {reply.answer, reply.core});
  return reply;
}

Inductivity::Reply Inductivity::ask_step(Level from, StepId id, std::span<const Lit> cube,
                                         Need need) {
  const CfaStep& step = steps_[id];
  Asker& asker = this->asker(step.to);
  std::vector<Term> assumptions;
  std::span<const StepId> into = steps_.into(step.to);
  for (std::size_t i = 0; i < into.size(); ++i) {
    bool chosen = into[i] == id;
    assumptions.push_back(chosen ? asker.taken[i] : terms_.make_not(asker.taken[i]));
    if (chosen)
      for (Lit lit : cube) assert_literal(asker, step.to, i, lit);
  }
  for (std::size_t i = 0; i < asker.at.size(); ++i) {
    bool chosen = asker.at[i].first == step.from;
    if (chosen && from > Level{0}) assert_lemmas(asker, i);
    if (!chosen) assumptions.push_back(terms_.make_not(asker.at[i].second));
  }
  if (from > Level{0}) assumptions.push_back(level_switch(asker, from));
  return ask(asker, std::move(assumptions), cube, need);
}

Inductivity::Reply Inductivity::on_edges_at_once(Level from, LocationId to,
                                                 std::span<const Lit> cube, Need need) {
  Asker& asker = this->asker(to);
  std::vector<Term> assumptions{asker.any};
  std::span<const StepId> into = steps_.into(to);
  for (std::size_t i = 0; i < into.size(); ++i) {
    if (impossible(from, into[i])) {
      assumptions.push_back(terms_.make_not(asker.taken[i]));
      continue;
    }
    for (Lit lit : cube) assert_literal(asker, to, i, lit);
  }
  for (std::size_t i = 0; from > Level{0} && i < asker.at.size(); ++i) assert_lemmas(asker, i);
  if (from > Level{0}) assumptions.push_back(level_switch(asker, from));
  ++stats_.joint;
  return ask(asker, std::move(assumptions), cube, need);
}

Inductivity::Reply Inductivity::inductive_on_all_edges(Level from, LocationId to,
                                                       std::span<const Lit> cube, Need need) {
  Reply all{smt::Answer::Unsat};
  for (StepId step : steps_.into(to)) {
    Reply reply = on_edge(from, step, cube, need);
    if (!reply.inductive()) return {reply.answer};
    all.core = united(std::move(all.core), reply.core);
  }
  return all;
}

smt::Answer Inductivity::meets(Level level, LocationId at, std::span<const Lit> cube) {
  Asker& asker = local_[index(at)];
  if (!asker.solver) {
    asker.solver = new_solver();
    asker.at.emplace_back(at, terms_.fresh("at", terms_.bool_sort()));
    asker.asserted.push_back(0);
    asker.literals.resize(1);
  }
  assert_lemmas(asker, 0);
  std::vector<bool>& asserted = asker.literals.front();
  if (asserted.size() < literals_.codes()) asserted.resize(literals_.codes());
  for (Lit lit : cube) {
    if (!asserted[lit.code()])
      asker.solver->add(terms_.make_implies(literals_.label(lit), literals_.formula(lit)));
    asserted[lit.code()] = true;
  }
  std::vector<Term> assumptions{asker.at.front().second, level_switch(asker, level)};
  return ask(asker, std::move(assumptions), cube, Need::Optional).answer;
}

/// Of a remembered Sat no model is kept: it is asked again for the first value.
smt::SmtSolver& Inductivity::with_model(StepId step) {
  if (auto question = std::exchange(pending_, {}))
    if (ask_step(question->from, question->step, question->cube.lits(), Need::Critical).answer !=
        smt::Answer::Sat)
      gave_up_ = true;
  return *askers_[index(steps_[step].to)].solver;
}

std::optional<Term> Inductivity::value(StepId step, Term term) {
  smt::SmtSolver& solver = with_model(step);
  if (gave_up_) return {};
  return solver.value(term);
}

smt::Projector* Inductivity::projector(StepId step) {
  return with_model(step).projector();
}

}  // namespace lem::engine
