// Small random models and what explicit-state search says about them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "model/problem.h"
#include "model/verdict.h"

namespace lem::test {

using Rng = std::mt19937;

inline std::uint32_t below(Rng& rng, std::uint32_t bound) {
  return static_cast<std::uint32_t>(rng() % bound);
}

inline Problem random_problem(Rng& rng) {
  AigBuilder builder;
  std::vector<AigLit> signals{kAigFalse};
  std::vector<AigLit> latches;
  for (std::uint32_t i = below(rng, 3); i-- > 0;) signals.push_back(builder.add_input());
  for (std::uint32_t i = 1 + below(rng, 4); i-- > 0;) {
    std::uint32_t kind = below(rng, 6);
    Reset reset = kind == 0 ? Reset::Free : kind == 1 ? Reset::One : Reset::Zero;
    latches.push_back(builder.add_latch(reset));
    signals.push_back(latches.back());
  }
  auto pick = [&] {
    std::uint32_t size = static_cast<std::uint32_t>(signals.size());
    return signals[below(rng, size)] ^ (below(rng, 2) == 0);
  };
  for (std::uint32_t i = 2 + below(rng, 12); i-- > 0;)
    signals.push_back(builder.raw_and(pick(), pick()));
  for (AigLit latch : latches) builder.set_next(latch, pick());
  if (below(rng, 3) == 0) builder.add_constraint(pick());
  AigLit bad = builder.raw_and(pick(), pick());
  Problem problem{std::move(builder).freeze(), {{"b0", bad, "b0"}}, {}};
  problem.source.file = "random.aag";
  for (std::uint32_t var = 0; var < problem.aig.num_vars(); ++var)
    problem.source.file_var.push_back(var);
  return problem;
}

using State = std::vector<bool>;

/// Explicit-state search, breadth first.
class Explicit {
 public:
  explicit Explicit(const Problem& problem) : problem_(problem), aig_(problem.aig) { search(); }

  bool safe() const { return !cex_; }
  const Trace& trace() const { return *cex_; }
  const std::set<State>& reached() const { return reached_; }
  std::size_t depth() const { return depth_; }

  /// A clause for each state that is not reachable: with a safe property, inductive.
  std::vector<SignalClause> reachable_as_clauses() const {
    std::vector<SignalClause> clauses;
    for (std::uint32_t code = 0; code < (1U << aig_.num_latches()); ++code) {
      State state = unpack(code, aig_.num_latches());
      if (reached_.count(state) != 0) continue;
      SignalClause& clause = clauses.emplace_back();
      for (std::uint32_t i = 0; i < aig_.num_latches(); ++i)
        clause.push_back(aig_.latch(i) ^ state[i]);
    }
    return clauses;
  }

  static State unpack(std::uint32_t code, std::uint32_t size) {
    State bits;
    for (std::uint32_t i = 0; i < size; ++i) bits.push_back(((code >> i) & 1) != 0);
    return bits;
  }

 private:
  bool holds(AigLit lit) const { return value_[lit.var()] != lit.negative(); }
  void evaluate(const State& state, const State& inputs) {
    value_.assign(aig_.num_vars(), false);
    for (std::uint32_t i = 0; i < inputs.size(); ++i) value_[aig_.input(i).var()] = inputs[i];
    for (std::uint32_t i = 0; i < state.size(); ++i) value_[aig_.latch(i).var()] = state[i];
    for (std::uint32_t var = aig_.first_and(); var < aig_.num_vars(); ++var)
      value_[var] = holds(aig_.gate_of(var).left) && holds(aig_.gate_of(var).right);
  }
  bool constraints_hold() const {
    for (AigLit lit : aig_.constraints())
      if (!holds(lit)) return false;
    return true;
  }
  void search();

  const Problem& problem_;
  const Aig& aig_;
  std::vector<bool> value_;
  std::set<State> reached_;
  std::optional<Trace> cex_;
  std::size_t depth_ = 0;
};

inline void Explicit::search() {
  std::map<State, Trace> layer;
  for (std::uint32_t code = 0; code < (1U << aig_.num_latches()); ++code) {
    State state = unpack(code, aig_.num_latches());
    bool initial = true;
    for (std::uint32_t i = 0; i < state.size(); ++i) {
      Reset reset = aig_.latches()[i].reset;
      initial = initial && (reset == Reset::Free || state[i] == (reset == Reset::One));
    }
    if (initial) layer.emplace(state, Trace{state, {}});
  }
  for (; !layer.empty(); ++depth_) {
    std::map<State, Trace> next_layer;
    for (const auto& [state, trace] : layer) reached_.insert(state);
    for (const auto& [state, trace] : layer) {
      for (std::uint32_t code = 0; code < (1U << aig_.num_inputs()); ++code) {
        State inputs = unpack(code, aig_.num_inputs());
        evaluate(state, inputs);
        if (!constraints_hold()) continue;
        Trace longer = trace;
        longer.inputs.push_back(inputs);
        if (holds(problem_.property().bad)) {
          if (!cex_) cex_ = longer;
          continue;
        }
        State next;
        for (const Latch& latch : aig_.latches()) next.push_back(holds(latch.next));
        if (reached_.count(next) == 0) next_layer.emplace(next, longer);
      }
    }
    layer = std::move(next_layer);
  }
}

}  // namespace lem::test
