#include "transform/cfa/variables.h"

#include <set>

#include "term/traverse.h"

namespace lem::transform {

VariableIndices::VariableIndices(const Cfa& cfa)
    : terms_(cfa.terms()), variables_(cfa.variables().begin(), cfa.variables().end()) {
  for (VariableIndex v = 0; v < variables_.size(); ++v) index_[variables_[v]] = v;
}

std::span<const VariableIndex> VariableIndices::in(Term term) const {
  auto [at, added] = in_.try_emplace(term);
  if (added)
    for (Term variable : variables_of(terms_, term)) at->second.push_back(of(variable));
  return at->second;
}

LiveVariables::LiveVariables(const Cfa& cfa, const VariableIndices& variables)
    : variables_(variables), at_(cfa.locations().size(), VariableSet(variables.size())) {
  // Locations are roughly in program order, so the last ones are visited first.
  std::set<std::uint32_t, std::greater<>> todo;
  for (std::uint32_t i = 0; i < at_.size(); ++i) todo.insert(i);
  while (!todo.empty()) {
    LocationId here{*todo.begin()};
    todo.erase(todo.begin());
    bool grew = false;
    for (EdgeId edge : cfa.out(here)) {
      VariableSet live = at(cfa[edge].to);
      before(cfa[edge].command, live);
      grew = at_[index(here)].unite(live) || grew;
    }
    for (EdgeId edge : cfa.in(here))
      if (grew) todo.insert(index(cfa[edge].from));
  }
}

void LiveVariables::before(const Command& command, VariableSet& live) const {
  switch (command.kind()) {
    case Command::Kind::Assign: {
      VariableIndex written = variables_.of(command.variable());
      if (!live.contains(written)) return;
      live.remove(written);
      for (VariableIndex read : variables_.in(command.value())) live.add(read);
      return;
    }
    case Command::Kind::Assume:
      for (VariableIndex read : variables_.in(command.guard())) live.add(read);
      return;
    case Command::Kind::Havoc:
      live.remove(variables_.of(command.variable()));
      return;
    case Command::Kind::Sequence:
      for (auto part = command.parts().rbegin(); part != command.parts().rend(); ++part)
        before(*part, live);
      return;
    case Command::Kind::Choice: {
      VariableSet after = live;
      live = VariableSet(variables_.size());
      for (const Command& part : command.parts()) {
        VariableSet each = after;
        before(part, each);
        live.unite(each);
      }
      return;
    }
  }
}

}  // namespace lem::transform
