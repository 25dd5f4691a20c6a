// Explicit-state search over small problems: the truth that tests compare engines, transforms and
// the checker with. States and input valuations are bit masks (latch i = bit i); all input
// valuations of a state are evaluated at once, 64 to a word.
//   require everywhere: at most 20 latches and 6 inputs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/problem.h"
#include "model/verdict.h"

namespace lem::test {

class ExplicitModel {
 public:
  using State = std::uint32_t;
  using Word = std::uint64_t;  // bit i: the value under input valuation i

  explicit ExplicitModel(const Problem& problem)
      : aig_(problem.aig()), bad_(problem.property().bad()), words_(problem.aig().num_vars(), 0) {
    assert(aig_.num_latches() <= 20 && aig_.num_inputs() <= 6 && "too large for explicit search");
  }

  std::uint32_t num_states() const { return State{1} << aig_.num_latches(); }
  std::uint32_t num_inputs() const { return std::uint32_t{1} << aig_.num_inputs(); }
  Word all_inputs() const { return num_inputs() == 64 ? ~Word{0} : (Word{1} << num_inputs()) - 1; }

  /// Evaluates every signal in `state` under all inputs; `value`, `constrained` and `successor`
  /// then speak about that state.
  void visit(State state) {
    static constexpr Word kPattern[6] = {0xaaaaaaaaaaaaaaaaULL, 0xccccccccccccccccULL,
                                         0xf0f0f0f0f0f0f0f0ULL, 0xff00ff00ff00ff00ULL,
                                         0xffff0000ffff0000ULL, 0xffffffff00000000ULL};
    for (std::uint32_t i = 0; i < aig_.num_inputs(); ++i) words_[1 + i] = kPattern[i];
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
      words_[aig_.first_latch() + i] = (state >> i & 1) != 0 ? ~Word{0} : 0;
    std::uint32_t var = aig_.first_and();
    for (const AndGate& gate : aig_.ands()) words_[var++] = raw(gate.left) & raw(gate.right);
  }
  Word value(AigLit lit) const { return raw(lit) & all_inputs(); }
  Word bad() const { return value(bad_); }
  /// The inputs under which all constraints hold.
  Word constrained() const {
    Word word = all_inputs();
    for (AigLit constraint : aig_.constraints()) word &= raw(constraint);
    return word;
  }
  State successor(std::uint32_t input) const {
    State next = 0;
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
      next |= static_cast<State>(raw(aig_.latches()[i].next) >> input & 1) << i;
    return next;
  }
  /// All clauses hold and the state is not bad.
  Word holds(const std::vector<SignalClause>& clauses) const {
    Word word = ~bad() & all_inputs();
    for (const SignalClause& clause : clauses) {
      Word some = 0;
      for (AigLit lit : clause) some |= raw(lit);
      word &= some;
    }
    return word;
  }

  bool is_initial(State state) const {
    for (std::uint32_t i = 0; i < aig_.num_latches(); ++i) {
      bool one = (state >> i & 1) != 0;
      if (aig_.latches()[i].reset == (one ? Reset::Zero : Reset::One)) return false;
    }
    return true;
  }

 private:
  Word raw(AigLit lit) const { return lit.negative() ? ~words_[lit.var()] : words_[lit.var()]; }

  const Aig& aig_;  // borrowed from the problem
  AigLit bad_;
  std::vector<Word> words_;
};

struct ExplicitResult {
  std::vector<bool> reachable;  // by state: some run whose earlier steps satisfy the constraints
  std::optional<Trace> trace;   // a shortest one, if the property fails
  std::uint32_t depth = 0;      // breadth-first levels explored
  bool safe() const { return !trace.has_value(); }
};

/// Breadth-first search over everything reachable; a violation does not end it.
inline ExplicitResult explore(const Problem& problem) {
  ExplicitModel model(problem);
  struct Parent {
    std::uint32_t state;
    std::uint32_t input;
  };
  ExplicitResult result;
  result.reachable.assign(model.num_states(), false);
  std::vector<Parent> parent(model.num_states());
  std::vector<std::uint32_t> level;
  for (std::uint32_t state = 0; state < model.num_states(); ++state)
    if (model.is_initial(state)) {
      result.reachable[state] = true;
      level.push_back(state);
    }
  auto bits = [](std::uint32_t word, std::uint32_t count) {
    std::vector<bool> out(count);
    for (std::uint32_t i = 0; i < count; ++i) out[i] = (word >> i & 1) != 0;
    return out;
  };
  auto build = [&](std::uint32_t state, std::uint32_t input, std::uint32_t depth) {
    Trace trace;
    trace.inputs.assign(depth + 1, {});
    trace.inputs[depth] = bits(input, problem.aig().num_inputs());
    for (std::uint32_t step = depth; step-- > 0; state = parent[state].state)
      trace.inputs[step] = bits(parent[state].input, problem.aig().num_inputs());
    trace.initial = bits(state, problem.aig().num_latches());
    return trace;
  };
  for (; !level.empty(); ++result.depth) {
    std::vector<std::uint32_t> next_level;
    for (std::uint32_t state : level) {
      model.visit(state);
      std::uint64_t allowed = model.constrained();
      std::uint64_t violated = allowed & model.bad();
      for (std::uint32_t input = 0; input < model.num_inputs(); ++input) {
        if ((violated >> input & 1) != 0 && !result.trace)
          result.trace = build(state, input, result.depth);
        std::uint32_t next = model.successor(input);
        if ((allowed >> input & 1) == 0 || result.reachable[next]) continue;
        result.reachable[next] = true;
        parent[next] = {state, input};
        next_level.push_back(next);
      }
    }
    level = std::move(next_level);
  }
  return result;
}

/// Is `trace` a run of the problem: right sizes, from reset, all constraints at every step, and bad
/// at the last one? For models of any size.
inline bool replays(const Problem& problem, const Trace& trace) {
  const Aig& aig = problem.aig();
  if (trace.initial.size() != aig.num_latches() || trace.inputs.empty()) return false;
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
    if (aig.latches()[i].reset == (trace.initial[i] ? Reset::Zero : Reset::One)) return false;
  std::vector<bool> state = trace.initial;
  std::vector<bool> value(aig.num_vars(), false);
  auto of = [&](AigLit lit) { return value[lit.var()] != lit.negative(); };
  for (const std::vector<bool>& inputs : trace.inputs) {
    if (inputs.size() != aig.num_inputs()) return false;
    for (std::uint32_t i = 0; i < aig.num_inputs(); ++i) value[1 + i] = inputs[i];
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i) value[aig.first_latch() + i] = state[i];
    std::uint32_t var = aig.first_and();
    for (const AndGate& gate : aig.ands()) value[var++] = of(gate.left) && of(gate.right);
    for (AigLit constraint : aig.constraints())
      if (!of(constraint)) return false;
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i) state[i] = of(aig.latches()[i].next);
  }
  return of(problem.property().bad());
}

/// Initiation and consecution of an inductive invariant, by enumeration (see model/verdict.h).
inline bool is_inductive(const Problem& problem, const InductiveInvariant& invariant) {
  ExplicitModel model(problem);
  // Can a step in this state satisfy the constraints and not the invariant?
  std::vector<bool> violable(model.num_states());
  for (std::uint32_t state = 0; state < model.num_states(); ++state) {
    model.visit(state);
    violable[state] = (model.constrained() & ~model.holds(invariant.clauses)) != 0;
    if (violable[state] && model.is_initial(state)) return false;
  }
  for (std::uint32_t state = 0; state < model.num_states(); ++state) {
    model.visit(state);
    std::uint64_t from = model.constrained() & model.holds(invariant.clauses);
    for (std::uint32_t input = 0; input < model.num_inputs(); ++input)
      if ((from >> input & 1) != 0 && violable[model.successor(input)]) return false;
  }
  return true;
}

/// The successors of each state by steps on which constraints and Q hold, and where Q may fail.
struct QSteps {
  QSteps(const Problem& problem, const KInductive& proof) {
    ExplicitModel model(problem);
    successors.resize(model.num_states());
    allowed.resize(model.num_states());
    violable.resize(model.num_states());
    initial.resize(model.num_states());
    for (std::uint32_t state = 0; state < model.num_states(); ++state) {
      model.visit(state);
      std::uint64_t good = model.holds(proof.clauses);
      violable[state] = (model.constrained() & ~good) != 0;
      initial[state] = model.is_initial(state);
      for (std::uint32_t input = 0; input < model.num_inputs(); ++input) {
        if ((model.constrained() >> input & 1) == 0) continue;
        std::uint32_t next = model.successor(input);
        allowed[state].push_back(next);
        std::vector<std::uint32_t>& known = successors[state];
        if ((good >> input & 1) != 0 && std::find(known.begin(), known.end(), next) == known.end())
          known.push_back(next);
      }
    }
  }
  /// Some path of `left` further Q-steps from the end of `path` leads to a violation.
  bool escapes(std::vector<std::uint32_t>& path, std::uint32_t left, SimplePath simple) const {
    std::uint32_t state = path.back();
    if (left == 0) return violable[state];
    for (std::uint32_t next : successors[state]) {
      bool repeats = false;
      // The violating state itself may repeat an earlier one: only the k Q-steps differ pairwise.
      if (simple == SimplePath::Yes && left > 1)
        for (std::uint32_t earlier : path) repeats = repeats || earlier == next;
      if (repeats) continue;
      path.push_back(next);
      if (escapes(path, left - 1, simple)) return true;
      path.pop_back();
    }
    return false;
  }

  std::vector<std::vector<std::uint32_t>> successors;
  std::vector<std::vector<std::uint32_t>> allowed;  // by any constrained step
  std::vector<bool> violable;
  std::vector<bool> initial;
};

/// Base case and step of a k-inductive invariant, by enumeration. With simple paths the cost is
/// exponential in k.
inline bool is_k_inductive(const Problem& problem, const KInductive& proof) {
  QSteps steps(problem, proof);
  std::vector<bool> level = steps.initial;
  for (std::uint32_t depth = 0; depth < proof.k; ++depth) {
    std::vector<bool> next_level(level.size());
    for (std::uint32_t state = 0; state < level.size(); ++state) {
      if (!level[state]) continue;
      if (steps.violable[state]) return false;
      for (std::uint32_t next : steps.allowed[state]) next_level[next] = true;
    }
    level = std::move(next_level);
  }
  if (proof.simple_path == SimplePath::Yes) {
    for (std::uint32_t state = 0; state < level.size(); ++state) {
      std::vector<std::uint32_t> path{state};
      if (steps.escapes(path, proof.k, SimplePath::Yes)) return false;
    }
    return true;
  }
  level.assign(level.size(), true);
  for (std::uint32_t depth = 0; depth < proof.k; ++depth) {
    std::vector<bool> next_level(level.size());
    for (std::uint32_t state = 0; state < level.size(); ++state)
      if (level[state])
        for (std::uint32_t next : steps.successors[state]) next_level[next] = true;
    level = std::move(next_level);
  }
  for (std::uint32_t state = 0; state < level.size(); ++state)
    if (level[state] && steps.violable[state]) return false;
  return true;
}

/// The reachable states exactly: one clause per unreachable state.
///   require: the problem is safe
inline InductiveInvariant reachable_as_clauses(const Problem& problem,
                                               const ExplicitResult& result) {
  InductiveInvariant invariant;
  for (std::uint32_t state = 0; state < result.reachable.size(); ++state) {
    if (result.reachable[state]) continue;
    SignalClause clause;
    for (std::uint32_t i = 0; i < problem.aig().num_latches(); ++i)
      clause.push_back(problem.aig().latch(i) ^ ((state >> i & 1) != 0));
    invariant.clauses.push_back(std::move(clause));
  }
  return invariant;
}

/// Verdict and evidence against the truth; for fuzz tests of engines.
inline bool evidence_holds(const Problem& problem, const Verdict& verdict) {
  if (is_unsafe(verdict)) return replays(problem, run_as<Trace>(verdict));
  const auto* safe = std::get_if<Safe>(&verdict);
  if (safe == nullptr) return true;
  if (const auto* invariant = std::get_if<InductiveInvariant>(&safe->certificate))
    return is_inductive(problem, *invariant);
  return is_k_inductive(problem, std::get<KInductive>(safe->certificate));
}

}  // namespace lem::test
