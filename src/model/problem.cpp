#include "model/problem.h"

namespace lem {

static Rung rung(const Aig& /*model*/) {
  return Rung::Bits;
}
static Rung rung(const TransitionSystem& /*model*/) {
  return Rung::Terms;
}
static Rung rung(const Cfa& /*model*/) {
  return Rung::Program;
}
static Rung rung(const HornSystem& /*model*/) {
  return Rung::Horn;
}

Rung Problem::rung() const {
  return std::visit([](const auto& one) { return lem::rung(one); }, model);
}

static TermStore* store(const Aig& /*model*/) {
  return nullptr;
}
static TermStore* store(const TransitionSystem& model) {
  return model.store().get();
}
static TermStore* store(const Cfa& model) {
  return model.store().get();
}
static TermStore* store(const HornSystem& model) {
  return model.terms.get();
}

TermStore* Problem::store() const {
  return std::visit([](const auto& one) { return lem::store(one); }, model);
}

Problem focus(const Problem& problem, std::size_t index) {
  assert(index < problem.properties.size() && "no such property");
  Property one = problem.properties[index];
  const auto* error = std::get_if<ErrorLocation>(&one.target);
  if (error == nullptr || !error->at) return {problem.model, {one}, problem.source};
  Cfa cfa = with_error(problem.cfa(), *error->at);
  one.target = ErrorLocation{};  // numbers of locations do not outlive the first transform
  return {std::move(cfa), {std::move(one)}, problem.source};
}

LocationId error_of(const Problem& problem, std::size_t index) {
  const auto* error = std::get_if<ErrorLocation>(&problem.properties[index].target);
  assert(error != nullptr && "the property is of no automaton");
  return error->at.value_or(problem.cfa().error());
}

Cfa with_error(const Cfa& cfa, LocationId error) {
  CfaBuilder builder(cfa.store());
  for (Term variable : cfa.variables()) builder.add_variable(variable);
  for (const Location& one : cfa.locations()) builder.add_location(one.name, one.line);
  for (const CfaEdge& one : cfa.edges()) builder.add_edge(one.from, one.command, one.to, one.line);
  builder.set_initial(cfa.initial());
  builder.set_error(error);
  Result<Cfa> made = std::move(builder).freeze();
  assert(made.ok() && "no edge leaves an error location");
  return *std::move(made);
}

}  // namespace lem
