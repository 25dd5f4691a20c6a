// The steps of RecMC [Komuravelli14 Fig. 3, 4]: obligations, premises, facts; lemmas.cpp has what
// concerns lemmas.
#include "engine/spacer/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "engine/spacer/derivation.h"

namespace lem::engine {

SpacerSearch::SpacerSearch(const HornSystem& system, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      rules_(system),
      terms_(rules_.terms()),
      summaries_(rules_.size()),
      levels_(terms_),
      interpolator_(smt::make_proof_interpolator(terms_, ctx.stop, config_.interpolate_ms)),
      orders_(compared_orders()),
      queries_(ctx.stats.counter("spacer.queries")),
      lemma_count_(ctx.stats.counter("spacer.lemmas")),
      fact_count_(ctx.stats.counter("spacer.facts")),
      interpolants_(ctx.stats.counter("spacer.interpolants")) {
  for (PredicateId predicate = 0; predicate < rules_.size(); ++predicate)
    solvers_.push_back(
        std::make_unique<PredicateSolver>(rules_, predicate, summaries_, levels_, ctx));
}

/// Derivations of growing height, until there is one of the query or the lemmas of some height hold
/// for all.
Verdict SpacerSearch::run() {
  while (!stopped()) {
    switch (reach_query()) {
      case Outcome::Done:  // no derivation of height top
        break;
      case Outcome::Counterexample:
        return derivation();
      case Outcome::Stopped:
        return unknown(ctx_);
    }
    top_ = next(top_);
    if (std::optional<Level> fixpoint = propagate()) return Safe{interpretation(*fixpoint)};
  }
  return unknown(ctx_);
}

Verdict SpacerSearch::derivation() {
  FactId last{static_cast<std::uint32_t>(summaries_.facts.size() - 1)};
  std::optional<Derivation> found = ground(rules_, summaries_, last, ctx_);
  if (!found) return unknown(ctx_);
  return Unsafe{*std::move(found)};
}

/// [Komuravelli14 Fig. 3, BndSafety]: lowest height first, the query until it is blocked.
Outcome SpacerSearch::reach_query() {
  auto root = obligations_.make({.details = {rules_.query(), {}}});
  obligations_.push(root.id(), top_);
  while (!stopped()) {
    auto popped = obligations_.pop(top_);
    assert(popped && "the query stays until it is blocked or derived");
    if (ctx_.progress.due()) ctx_.progress.publish(progress());
    ObligationId id = popped->obligation.id();
    Outcome outcome = discharge(id, popped->level);
    if (outcome == Outcome::Done && id == root.id() && query_blocked()) {
      obligations_.clear(top_);
      return Outcome::Done;
    }
    if (outcome != Outcome::Done) return outcome;
  }
  return Outcome::Stopped;
}

bool SpacerSearch::query_blocked() const {
  return std::ranges::any_of(summaries_.lemmas[rules_.query()],
                             [&](const CallLemma& lemma) { return lemma.level >= top_; });
}

/// Derives a tuple of the obligation from facts, blocks all of them at this level, or makes an
/// obligation of a premise that has neither fact nor lemma.
Outcome SpacerSearch::discharge(ObligationId id, Level level) {
  const Tuples& tuples = obligations_[id].details;
  if (derive(id))
    return tuples.predicate == rules_.query() ? Outcome::Counterexample : Outcome::Done;
  if (stopped()) return Outcome::Stopped;
  switch (ask(tuples.predicate, {.cube = tuples.cube, .level = level})) {
    case smt::Answer::Unsat:
      return block(id, level);
    case smt::Answer::Sat:
      return split(id, level);
    case smt::Answer::Unknown:
      break;
  }
  return Outcome::Stopped;
}

smt::Answer SpacerSearch::ask(PredicateId predicate, PredicateSolver::Asked asked) {
  ++queries_;
  asked.top = top_;
  return solver(predicate).ask(asked);
}

/// A tuple of the obligation that follows from known facts by one rule: all tuples around it become
/// a fact [Komuravelli14, UNDER].
std::optional<FactId> SpacerSearch::derive(ObligationId id) {
  Tuples& tuples = obligations_[id].details;
  if (tuples.facts_seen == summaries_.facts.size() + 1) return {};
  tuples.facts_seen = summaries_.facts.size() + 1;
  PredicateId predicate = tuples.predicate;
  if (ask(predicate, {.cube = tuples.cube}) != smt::Answer::Sat) return {};
  PredicateSolver& known = solver(predicate);
  std::size_t number = known.rule();
  const CallRule& rule = rules_.of(predicate)[number];
  std::vector<FactId> premises;
  std::vector<Term> parts{rule.step};
  for (const HornAtom& atom : rule.body) {
    std::optional<FactId> fact = known.fact_at(atom);
    if (!fact) {
      gave_up_ = true;  // a model that values do not express
      return {};
    }
    premises.push_back(*fact);
    parts.push_back(rules_.at(atom, summaries_.facts[index(*fact)].formula));
  }
  auto cube = known.project(terms_.make_and(parts), rule.locals);
  if (!cube) {
    gave_up_ = true;
    return {};
  }
  return add_fact({predicate, terms_.make_and(*cube), number, std::move(premises)});
}

FactId SpacerSearch::add_fact(Fact fact) {
  FactId id{static_cast<std::uint32_t>(summaries_.facts.size())};
  PredicateId predicate = fact.predicate;
  ctx_.log.debug([&] { return fmt::format("spacer: fact of predicate {}", predicate); });
  ++fact_count_;
  for (PredicateId user : rules_.users(predicate)) solver(user).add_fact(predicate, fact.formula);
  summaries_.facts.push_back(std::move(fact));
  summaries_.facts_of[predicate].push_back(id);
  return id;
}

/// After the query at `level` had a model: one premise of its rule becomes an obligation. The
/// others are where they can be on facts, else on the lemmas of the level below.
Outcome SpacerSearch::split(ObligationId id, Level level) {
  assert(level > Level{0} && "what holds at height 0 is a fact");
  const Tuples& tuples = obligations_[id].details;
  PredicateSolver& known = solver(tuples.predicate);
  std::size_t number = known.rule();
  const CallRule& rule = rules_.of(tuples.predicate)[number];
  PredicateSolver::Asked asked{.cube = tuples.cube, .level = level, .rule = number, .on_facts = {}};
  if (!put_on_facts(asked, rule, tuples.predicate)) return Outcome::Stopped;
  std::optional<std::size_t> premise = open_premise(asked.on_facts);
  if (!premise) {  // facts came meanwhile that suffice
    obligations_[id].details.facts_seen = 0;
    obligations_.push(id, level);
    return Outcome::Done;
  }
  std::vector<Term> parts{rule.step};
  parts.insert(parts.end(), tuples.cube.begin(), tuples.cube.end());
  std::vector<Term> eliminate(rules_.params(tuples.predicate).begin(),
                              rules_.params(tuples.predicate).end());
  eliminate.insert(eliminate.end(), rule.locals.begin(), rule.locals.end());
  for (std::size_t j = 0; j < rule.body.size(); ++j) {
    if (j == *premise) continue;
    std::optional<FactId> fact;
    if (asked.on_facts[j]) fact = known.fact_at(rule.body[j]);
    Term summary = fact ? summaries_.facts[index(*fact)].formula
                        : may_summary(rule.body[j].predicate, previous(level));
    parts.push_back(rules_.at(rule.body[j], summary));
  }
  const HornAtom& atom = rule.body[*premise];
  std::erase_if(eliminate, [&](Term variable) {
    return std::find(atom.args.begin(), atom.args.end(), variable) != atom.args.end();
  });
  auto cube = known.project(terms_.make_and(parts), eliminate);
  if (!cube) return Outcome::Stopped;
  TermMap to_params;
  for (std::size_t i = 0; i < atom.args.size(); ++i)
    to_params[atom.args[i]] = rules_.params(atom.predicate)[i];
  for (Term& literal : *cube) literal = substitute(terms_, literal, to_params);
  auto child = obligations_.make({.successor = id,
                                  .depth = obligations_[id].depth + 1,
                                  .details = {atom.predicate, cube_of(*cube)}});
  obligations_.push(child.id(), previous(level));
  obligations_.push(id, level);
  return Outcome::Done;
}

/// As many positions of the rule as possible, one after the other; the model is then one of that
/// choice.
bool SpacerSearch::put_on_facts(PredicateSolver::Asked& asked, const CallRule& rule,
                                PredicateId predicate) {
  PredicateSolver& known = solver(predicate);
  auto facts_now = [&] {
    asked.on_facts.clear();
    for (const HornAtom& atom : rule.body)
      asked.on_facts.push_back(known.fact_at(atom).has_value());
  };
  facts_now();
  if (rule.body.size() < 2) return true;
  bool fresh = true;  // the model is that of on_facts
  for (std::size_t j = 0; j < rule.body.size(); ++j) {
    if (asked.on_facts[j] || summaries_.facts_of[rule.body[j].predicate].empty()) continue;
    asked.on_facts[j] = true;
    smt::Answer answer = ask(predicate, asked);
    if (answer == smt::Answer::Unknown) return false;
    fresh = answer == smt::Answer::Sat;
    if (fresh)
      facts_now();
    else
      asked.on_facts[j] = false;
  }
  return fresh || ask(predicate, asked) == smt::Answer::Sat;
}

std::optional<std::size_t> SpacerSearch::open_premise(const std::vector<bool>& on_facts) const {
  std::optional<std::size_t> found;
  for (std::size_t j = 0; j < on_facts.size(); ++j) {
    if (on_facts[j]) continue;
    found = j;
    if (config_.premise == PremiseOrder::First) break;
  }
  return found;
}

std::string SpacerSearch::progress() const {
  return fmt::format("spacer: height {}, lemmas {}, facts {}, obligations {}", index(top_),
                     lemma_count_.value, fact_count_.value, obligations_.size());
}

}  // namespace lem::engine
