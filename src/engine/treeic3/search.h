// TreeIC3 [Cimatti12; Lange18 4.1; Cimatti14 5]: the control-flow automaton is unwound
// into an abstract reachability tree, depth first. Every node has a formula, a set of clauses that
// holds whenever control comes to its location along its path. Where the formula of a node allows a
// step into the error location, the path to the node is an abstract counterexample, and cubes are
// blocked along it as IC3 does, each relative to the formula of the node before (formula 4.1).
// A leaf that claims more than an older node of its location is covered; the program is safe when
// every leaf is covered.
//
//   search.cpp   the loop, coverage, expansion
//   block.cpp    blocking along a path: projected states, or what predicates say of them
//   refine.cpp   predicates and interpolants of infeasible paths
//   tree.h, lemmas.h, queries.h   what all of them speak of
//   interpolants.h, congruences.h   where formulas come from that no projection has
//
// Deviations: a step that no state of a node takes makes no child. A clause that covers needs is
// asked for along the step into the covered node, which is stronger than implication by the clauses
// the node happens to have (forced covering [McMillan06]). Lemmas of other nodes at the location
// are tried before new ones are made. An abstract cube that is not blocked is no obligation: the
// projected one is, so that a path of abstract states is never longer than a real one and is
// refined at its first spurious step. Tests: tests/unit/engine/treeic3/treeic3_test.cpp,
// tests/fuzz/cfa_fuzz_test.cpp.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "engine/parts/cfa/run.h"
#include "engine/treeic3/congruences.h"
#include "engine/treeic3/interpolants.h"
#include "engine/treeic3/options.h"
#include "engine/treeic3/queries.h"
#include "engine/treeic3/tree.h"

namespace lem {

class TreeIc3 {
 public:
  /// Borrows all three.
  TreeIc3(const Cfa& cfa, const TreeIc3Config& config, const Context& ctx);
  CfaAnswer run();

 private:
  enum class Blocked : std::uint8_t { All, Counterexample, Spuriously, Stopped };
  /// What to do when predicates cannot block a state that is blocked: say so, or block the state.
  enum class Spurious : std::uint8_t { Tell, Learn };

  // search.cpp
  Blocked strengthen(NodeId leaf);
  void close_path(NodeId leaf);
  void expand(NodeId leaf);
  bool cover(NodeId id);
  bool covers(NodeId by, NodeId id);
  bool holds(NodeId id, LemmaId lemma);
  void add_lemma(NodeId id, LemmaId lemma);
  bool is_dead(NodeId id) const { return tree_[id].lemmas.is_false(lemmas_); }
  bool stopped() const { return ctx_.stopped() || gave_up_; }
  Unknown unknown() const { return {ctx_.stopped() ? Reason::Stopped : Reason::GaveUp}; }
  LocationInvariants invariants() const;

  // block.cpp
  struct Obligation {
    NodeId at;
    Cube cube;                     // projected: every state of it leads to the error
    std::optional<Cube> abstract;  // what predicates say of it, where that differs
  };
  Blocked block(NodeId leaf, StepId error, Spurious spurious);
  Blocked discharge(std::vector<Obligation>& stack, Spurious spurious);
  bool blocked_as_elsewhere(NodeId at, const Cube& cube);
  bool blocked_by_predicates(const Obligation& obligation);
  void learn(NodeId at, StepQueries::Core core);
  void drop(NodeId at, StepQueries::Core& core);
  void weaken(NodeId at, StepQueries::Core& core);
  Obligation predecessor(NodeId at, StepId step, std::span<const Lit> cube);
  Cube abstraction(NodeId at, const Cube& cube);

  // refine.cpp
  Blocked rule_out(NodeId leaf, StepId error);
  Blocked follow(NodeId leaf, StepId error, std::vector<std::vector<Term>>* contradiction);
  bool may_interpolate() const;
  bool is_congruent(NodeId leaf) const;
  Blocked refine(NodeId leaf, StepId error);
  void adopt(NodeId id, const std::vector<Term>& clause);
  void add_predicates(LocationId at, const Cube& cube);

  const Cfa& cfa_;
  const TreeIc3Config config_;
  const Context& ctx_;
  TermStore& terms_;
  CfaLiterals literals_;
  CfaSteps steps_;
  Lemmas lemmas_;
  StepQueries queries_;
  CfaRuns runs_;
  PathInterpolants interpolants_;
  Congruences congruences_;
  std::set<LocationId> congruent_at_;  // where they were of use
  Art tree_;
  std::vector<std::vector<LemmaId>> vocabulary_;  // by location: lemmas of any of its nodes
  std::vector<std::vector<Lit>> predicates_;      // by location, positive
  struct Refuted {
    std::uint32_t version = 0;  // of the parent's lemmas
    std::set<LemmaId> lemmas;   // that do not hold after the step
  };
  std::vector<Refuted> refuted_;  // by node
  std::optional<CfaTrace> trace_;
  bool gave_up_ = false;
  Counter &nodes_, &covered_, &uncovered_, &cut_, &lemma_count_, &reused_, &pushed_, &obligations_,
      &predicate_count_, &refinements_, &adopted_, &abstract_, &spurious_, &congruent_;
  Timer& follow_;
};

}  // namespace lem
