// The functional view of a relational system: conjuncts that define a variable become its update or
// its initial value. Runs do not change, so evidence needs no translation.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "term/solve.h"
#include "transform/passes.h"
#include "transform/terms/steps.h"

namespace lem::transform {

namespace {

class Functional {
 public:
  explicit Functional(const TransitionSystem& system)
      : system_(system),
        terms_(system.terms()),
        states_(system.states().begin(), system.states().end()) {}

  /// Whether anything became functional.
  bool run() {
    trans_ = conjuncts(terms_, system_.trans_relation());
    init_ = conjuncts(terms_, system_.init_relation());
    TermMap updates;
    for (const StateVar& state : states_)
      if (state.update) updates[state.next] = state.update;
    substitute_in(trans_, updates);
    bool found = false;
    while (define_updates()) found = true;
    while (define_values()) found = true;
    if (define_initially()) found = true;
    return found;
  }
  TransitionSystemBuilder result() const {
    TransitionSystemBuilder builder = same_variables(system_);
    for (const StateVar& state : states_) {
      if (state.init) builder.set_init(state.current, state.init);
      if (state.update) builder.set_update(state.current, state.update);
    }
    builder.add_init(terms_.make_and(init_));
    builder.add_trans(terms_.make_and(trans_));
    builder.add_constraint(system_.constraint());
    return builder;
  }

 private:
  bool define_updates();
  bool define_values();
  bool define_initially();
  bool depends_initially(Term value, Term on) const;
  /// Replaces variables in the conjuncts and removes those that become true.
  void substitute_in(std::vector<Term>& formulas, const TermMap& map) {
    Substitution substitution(terms_, map);
    std::vector<Term> changed;
    for (Term formula : formulas)
      for (Term part : conjuncts(terms_, substitution.apply(formula)))
        if (!terms_.is_true(part)) changed.push_back(part);
    formulas = std::move(changed);
  }

  const TransitionSystem& system_;
  TermStore& terms_;
  std::vector<StateVar> states_;
  std::vector<Term> trans_;
  std::vector<Term> init_;
};

/// One round: definitions over X and I alone. Their next values are then replaced everywhere, so
/// that definitions through other next values are found in the next round.
bool Functional::define_updates() {
  std::map<Term, std::size_t> wanted;
  std::map<Term, std::size_t> of_next;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    of_next[states_[i].next] = i;
    if (!states_[i].update) wanted[states_[i].next] = i;
  }
  std::vector<Term> kept;
  TermMap updates;
  for (Term conjunct : trans_) {
    auto found =
        solve_for(terms_, conjunct, [&](Term variable) { return wanted.contains(variable); });
    bool closed = found.has_value();
    if (found)
      for (Term variable : variables_of(terms_, found->value))
        closed = closed && !of_next.contains(variable);
    if (!closed) {
      kept.push_back(conjunct);
      continue;
    }
    states_[wanted.at(found->variable)].update = found->value;
    updates[found->variable] = found->value;
    wanted.erase(found->variable);
  }
  trans_ = std::move(kept);
  if (updates.empty()) return false;
  substitute_in(trans_, updates);
  return true;
}

/// One round: conjuncts x = value, and initial values that are values once others are known.
bool Functional::define_values() {
  std::map<Term, std::size_t> wanted;
  TermMap values;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (!states_[i].init) wanted[states_[i].current] = i;
    if (states_[i].init && terms_.is_value(states_[i].init))
      values[states_[i].current] = states_[i].init;
  }
  bool found = false;
  substitute_in(init_, values);
  Substitution known(terms_, values);
  for (StateVar& state : states_) {
    if (!state.init || terms_.is_value(state.init)) continue;
    Term init = known.apply(state.init);
    found = found || terms_.is_value(init);
    state.init = init;
  }
  std::vector<Term> kept;
  for (Term conjunct : init_) {
    auto definition =
        solve_for(terms_, conjunct, [&](Term variable) { return wanted.contains(variable); });
    if (!definition || !terms_.is_value(definition->value)) {
      kept.push_back(conjunct);
      continue;
    }
    states_[wanted.at(definition->variable)].init = definition->value;
    wanted.erase(definition->variable);
    found = true;
  }
  init_ = std::move(kept);
  return found;
}

/// Whether computing `value` at the first step needs the initial value of `on`.
bool Functional::depends_initially(Term value, Term on) const {
  std::map<Term, Term> init_of;
  for (const StateVar& state : states_)
    if (state.init) init_of[state.current] = state.init;
  std::vector<Term> todo{value};
  std::map<Term, bool> seen;
  while (!todo.empty()) {
    Term term = todo.back();
    todo.pop_back();
    for (Term variable : variables_of(terms_, term)) {
      if (variable == on) return true;
      auto init = init_of.find(variable);
      if (!seen.emplace(variable, true).second || init == init_of.end()) continue;
      todo.push_back(init->second);
    }
  }
  return false;
}

/// Conjuncts x = t over other states, as long as initial values can be computed one after another.
bool Functional::define_initially() {
  std::map<Term, std::size_t> wanted;
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (!states_[i].init) wanted[states_[i].current] = i;
  bool found = false;
  std::vector<Term> kept;
  for (Term conjunct : init_) {
    auto definition =
        solve_for(terms_, conjunct, [&](Term variable) { return wanted.contains(variable); });
    if (!definition || depends_initially(definition->value, definition->variable)) {
      kept.push_back(conjunct);
      continue;
    }
    states_[wanted.at(definition->variable)].init = definition->value;
    wanted.erase(definition->variable);
    found = true;
  }
  init_ = std::move(kept);
  return found;
}

}  // namespace

Transformed apply_definitions(const Problem& problem, const Context& /*ctx*/) {
  Functional functional(problem.system());
  if (!functional.run()) return unchanged(problem);
  return {with_system(problem, functional.result(), bads_of(problem)), keep_evidence()};
}

}  // namespace lem::transform
