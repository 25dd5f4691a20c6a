#include "transform/cfa/slice.h"

#include <algorithm>

#include "base/assert.h"
#include "transform/cfa/retrace.h"
#include "transform/cfa/variables.h"

namespace lem::transform {

namespace {

/// Assignments to variables that are not live afterwards, as havoc.
class Forget {
 public:
  Forget(const VariableIndices& variables, const LiveVariables& live)
      : variables_(variables), live_(live) {}

  /// Turns what is live after the command into what is live before.
  Command operator()(const Command& command, VariableSet& live) const {
    Command result = rewrite(command, live);
    live_.before(command, live);
    return result;
  }

 private:
  Command rewrite(const Command& command, const VariableSet& live) const {
    switch (command.kind()) {
      case Command::Kind::Assume:
      case Command::Kind::Havoc:
        return command;
      case Command::Kind::Assign:
        return live.contains(variables_.of(command.variable()))
                   ? command
                   : Command::havoc(command.variable());
      case Command::Kind::Sequence: {
        VariableSet after = live;
        std::vector<Command> parts;
        for (auto part = command.parts().rbegin(); part != command.parts().rend(); ++part)
          parts.push_back((*this)(*part, after));
        std::reverse(parts.begin(), parts.end());
        return Command::sequence(std::move(parts));
      }
      case Command::Kind::Choice: {
        std::vector<Command> parts;
        for (const Command& part : command.parts()) parts.push_back(rewrite(part, live));
        return Command::choice(std::move(parts));
      }
    }
    unreachable();
  }

  const VariableIndices& variables_;
  const LiveVariables& live_;
};

/// Variables that guards depend on, through all that is assigned anywhere.
class Needed {
 public:
  Needed(const VariableIndices& variables, std::span<const std::optional<Command>> commands)
      : variables_(variables), values_(variables.size()), needed_(variables.size()) {
    for (const auto& command : commands) collect(*command);
    while (!todo_.empty()) {
      VariableIndex next = todo_.back();
      todo_.pop_back();
      for (Term value : values_[next]) need(value);
    }
  }
  bool operator()(Term variable) const { return needed_.contains(variables_.of(variable)); }

 private:
  void collect(const Command& command) {
    if (command.kind() == Command::Kind::Assume) need(command.guard());
    if (command.kind() == Command::Kind::Assign)
      values_[variables_.of(command.variable())].push_back(command.value());
    for (const Command& part : command.parts()) collect(part);
  }
  void need(Term term) {
    for (VariableIndex v : variables_.in(term)) {
      if (needed_.contains(v)) continue;
      needed_.add(v);
      todo_.push_back(v);
    }
  }

  const VariableIndices& variables_;
  std::vector<std::vector<Term>> values_;  // by variable: that are assigned
  VariableSet needed_;
  std::vector<VariableIndex> todo_;
};

Command without_the_others(const Command& command, const Needed& needed) {
  switch (command.kind()) {
    case Command::Kind::Assume:
      return command;
    case Command::Kind::Assign:
    case Command::Kind::Havoc:
      return needed(command.variable()) ? command : Command::skip();
    case Command::Kind::Sequence:
    case Command::Kind::Choice: {
      std::vector<Command> parts;
      for (const Command& part : command.parts()) parts.push_back(without_the_others(part, needed));
      return command.kind() == Command::Kind::Sequence ? Command::sequence(std::move(parts))
                                                       : Command::choice(std::move(parts));
    }
  }
  unreachable();
}

/// Invariants hold as they are: the old steps are among the new ones on the variables that are
/// left. Runs are executed again on all variables, to the same values of those that are live: what
/// the others are decides nothing.
class SliceBack final : public CfaBackTranslator {
 public:
  SliceBack(const Cfa& old, std::vector<Term> variables)
      : old_(old), variables_(std::move(variables)) {}

  LocationInvariants invariants(const LocationInvariants& claim) const override { return claim; }

  std::optional<CfaTrace> trace(const CfaTrace& run) const override {
    VariableIndices indices(old_);
    LiveVariables live(old_, indices);
    CfaTrace old{{}, {{}}};
    for (Term variable : old_.variables())
      old.values[0].push_back(old_.terms().default_value(old_.terms().sort(variable)));
    for (std::size_t i = 0; i < variables_.size(); ++i)
      old.values[0][indices.of(variables_[i])] = run.values[0][i];
    for (std::size_t i = 0; i < run.edges.size(); ++i) {
      const VariableSet& wanted = live.at(old_[run.edges[i]].to);
      TermMap values;
      for (std::size_t v = 0; v < variables_.size(); ++v)
        if (wanted.contains(indices.of(variables_[v])))
          values[variables_[v]] = run.values[i + 1][v];
      if (!retrace(old_, Route::edge(run.edges[i]), values, old)) return {};
    }
    return old;
  }

 private:
  Cfa old_;
  std::vector<Term> variables_;  // of the reduced automaton
};

}  // namespace

Reduction slice(const Cfa& cfa) {
  VariableIndices indices(cfa);
  LiveVariables live(cfa, indices);
  Forget forget(indices, live);
  std::vector<std::optional<Command>> commands;
  for (const CfaEdge& edge : cfa.edges()) {
    VariableSet after = live.at(edge.to);
    commands.emplace_back(forget(edge.command, after));
  }
  Needed needed(indices, commands);
  for (auto& command : commands) command = without_the_others(*command, needed);
  std::vector<Term> variables;
  for (Term variable : cfa.variables())
    if (needed(variable)) variables.push_back(variable);
  std::vector<bool> all(cfa.locations().size(), true);
  Derived derived = derive(cfa, variables, all, commands);
  return {std::move(derived.cfa), std::make_unique<SliceBack>(cfa, std::move(variables))};
}

}  // namespace lem::transform
