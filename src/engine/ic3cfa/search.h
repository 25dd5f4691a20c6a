// IC3CFA [Lange18 ch. 4]: IC3 on a control-flow automaton. Control is explicit: every location has
// frames of its own, and a cube of data literals is blocked at a location when no edge into it
// leads there from the frames before.
//
//   search.cpp          Algorithms 12 to 14, the queue of obligations (section 4.2.4)
//   preimage.cpp        exact preimages, or parts of them around a model
//   propagation.cpp     section 4.4
//   inductivity.h       edge-relative inductivity (Definitions 4.6, 4.9); answers.h
//   generalization.h    section 4.3; contexts.h, interpolation.h
//   frames.h, parts/cfa_steps.h, parts/cfa_literals.h   what all of them speak of
//
// Soundness notes (docs/errata.md): a cube is blocked only when it is inductive relative to the
// frames of all edges into its location, never at the initial location, where every state is
// initial; and without the cube itself in the premise (Theorem 4.2), so that results of several
// edges may be united. Algorithm 14 asks with the cube in the premise of self-loops; without it the
// answer is the same or a longer search, never another verdict.
//
// Preimages are exact where wep is a cube; elsewhere (disjunctions, choices that are not split,
// havoc) an obligation covers the part of wep around a model, finitely many such parts exist, and
// the obligation before comes back until none is left.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "engine/ic3cfa/generalization.h"
#include "engine/parts/cfa/run.h"
#include "engine/parts/common/obligations.h"

namespace lem {

class Ic3cfaSearch {
 public:
  /// Borrows all three.
  Ic3cfaSearch(const Cfa& cfa, const Ic3cfaConfig& config, const Context& ctx);
  CfaAnswer run();

 private:
  enum class Blocked : std::uint8_t { All, Counterexample, Stopped };
  struct Origin {  // of an obligation
    LocationId at{};
    StepId step{};      // to its successor's location, or the error location
    Level expanded{0};  // where all its predecessors are obligations; 0: nowhere
  };
  struct Preimage {
    std::vector<Term> cube;
    bool exact;
  };

  // search.cpp
  Blocked strengthen();
  Blocked violations();
  Blocked discharge(ObligationId id, Level level);
  bool inductive(ObligationId id, Level level, std::vector<Lit>& core);
  void block(ObligationId id, Level level, std::vector<Lit> core);
  Level push(LocationId here, Level level, Cube cube);
  void requeue(ObligationId id, Level level);
  void extend();
  void add_lemma(LocationId at, Level level, const Cube& cube);
  ObligationHandle make_obligation(const std::vector<Term>& cube, StepId step,
                                   ObligationId successor);
  std::uint32_t rank(std::size_t size, std::uint32_t depth);
  bool stopped() const { return ctx_.stopped() || gave_up_ || inductivity_.gave_up(); }
  using Claims = std::vector<std::optional<Level>>;  // by location: which frame, if any
  LocationInvariants invariants(const Claims& claims) const;
  std::optional<CfaTrace> trace(ObligationId id);

  // preimage.cpp
  Preimage predecessor(StepId step, std::span<const Lit> cube);
  std::vector<Term> around_model(StepId step, const std::vector<Term>& parts);

  // propagation.cpp
  std::optional<Claims> propagate();
  std::optional<Claims> covered();
  void propagate_from(Level level);
  void push_lemma(LocationId to, Level level, const Cube& cube);
  void copy_along_edges(LocationId from, Level level, const Cube& cube);
  void push_postcondition(LocationId from, Level level, const Cube& cube);
  std::optional<std::vector<Lit>> postcondition(StepId step, const Cube& cube);
  bool fixpoint(Level level) const;

  const Cfa& cfa_;
  const Ic3cfaConfig config_;
  const Context& ctx_;
  TermStore& terms_;
  CfaLiterals literals_;
  CfaSteps steps_;
  CfaFrames frames_;
  Inductivity inductivity_;
  CfaGeneralizer generalizer_;
  CfaRuns runs_;
  ObligationQueue obligations_;
  std::vector<Origin> origins_;                  // by obligation
  std::vector<ObligationQueue::Popped> masked_;  // for the next iteration
  std::minstd_rand random_;
  std::optional<CfaTrace> trace_;
  bool gave_up_ = false;
  Counter &lemmas_, &obligation_count_, &depth_, &immediate_, &reused_, &excluded_, &pushed_,
      &without_query_, &approximate_, &covered_;
  Timer& propagate_;
};

}  // namespace lem
