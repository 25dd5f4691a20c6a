// Constant and equality propagation: the greatest set of equalities x = value and x = y between
// states that holds at first and that every step keeps, found by assuming all of them and dropping
// what an update does not confirm. Inputs that the constraint fixes are constants too.
#include <map>
#include <utility>

#include "transform/passes.h"
#include "transform/terms/steps.h"

namespace lem::transform {

namespace {

class Equalities {
 public:
  explicit Equalities(const TransitionSystem& system) : system_(system), terms_(system.terms()) {}

  /// The replacements of states and inputs; none after a stop request.
  TermMap find(const Context& ctx) {
    fix_inputs();
    for (const StateVar& state : system_.states())
      if (state.init && state.update && terms_.is_value(state.init))
        map_[state.current] = state.init;
    while (!ctx.stopped() && drop_constants()) {
    }
    classify();
    while (!ctx.stopped() && split_classes()) {
    }
    if (ctx.stopped()) return {};
    return map_;
  }

 private:
  void fix_inputs();
  bool drop_constants();
  void classify();
  bool split_classes();
  void choose_representatives();

  const TransitionSystem& system_;
  TermStore& terms_;
  TermMap map_;
  std::vector<std::vector<const StateVar*>> classes_;  // of two or more; the first stands for all
};

/// Conjuncts of the constraint of the form i, not i, i = value.
void Equalities::fix_inputs() {
  std::map<Term, bool> inputs;
  for (Term input : system_.inputs()) inputs[input] = true;
  for (Term conjunct : conjuncts(terms_, system_.constraint())) {
    bool holds = terms_.op(conjunct) != Op::Not;
    Term atom = terms_.atom_of(conjunct);
    if (inputs.contains(atom)) map_.try_emplace(atom, terms_.boolean(holds));
    if (terms_.op(atom) != Op::Eq) continue;
    Term a = terms_.arg(atom, 0);
    Term b = terms_.arg(atom, 1);
    if (terms_.is_value(a)) std::swap(a, b);
    if (!inputs.contains(a) || !terms_.is_value(b)) continue;
    bool single = terms_.kind(a) == SortKind::BitVec && terms_.width(a) == 1;
    if (holds) map_.try_emplace(a, b);
    if (!holds && single) map_.try_emplace(a, terms_.make(Op::BvNot, {b}));
  }
}

bool Equalities::drop_constants() {
  Substitution assume(terms_, map_);
  bool dropped = false;
  for (const StateVar& state : system_.states()) {
    auto constant = map_.find(state.current);
    if (constant == map_.end() || assume.apply(state.update) == constant->second) continue;
    map_.erase(constant);
    dropped = true;
  }
  return dropped;
}

/// States with the same initial value may be equal.
void Equalities::classify() {
  Substitution constants(terms_, map_);
  std::map<Term, std::vector<const StateVar*>> by_init;
  for (const StateVar& state : system_.states())
    if (state.init && state.update && !map_.contains(state.current))
      by_init[constants.apply(state.init)].push_back(&state);
  for (auto& [init, states] : by_init)
    if (states.size() > 1) classes_.push_back(std::move(states));
  choose_representatives();
}

void Equalities::choose_representatives() {
  for (const auto& states : classes_)
    for (const StateVar* state : states) map_[state->current] = states.front()->current;
}

bool Equalities::split_classes() {
  Substitution assume(terms_, map_);
  std::vector<std::vector<const StateVar*>> finer;
  bool split = false;
  for (const auto& states : classes_) {
    std::map<Term, std::vector<const StateVar*>> by_update;
    for (const StateVar* state : states) by_update[assume.apply(state->update)].push_back(state);
    split = split || by_update.size() > 1;
    for (auto& [update, part] : by_update) {
      for (const StateVar* state : part) map_.erase(state->current);
      if (part.size() > 1) finer.push_back(std::move(part));
    }
  }
  classes_ = std::move(finer);
  choose_representatives();
  return split;
}

/// Equalities between states hold at first and are kept by every step that meets the constraint:
/// they can be added to any invariant, and states that satisfy them differ only where the kept
/// variables do. Fixed inputs are left out: the constraint implies their values.
class PutBack final : public TermsBackTranslator {
 public:
  PutBack(TransitionSystem old, TransitionSystem reduced, TermMap map)
      : old_(std::move(old)), reduced_(std::move(reduced)), map_(std::move(map)) {}

  TermTrace trace(TermTrace trace) const override {
    for (TermTrace::Step& step : trace.steps) {
      TermMap values = values_at(reduced_, step);
      for (const auto& [variable, equal] : map_)
        values[variable] = old_.terms().is_value(equal) ? equal : values.at(equal);
      step = step_of(old_, values);
    }
    return trace;
  }
  std::optional<Certificate> invariant(TermInvariant invariant) const override {
    TermStore& terms = old_.terms();
    std::vector<Term> parts{invariant.invariant};
    for (const StateVar& state : old_.states()) {
      auto equal = map_.find(state.current);
      if (equal != map_.end()) parts.push_back(terms.make_eq(state.current, equal->second));
    }
    invariant.invariant = terms.make_and(parts);
    return invariant;
  }

 private:
  TransitionSystem old_;
  TransitionSystem reduced_;
  TermMap map_;
};

}  // namespace

Transformed apply_constants(const Problem& problem, const Context& ctx) {
  const TransitionSystem& old = problem.system();
  TermMap map = Equalities(old).find(ctx);
  std::erase_if(map, [](const auto& entry) { return entry.first == entry.second; });
  if (map.empty()) return unchanged(problem);
  TermStore& terms = old.terms();
  Substitution now(terms, map);
  TransitionSystemBuilder builder(old.store());
  TermMap next_of;
  for (const StateVar& state : old.states()) next_of[state.current] = state.next;
  TermMap both = map;
  for (const StateVar& state : old.states()) {
    auto equal = map.find(state.current);
    if (equal == map.end()) {
      builder.add_state(state.current, state.next);
      if (state.init) builder.set_init(state.current, now.apply(state.init));
      if (state.update) builder.set_update(state.current, now.apply(state.update));
      continue;
    }
    ++ctx.stats.counter("transform.constants.states-removed");
    both[state.next] = terms.is_value(equal->second) ? equal->second : next_of.at(equal->second);
  }
  for (Term input : old.inputs())
    if (!map.contains(input)) builder.add_input(input);
  builder.add_init(now.apply(old.init_relation()));
  builder.add_trans(substitute(terms, old.trans_relation(), both));
  builder.add_constraint(now.apply(old.constraint()));
  std::vector<Term> bads = bads_of(problem);
  for (Term& bad : bads) bad = now.apply(bad);
  Problem reduced = with_system(problem, std::move(builder), bads);
  auto back = std::make_unique<PutBack>(old, reduced.system(), std::move(map));
  return {std::move(reduced), std::move(back)};
}

}  // namespace lem::transform
