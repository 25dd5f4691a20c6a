#include "engine/spacer/predicate_solver.h"

#include <algorithm>
#include <cassert>

#include "smt/projection.h"

namespace lem::engine {

namespace {

// Formulas that a solver takes before it starts afresh: labels of dropped cubes and lemmas that
// moved to higher levels make it slow.
constexpr std::size_t kMostAdded = 3000;

}  // namespace

PredicateSolver::PredicateSolver(const CallRules& rules, PredicateId predicate,
                                 const Summaries& summaries, LevelLiterals& levels,
                                 const Context& ctx)
    : rules_(rules),
      predicate_(predicate),
      summaries_(summaries),
      levels_(levels),
      terms_(rules.terms()),
      solvers_(ctx) {
  rebuild();
}

void PredicateSolver::rebuild() {
  solver_ = solvers_.make(terms_, smt::Workload::Stream);
  tagged_.clear();
  labels_.clear();
  literal_of_.clear();
  std::vector<Term> tags;
  for (const CallRule& rule : rules_.of(predicate_)) {
    Tagged& tagged = tagged_.emplace_back();
    tagged.tag = terms_.fresh("rule", terms_.bool_sort());
    tags.push_back(tagged.tag);
    solver_->add(terms_.make_implies(tagged.tag, rule.step));
    for (std::size_t j = 0; j < rule.body.size(); ++j) {
      Term use = terms_.fresh("use", terms_.bool_sort());
      Term rest = terms_.fresh("rest", terms_.bool_sort());
      tagged.positions.push_back({use, rest});
      solver_->add(terms_.make_implies(terms_.make_and(use, tagged.tag), rest));
    }
  }
  solver_->add(terms_.make_or(tags));
  for (PredicateId of = 0; of < rules_.size(); ++of) {
    for (const CallLemma& lemma : summaries_.lemmas[of]) add_lemma(of, lemma);
    for (FactId fact : summaries_.facts_of[of]) add_fact(of, summaries_.facts[index(fact)].formula);
  }
  added_ = 0;
}

void PredicateSolver::add_lemma(PredicateId of, const CallLemma& lemma) {
  auto guarded = [&](Term guard, Term formula) {
    solver_->add(terms_.make_implies(guard, formula));
    ++added_;
  };
  if (of == predicate_) guarded(levels_.at_head(lemma.level), lemma.formula);
  std::span<const CallRule> rules = rules_.of(predicate_);
  for (std::size_t c = 0; c < rules.size(); ++c)
    for (const HornAtom& atom : rules[c].body)
      if (atom.predicate == of)
        guarded(levels_.in_body(lemma.level),
                terms_.make_implies(tagged_[c].tag, rules_.at(atom, lemma.formula)));
}

void PredicateSolver::add_fact(PredicateId of, Term fact) {
  std::span<const CallRule> rules = rules_.of(predicate_);
  for (std::size_t c = 0; c < rules.size(); ++c)
    for (std::size_t j = 0; j < rules[c].body.size(); ++j) {
      const HornAtom& atom = rules[c].body[j];
      if (atom.predicate != of) continue;
      Term rest = terms_.fresh("rest", terms_.bool_sort());
      Position& position = tagged_[c].positions[j];
      solver_->add(terms_.make_implies(position.rest, terms_.make_or(rules_.at(atom, fact), rest)));
      position.rest = rest;
      ++added_;
    }
}

Term PredicateSolver::label(Term literal) {
  if (terms_.is_variable(terms_.atom_of(literal))) return literal;
  auto [at, added] = labels_.try_emplace(literal, Term());
  if (added) {
    at->second = terms_.fresh("label", terms_.bool_sort());
    literal_of_[at->second] = literal;
    solver_->add(terms_.make_implies(at->second, literal));
    ++added_;
  }
  return at->second;
}

void PredicateSolver::assume_levels(const Asked& asked) {
  for (std::uint32_t k = index(*asked.level); k <= index(asked.top); ++k)
    assumptions_.push_back(levels_.at_head(Level{k}));
  if (*asked.level > Level{0})
    for (std::uint32_t k = index(*asked.level) - 1; k <= index(asked.top); ++k)
      assumptions_.push_back(levels_.in_body(Level{k}));
  // Height 0: rules without a body alone.
  std::span<const CallRule> rules = rules_.of(predicate_);
  for (std::size_t c = 0; c < rules.size() && *asked.level == Level{0}; ++c)
    if (!rules[c].body.empty()) assumptions_.push_back(terms_.make_not(tagged_[c].tag));
}

void PredicateSolver::assume_facts(const Asked& asked) {
  for (std::size_t c = 0; c < tagged_.size(); ++c) {
    if (asked.rule && c != *asked.rule) continue;
    for (std::size_t j = 0; j < tagged_[c].positions.size(); ++j) {
      bool wanted = asked.rule ? asked.on_facts[j] : !asked.level;
      if (!wanted) continue;
      assumptions_.push_back(tagged_[c].positions[j].use);
      assumptions_.push_back(terms_.make_not(tagged_[c].positions[j].rest));
    }
  }
}

smt::Answer PredicateSolver::ask(const Asked& asked) {
  assert((asked.level || !asked.rule) && "one rule is asked for with lemmas");
  if (added_ > kMostAdded) rebuild();
  assumptions_.clear();
  for (Term literal : asked.cube) assumptions_.push_back(label(literal));
  if (asked.level) assume_levels(asked);
  if (asked.rule) assumptions_.push_back(tagged_[*asked.rule].tag);
  assume_facts(asked);
  if (!asked.assumed) return solver_->solve(assumptions_);
  smt::Scope scope(*solver_);
  std::span<const CallRule> rules = rules_.of(predicate_);
  for (std::size_t c = 0; c < rules.size(); ++c)
    for (const HornAtom& atom : rules[c].body)
      if (atom.predicate == predicate_)
        solver_->add(terms_.make_implies(tagged_[c].tag, rules_.at(atom, *asked.assumed)));
  return solver_->solve(assumptions_);
}

std::vector<Term> PredicateSolver::core() const {
  std::vector<Term> literals;
  for (Term assumption : solver_->core()) {
    auto at = literal_of_.find(assumption);
    if (at != literal_of_.end()) {
      literals.push_back(at->second);
      continue;
    }
    // A literal that is its own label is over a param.
    std::span<const Term> params = rules_.params(predicate_);
    if (std::find(params.begin(), params.end(), terms_.atom_of(assumption)) != params.end())
      literals.push_back(assumption);
  }
  return literals;
}

std::size_t PredicateSolver::rule() const {
  for (std::size_t c = 0; c < tagged_.size(); ++c)
    if (terms_.is_true(solver_->value(tagged_[c].tag))) return c;
  assert(false && "a model uses some rule");
  return 0;
}

std::optional<FactId> PredicateSolver::fact_at(const HornAtom& atom) const {
  TermMap values;
  std::span<const Term> params = rules_.params(atom.predicate);
  for (std::size_t i = 0; i < params.size(); ++i) values[params[i]] = solver_->value(atom.args[i]);
  for (FactId fact : summaries_.facts_of[atom.predicate])
    if (terms_.is_true(evaluate(terms_, summaries_.facts[index(fact)].formula, values)))
      return fact;
  return {};
}

std::optional<std::vector<Term>> PredicateSolver::project(Term formula,
                                                          std::span<const Term> eliminate) {
  if (auto cube = solver_->projector()->project(formula, eliminate)) return cube;
  TermMap model;
  for (Term variable : variables_of(terms_, formula)) model[variable] = solver_->value(variable);
  return smt::project_by_values(terms_, formula, eliminate, model);
}

}  // namespace lem::engine
