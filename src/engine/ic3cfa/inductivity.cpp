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
      answers_(frames, steps, config.query_cache, ctx.stats),
      stats_(ctx.stats) {
  for (std::size_t i = 0; i < cfa.locations().size(); ++i) {
    targets_.emplace_back(terms_);
    local_.emplace_back(terms_);
  }
  for (Term variable : cfa.variables())
    next_.push_back(terms_.fresh("next", terms_.sort(variable)));
}

std::unique_ptr<smt::SmtSolver> Inductivity::new_solver() const {
  return smt::Solvers(ctx_).make(terms_, smt::Workload::Stream);
}

Inductivity::Target& Inductivity::target(LocationId to) {
  Target& target = targets_[index(to)];
  if (!target.asker.solver) open(target, to);
  return target;
}

void Inductivity::open(Target& target, LocationId to) {
  assert(!target.asker.solver && "a target is opened once");
  target.asker.solver = new_solver();
  target.any = terms_.fresh("any_step", terms_.bool_sort());
  for (StepId id : steps_.into(to)) {
    const CfaStep& step = steps_[id];
    Term taken = terms_.fresh("step", terms_.bool_sort());
    std::vector<Term> what = step.guards;
    for (std::size_t i = 0; !config_.wep_inductivity && i < next_.size(); ++i)
      if (auto at = step.effect.find(cfa_.variables()[i]); at != step.effect.end())
        what.push_back(terms_.make_eq(next_[i], at->second));
    target.asker.add(terms_.make_implies(taken, terms_.make_and(what)));
    auto source = std::find_if(target.at.begin(), target.at.end(),
                               [&](const auto& each) { return each.first == step.from; });
    if (source == target.at.end()) {
      target.at.emplace_back(step.from, terms_.fresh("at", terms_.bool_sort()));
      target.asserted.push_back(0);
      source = target.at.end() - 1;
    }
    target.asker.add(terms_.make_implies(taken, source->second));
    target.taken.push_back(taken);
  }
  target.literals.resize(target.taken.size());
  target.asker.add(terms_.make_implies(target.any, terms_.make_or(target.taken)));
}

/// F_i is the lists from i on.
Term Inductivity::level_switch(Target& target, Level level) {
  return target.levels.chained(lem::index(level),
                               [&](Term implication) { target.asker.add(implication); });
}

void Inductivity::assert_lemmas(Target& target, std::size_t source) {
  assert(source < target.at.size() && "a source of the target");
  auto [location, here] = target.at[source];
  std::span<const CfaFrames::Added> history = frames_.history(location);
  for (std::size_t& i = target.asserted[source]; i < history.size(); ++i) {
    std::vector<Term> clause{terms_.make_not(here),
                             terms_.make_not(level_switch(target, history[i].level))};
    for (Lit lit : history[i].cube.lits()) clause.push_back(literals_.formula(!lit));
    target.asker.add(terms_.make_or(clause));
  }
}

void Inductivity::assert_literal(Target& target, LocationId to, std::size_t step, Lit lit) {
  assert(step < target.taken.size() && "a step into the target");
  if (!target.literals[step].insert(lit.code())) return;
  StepId id = steps_.into(to)[step];
  Term formula = literals_.formula(lit);
  Term asked = config_.wep_inductivity ? steps_.before(id, formula) : after(id, formula);
  target.asker.add(
      terms_.make_implies(terms_.make_and(literals_.label(lit), target.taken[step]), asked));
}

/// With primes on what the step writes, as in Example 4.4: the rest is the same before and after.
Term Inductivity::after(StepId step, Term formula) {
  TermMap written;
  for (std::size_t i = 0; i < next_.size(); ++i)
    if (steps_[step].effect.contains(cfa_.variables()[i])) written[cfa_.variables()[i]] = next_[i];
  return written.empty() ? formula : substitute(terms_, formula, written);
}

Inductivity::Reply Inductivity::ask(Target& target, std::vector<Term> assumptions,
                                    std::span<const Lit> cube, Need need) {
  assert(target.asker.solver && "the target is open");
  for (Lit lit : cube) assumptions.push_back(literals_.label(lit));
  ++stats_.queries;
  TimerScope timer(stats_.solve);
  std::uint32_t limit = this->limit(need);
  if (limit != target.limit) target.asker.solver->limit_time(target.limit = limit);
  Reply reply{target.asker.solver->solve(assumptions)};
  if (reply.answer == smt::Answer::Unknown && !ctx_.stopped()) {
    ++stats_.timeouts;
    if (need == Need::Critical) gave_up_ = true;
  }
  if (!reply.inductive()) return reply;
  std::vector<Lit> needed =
      needed_of(*target.asker.solver, cube, [&](Lit lit) { return literals_.label(lit); });
  reply.core = united({}, needed);  // the cube may have a literal twice
  return reply;
}

Inductivity::Reply Inductivity::on_edge(Level from, StepId id, std::span<const Lit> cube,
                                        Need need) {
  assert(from <= frames_.top() && "a frame that exists");
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
  Target& target = this->target(step.to);
  std::vector<Term> assumptions;
  std::span<const StepId> into = steps_.into(step.to);
  assert(std::find(into.begin(), into.end(), id) != into.end() && "the step leads there");
  for (std::size_t i = 0; i < into.size(); ++i) {
    bool chosen = into[i] == id;
    assumptions.push_back(chosen ? target.taken[i] : terms_.make_not(target.taken[i]));
    if (chosen)
      for (Lit lit : cube) assert_literal(target, step.to, i, lit);
  }
  for (std::size_t i = 0; i < target.at.size(); ++i) {
    bool chosen = target.at[i].first == step.from;
    if (chosen && from > Level{0}) assert_lemmas(target, i);
    if (!chosen) assumptions.push_back(terms_.make_not(target.at[i].second));
  }
  if (from > Level{0}) assumptions.push_back(level_switch(target, from));
  return ask(target, std::move(assumptions), cube, need);
}

Inductivity::Reply Inductivity::on_edges_at_once(Level from, LocationId to,
                                                 std::span<const Lit> cube, Need need) {
  Target& target = this->target(to);
  std::vector<Term> assumptions{target.any};
  std::span<const StepId> into = steps_.into(to);
  for (std::size_t i = 0; i < into.size(); ++i) {
    if (impossible(from, into[i])) {
      assumptions.push_back(terms_.make_not(target.taken[i]));
      continue;
    }
    for (Lit lit : cube) assert_literal(target, to, i, lit);
  }
  for (std::size_t i = 0; from > Level{0} && i < target.at.size(); ++i) assert_lemmas(target, i);
  if (from > Level{0}) assumptions.push_back(level_switch(target, from));
  ++stats_.joint;
  return ask(target, std::move(assumptions), cube, need);
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
  assert(Level{0} < level && level <= frames_.top() && "a frame with lemmas");
  Target& target = local_[index(at)];
  if (!target.asker.solver) {
    target.asker.solver = new_solver();
    target.at.emplace_back(at, terms_.fresh("at", terms_.bool_sort()));
    target.asserted.push_back(0);
    target.literals.resize(1);
  }
  assert_lemmas(target, 0);
  for (Lit lit : cube)
    if (target.literals.front().insert(lit.code()))
      target.asker.add(terms_.make_implies(literals_.label(lit), literals_.formula(lit)));
  std::vector<Term> assumptions{target.at.front().second, level_switch(target, level)};
  return ask(target, std::move(assumptions), cube, Need::Optional).answer;
}

/// Of a remembered Sat no model is kept: it is asked again for the first value.
smt::SmtSolver& Inductivity::with_model(StepId step) {
  if (auto question = std::exchange(pending_, {}))
    if (ask_step(question->from, question->step, question->cube.lits(), Need::Critical).answer !=
        smt::Answer::Sat)
      gave_up_ = true;
  assert(targets_[index(steps_[step].to)].asker.solver && "the step was asked about");
  return *targets_[index(steps_[step].to)].asker.solver;
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
