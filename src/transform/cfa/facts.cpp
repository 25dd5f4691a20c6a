#include "transform/cfa/facts.h"

namespace lem::transform {

bool same(const Command& a, const Command& b) {
  if (a.kind() != b.kind() || a.variable() != b.variable() || a.value() != b.value()) return false;
  return std::equal(a.parts().begin(), a.parts().end(), b.parts().begin(), b.parts().end(), same);
}

namespace {

/// Variables that a command reads, writes for sure, and may write or restrict.
struct Effect {
  explicit Effect(std::size_t variables)
      : read(variables), written(variables), touched(variables) {}
  VariableSet read, written, touched;
};

void collect(const VariableIndices& variables, const Command& command, bool sure, Effect& effect) {
  switch (command.kind()) {
    case Command::Kind::Assign:
    case Command::Kind::Havoc: {
      VariableIndex v = variables.of(command.variable());
      effect.touched.add(v);
      if (sure) effect.written.add(v);
      if (command.kind() == Command::Kind::Havoc) return;
      for (VariableIndex read : variables.in(command.value())) effect.read.add(read);
      return;
    }
    case Command::Kind::Assume:
      for (VariableIndex read : variables.in(command.guard())) {
        effect.read.add(read);
        effect.touched.add(read);
      }
      return;
    case Command::Kind::Sequence:
    case Command::Kind::Choice:
      for (const Command& part : command.parts())
        collect(variables, part, sure && command.kind() == Command::Kind::Sequence, effect);
      return;
  }
}

/// Facts about which variables the simplified commands need at each location, with those that these
/// follow from along the edges.
std::vector<VariableSet> needed_facts(const Cfa& cfa, const VariableIndices& variables,
                                      std::span<const std::optional<Command>> commands,
                                      const std::vector<bool>& reached) {
  std::vector<VariableSet> needed(cfa.locations().size(), VariableSet(variables.size()));
  std::vector<Effect> effects;
  std::set<std::uint32_t, std::greater<>> todo;
  for (std::uint32_t i = 0; i < cfa.edges().size(); ++i) {
    const CfaEdge& edge = cfa.edges()[i];
    collect(variables, edge.command, true, effects.emplace_back(variables.size()));
    if (!reached[index(edge.from)] || (commands[i] && same(*commands[i], edge.command))) continue;
    needed[index(edge.from)].unite(effects.back().read);
    needed[index(edge.from)].unite(effects.back().touched);
    todo.insert(index(edge.from));
  }
  while (!todo.empty()) {
    LocationId here{*todo.begin()};
    todo.erase(todo.begin());
    for (EdgeId id : cfa.in(here)) {
      LocationId from = cfa[id].from;
      const Effect& effect = effects[index(id)];
      if (!reached[index(from)]) continue;
      VariableSet before = needed[index(here)];
      bool made_here = before.meets(effect.touched);
      before.subtract(effect.written);
      if (made_here) before.unite(effect.read);
      if (needed[index(from)].unite(before)) todo.insert(index(from));
    }
  }
  return needed;
}

class FactsBack final : public CfaBackTranslator {
 public:
  FactsBack(CfaOrigins origins, std::vector<Term> facts, std::shared_ptr<TermStore> terms)
      : origins_(std::move(origins)), facts_(std::move(facts)), terms_(std::move(terms)) {}

  LocationInvariants invariants(const LocationInvariants& claim) const override {
    LocationInvariants all = origins_.spread(claim, facts_);
    for (std::size_t i = 0; i < facts_.size(); ++i)
      if (all.at[i]) all.at[i] = terms_->make_and(all.at[i], facts_[i]);
    return all;
  }
  std::optional<CfaTrace> trace(const CfaTrace& run) const override { return origins_.along(run); }

 private:
  CfaOrigins origins_;
  std::vector<Term> facts_;  // by old location; false: not reached
  std::shared_ptr<TermStore> terms_;
};

}  // namespace

Reduction reduce_by_facts(const Cfa& cfa, const VariableIndices& variables,
                          const std::vector<std::vector<std::pair<VariableIndex, Term>>>& facts,
                          const std::vector<bool>& reached,
                          std::vector<std::optional<Command>> commands) {
  std::vector<VariableSet> needed = needed_facts(cfa, variables, commands, reached);
  std::vector<Term> conjoined;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    std::vector<Term> parts;
    for (const auto& [v, fact] : facts[i])
      if (needed[i].contains(v)) parts.push_back(fact);
    conjoined.push_back(reached[i] ? cfa.terms().make_and(parts) : cfa.terms().boolean(false));
  }
  Derived derived = derive(cfa, cfa.variables(), reached, commands);
  return {std::move(derived.cfa), std::make_unique<FactsBack>(std::move(derived.origins),
                                                              std::move(conjoined), cfa.store())};
}

}  // namespace lem::transform
