#include "model/transition_system.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

#include "term/traverse.h"

namespace lem {

Term TransitionSystem::init_formula() const {
  std::vector<Term> parts{init_};
  for (const StateVar& state : states_)
    if (state.init) parts.push_back(terms_->make_eq(state.current, state.init));
  return terms_->make_and(parts);
}

Term TransitionSystem::trans_formula() const {
  std::vector<Term> parts{trans_};
  for (const StateVar& state : states_)
    if (state.update) parts.push_back(terms_->make_eq(state.next, state.update));
  return terms_->make_and(parts);
}

bool TransitionSystem::is_functional() const {
  return terms_->is_true(trans_) &&
         std::all_of(states_.begin(), states_.end(),
                     [](const StateVar& state) { return static_cast<bool>(state.update); });
}

TransitionSystemBuilder::TransitionSystemBuilder(std::shared_ptr<TermStore> terms) {
  system_.init_ = system_.trans_ = system_.constraint_ = terms->boolean(true);
  system_.terms_ = std::move(terms);
}

Term TransitionSystemBuilder::add_state(std::string_view name, Sort sort) {
  Term current = terms().variable(name, sort);
  add_state(current, terms().fresh(std::string(name) + "'", sort));
  return current;
}

void TransitionSystemBuilder::add_state(Term current, Term next) {
  assert(terms().is_variable(current) && terms().is_variable(next) && "states are variables");
  assert(!index_.contains(current) && "a state is added once");
  index_[current] = system_.states_.size();
  system_.states_.push_back({current, next});
}

Term TransitionSystemBuilder::add_input(std::string_view name, Sort sort) {
  Term input = terms().variable(name, sort);
  add_input(input);
  return input;
}

void TransitionSystemBuilder::add_input(Term variable) {
  assert(terms().is_variable(variable) && "inputs are variables");
  system_.inputs_.push_back(variable);
}

void TransitionSystemBuilder::set_init(Term state, Term value) {
  system_.states_[index_.at(state)].init = value;
}

void TransitionSystemBuilder::set_update(Term state, Term function) {
  system_.states_[index_.at(state)].update = function;
}

void TransitionSystemBuilder::add_init(Term formula) {
  system_.init_ = terms().make_and(system_.init_, formula);
}

void TransitionSystemBuilder::add_trans(Term formula) {
  system_.trans_ = terms().make_and(system_.trans_, formula);
}

void TransitionSystemBuilder::add_constraint(Term formula) {
  system_.constraint_ = terms().make_and(system_.constraint_, formula);
}

Result<TransitionSystem> TransitionSystemBuilder::freeze() && {
  const TermStore& store = terms();
  std::unordered_set<Term> current;
  std::unordered_set<Term> next;
  std::unordered_set<Term> inputs;
  for (const StateVar& state : system_.states_) {
    if (store.sort(state.current) != store.sort(state.next))
      return Error{{}, "'" + store.name(state.current) + "' and its next value differ in sort"};
    for (Term value : {state.init, state.update})
      if (value && store.sort(value) != store.sort(state.current))
        return Error{{}, "a value of '" + store.name(state.current) + "' has another sort"};
    if (!next.insert(state.next).second)
      return Error{{}, "'" + store.name(state.next) + "' is the next value of two variables"};
    current.insert(state.current);
  }
  for (Term input : system_.inputs_)
    if (current.contains(input) || next.contains(input) || !inputs.insert(input).second)
      return Error{{}, "the input '" + store.name(input) + "' is declared twice"};

  std::vector<Term> over_x{system_.init_};
  std::vector<Term> over_xi{system_.constraint_};
  for (const StateVar& state : system_.states_) {
    if (state.init) over_x.push_back(state.init);
    if (state.update) over_xi.push_back(state.update);
  }
  for (Term variable : variables_of(store, over_x))
    if (!current.contains(variable))
      return Error{{}, "the initial condition mentions '" + store.name(variable) + "'"};
  for (Term variable : variables_of(store, over_xi))
    if (!current.contains(variable) && !inputs.contains(variable))
      return Error{{}, "a step's values mention '" + store.name(variable) + "'"};
  for (Term variable : variables_of(store, system_.trans_))
    if (!current.contains(variable) && !inputs.contains(variable) && !next.contains(variable))
      return Error{{}, "the transition relation mentions '" + store.name(variable) + "'"};
  return std::move(system_);
}

}  // namespace lem
