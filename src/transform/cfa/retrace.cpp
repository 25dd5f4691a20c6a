#include "transform/cfa/retrace.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"
#include "model/symbolic_run.h"
#include "smt/solvers.h"

namespace lem::transform {

Route Route::compound(Kind kind, const Route& first, const Route& second) {
  std::vector<Route> parts;
  for (const Route& each : {first, second}) {
    if (each.kind() == kind) {
      parts.insert(parts.end(), each.parts().begin(), each.parts().end());
    } else {
      parts.push_back(each);
    }
  }
  return Route({kind, {}, std::move(parts)});
}

Route Route::sequence(const Route& first, const Route& second) {
  return compound(Kind::Sequence, first, second);
}

Route Route::choice(const Route& one, const Route& other) {
  return compound(Kind::Choice, one, other);
}

namespace {

/// What was passed: the end of an edge, or one of several branches, told by its selector.
struct Event {
  EdgeId edge{};
  TermMap values;
  std::vector<Term> selectors;
  std::vector<std::vector<Event>> branches;  // as many as selectors; none: an edge
};

class Retracer {
 public:
  explicit Retracer(const Cfa& cfa) : cfa_(cfa), terms_(cfa.terms()), symbolic_(terms_, open_) {}

  bool run(const Route& route, const TermMap& wanted, CfaTrace& trace) {
    SymbolicRun::State state{{}, terms_.boolean(true)};
    for (std::size_t i = 0; i < cfa_.variables().size(); ++i)
      state.values[cfa_.variables()[i]] = trace.values.back()[i];
    std::vector<Event> events;
    execute(route, state, events);
    if (!solve(state, wanted)) return false;
    flatten(events, trace);
    return true;
  }

 private:
  using State = SymbolicRun::State;

  void execute(const Route& route, State& state, std::vector<Event>& events) {
    if (terms_.is_false(state.path)) return;
    switch (route.kind()) {
      case Route::Kind::Edge:
        symbolic_.execute(cfa_[route.edge()].command, state);
        events.push_back({route.edge(), state.values, {}, {}});
        return;
      case Route::Kind::Sequence:
        for (const Route& part : route.parts()) execute(part, state, events);
        return;
      case Route::Kind::Choice:
        choose(route, state, events);
        return;
    }
  }

  /// Values that are known decide most choices; of the others the solver has to select.
  void choose(const Route& route, State& state, std::vector<Event>& events) {
    Event choice;
    std::vector<State> ends;
    for (const Route& part : route.parts()) {
      State end{state.values, terms_.boolean(true)};
      std::vector<Event> passed;
      execute(part, end, passed);
      if (terms_.is_false(end.path)) continue;
      ends.push_back(std::move(end));
      choice.branches.push_back(std::move(passed));
      choice.selectors.push_back(terms_.fresh("taken", terms_.bool_sort()));
    }
    auto [met, ways] = symbolic_.meet(ends, cfa_.variables());
    state.values = std::move(met.values);
    state.path = terms_.make_and(state.path, met.path);
    if (ends.size() == 1) {
      std::move(choice.branches[0].begin(), choice.branches[0].end(), std::back_inserter(events));
      return;
    }
    for (std::size_t i = 0; i < ends.size(); ++i)
      state.path = terms_.make_and(state.path, terms_.make_implies(choice.selectors[i], ways[i]));
    state.path = terms_.make_and(state.path, terms_.make_or(choice.selectors));
    events.push_back(std::move(choice));
  }

  /// Finds what is open. Wanted values of what is open itself need no solver.
  bool solve(const State& end, const TermMap& wanted) {
    if (terms_.is_false(end.path)) return false;
    std::vector<Term> parts{end.path};
    for (const auto& [variable, goal] : wanted) {
      if (terms_.is_variable(end[variable])) model_.try_emplace(end[variable], goal);
      parts.push_back(terms_.make_eq(end[variable], goal));
    }
    Term left = substitute(terms_, terms_.make_and(parts), model_);
    if (terms_.is_true(left)) return true;
    if (terms_.is_false(left)) return false;
    auto solver = smt::Solvers().make(terms_, smt::Workload::Single);
    solver->add(left);
    if (solver->solve() != smt::Answer::Sat) return false;
    for (Term open : variables_of(terms_, left)) model_[open] = solver->value(open);
    return true;
  }

  void flatten(const std::vector<Event>& events, CfaTrace& trace) {
    for (const Event& event : events) {
      if (event.branches.empty()) {
        trace.edges.push_back(event.edge);
        std::vector<Term>& values = trace.values.emplace_back();
        for (Term variable : cfa_.variables()) {
          Term value = event.values.at(variable);
          values.push_back(terms_.is_value(value) ? value : evaluate(terms_, value, model_));
        }
        continue;
      }
      std::size_t taken = 0;
      while (!terms_.is_true(evaluate(terms_, event.selectors[taken], model_))) ++taken;
      flatten(event.branches[taken], trace);
    }
  }

  const Cfa& cfa_;
  TermStore& terms_;
  std::vector<Term> open_;
  SymbolicRun symbolic_;
  TermMap model_;
};

}  // namespace

bool retrace(const Cfa& cfa, const Route& route, const TermMap& wanted, CfaTrace& run) {
  assert(run.values.size() == run.edges.size() + 1 && "the run says where it starts");
  return Retracer(cfa).run(route, wanted, run);
}

}  // namespace lem::transform
