#include "transform/cfa/program_counter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "base/assert.h"
#include "term/traverse.h"
#include "transform/passes.h"

namespace lem::transform {

namespace {

/// bits = number, as a conjunction of literals.
Term equals(TermStore& terms, std::span<const Term> bits, std::uint32_t number) {
  std::vector<Term> literals;
  for (std::size_t i = 0; i < bits.size(); ++i)
    literals.push_back((number >> i & 1) != 0 ? bits[i] : terms.make_not(bits[i]));
  return terms.make_and(literals);
}

/// Symbolic execution: when a command can be carried out, and what it assigns.
class Executor {
 public:
  struct State {
    Term guard;
    TermMap values;                       // of variables that were assigned
    std::map<Sort, std::uint32_t> drawn;  // inputs used so far, of each sort
  };

  explicit Executor(TermStore& terms) : terms_(terms) {}
  State start() const { return {terms_.boolean(true), {}, {}}; }
  State execute(const Command& command, State state);
  /// One of them; none of them at all if there is none.
  State join(std::vector<State> alternatives);
  std::span<const Term> inputs() const { return inputs_; }

 private:
  Term draw(Sort sort, State& state);
  bool exclude(Term a, Term b) const;
  State either(Term condition, const State& yes, const State& no, Term guard);

  TermStore& terms_;
  std::map<Sort, std::vector<Term>> pool_;
  std::vector<Term> inputs_;
};

Term Executor::draw(Sort sort, State& state) {
  std::vector<Term>& pool = pool_[sort];
  std::uint32_t at = state.drawn[sort]++;
  if (at == pool.size()) {
    pool.push_back(terms_.fresh("in", sort));
    inputs_.push_back(pool.back());
  }
  return pool[at];
}

Executor::State Executor::execute(const Command& command, State state) {
  auto now = [&](Term term) { return substitute(terms_, term, state.values); };
  switch (command.kind()) {
    case Command::Kind::Assign:
      state.values[command.variable()] = now(command.value());
      return state;
    case Command::Kind::Assume:
      state.guard = terms_.make_and(state.guard, now(command.guard()));
      return state;
    case Command::Kind::Havoc:
      state.values[command.variable()] = draw(terms_.sort(command.variable()), state);
      return state;
    case Command::Kind::Sequence:
      for (const Command& part : command.parts()) state = execute(part, std::move(state));
      return state;
    case Command::Kind::Choice: {
      std::vector<State> alternatives;
      for (const Command& part : command.parts()) {
        State& alternative = alternatives.emplace_back(
            execute(part, {terms_.boolean(true), state.values, state.drawn}));
        if (terms_.is_false(alternative.guard)) alternatives.pop_back();
      }
      State joined = join(std::move(alternatives));
      joined.guard = terms_.make_and(state.guard, joined.guard);
      return joined;
    }
  }
  unreachable();
}

/// Whether a conjunct of one is the negation of a conjunct of the other, as for the two edges of a
/// branch.
bool Executor::exclude(Term a, Term b) const {
  std::vector<Term> left = conjuncts(terms_, a), right = conjuncts(terms_, b);
  return std::any_of(left.begin(), left.end(), [&](Term one) {
    return std::any_of(right.begin(), right.end(),
                       [&](Term other) { return terms_.is_false(terms_.make_and(one, other)); });
  });
}

Executor::State Executor::either(Term condition, const State& yes, const State& no, Term guard) {
  State result{guard, yes.values, yes.drawn};
  for (const auto& [variable, value] : no.values) result.values.try_emplace(variable, variable);
  for (auto& [variable, value] : result.values) {
    auto other = no.values.find(variable);
    value = terms_.make_ite(condition, value, other == no.values.end() ? variable : other->second);
  }
  for (const auto& [sort, count] : no.drawn)
    result.drawn[sort] = std::max(result.drawn[sort], count);
  return result;
}

Executor::State Executor::join(std::vector<State> alternatives) {
  if (alternatives.empty()) return {terms_.boolean(false), {}, {}};
  State joined = std::move(alternatives.back());
  std::vector<Term> guards = {joined.guard};  // of what is joined
  alternatives.pop_back();
  for (; !alternatives.empty(); alternatives.pop_back()) {
    const State& next = alternatives.back();
    bool apart = std::all_of(guards.begin(), guards.end(),
                             [&](Term guard) { return exclude(guard, next.guard); });
    guards.push_back(next.guard);
    if (apart) {
      joined = either(next.guard, next, joined, terms_.make_or(next.guard, joined.guard));
      continue;
    }
    for (const auto& [sort, count] : next.drawn)
      joined.drawn[sort] = std::max(joined.drawn[sort], count);
    Term chosen = draw(terms_.bool_sort(), joined);
    joined = either(chosen, next, joined, terms_.make_ite(chosen, next.guard, joined.guard));
  }
  return joined;
}

class Encoder {
 public:
  explicit Encoder(const Cfa& cfa)
      : cfa_(cfa),
        terms_(cfa.terms()),
        builder_(cfa.store()),
        executor_(terms_),
        edge_(terms_.fresh("edge", terms_.int_sort())) {}

  CounterSystem run() {
    declare_states();
    std::vector<Executor::State> steps;
    for (std::uint32_t l = 0; l < cfa_.locations().size(); ++l)
      steps.push_back(leave(LocationId{l}));
    for (Term state : states_) builder_.set_update(state, update(state, steps));
    for (Term input : executor_.inputs()) builder_.add_input(input);
    builder_.add_init(at_[index(cfa_.initial())]);
    std::vector<CounterSystem::Exit> exits;
    for (Executor::State& step : steps) exits.push_back({step.guard, step.values[edge_]});
    Term bad = at_[index(cfa_.error())];
    Result<TransitionSystem> system = std::move(builder_).freeze();
    assert(system.ok() && "an automaton's variables are declared");
    return {std::move(*system), bad, std::move(counter_), std::move(at_), std::move(exits)};
  }

 private:
  void declare_states() {
    auto count = static_cast<std::uint32_t>(cfa_.locations().size());
    for (auto i = std::bit_width(count - 1); i > 0; --i) declare("pc", counter_);
    for (std::uint32_t i = 0; i < count; ++i) at_.push_back(equals(terms_, counter_, i));
    for (Term variable : cfa_.variables()) {
      builder_.add_state(variable,
                         terms_.fresh(terms_.name(variable) + "'", terms_.sort(variable)));
      states_.push_back(variable);
    }
  }
  void declare(const char* name, std::vector<Term>& bits) {
    bits.push_back(terms_.fresh(name, terms_.bool_sort()));
    builder_.add_state(bits.back(), terms_.fresh(name, terms_.bool_sort()));
    states_.push_back(bits.back());
  }

  Executor::State leave(LocationId from) {
    std::vector<Executor::State> ways;
    for (EdgeId id : cfa_.out(from)) {
      Executor::State way = executor_.execute(cfa_[id].command, executor_.start());
      for (std::size_t i = 0; i < counter_.size(); ++i)
        way.values[counter_[i]] = terms_.boolean((index(cfa_[id].to) >> i & 1) != 0);
      way.values[edge_] = terms_.integer(index(id));
      ways.push_back(std::move(way));
    }
    return executor_.join(std::move(ways));
  }

  Term update(Term state, const std::vector<Executor::State>& steps) {
    Term result = state;
    for (std::size_t l = 0; l < steps.size(); ++l) {
      auto value = steps[l].values.find(state);
      if (value == steps[l].values.end()) continue;
      Term here = terms_.make_ite(steps[l].guard, value->second, state);
      result = terms_.make_ite(at_[l], here, result);
    }
    return result;
  }

  const Cfa& cfa_;
  TermStore& terms_;
  TransitionSystemBuilder builder_;
  Executor executor_;
  Term edge_;  // stands for the number of the edge that is taken
  std::vector<Term> counter_, at_, states_;
};

/// Splits the invariant by the counter's value, one part for each location.
class CounterBack final : public BackTranslator {
 public:
  CounterBack(Cfa cfa, CounterSystem counter)
      : cfa_(std::move(cfa)), counter_(std::move(counter)) {}

  std::optional<Run> run(Run run) const override {
    const auto& steps = std::get<TermTrace>(run).steps;
    CfaTrace trace;
    for (const TermTrace::Step& step : steps) {
      trace.values.emplace_back(step.states.begin() + offset(), step.states.end());
      std::optional<EdgeId> edge = edge_taken(step);
      if (&step == &steps.back()) break;
      if (edge) {
        trace.edges.push_back(*edge);
      } else {
        trace.values.pop_back();  // the system stayed as it was
      }
    }
    return trace;
  }

  /// Proofs by k-induction do not carry over: one of their steps is more than an edge.
  std::optional<Certificate> certificate(Certificate certificate) const override {
    TermStore& terms = cfa_.terms();
    const auto& proof = std::get<TermInvariant>(certificate);
    if (proof.k != 1 || mentions_inputs(proof.invariant)) return {};
    LocationInvariants result;
    for (std::uint32_t l = 0; l < cfa_.locations().size(); ++l) {
      TermMap counter;
      for (std::size_t i = 0; i < counter_.counter.size(); ++i)
        counter[counter_.counter[i]] = terms.boolean((l >> i & 1) != 0);
      result.at.push_back(substitute(terms, proof.invariant, counter));
    }
    result.at[index(cfa_.error())] = terms.boolean(false);
    result.at[index(cfa_.initial())] = terms.boolean(true);  // which it is: all states are initial
    return result;
  }

 private:
  std::ptrdiff_t offset() const { return std::ssize(counter_.counter); }

  bool mentions_inputs(Term formula) const {
    std::vector<Term> used = variables_of(cfa_.terms(), formula);
    auto inputs = counter_.system.inputs();
    return std::any_of(inputs.begin(), inputs.end(), [&](Term input) {
      return std::find(used.begin(), used.end(), input) != used.end();
    });
  }

  std::optional<EdgeId> edge_taken(const TermTrace::Step& step) const {
    TermStore& terms = cfa_.terms();
    TermMap values;
    std::uint32_t location = 0;
    for (std::size_t i = 0; i < step.states.size(); ++i)
      values[counter_.system.states()[i].current] = step.states[i];
    for (std::size_t i = 0; i < counter_.counter.size(); ++i)
      if (terms.is_true(step.states[i])) location |= 1U << i;
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      values[counter_.system.inputs()[i]] = step.inputs[i];
    if (location >= counter_.exits.size()) return {};
    const CounterSystem::Exit& exit = counter_.exits[location];
    if (!terms.is_true(evaluate(terms, exit.guard, values))) return {};
    return EdgeId(static_cast<std::uint32_t>(
        terms.integer_value(evaluate(terms, exit.edge, values)).get_ui()));
  }

  Cfa cfa_;
  CounterSystem counter_;
};

}  // namespace

CounterSystem with_program_counter(const Cfa& cfa) {
  return Encoder(cfa).run();
}

Transformed apply_program_counter(const Problem& problem, const Context& /*ctx*/) {
  CounterSystem counter = with_program_counter(problem.cfa());
  Problem result{counter.system, problem.properties, problem.source};
  for (Property& property : result.properties) {
    const auto* error = std::get_if<ErrorLocation>(&property.target);
    bool own = error != nullptr && error->at.has_value();
    property.target = own ? counter.at[index(*error->at)] : counter.bad;
  }
  return {std::move(result), std::make_unique<CounterBack>(problem.cfa(), std::move(counter))};
}

}  // namespace lem::transform
