// Copies of a transition system's variables for every step of a run.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "model/transition_system.h"
#include "term/traverse.h"

namespace lem::check {

/// Copies of the system's variables for every step, made as they are asked for.
class Steps {
 public:
  explicit Steps(const TransitionSystem& system) : system_(system) {}

  /// A formula over X and I at step k.
  Term at(Term formula, std::size_t k) {
    extend(k);
    return copies_[k].apply(formula);
  }
  /// A formula over X, I and X' from step k to k + 1.
  Term between(Term formula, std::size_t k) {
    extend(k + 1);
    TermMap map;
    const std::vector<Term>& after = states_[k + 1];
    for (std::size_t i = 0; i < after.size(); ++i) map[system_.states()[i].next] = after[i];
    for (std::size_t i = 0; i < after.size(); ++i) map[system_.states()[i].current] = states_[k][i];
    for (Term input : system_.inputs()) map[input] = at(input, k);
    return substitute(system_.terms(), formula, map);
  }
  Term differ(std::size_t i, std::size_t j) {
    std::vector<Term> some;
    TermStore& terms = system_.terms();
    for (std::size_t s = 0; s < states_[i].size(); ++s)
      some.push_back(terms.make_not(terms.make_eq(states_[i][s], states_[j][s])));
    return terms.make_or(some);
  }

 private:
  void extend(std::size_t k) {
    TermStore& terms = system_.terms();
    while (copies_.size() <= k) {
      TermMap map;
      std::vector<Term>& states = states_.emplace_back();
      auto copy = [&](Term variable) {
        return map[variable] = terms.fresh("check", terms.sort(variable));
      };
      for (const StateVar& state : system_.states()) states.push_back(copy(state.current));
      for (Term input : system_.inputs()) copy(input);
      copies_.emplace_back(terms, std::move(map));
    }
  }
  const TransitionSystem& system_;
  std::vector<std::vector<Term>> states_;
  std::vector<Substitution> copies_;
};

}  // namespace lem::check
