#include "transform/cfa/program_counter.h"

#include <array>
#include <bit>

namespace lem {

namespace {

/// bits = number, as a conjunction of literals.
Term equals(TermStore& terms, std::span<const Term> bits, std::uint32_t number) {
  std::vector<Term> literals;
  for (std::size_t i = 0; i < bits.size(); ++i)
    literals.push_back((number >> i & 1) != 0 ? bits[i] : terms.make_not(bits[i]));
  return terms.make_and(literals);
}

}  // namespace

CounterSystem with_program_counter(const Cfa& cfa) {
  TermStore& terms = cfa.terms();
  TransitionSystemBuilder builder(cfa.store());
  std::vector<Term> counter, next_counter;
  auto count = static_cast<std::uint32_t>(cfa.locations().size());
  for (auto i = std::bit_width(count - 1); i > 0; --i) {
    counter.push_back(terms.fresh("pc", terms.bool_sort()));
    next_counter.push_back(terms.fresh("pc'", terms.bool_sort()));
    builder.add_state(counter.back(), next_counter.back());
  }
  std::vector<Term> current(cfa.variables().begin(), cfa.variables().end());
  std::vector<Term> next;
  for (Term variable : current) {
    next.push_back(terms.fresh(terms.name(variable) + "'", terms.sort(variable)));
    builder.add_state(variable, next.back());
  }

  std::vector<Term> steps;
  for (const CfaEdge& edge : cfa.edges()) {
    Existential step = transition(terms, edge.command, current, next);
    for (Term open : step.fresh) builder.add_input(open);
    steps.push_back(
        terms.make_and(std::array{equals(terms, counter, index(edge.from)), step.formula,
                                  equals(terms, next_counter, index(edge.to))}));
  }
  builder.add_trans(terms.make_or(steps));
  builder.add_init(equals(terms, counter, index(cfa.initial())));

  std::vector<Term> at;
  for (std::uint32_t i = 0; i < count; ++i) at.push_back(equals(terms, counter, i));
  Term bad = at[index(cfa.error())];
  Result<TransitionSystem> system = std::move(builder).freeze();
  assert(system.ok() && "an automaton's variables are declared");
  return {std::move(*system), bad, std::move(at)};
}

}  // namespace lem
