#include "engine/parts/terms/system.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <unordered_set>

namespace lem::engine {

TermSystem::TermSystem(const Problem& problem)
    : system_(problem.system()), prime_(system_.terms()) {
  TermStore& store = terms();
  bad_ = problem.property().bad_term();
  for (const StateVar& state : system_.states()) {
    current_.push_back(state.current);
    next_.push_back(state.next);
  }
  std::array observed{bad_, system_.constraint()};
  std::unordered_set<Term> seen;
  for (Term variable : variables_of(store, observed)) seen.insert(variable);
  for (Term input : system_.inputs()) {
    if (!seen.contains(input)) {
      inputs_.push_back(input);
      continue;
    }
    current_.push_back(input);
    next_.push_back(store.fresh(store.name(input) + "'", store.sort(input)));
  }
  for (std::size_t i = 0; i < current_.size(); ++i) prime_.add(current_[i], next_[i]);
  assert(current_.size() == next_.size() && "every state has a next value");
  Term constraint = system_.constraint();
  init_ = store.make_and(system_.init_formula(), constraint);
  trans_ = store.make_and(system_.trans_formula(), store.make_and(constraint, prime(constraint)));
}

bool TermSystem::is_over_states(Term formula) const {
  std::vector<Term> used = variables_of(terms(), formula);
  return std::all_of(used.begin(), used.end(), [&](Term variable) {
    return std::find(current_.begin(), current_.end(), variable) != current_.end();
  });
}

TermTrace TermSystem::trace(std::size_t steps, const ValueAt& value) const {
  assert(steps > 0 && "a run has a state");
  TermTrace trace;
  for (std::size_t k = 0; k < steps; ++k) {
    TermTrace::Step& step = trace.steps.emplace_back();
    for (const StateVar& state : system_.states()) step.states.push_back(value(state.current, k));
    for (Term input : system_.inputs()) step.inputs.push_back(value(input, k));
  }
  return trace;
}

std::vector<Term> TermUnroller::fresh_states() {
  TermStore& terms = system_.terms();
  std::vector<Term> states;
  for (Term variable : system_.current())
    states.push_back(terms.fresh(tag_ + terms.name(variable), terms.sort(variable)));
  return states;
}

void TermUnroller::extend(std::size_t k) {
  TermStore& terms = system_.terms();
  if (ahead_.empty()) ahead_ = fresh_states();
  while (copies_.size() <= k) {
    TermMap map;
    for (std::size_t i = 0; i < ahead_.size(); ++i) map[system_.current()[i]] = ahead_[i];
    for (Term input : system_.inputs())
      map[input] = terms.fresh(tag_ + terms.name(input), terms.sort(input));
    TermMap with_next = map;
    ahead_ = fresh_states();
    for (std::size_t i = 0; i < ahead_.size(); ++i) with_next[system_.next()[i]] = ahead_[i];
    assert(ahead_.size() == system_.current().size() && "a copy of every state");
    copies_.push_back(
        {Substitution(terms, std::move(map)), Substitution(terms, std::move(with_next))});
  }
}

Term TermUnroller::at(Term formula, std::size_t k) {
  extend(k);
  assert(k < copies_.size() && "the step was copied");
  return copies_[k].state.apply(formula);
}

Term TermUnroller::between(Term formula, std::size_t k) {
  extend(k);
  return copies_[k].moving.apply(formula);
}

}  // namespace lem::engine
