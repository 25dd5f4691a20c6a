#include "run/live/rlive.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "check/circuit.h"

namespace lem::run {

namespace {

std::vector<bool> last_state(const Aig& aig, const Trace& trace) {
  std::vector<bool> state = trace.initial;
  std::vector<bool> value(aig.num_vars());
  auto of = [&](AigLit lit) { return value[lit.var()] != lit.negative(); };
  for (std::size_t step = 0; step + 1 < trace.inputs.size(); ++step) {
    for (std::uint32_t i = 0; i < aig.num_inputs(); ++i)
      value[aig.input(i).var()] = trace.inputs[step][i];
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i) value[aig.latch(i).var()] = state[i];
    for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
      value[var] = of(aig.gate_of(var).left) && of(aig.gate_of(var).right);
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i) state[i] = of(aig.latches()[i].next);
  }
  return state;
}

/// One step of the model, from any state that keeps the constraints to one that does.
class OneStep {
 public:
  OneStep(const Aig& aig, const std::stop_token& stop) {
    check::Cone all(aig.num_vars(), true);
    std::vector<AigLit> leaves;
    for (std::uint32_t i = 0; i < aig.num_inputs(); ++i) leaves.push_back(circuit_.fresh());
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i) leaves.push_back(circuit_.fresh());
    before_.emplace(circuit_, aig, leaves, all);
    std::vector<AigLit> next;
    for (std::uint32_t i = 0; i < aig.num_inputs(); ++i) next.push_back(circuit_.fresh());
    for (const Latch& latch : aig.latches()) next.push_back((*before_)[latch.next]);
    after_.emplace(circuit_, aig, next, all);
    refutation_.emplace(circuit_, stop);
    for (AigLit constraint : aig.constraints()) {
      refutation_->require((*before_)[constraint]);
      refutation_->require((*after_)[constraint]);
    }
  }
  /// The state before the step is in the set.
  void from(const StateSet& set) {
    for (SignalClause clause : set) {
      for (AigLit& lit : clause) lit = (*before_)[lit];
      refutation_->require_any(clause);
    }
  }
  AigLit before(AigLit lit) const { return (*before_)[lit]; }
  AigLit in(const StateSet& set, const check::Step& step) {
    AigLit all = kAigTrue;
    for (const SignalClause& clause : set) {
      AigLit some = kAigFalse;
      for (AigLit lit : clause) some = circuit_.either(some, step[lit]);
      all = circuit_.both(all, some);
    }
    return all;
  }
  AigLit after_in(const StateSet& set) { return in(set, *after_); }
  AigLit before_in(const StateSet& set) { return in(set, *before_); }
  void require(AigLit fact) { refutation_->require(fact); }
  /// Whether no step has this signal.
  bool excludes(AigLit signal) {
    if (signal == kAigFalse) return true;
    std::vector<AigLit> assumed;
    if (signal != kAigTrue) assumed.push_back(signal);
    return refutation_->solve_under(assumed) == sat::SatResult::Unsat;
  }
  check::Refutation& refutation() { return *refutation_; }

 private:
  check::Circuit circuit_;
  std::optional<check::Step> before_, after_;
  std::optional<check::Refutation> refutation_;
};

}  // namespace

/// The states that are to be reached lie outside all layers. From a blocked state: after one step
/// or more, so that layers and property do not count at the first one.
Problem Rlive::query() const {
  const Aig& aig = problem_.aig();
  bool from_init = stack_.empty();
  AigBuilder out;
  for (std::uint32_t i = 0; i < aig.num_inputs(); ++i) out.add_input();
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i) {
    Reset reset = aig.latches()[i].reset;
    if (!from_init) reset = stack_.back().state[i] ? Reset::One : Reset::Zero;
    out.add_latch(reset);
  }
  AigLit first = from_init ? kAigFalse : out.add_latch(Reset::One);
  auto of = [&](AigLit lit) {
    std::uint32_t shift = !from_init && aig.is_and(lit.var()) ? 1 : 0;
    return AigLit(lit.var() + shift, lit.negative());
  };
  for (const AndGate& gate : aig.ands()) out.raw_and(of(gate.left), of(gate.right));
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
    out.set_next(of(aig.latch(i)), of(aig.latches()[i].next));
  if (!from_init) out.set_next(first, kAigFalse);
  for (AigLit constraint : aig.constraints()) out.add_constraint(of(constraint));
  for (const StateSet& layer : layers_) {
    AigLit inside = kAigTrue;
    for (const SignalClause& clause : layer) {
      AigLit some = kAigFalse;
      for (AigLit lit : clause) some = out.or_gate(some, of(lit));
      inside = out.and_gate(inside, some);
    }
    out.add_constraint(out.or_gate(first, !inside));
  }
  AigLit bad = out.and_gate(of(problem_.property().bad()), !first);
  SourceMap source;
  source.file = problem_.source.file;
  return {std::move(out).freeze(), {{problem_.property().name, bad}}, std::move(source)};
}

Verdict Rlive::ask() const {
  ++ctx_.stats.counter("rlive.queries");
  return engine::check_one(ic3_, query(), ctx_);
}

std::variant<Layers, Trace, Reason> Rlive::run() {
  while (true) {
    Verdict verdict = ask();
    if (const auto* unknown = std::get_if<Unknown>(&verdict)) return unknown->reason;
    if (auto* unsafe = std::get_if<Unsafe>(&verdict)) {
      if (push(std::get<Trace>(std::move(unsafe->run)))) return whole_run();
      continue;
    }
    std::optional<StateSet> proof = states_of(*certificate_of(verdict));
    if (!proof) return Reason::GaveUp;
    if (stack_.empty()) return Layers{std::move(layers_), *std::move(proof)};
    if (!pop(*std::move(proof))) return ctx_.stopped() ? Reason::Stopped : Reason::GaveUp;
    if (ctx_.progress.due())
      ctx_.progress.publish("rlive: " + std::to_string(layers_.size()) + " layers, depth " +
                            std::to_string(stack_.size()));
  }
}

/// True if the state at the end of the path is on the stack already.
bool Rlive::push(Trace path) {
  const Aig& aig = problem_.aig();
  path.initial.resize(aig.num_latches());
  State reached = last_state(aig, path);
  bool again = std::any_of(stack_.begin(), stack_.end(),
                           [&](const Node& node) { return node.state == reached; });
  stack_.push_back({std::move(reached), std::move(path)});
  return again;
}

/// The states of the invariant of a query, after its first step. nullopt if it is no set of states.
std::optional<StateSet> Rlive::states_of(const Certificate& proof) const {
  const auto* invariant = std::get_if<InductiveInvariant>(&proof);
  if (invariant == nullptr) return {};
  const Aig& aig = problem_.aig();
  // In the query; a gate of the model there if it starts from initial states.
  AigLit first(stack_.empty() ? UINT32_MAX / 2 : aig.first_and(), false);
  StateSet states;
  std::vector<SignalClause> clauses = invariant->clauses;
  clauses.push_back({!problem_.property().bad()});
  for (const SignalClause& clause : clauses) {
    SignalClause later;
    bool holds = false;
    for (AigLit lit : clause) {
      if (lit == !first || lit == kAigTrue) holds = true;
      if (lit == first || lit == kAigFalse || holds) continue;
      if (!aig.is_latch(lit.var())) return {};
      later.push_back(lit);
    }
    if (!holds) states.push_back(std::move(later));
  }
  return states;
}

/// The state on top is blocked: what it reaches becomes a layer, then the state itself. False if
/// that layer is not closed.
bool Rlive::pop(StateSet shoal) {
  State blocked = std::move(stack_.back().state);
  stack_.pop_back();
  return add_layer(std::move(shoal)) && add_cube(blocked);
}

/// Whether each step from the layer leads to it or to one below, and none ends a round.
bool Rlive::add_layer(StateSet layer) {
  OneStep step(problem_.aig(), ctx_.stop);
  step.from(layer);
  for (const StateSet& below : layers_) step.require(!step.before_in(below));
  if (!step.excludes(step.before(problem_.property().bad()))) return false;
  for (const StateSet& below : layers_) step.require(!step.after_in(below));
  if (!step.excludes(!step.after_in(layer))) return false;
  layers_.push_back(std::move(layer));
  ++ctx_.stats.counter("rlive.shoals");
  return true;
}

/// The states all of whose successors are in layers, as far as a core of this one's values shows.
bool Rlive::add_cube(const State& state) {
  const Aig& aig = problem_.aig();
  OneStep step(aig, ctx_.stop);
  for (const StateSet& below : layers_) step.require(!step.after_in(below));
  std::vector<AigLit> cube;
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i) cube.push_back(aig.latch(i) ^ !state[i]);
  auto blocked = [&](const std::vector<AigLit>& lits) {
    std::vector<AigLit> assumed;
    for (AigLit lit : lits) assumed.push_back(step.before(lit));
    return step.refutation().solve_under(assumed) == sat::SatResult::Unsat;
  };
  if (!blocked(cube)) return false;
  std::erase_if(cube, [&](AigLit lit) { return !step.refutation().failed(step.before(lit)); });
  for (std::size_t i = 0; i < cube.size();) {
    std::vector<AigLit> smaller = cube;
    smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(i));
    if (ctx_.stopped() || !blocked(smaller)) {
      ++i;
      continue;
    }
    std::erase_if(smaller, [&](AigLit lit) { return !step.refutation().failed(step.before(lit)); });
    cube = std::move(smaller);
  }
  StateSet layer;
  for (AigLit lit : cube) layer.push_back({lit});
  layers_.push_back(std::move(layer));
  return true;
}

/// From an initial state through all nodes. The last step of a path is the first of the next one.
Trace Rlive::whole_run() const {
  assert(!stack_.empty() && "a run reaches something");
  Trace run{stack_.front().path.initial, {}};
  for (const Node& node : stack_) {
    if (!run.inputs.empty()) run.inputs.pop_back();
    run.inputs.insert(run.inputs.end(), node.path.inputs.begin(), node.path.inputs.end());
  }
  return run;
}

}  // namespace lem::run
