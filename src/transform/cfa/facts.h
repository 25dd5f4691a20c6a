// Facts about variables at locations, computed as a fixpoint, and the simplifications they justify:
// simpler commands, edges that are never taken.
//
// A domain defines the facts about one variable and how commands change them; Analysis computes the
// fixpoint, simplifies, and makes the back-translator, which conjoins the facts that were used, and
// those that these follow from, to the invariants. At each location they follow from those before,
// so the checker accepts them edge by edge. Runs stay the same.
#pragma once

#include <algorithm>
#include <cassert>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "transform/cfa/reduction.h"
#include "transform/cfa/variables.h"

namespace lem::transform {

/// What is known of variables: a dense table that can be emptied at the cost of its content.
template <class Fact>
class FactTable {
 public:
  using Entries = std::vector<std::pair<VariableIndex, Fact>>;  // ascending

  explicit FactTable(std::size_t variables) : facts_(variables), known_(variables) {}

  const Fact* find(VariableIndex v) const { return known_[v] ? &facts_[v] : nullptr; }
  void set(VariableIndex v, Fact fact) {
    if (!known_[v]) listed_.push_back(v);
    known_[v] = true;
    facts_[v] = std::move(fact);
  }
  void erase(VariableIndex v) { known_[v] = false; }
  void load(const Entries& entries) {
    for (VariableIndex v : listed_) known_[v] = false;
    listed_.clear();
    for (const auto& [v, fact] : entries) set(v, fact);
  }
  Entries entries() const {
    Entries all;
    for (VariableIndex v : listed_)
      if (known_[v]) all.emplace_back(v, facts_[v]);
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return all;
  }

 private:
  std::vector<Fact> facts_;
  std::vector<bool> known_;
  std::vector<VariableIndex> listed_;  // all that are known, and some that were
};

/// The reduction given by simplified commands and facts.
///   require: facts by location, over the automaton's variables; `reached` by location: no fact is
///   needed where it is false; commands by edge, none: never taken
Reduction reduce_by_facts(const Cfa& cfa, const VariableIndices& variables,
                          const std::vector<std::vector<std::pair<VariableIndex, Term>>>& facts,
                          const std::vector<bool>& reached,
                          std::vector<std::optional<Command>> commands);

bool same(const Command& a, const Command& b);

/// Domain: Fact (the default says nothing), and
///   table()                    what is known now
///   bool execute(command)      what is known becomes what is known after it; false: it cannot be
///                              executed
///   optional<Command> simplify(command)   the same, and gives a command that does the same
///   optional<Fact> join(v, known, arrived, rounds)   what both say; none: nothing. Must give
///                              the first one's value again after some rounds through a loop
///   Term formula(v, Fact)
template <class Domain>
class Analysis {
 public:
  Analysis(const Cfa& cfa, const VariableIndices& variables, Domain& domain)
      : cfa_(cfa),
        variables_(variables),
        live_(cfa, variables),
        domain_(domain),
        states_(cfa.locations().size()),
        rounds_(states_.size()) {}

  Reduction run() {
    go_to_the_fixpoint();
    std::vector<std::optional<Command>> commands;
    for (const CfaEdge& edge : cfa_.edges()) {
      commands.emplace_back();
      if (!states_[index(edge.from)]) continue;
      domain_.table().load(*states_[index(edge.from)]);
      commands.back() = domain_.simplify(edge.command);
    }
    std::vector<bool> reached;
    std::vector<std::vector<std::pair<VariableIndex, Term>>> facts(states_.size());
    for (std::size_t i = 0; i < states_.size(); ++i) {
      reached.push_back(states_[i].has_value());
      if (!states_[i]) continue;
      for (const auto& [v, fact] : *states_[i]) facts[i].emplace_back(v, domain_.formula(v, fact));
    }
    return reduce_by_facts(cfa_, variables_, facts, reached, std::move(commands));
  }

 private:
  using State = typename FactTable<typename Domain::Fact>::Entries;

  void go_to_the_fixpoint() {
    number_locations();
    states_[index(cfa_.initial())].emplace();
    std::set<std::pair<std::uint32_t, LocationId>> todo{{0, cfa_.initial()}};
    while (!todo.empty()) {
      LocationId here = todo.begin()->second;
      todo.erase(todo.begin());
      for (EdgeId id : cfa_.out(here)) {
        const CfaEdge& edge = cfa_[id];
        domain_.table().load(*states_[index(here)]);
        if (domain_.execute(edge.command) && arrive(here, edge.to))
          todo.insert({order_[index(edge.to)], edge.to});
      }
    }
  }

  /// Whether less is known at the location than before, or it is reached for the first time.
  bool arrive(LocationId from, LocationId to) {
    if (to == cfa_.initial()) return false;  // anything is possible there
    State arrived = domain_.table().entries();
    std::erase_if(arrived, [&](const auto& entry) { return !live_.at(to).contains(entry.first); });
    std::optional<State>& known = states_[index(to)];
    if (!known) {
      known = std::move(arrived);
      return true;
    }
    if (order_[index(from)] >= order_[index(to)]) ++rounds_[index(to)];
    State both;
    auto other = arrived.begin();
    bool less = false;
    for (const auto& [v, fact] : *known) {
      while (other != arrived.end() && other->first < v) ++other;
      std::optional<typename Domain::Fact> kept;
      if (other != arrived.end() && other->first == v)
        kept = domain_.join(v, fact, other->second, rounds_[index(to)]);
      less = less || !kept || !(*kept == fact);
      if (kept) both.emplace_back(v, *std::move(kept));
    }
    known = std::move(both);
    return less;
  }

  /// Reverse postorder: what comes before is done before, but for loops.
  void number_locations() {
    order_.assign(states_.size(), 0);
    std::vector<bool> seen(states_.size());
    std::vector<std::pair<LocationId, std::size_t>> path{{cfa_.initial(), 0}};
    seen[index(cfa_.initial())] = true;
    auto number = static_cast<std::uint32_t>(states_.size());
    while (!path.empty()) {
      auto& [here, next] = path.back();
      if (next == cfa_.out(here).size()) {
        order_[index(here)] = --number;
        path.pop_back();
        continue;
      }
      LocationId to = cfa_[cfa_.out(here)[next++]].to;
      if (seen[index(to)]) continue;
      seen[index(to)] = true;
      path.emplace_back(to, 0);
    }
  }

  const Cfa& cfa_;
  const VariableIndices& variables_;
  LiveVariables live_;
  Domain& domain_;
  std::vector<std::optional<State>> states_;  // by location; none: not reached
  std::vector<std::uint32_t> rounds_;         // by location: arrivals along edges back
  std::vector<std::uint32_t> order_;
};

}  // namespace lem::transform
