// Steps: what the edges of an automaton do, as substitutions. For a step with values
// `effect`, guards and fresh variables,
//     wep(cmd, post) = exists fresh. guards & post[effect],
// so wep distributes over conjunctions [Lange18 Lemmas 4.8, 4.9]: the literal `lit` of a cube
// becomes lit[effect] = wep(cmd^assume, lit), and the guards are wep(cmd, true).
//
// Deviation: the thesis splits edges at choices [Lange18 Def. 4.8], as many commands as there are
// paths. Here choices may also stay: values are then told apart by the guards of the branches where
// these exclude each other, else by fresh selectors, and lemmas about wep hold all the same.
// Tests: tests/unit/engine/ic3cfa/generalization_test.cpp, tests/fuzz/cfa_fuzz_test.cpp.
#pragma once

#include <cassert>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/cfa.h"
#include "term/traverse.h"

namespace lem::engine {

enum class StepId : std::uint32_t {};
constexpr std::uint32_t index(StepId id) {
  return static_cast<std::uint32_t>(id);
}

struct CfaStep {
  EdgeId edge;
  LocationId from, to;
  std::vector<Term> guards;  // over the variables and `fresh`
  TermMap effect;            // of variables that are written
  std::vector<Term> fresh;   // havocs and selectors, meant existentially
};

class CfaSteps {
 public:
  /// Splits an edge into its paths when there are at most `split_limit` of them.
  CfaSteps(const Cfa& cfa, std::size_t split_limit);

  TermStore& terms() const { return terms_; }
  std::size_t size() const { return steps_.size(); }
  const CfaStep& operator[](StepId id) const {
    assert(index(id) < steps_.size() && "a step of the automaton");
    return steps_[index(id)];
  }
  std::span<const StepId> into(LocationId id) const { return into_[lem::index(id)]; }
  std::span<const StepId> out_of(LocationId id) const { return out_of_[lem::index(id)]; }
  /// post[effect]
  Term before(StepId id, Term post) { return effects_[index(id)].apply(post); }
  /// guards & /\ x' = effect(x): the transition formula [Lange18 Def. 4.3].
  Term transition(StepId id, std::span<const Term> next) const;
  /// Its target lies on a loop: the step enters the loop or goes round in it.
  bool in_loop(StepId id) const { return in_loop_[index(id)]; }

 private:
  void add(const Command& command);
  void find_loops(const Cfa& cfa);

  TermStore& terms_;
  std::vector<Term> variables_;
  std::vector<CfaStep> steps_;
  std::vector<Substitution> effects_;               // by step
  std::vector<std::vector<StepId>> into_, out_of_;  // by location
  std::vector<bool> in_loop_;                       // by step
};

/// Number of paths through a command, at most `limit` + 1.
std::size_t paths_of(const Command& command, std::size_t limit);

}  // namespace lem::engine
