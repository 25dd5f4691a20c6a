// Lemmas of spacer: from blocked obligations, generalized, and pushed to higher levels.
#include <algorithm>
#include <array>
#include <cassert>

#include "engine/spacer/search.h"

namespace lem::engine {

Outcome SpacerSearch::block(ObligationId id, Level level) {
  PredicateId predicate = obligations_[id].details.predicate;
  Level blocked = top_;
  for (std::vector<Term>& cube : generalize(predicate, level, solver(predicate).core()))
    blocked = std::min(blocked, add_lemma(predicate, level, std::move(cube)));
  if (stopped()) return Outcome::Stopped;
  // The same tuples may be derivable higher up: to know that early finds deep derivations.
  if (blocked < top_ && predicate != rules_.query()) obligations_.push(id, next(blocked));
  if (blocked < top_ && predicate == rules_.query()) obligations_.push(id, top_);
  return Outcome::Done;
}

/// Cubes that no derivation of this height meets; together they contain the core.
std::vector<std::vector<Term>> SpacerSearch::generalize(PredicateId predicate, Level level,
                                                        std::vector<Term> core) {
  std::vector<std::vector<Term>> cubes;
  if (config_.interpolate && !core.empty()) cubes = interpolant(predicate, level, core);
  if (cubes.empty()) cubes.push_back(std::move(core));
  if (config_.drop)
    for (std::vector<Term>& cube : cubes) cube = drop(predicate, level, std::move(cube));
  return cubes;
}

/// What rules derive from the lemmas of the level below.
Term SpacerSearch::successors(PredicateId predicate, Level level) const {
  std::vector<Term> by_rule;
  for (const CallRule& rule : rules_.of(predicate)) {
    if (!rule.body.empty() && level == Level{0}) continue;
    std::vector<Term> parts{rule.step};
    for (const HornAtom& atom : rule.body)
      parts.push_back(rules_.at(atom, may_summary(atom.predicate, previous(level))));
    by_rule.push_back(terms_.make_and(parts));
  }
  return terms_.make_or(by_rule);
}

/// Clauses of an interpolant between the successors and the core, as cubes; none if there is none,
/// or if it is no conjunction of clauses.
std::vector<std::vector<Term>> SpacerSearch::interpolant(PredicateId predicate, Level level,
                                                         const std::vector<Term>& core) {
  std::span<const Term> params = rules_.params(predicate);
  smt::Path path{params, params, successors(predicate, level), {}, terms_.make_and(core)};
  std::optional<smt::Sequence> found = interpolator_->interpolate(path);
  if (!found) return {};
  std::vector<std::vector<Term>> cubes;
  for (Term clause : conjuncts(terms_, found->front())) {
    std::vector<Term>& cube = cubes.emplace_back();
    for (Term literal : disjuncts(terms_, clause)) {
      Op op = terms_.op(terms_.atom_of(literal));
      if (op == Op::And || op == Op::Or || op == Op::Ite) return {};
      cube.push_back(terms_.make_not(literal));
    }
  }
  constexpr std::size_t kMostClauses = 6;
  if (cubes.size() > kMostClauses) return {};
  ++interpolants_;
  return cubes;
}

/// [Bradley11 MIC]: without each literal in turn, as long as the lemma is inductive relative to the
/// level below.
std::vector<Term> SpacerSearch::drop(PredicateId predicate, Level level, std::vector<Term> cube) {
  for (std::size_t i = 0; i < cube.size() && cube.size() > 1 && !stopped();) {
    std::vector<Term> smaller = cube;
    smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(i));
    PredicateSolver::Asked asked{.cube = smaller, .level = level};
    if (rules_.calls_itself(predicate) && level > Level{0})
      asked.assumed = terms_.make_not(terms_.make_and(smaller));
    smt::Answer answer = ask(predicate, asked);
    if (answer != smt::Answer::Unsat) {
      ++i;
      continue;
    }
    cube = solver(predicate).core();  // excludes more, so it is inductive relative to itself
    i = std::min(i, cube.size());
  }
  return cube;
}

/// Adds the lemma and pushes it up.   ensure: the highest level it is known to hold for
Level SpacerSearch::add_lemma(PredicateId predicate, Level level, std::vector<Term> cube) {
  std::sort(cube.begin(), cube.end());
  Term formula = terms_.make_not(terms_.make_and(cube));
  std::vector<CallLemma>& list = summaries_.lemmas[predicate];
  for (const CallLemma& known : list)
    if (known.level >= level && std::ranges::includes(cube, known.cube)) return known.level;
  std::erase_if(list, [&](const CallLemma& known) {
    return known.level <= level && std::ranges::includes(known.cube, cube);
  });
  ++lemma_count_;
  list.push_back({std::move(cube), formula, level});
  publish(predicate, list.back());
  while (list.back().level < top_ && push_up(predicate, list.back())) continue;
  return list.back().level;
}

void SpacerSearch::publish(PredicateId predicate, const CallLemma& lemma) {
  for (PredicateId user : rules_.users(predicate))
    if (user != predicate) solver(user).add_lemma(predicate, lemma);
  solver(predicate).add_lemma(predicate, lemma);
}

/// Whether the lemma holds for one level more.
bool SpacerSearch::push_up(PredicateId predicate, CallLemma& lemma) {
  Level higher = next(lemma.level);
  if (ask(predicate, {.cube = lemma.cube, .level = higher}) != smt::Answer::Unsat) return false;
  lemma.level = higher;
  publish(predicate, lemma);
  return true;
}

/// Pushes lemmas level by level.   ensure: a level whose lemmas are inductive, if there is one
std::optional<Level> SpacerSearch::propagate() {
  for (Level level{0}; level < top_; ++level) {
    bool all = true;
    for (PredicateId predicate = 0; predicate < rules_.size(); ++predicate)
      for (CallLemma& lemma : summaries_.lemmas[predicate]) {
        if (stopped()) return {};
        if (lemma.level == level && !push_up(predicate, lemma)) all = false;
      }
    if (all) return next(level);
  }
  return {};
}

Term SpacerSearch::may_summary(PredicateId predicate, Level level) const {
  std::vector<Term> lemmas;
  for (const CallLemma& lemma : summaries_.lemmas[predicate])
    if (lemma.level >= level) lemmas.push_back(lemma.formula);
  return terms_.make_and(lemmas);
}

/// Of the system's predicates; that of the query is false.
Interpretation SpacerSearch::interpretation(Level level) const {
  assert(terms_.is_false(may_summary(rules_.query(), level)) && "a proof blocks the query");
  Interpretation result;
  for (PredicateId predicate = 0; predicate < rules_.query(); ++predicate) {
    std::span<const Term> params = rules_.params(predicate);
    result.of.push_back({{params.begin(), params.end()}, may_summary(predicate, level)});
  }
  return result;
}

/// Equalities as two inequalities, either of which may be dropped.
std::vector<Term> SpacerSearch::cube_of(std::span<const Term> literals) const {
  std::vector<Term> cube;
  for (Term literal : literals) {
    std::vector<Term> parts = sides_of(terms_, literal, orders_);
    if (parts.empty()) parts = {literal};
    for (Term part : parts)
      if (!terms_.is_true(part) && std::find(cube.begin(), cube.end(), part) == cube.end())
        cube.push_back(part);
  }
  return cube;
}

/// The orders that the rules compare bit-vectors in.
BitOrders SpacerSearch::compared_orders() const {
  std::vector<Term> steps;
  for (PredicateId predicate = 0; predicate < rules_.size(); ++predicate)
    for (const CallRule& rule : rules_.of(predicate)) steps.push_back(rule.step);
  BitOrders orders{false, false};
  for_each_subterm(terms_, steps, [&](Term term) {
    orders.as_signed = orders.as_signed || terms_.op(term) == Op::BvSlt;
    orders.as_unsigned = orders.as_unsigned || terms_.op(term) == Op::BvUlt;
  });
  if (!orders.as_signed) orders.as_unsigned = true;
  return orders;
}

}  // namespace lem::engine
