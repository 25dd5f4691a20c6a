// Explicit-state search over small transition systems by evaluation alone: the truth that tests
// compare transforms and engines on terms with.
//   require everywhere: finite sorts, few values in all; Int where the constraint confines every
//   number to -2 .. 2 (random_system.h).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "model/problem.h"
#include "model/verdict.h"
#include "term/traverse.h"

namespace lem::test {

/// Every value of a finite sort.
inline std::vector<Term> all_values(TermStore& terms, Sort sort) {
  std::vector<Term> values;
  if (terms.kind(sort) == SortKind::Bool) return {terms.boolean(false), terms.boolean(true)};
  if (terms.kind(sort) == SortKind::BitVec) {
    for (unsigned long i = 0; i < (1UL << terms.width(sort)); ++i)
      values.push_back(terms.bv(mpz_class(i), terms.width(sort)));
    return values;
  }
  if (terms.kind(sort) == SortKind::Int) {
    for (int i = -2; i <= 2; ++i) values.push_back(terms.integer(i));
    return values;
  }
  assert(terms.kind(sort) == SortKind::Array && "the sort must be finite");
  std::vector<Term> elements = all_values(terms, terms.element_sort(sort));
  values.push_back(terms.make_const_array(sort, elements.front()));
  for (Term index : all_values(terms, terms.index_sort(sort))) {
    std::vector<Term> longer;
    for (Term array : values)
      for (Term element : elements) longer.push_back(terms.make_store(array, index, element));
    values = std::move(longer);
  }
  return values;
}

/// Every valuation of the variables, in their order.
inline std::vector<std::vector<Term>> all_valuations(TermStore& terms,
                                                     const std::vector<Term>& variables) {
  std::vector<std::vector<Term>> valuations{{}};
  for (Term variable : variables) {
    std::vector<std::vector<Term>> longer;
    for (const auto& valuation : valuations)
      for (Term value : all_values(terms, terms.sort(variable))) {
        longer.push_back(valuation);
        longer.back().push_back(value);
      }
    valuations = std::move(longer);
  }
  return valuations;
}

struct ExplicitTerms {
  std::optional<TermTrace> trace;  // a shortest one, if the property fails
  Term reachable{};                // over the states
  Verdict verdict() const {
    if (trace) return Unsafe{*trace};
    return Safe{TermInvariant{reachable}};
  }
};

class ExplicitSearch {
 public:
  explicit ExplicitSearch(const Problem& problem)
      : system_(problem.system()), terms_(system_.terms()), bad_(problem.property().bad_term()) {
    for (const StateVar& state : system_.states()) {
      current_.push_back(state.current);
      if (!state.update) free_.push_back(state.next);
    }
    inputs_ = all_valuations(terms_, {system_.inputs().begin(), system_.inputs().end()});
    next_ = all_valuations(terms_, free_);
  }

  ExplicitTerms run() {
    for (const State& state : all_valuations(terms_, current_)) {
      TermMap values;
      assign(values, current_, state);
      if (holds(system_.init_formula(), values)) reach(state, {});
    }
    ExplicitTerms result;
    for (std::size_t at = 0; at < order_.size(); ++at)
      if (auto step = expand(at); step && !result.trace) result.trace = trace_to(at, *step);
    std::vector<Term> states;
    for (const Found& found : order_) {
      std::vector<Term> parts;
      for (std::size_t i = 0; i < current_.size(); ++i)
        parts.push_back(terms_.make_eq(current_[i], found.state[i]));
      states.push_back(terms_.make_and(parts));
    }
    result.reachable = terms_.make_or(states);
    return result;
  }

 private:
  using State = std::vector<Term>;
  struct Parent {
    std::size_t index = SIZE_MAX;
    State inputs;
  };
  struct Found {
    State state;
    Parent parent;
  };

  static void assign(TermMap& values, const std::vector<Term>& variables, const State& state) {
    for (std::size_t i = 0; i < variables.size(); ++i) values[variables[i]] = state[i];
  }
  bool holds(Term formula, const TermMap& values) {
    return terms_.is_true(evaluate(terms_, formula, values));
  }
  void reach(const State& state, Parent parent) {
    if (seen_.emplace(state, order_.size()).second) order_.push_back({state, std::move(parent)});
  }
  /// Adds the successors of a state; gives inputs under which it is bad.
  std::optional<State> expand(std::size_t at) {
    std::optional<State> violation;
    std::vector<Term> names(system_.inputs().begin(), system_.inputs().end());
    for (const State& inputs : inputs_) {
      TermMap values;
      assign(values, current_, State(order_[at].state));
      assign(values, names, inputs);
      if (!holds(system_.constraint(), values)) continue;
      if (!violation && holds(bad_, values)) violation = inputs;
      for (const State& choice : next_) {
        TermMap after = values;
        assign(after, free_, choice);
        State successor;
        for (const StateVar& state : system_.states()) {
          Term value = state.update ? evaluate(terms_, state.update, values) : after[state.next];
          after[state.next] = value;
          successor.push_back(value);
        }
        if (holds(system_.trans_relation(), after)) reach(successor, {at, inputs});
      }
    }
    return violation;
  }
  TermTrace trace_to(std::size_t at, const State& last_inputs) const {
    TermTrace trace;
    State inputs = last_inputs;
    while (true) {
      const Found& found = order_[at];
      trace.steps.insert(trace.steps.begin(), {found.state, inputs});
      if (found.parent.index == SIZE_MAX) return trace;
      inputs = found.parent.inputs;
      at = found.parent.index;
    }
  }

  const TransitionSystem& system_;  // borrowed from the problem
  TermStore& terms_;
  Term bad_;
  std::vector<Term> current_;
  std::vector<Term> free_;  // next values that no update gives
  std::vector<State> inputs_;
  std::vector<State> next_;
  std::map<State, std::size_t> seen_;
  std::vector<Found> order_;
};

inline ExplicitTerms explore_terms(const Problem& problem) {
  return ExplicitSearch(problem).run();
}

}  // namespace lem::test
