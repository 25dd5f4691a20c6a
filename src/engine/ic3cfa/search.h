// The state of one run of IC3CFA; ic3cfa.cpp says what the files have.
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "engine/ic3cfa/generalization.h"
#include "engine/parts/cfa/run.h"
#include "engine/parts/common/induction.h"
#include "engine/parts/common/obligations.h"
#include "engine/parts/common/outcome.h"
#include "engine/parts/common/sample.h"

namespace lem::engine {

class Ic3cfaSearch {
 public:
  /// Borrows all three.
  Ic3cfaSearch(const Cfa& cfa, const Ic3cfaConfig& config, const Context& ctx);
  CfaAnswer run();

 private:
  struct Origin {  // of an obligation
    LocationId at{};
    StepId step{};           // to its successor's location, or the error location
    std::uint32_t rank = 0;  // of obligations at one level the least comes first
    Level expanded{0};       // where all its predecessors are obligations; 0: nowhere
  };
  using Queue = ObligationQueue<Origin>;
  struct Preimage {
    StepId step;
    std::vector<Term> cube;
    bool exact;
  };
  struct Consecution {                  // of a cube at a location
    Induction::Answer answer;           // along all edges into the location
    std::vector<Lit> core = {};         // if it holds: a part of the cube that is inductive, too
    std::vector<Preimage> before = {};  // if it fails: of every edge that leads into the cube
  };

  // search.cpp
  Outcome strengthen();
  Outcome violations();
  Outcome discharge(ObligationId id, Level level);
  Consecution inductive(Level level, LocationId here, const Cube& cube);
  void enqueue_predecessors(ObligationId id, Level level, const std::vector<Preimage>& before);
  void block(ObligationId id, Level level, std::vector<Lit> core);
  Level push(LocationId here, Level level, Cube cube);
  void requeue(ObligationId id, Level level);
  void extend();
  void add_lemma(LocationId at, Level level, const Cube& cube);
  Queue::Handle make_obligation(const Preimage& before, ObligationId successor);
  std::uint32_t rank(std::size_t size, std::uint32_t depth);
  bool stopped() const { return ctx_.stopped() || gave_up_ || inductivity_.gave_up(); }
  using Claims = std::vector<std::optional<Level>>;  // by location: which frame, if any
  Term claim(LocationId at, Level level) const;
  LocationInvariants invariants(const Claims& claims) const;
  std::vector<StepId> steps_from(ObligationId id) const;
  bool follows(LocationId at, Level level, const Cube& cube);
  bool replays(ObligationId id);
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
  Queue obligations_;
  std::vector<Queue::Popped> masked_;  // for the next iteration
  std::minstd_rand random_;
  std::optional<CfaTrace> trace_;
  bool gave_up_ = false;
  Sample sample_;  // of lemmas and obligations whose contracts are asked about
  Ic3cfaStats stats_;
};

}  // namespace lem::engine
