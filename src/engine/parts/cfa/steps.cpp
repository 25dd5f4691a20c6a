#include "engine/parts/cfa/steps.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "base/assert.h"

namespace lem::engine {

namespace {

/// Executes a command on values that are terms; branches of a choice are merged by Ite.
class Execution {
 public:
  explicit Execution(TermStore& terms) : terms_(terms) {}

  struct State {
    TermMap values;
    std::vector<Term> path;  // conjuncts
  };
  std::vector<Term> fresh;

  void run(const Command& command, State& state) {
    switch (command.kind()) {
      case Command::Kind::Assign:
        state.values[command.variable()] = substitute(terms_, command.value(), state.values);
        return;
      case Command::Kind::Assume:
        assume(substitute(terms_, command.guard(), state.values), state);
        return;
      case Command::Kind::Havoc:
        state.values[command.variable()] = new_variable(terms_.sort(command.variable()));
        return;
      case Command::Kind::Sequence:
        for (const Command& part : command.parts()) run(part, state);
        return;
      case Command::Kind::Choice:
        choose(command, state);
        return;
    }
    unreachable();
  }

 private:
  void assume(Term guard, State& state) {
    for (Term conjunct : conjuncts(terms_, guard))
      if (std::find(state.path.begin(), state.path.end(), conjunct) == state.path.end())
        state.path.push_back(conjunct);
  }

  /// Merges branches from the last one on: if first then its end else the merged rest.
  void choose(const Command& command, State& state) {
    std::vector<State> ends;
    for (const Command& part : command.parts()) {
      State end{state.values, {}};
      run(part, end);
      if (!terms_.is_false(terms_.make_and(end.path))) ends.push_back(std::move(end));
    }
    if (ends.empty()) return assume(terms_.boolean(false), state);
    State merged = std::move(ends.back());
    for (std::size_t i = ends.size() - 1; i-- > 0;) merged = merge(ends[i], merged);
    state.values = std::move(merged.values);
    for (Term conjunct : merged.path) assume(conjunct, state);
  }

  State merge(State& first, State& rest) {
    Term taken = exclusive(first, rest);
    if (!taken) taken = new_variable(terms_.bool_sort());
    State merged;
    auto value_in = [](const State& end, Term variable) {
      auto at = end.values.find(variable);
      return at == end.values.end() ? variable : at->second;
    };
    std::set<Term> written;  // in an order that runs share
    for (const State* end : {&first, &rest})
      for (const auto& [variable, value] : end->values) written.insert(variable);
    for (Term variable : written)
      merged.values[variable] =
          terms_.make_ite(taken, value_in(first, variable), value_in(rest, variable));
    Term either = terms_.make_ite(taken, terms_.make_and(first.path), terms_.make_and(rest.path));
    assume(either, merged);
    return merged;
  }

  /// A condition that the first path assumes and the other denies; it leaves both.
  Term exclusive(State& first, State& rest) {
    for (Term condition : first.path) {
      Term denied = terms_.make_not(condition);
      auto at = std::find(rest.path.begin(), rest.path.end(), denied);
      if (at == rest.path.end()) continue;
      rest.path.erase(at);
      std::erase(first.path, condition);
      return condition;
    }
    return {};
  }

  Term new_variable(Sort sort) {
    fresh.push_back(terms_.fresh("any", sort));
    return fresh.back();
  }

  TermStore& terms_;
};

}  // namespace

std::size_t paths_of(const Command& command, std::size_t limit) {
  std::size_t count = command.kind() == Command::Kind::Choice ? 0 : 1;
  for (const Command& part : command.parts()) {
    std::size_t more = paths_of(part, limit);
    count = command.kind() == Command::Kind::Choice ? count + more : count * more;
    count = std::min(count, limit + 1);
  }
  return count;
}

CfaSteps::CfaSteps(const Cfa& cfa, std::size_t split_limit)
    : terms_(cfa.terms()),
      variables_(cfa.variables().begin(), cfa.variables().end()),
      into_(cfa.locations().size()),
      out_of_(cfa.locations().size()) {
  for (std::uint32_t i = 0; i < cfa.edges().size(); ++i) {
    const CfaEdge& edge = cfa.edges()[i];
    bool to_split = paths_of(edge.command, split_limit) <= split_limit;
    std::vector<Command> commands = to_split ? split(edge.command) : std::vector{edge.command};
    for (const Command& command : commands) {
      StepId id{static_cast<std::uint32_t>(steps_.size())};
      steps_.push_back({EdgeId{i}, edge.from, edge.to, {}, {}, {}});
      add(command);
      if (terms_.is_false(terms_.make_and(steps_.back().guards))) {
        steps_.pop_back();
        effects_.pop_back();
      } else {
        into_[lem::index(edge.to)].push_back(id);
        out_of_[lem::index(edge.from)].push_back(id);
      }
    }
  }
  find_loops(cfa);
  assert(steps_.size() == effects_.size() && "every step has its effect");
  assert(steps_.size() == in_loop_.size() && "every step is on a loop or not");
}

void CfaSteps::add(const Command& command) {
  Execution execution(terms_);
  Execution::State end;
  execution.run(command, end);
  CfaStep& step = steps_.back();
  step.effect = std::move(end.values);
  std::erase_if(step.effect, [](const auto& each) { return each.first == each.second; });
  step.guards = std::move(end.path);
  std::erase_if(step.guards, [&](Term guard) { return terms_.is_true(guard); });
  step.fresh = std::move(execution.fresh);
  effects_.emplace_back(terms_, step.effect);
  assert(std::none_of(step.guards.begin(), step.guards.end(),
                      [&](Term guard) { return terms_.is_true(guard); }) &&
         "guards say something");
}

Term CfaSteps::transition(StepId id, std::span<const Term> next) const {
  assert(next.size() == variables_.size() && "every variable has a next value");
  const CfaStep& step = steps_[index(id)];
  std::vector<Term> formula = step.guards;
  for (std::size_t i = 0; i < next.size(); ++i) {
    auto at = step.effect.find(variables_[i]);
    formula.push_back(
        terms_.make_eq(next[i], at == step.effect.end() ? variables_[i] : at->second));
  }
  return terms_.make_and(formula);
}

void CfaSteps::find_loops(const Cfa& cfa) {
  std::size_t n = cfa.locations().size();
  std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n));
  for (std::uint32_t start = 0; start < n; ++start) {
    std::vector<LocationId> open{LocationId{start}};
    while (!open.empty()) {
      LocationId at = open.back();
      open.pop_back();
      for (EdgeId edge : cfa.out(at)) {
        LocationId to = cfa[edge].to;
        if (reaches[start][lem::index(to)]) continue;
        reaches[start][lem::index(to)] = true;
        open.push_back(to);
      }
    }
  }
  for (const CfaStep& step : steps_)
    in_loop_.push_back(reaches[lem::index(step.to)][lem::index(step.to)]);
}

}  // namespace lem::engine
