#include "transform/terms/steps.h"

#include <utility>

namespace lem::transform {

namespace {

class KeepEvidence final : public TermsBackTranslator {
 public:
  TermTrace trace(TermTrace trace) const override { return trace; }
  std::optional<Certificate> invariant(TermInvariant invariant) const override { return invariant; }
};

}  // namespace

TermMap values_at(const TransitionSystem& system, const TermTrace::Step& step) {
  assert(step.states.size() == system.states().size() && "a step of another system");
  assert(step.inputs.size() == system.inputs().size() && "a step of another system");
  TermMap values;
  for (std::size_t i = 0; i < step.states.size(); ++i)
    values[system.states()[i].current] = step.states[i];
  for (std::size_t i = 0; i < step.inputs.size(); ++i) values[system.inputs()[i]] = step.inputs[i];
  return values;
}

TermTrace::Step step_of(const TransitionSystem& system, const TermMap& values) {
  TermStore& terms = system.terms();
  auto value = [&](Term variable) {
    auto found = values.find(variable);
    return found == values.end() ? terms.default_value(terms.sort(variable)) : found->second;
  };
  TermTrace::Step step;
  for (const StateVar& state : system.states()) step.states.push_back(value(state.current));
  for (Term input : system.inputs()) step.inputs.push_back(value(input));
  return step;
}

TransitionSystemBuilder same_variables(const TransitionSystem& system) {
  TransitionSystemBuilder builder(system.store());
  for (const StateVar& state : system.states()) builder.add_state(state.current, state.next);
  for (Term input : system.inputs()) builder.add_input(input);
  return builder;
}

Problem with_system(const Problem& old, TransitionSystemBuilder builder,
                    std::span<const Term> bads) {
  assert(bads.size() == old.properties.size() && "one term for each property");
  auto system = std::move(builder).freeze();
  assert(system.ok() && "transforms keep systems well formed");
  std::vector<Property> properties = old.properties;
  for (std::size_t i = 0; i < bads.size(); ++i) properties[i].target = bads[i];
  SourceMap source;
  source.file = old.source.file;
  source.format = old.source.format;
  source.hints =
      old.source.hints;  // conjuncts about removed variables are neither needed nor harmful
  return {std::move(*system), std::move(properties), std::move(source)};
}

std::vector<Term> bads_of(const Problem& problem) {
  std::vector<Term> bads;
  for (const Property& property : problem.properties) bads.push_back(property.bad_term());
  return bads;
}

Problem with_system(const Problem& old, TransitionSystemBuilder builder, Term bad) {
  return with_system(old, std::move(builder), std::span(&bad, 1));
}

std::unique_ptr<BackTranslator> keep_evidence() {
  return std::make_unique<KeepEvidence>();
}

Transformed unchanged(const Problem& problem) {
  return {problem, keep_evidence()};
}

}  // namespace lem::transform
