// Evidence about random automata by execution, state by state: what is reached is the strongest
// invariant, so that nothing weaker hides what a way back forgets.
#pragma once

#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "model/evidence/cfa.h"
#include "support/random_cfa.h"

namespace lem::test {

class ExactEvidence {
 public:
  /// `cfa` is over variables of `each`.
  ExactEvidence(RandomCfa& each, const Cfa& cfa) : random_(each.random), cfa_(cfa) {
    for (const auto& state : RandomCommands::all_states()) visit({cfa.initial(), state}, {});
    for (std::size_t i = 0; i < order_.size(); ++i) {
      Place from = order_[i];
      for (EdgeId id : cfa.out(from.first))
        for (const auto& to : random_.execute(cfa[id].command, from.second))
          visit({cfa[id].to, to}, {i, id});
    }
  }

  std::variant<LocationInvariants, CfaTrace> evidence() {
    for (std::size_t i = 0; i < order_.size(); ++i)
      if (order_[i].first == cfa_.error()) return run_to(i);
    LocationInvariants claim;
    std::vector<std::vector<Term>> states(cfa_.locations().size());
    for (const Place& place : order_) states[index(place.first)].push_back(formula(place.second));
    for (const auto& each : states) claim.at.push_back(random_.t.make_or(each));
    return claim;
  }

 private:
  using Place = std::pair<LocationId, RandomCommands::State>;
  struct Step {
    std::size_t from;  // in order_
    EdgeId edge;
  };

  void visit(const Place& place, Step step) {
    if (!seen_.insert(place).second) return;
    order_.push_back(place);
    steps_.push_back(step);
  }
  std::vector<Term> values(const RandomCommands::State& state) {
    TermMap map = random_.values(state);
    std::vector<Term> all;
    for (Term variable : cfa_.variables()) all.push_back(map.at(variable));
    return all;
  }
  Term formula(const RandomCommands::State& state) {
    std::vector<Term> parts, is = values(state);
    for (std::size_t i = 0; i < is.size(); ++i)
      parts.push_back(random_.t.make_eq(cfa_.variables()[i], is[i]));
    return random_.t.make_and(parts);
  }
  CfaTrace run_to(std::size_t at) {
    CfaTrace run{{}, {values(order_[at].second)}};
    while (at >= RandomCommands::all_states().size()) {  // not initial
      run.edges.insert(run.edges.begin(), steps_[at].edge);
      at = steps_[at].from;
      run.values.insert(run.values.begin(), values(order_[at].second));
    }
    return run;
  }

  RandomCommands& random_;
  const Cfa& cfa_;
  std::set<Place> seen_;
  std::vector<Place> order_;  // the initial ones first
  std::vector<Step> steps_;   // by place: how it was reached
};

}  // namespace lem::test
