#include "model/symbolic_run.h"

#include <algorithm>

namespace lem {

Term SymbolicRun::fresh(const char* name, Term like) {
  fresh_.push_back(terms_.fresh(name, terms_.sort(like)));
  return fresh_.back();
}

/// Only variables of the term are looked up: states may have many others.
Term SymbolicRun::value(Term term, const State& state) const {
  if (terms_.is_value(term)) return term;
  TermMap used;
  for (Term variable : variables_of(terms_, term))
    if (auto at = state.values.find(variable); at != state.values.end()) used.insert(*at);
  return used.empty() ? term : substitute(terms_, term, used);
}

void SymbolicRun::execute(const Command& command, State& state) {
  switch (command.kind()) {
    case Command::Kind::Assign:
      state.values[command.variable()] = value(command.value(), state);
      return;
    case Command::Kind::Assume:
      state.path = terms_.make_and(state.path, value(command.guard(), state));
      return;
    case Command::Kind::Havoc:
      state.values[command.variable()] = fresh("any", command.variable());
      return;
    case Command::Kind::Sequence:
      for (const Command& part : command.parts()) execute(part, state);
      return;
    case Command::Kind::Choice: {
      std::vector<State> ends;
      for (const Command& part : command.parts()) {
        State end{state.values, terms_.boolean(true)};
        execute(part, end);
        if (!terms_.is_false(end.path)) ends.push_back(std::move(end));
      }
      Term before = state.path;
      state = meet(ends, assigned(command)).state;
      state.path = terms_.make_and(before, state.path);
      return;
    }
  }
}

SymbolicRun::Meeting SymbolicRun::meet(std::span<const State> ends,
                                       std::span<const Term> variables) {
  if (ends.empty()) return {{{}, terms_.boolean(false)}, {}};
  Meeting met{{ends.front().values, {}}, {}};
  for (const State& end : ends) met.ways.push_back(end.path);
  for (Term variable : variables) {
    Term first = ends.front()[variable];
    if (std::all_of(ends.begin(), ends.end(),
                    [&](const State& end) { return end[variable] == first; }))
      continue;
    Term merged = fresh("merged", variable);
    for (std::size_t i = 0; i < ends.size(); ++i)
      met.ways[i] = terms_.make_and(met.ways[i], terms_.make_eq(merged, ends[i][variable]));
    met.state.values[variable] = merged;
  }
  met.state.path = terms_.make_or(met.ways);
  return met;
}

}  // namespace lem
