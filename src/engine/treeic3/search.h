// The state of one run of TreeIC3; treeic3.cpp says what the files have.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "engine/parts/cfa/run.h"
#include "engine/parts/common/sample.h"
#include "engine/treeic3/congruences.h"
#include "engine/treeic3/interpolants.h"
#include "engine/treeic3/options.h"
#include "engine/treeic3/queries.h"
#include "engine/treeic3/stats.h"
#include "engine/treeic3/tree.h"

namespace lem::engine {

class TreeIc3Search {
 public:
  /// Borrows all three.
  TreeIc3Search(const Cfa& cfa, const TreeIc3Config& config, const Context& ctx);
  CfaAnswer run();

 private:
  enum class Blocked : std::uint8_t { Done, Counterexample, Spuriously, Stopped };
  /// What to do when predicates cannot block a state that is blocked: report it, or block the
  /// state.
  enum class Spurious : std::uint8_t { Report, Learn };

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
  Term claim(NodeId id) const;
  bool follows(NodeId id, LemmaId lemma);
  LocationInvariants invariants() const;

  // block.cpp
  struct Obligation {
    NodeId at;
    Cube cube;                     // projected: every state of it leads to the error
    std::optional<Cube> abstract;  // what predicates say of it, where that differs
  };
  Blocked block(NodeId leaf, StepId error, Spurious spurious);
  struct Discharged {
    Blocked outcome;                   // Done: the obligation is blocked, or another comes first
    std::optional<Obligation> before;  // that one
  };
  Discharged discharge(const Obligation& top, Spurious spurious);
  bool blocked_as_elsewhere(NodeId at, const Cube& cube);
  bool blocked_by_predicates(const Obligation& obligation);
  void learn(NodeId at, StepQueries::Core core);
  StepQueries::Core drop(NodeId at, StepQueries::Core core);
  StepQueries::Core weaken(NodeId at, StepQueries::Core core);
  Obligation predecessor(NodeId at, StepId step, std::span<const Lit> cube);
  Cube abstraction(NodeId at, const Cube& cube);

  // refine.cpp
  Blocked rule_out(NodeId leaf, StepId error);
  struct Followed {
    Blocked outcome;                               // Done: the path is infeasible
    std::vector<std::vector<Term>> contradiction;  // then why, by step
  };
  Followed follow(NodeId leaf, StepId error);
  bool may_interpolate() const;
  bool is_congruent(NodeId leaf) const;
  Blocked refine(NodeId leaf, StepId error);
  void adopt(NodeId id, const std::vector<Term>& clause);
  void add_predicates(LocationId at, const Cube& cube);

  const Cfa& cfa_;
  const TreeIc3Config config_;
  const Context& ctx_;
  TreeIc3Stats stats_;
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
  Sample sample_;  // of lemmas whose contract is asked about
};

}  // namespace lem::engine
