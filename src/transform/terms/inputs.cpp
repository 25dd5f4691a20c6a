// Removes inputs that hinder engines. Inputs of the property and the constraint become states
// without initial value and update: the runs stay the same, and properties are over states alone.
// An input whose only use is the next value of one state is removed; that state then has no update.
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "transform/passes.h"
#include "transform/terms/steps.h"

namespace lem::transform {

namespace {

/// Promoted inputs are variables of both systems; the values of dropped ones are those of their
/// state at the next step. The states of the old system are states of the new one, so simple paths
/// stay simple.
class ReadOff final : public TermsBackTranslator {
 public:
  ReadOff(TransitionSystem old, TransitionSystem promoted, TermMap dropped)
      : old_(std::move(old)), promoted_(std::move(promoted)), dropped_(std::move(dropped)) {}

  TermTrace trace(TermTrace trace) const override {
    std::vector<TermMap> values;
    for (const TermTrace::Step& step : trace.steps) values.push_back(values_at(promoted_, step));
    for (std::size_t k = 0; k < values.size(); ++k) {
      for (const auto& [input, state] : dropped_)
        if (k + 1 < values.size()) values[k][input] = values[k + 1].at(state);
      trace.steps[k] = step_of(old_, values[k]);
    }
    return trace;
  }
  std::optional<Certificate> invariant(TermInvariant invariant) const override { return invariant; }

 private:
  TransitionSystem old_;
  TransitionSystem promoted_;
  TermMap dropped_;  // input to the state it is the next value of
};

/// Inputs that are the whole update of one state and occur nowhere else.
TermMap lone_updates(const TransitionSystem& system, std::span<const Term> bads) {
  std::unordered_map<Term, Term> candidates;
  std::unordered_set<Term> inputs(system.inputs().begin(), system.inputs().end());
  std::unordered_set<Term> spoilt;
  std::vector<Term> others{system.constraint(), system.trans_relation()};
  others.insert(others.end(), bads.begin(), bads.end());
  for (const StateVar& state : system.states()) {
    if (!state.update) continue;
    if (!inputs.contains(state.update))
      others.push_back(state.update);
    else if (!candidates.emplace(state.update, state.current).second)
      spoilt.insert(state.update);
  }
  for (Term variable : variables_of(system.terms(), others)) spoilt.insert(variable);
  TermMap result;
  for (const auto& [input, state] : candidates)
    if (!spoilt.contains(input)) result[input] = state;
  return result;
}

}  // namespace

Transformed apply_inputs(const Problem& problem, const Context& ctx) {
  const TransitionSystem& old = problem.system();
  TermStore& terms = old.terms();
  std::vector<Term> bads = bads_of(problem);
  std::vector<Term> seen_roots = bads;
  seen_roots.push_back(old.constraint());
  std::unordered_set<Term> seen;
  for (Term variable : variables_of(terms, seen_roots)) seen.insert(variable);
  TermMap dropped = lone_updates(old, bads);

  TransitionSystemBuilder builder(old.store());
  std::unordered_set<Term> freed;
  for (const auto& [input, state] : dropped) freed.insert(state);
  for (const StateVar& state : old.states()) {
    builder.add_state(state.current, state.next);
    if (state.init) builder.set_init(state.current, state.init);
    if (state.update && !freed.contains(state.current))
      builder.set_update(state.current, state.update);
  }
  std::size_t promoted = 0;
  for (Term input : old.inputs()) {
    if (dropped.contains(input)) continue;
    if (!seen.contains(input)) {
      builder.add_input(input);
      continue;
    }
    builder.add_state(input, terms.fresh(terms.name(input) + "'", terms.sort(input)));
    ++promoted;
  }
  if (promoted == 0 && dropped.empty()) return unchanged(problem);
  ctx.stats.counter("transform.inputs.promoted") += promoted;
  ctx.stats.counter("transform.inputs.dropped") += dropped.size();
  builder.add_init(old.init_relation());
  builder.add_trans(old.trans_relation());
  builder.add_constraint(old.constraint());
  Problem result = with_system(problem, std::move(builder), bads);
  auto back = std::make_unique<ReadOff>(old, result.system(), std::move(dropped));
  return {std::move(result), std::move(back)};
}

}  // namespace lem::transform
