// Explicit search for fair cycles: the truth that tests compare the methods for justice properties
// with. Nodes are states that some infinite allowed run may visit; a justice property is violated
// if a reachable component has, on its edges, each of the recurring signals.
//   require: at most 12 latches and 6 inputs
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "model/problem.h"

namespace lem::test {

class FairCycles {
 public:
  explicit FairCycles(const Problem& problem)
      : aig_(problem.aig()), often_(problem.property().often()) {
    assert(aig_.num_latches() <= 12 && aig_.num_inputs() <= 6 && "too large");
  }

  bool violated() {
    explore();
    for (const std::vector<State>& component : components())
      if (is_fair(component)) return true;
    return false;
  }

 private:
  using State = std::uint32_t;
  struct Edge {
    State to;
    std::uint64_t seen;  // bit i: signal i holds on it
  };

  void explore() {
    std::vector<State> todo;
    for (State state = 0; state < (State{1} << aig_.num_latches()); ++state)
      if (is_initial(state)) todo.push_back(state);
    while (!todo.empty()) {
      State state = todo.back();
      todo.pop_back();
      if (!edges_.emplace(state, std::vector<Edge>{}).second) continue;
      edges_[state] = leave(state);
      for (const Edge& edge : edges_[state]) todo.push_back(edge.to);
    }
  }
  bool is_initial(State state) const {
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
      Reset reset = aig_.latches()[i].reset;
      if (reset != Reset::Free && (reset == Reset::One) != ((state >> i & 1) != 0)) return false;
    }
    return true;
  }
  std::vector<Edge> leave(State state) const {
    std::vector<Edge> out;
    for (std::uint32_t inputs = 0; inputs < (1U << aig_.num_inputs()); ++inputs) {
      std::vector<bool> value(aig_.num_vars());
      auto of = [&](AigLit lit) { return value[lit.var()] != lit.negative(); };
      for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i)
        value[aig_.input(i).var()] = (inputs >> i & 1) != 0;
      for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
        value[aig_.latch(i).var()] = (state >> i & 1) != 0;
      for (std::uint32_t var = aig_.first_and(); var < aig_.num_vars(); ++var)
        value[var] = of(aig_.gate_of(var).left) && of(aig_.gate_of(var).right);
      if (!std::all_of(aig_.constraints().begin(), aig_.constraints().end(), of)) continue;
      Edge edge{0, 0};
      for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
        edge.to |= static_cast<State>(of(aig_.latches()[i].next)) << i;
      for (std::size_t i = 0; i < often_.size(); ++i)
        edge.seen |= static_cast<std::uint64_t>(of(often_[i])) << i;
      out.push_back(edge);
    }
    return out;
  }
  /// States that reach each other: by the sets that they reach, which small models allow.
  std::vector<std::vector<State>> components() const {
    std::map<State, std::set<State>> reach;
    for (const auto& [state, edges] : edges_) {
      std::vector<State> todo{state};
      while (!todo.empty()) {
        State at = todo.back();
        todo.pop_back();
        for (const Edge& edge : edges_.at(at))
          if (reach[state].insert(edge.to).second) todo.push_back(edge.to);
      }
    }
    std::vector<std::vector<State>> out;
    std::set<State> done;
    for (const auto& [state, edges] : edges_) {
      if (done.contains(state) || !reach[state].contains(state)) continue;
      std::vector<State>& component = out.emplace_back();
      for (State other : reach[state])
        if (reach[other].contains(state)) component.push_back(other);
      done.insert(component.begin(), component.end());
    }
    return out;
  }
  bool is_fair(const std::vector<State>& component) const {
    std::set<State> inside(component.begin(), component.end());
    std::uint64_t seen = 0;
    for (State state : component)
      for (const Edge& edge : edges_.at(state))
        if (inside.contains(edge.to)) seen |= edge.seen;
    return seen == (std::uint64_t{1} << often_.size()) - 1;
  }

  const Aig& aig_;
  const std::vector<AigLit>& often_;
  std::map<State, std::vector<Edge>> edges_;
};

}  // namespace lem::test
