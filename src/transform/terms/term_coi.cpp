// Cone of influence on words. Only what can be recomputed is removed: states with an update, states
// that are free at every step, and inputs. Relations stay with all they mention: a relation on
// variables the property does not depend on may still end every run.
#include <unordered_set>
#include <utility>

#include "transform/passes.h"
#include "transform/terms/steps.h"

namespace lem::transform {

namespace {

class Cone {
 public:
  Cone(const TransitionSystem& system) : system_(system) {
    for (const StateVar& state : system.states()) {
      of_variable_[state.current] = &state;
      of_variable_[state.next] = &state;
    }
  }
  /// Adds what the term depends on, over any number of steps.
  void add(Term root) {
    std::vector<Term> todo{root};
    while (!todo.empty()) {
      Term term = todo.back();
      todo.pop_back();
      if (!seen_.insert(term).second) continue;
      auto args = system_.terms().args(term);
      todo.insert(todo.end(), args.begin(), args.end());
      auto state = of_variable_.find(term);
      if (state == of_variable_.end()) continue;
      for (Term part : {state->second->current, state->second->init, state->second->update})
        if (part) todo.push_back(part);
    }
  }
  bool has(Term variable) const { return seen_.contains(variable); }

 private:
  const TransitionSystem& system_;
  std::unordered_map<Term, const StateVar*> of_variable_;
  std::unordered_set<Term> seen_;
};

/// Removed states in an order in which their initial values can be computed. States whose initial
/// values depend on each other have none: they join the cone.
std::vector<StateVar> removable(const TransitionSystem& system, Cone& cone) {
  std::vector<StateVar> order;
  std::unordered_set<Term> known;
  std::vector<const StateVar*> waiting;
  for (const StateVar& state : system.states())
    if (!cone.has(state.current)) waiting.push_back(&state);
  while (!waiting.empty()) {
    std::vector<const StateVar*> later;
    for (const StateVar* state : waiting) {
      bool ready = true;
      if (state->init)
        for (Term variable : variables_of(system.terms(), state->init))
          ready = ready && (cone.has(variable) || known.contains(variable));
      if (!ready) {
        later.push_back(state);
        continue;
      }
      known.insert(state->current);
      order.push_back(*state);
    }
    if (later.size() == waiting.size()) {
      cone.add(later.front()->current);
      return removable(system, cone);
    }
    waiting = std::move(later);
  }
  return order;
}

class Recompute final : public TermsBackTranslator {
 public:
  Recompute(TransitionSystem old, TransitionSystem reduced, std::vector<StateVar> removed)
      : old_(std::move(old)), reduced_(std::move(reduced)), removed_(std::move(removed)) {}

  TermTrace trace(TermTrace trace) const override {
    TermStore& terms = old_.terms();
    TermTrace result;
    TermMap before;
    for (const TermTrace::Step& step : trace.steps) {
      TermMap now = values_at(reduced_, step);
      for (Term input : old_.inputs())
        now.try_emplace(input, terms.default_value(terms.sort(input)));
      Substitution from_before(terms, before);
      for (const StateVar& state : removed_) {
        Term value = terms.default_value(terms.sort(state.current));
        if (result.steps.empty() && state.init) value = evaluate(terms, state.init, now);
        if (!result.steps.empty() && state.update) value = from_before.apply(state.update);
        now[state.current] = value;
      }
      result.steps.push_back(step_of(old_, now));
      before = std::move(now);
    }
    return result;
  }

  /// A path may be simple because of removed states alone, and the proof does not cover such paths.
  std::optional<Certificate> invariant(TermInvariant invariant) const override {
    if (invariant.simple_path == SimplePath::Yes && !removed_.empty()) return std::nullopt;
    return invariant;
  }

 private:
  TransitionSystem old_;
  TransitionSystem reduced_;
  std::vector<StateVar> removed_;
};

}  // namespace

Transformed apply_term_coi(const Problem& problem, const Context& ctx) {
  const TransitionSystem& old = problem.system();
  std::vector<Term> bads = bads_of(problem);
  Cone cone(old);
  for (Term bad : bads) cone.add(bad);
  for (Term root : {old.constraint(), old.init_relation(), old.trans_relation()}) cone.add(root);
  std::vector<StateVar> removed = removable(old, cone);
  TransitionSystemBuilder builder(old.store());
  std::size_t inputs = 0;
  for (Term input : old.inputs()) {
    if (!cone.has(input)) continue;
    builder.add_input(input);
    ++inputs;
  }
  if (removed.empty() && inputs == old.inputs().size()) return unchanged(problem);
  ctx.stats.counter("transform.term-coi.states-removed") += removed.size();
  ctx.stats.counter("transform.term-coi.inputs-removed") += old.inputs().size() - inputs;
  for (const StateVar& state : old.states()) {
    if (!cone.has(state.current)) continue;
    builder.add_state(state.current, state.next);
    if (state.init) builder.set_init(state.current, state.init);
    if (state.update) builder.set_update(state.current, state.update);
  }
  builder.add_init(old.init_relation());
  builder.add_trans(old.trans_relation());
  builder.add_constraint(old.constraint());
  Problem reduced = with_system(problem, std::move(builder), bads);
  auto back = std::make_unique<Recompute>(old, reduced.system(), std::move(removed));
  return {std::move(reduced), std::move(back)};
}

}  // namespace lem::transform
