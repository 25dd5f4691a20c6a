// IC3CFA [004 chapter 4]: IC3 on a control-flow automaton. Control is explicit: every location has
// frames of its own, and a cube of data literals is blocked at a location when no edge into it
// leads there from the frames before. search.cpp has Algorithms 12 to 14, queries.cpp edge-relative
// inductivity and exact preimages.
//
// Soundness notes (ERRATA on 004): a cube is blocked only when it is inductive relative to the
// frames of all edges into its location, never at the initial location, where every state is
// initial; and without the cube itself in the premise (Theorem 4.2), so that cores of several edges
// may be united.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/context.h"
#include "engine/parts/frames.h"
#include "engine/parts/generalizer.h"
#include "engine/parts/obligations.h"
#include "model/cfa_evidence.h"
#include "model/verdict.h"
#include "smt/smt_solver.h"

namespace lem {

using CfaAnswer = std::variant<LocationInvariants, CfaTrace, Unknown>;

struct Ic3cfaConfig {
  Effort effort{.method = Generalize::Drop};
  bool propagate = true;  // lemmas to the next level of their location
};

class Ic3cfaSearch {
 public:
  /// Borrows all three.
  Ic3cfaSearch(const Cfa& cfa, const Ic3cfaConfig& config, const Context& ctx);
  CfaAnswer run();

  // The oracle of Generalizer (contracts there), for the location of the cube at hand.
  bool inductive(Level i, std::span<const Lit> cube, std::vector<Lit>& core);
  void counterexample(std::vector<Lit>& state);
  static bool meets_initial(std::span<const Lit>) { return false; }
  void order(std::vector<Lit>& cube) const;
  static bool block_ctg(Level, const Effort&, std::uint32_t) { return false; }
  bool stopped() const { return ctx_.stopped() || gave_up_; }

 private:
  enum class Blocked : std::uint8_t { All, Counterexample, Stopped };
  struct Origin {  // of an obligation
    LocationId at{};
    EdgeId edge{};  // to its successor's location, or the error location
  };

  // search.cpp
  Blocked strengthen();
  Blocked discharge(ObligationId id, Level level);
  ObligationId make_obligation(std::vector<Term> cube, EdgeId edge, ObligationId successor);
  std::optional<Level> propagate();
  void extend();
  void add_lemma(LocationId at, Level level, Cube cube);
  LocationInvariants invariants(Level level);
  std::optional<CfaTrace> trace(ObligationId id);

  // queries.cpp
  /// What is asked about steps out of one location: lemmas there, its edges, literals over X'.
  struct Place {
    std::unique_ptr<smt::SmtSolver> solver;
    Frames frames;
    std::vector<Term> switches;  // by level
    std::vector<bool> labels;    // by literal code: told
  };
  Lit literal(Term formula);
  Term formula(Lit lit) const;
  Term frame_switch(Place& place, Level level);
  smt::Answer step_into(Level from, EdgeId edge, std::span<const Lit> cube, std::vector<Lit>* core);
  std::vector<Term> predecessor(EdgeId edge, Term target);
  Place& place(LocationId id) { return places_[index(id)]; }

  const Cfa& cfa_;
  Ic3cfaConfig config_;
  const Context& ctx_;
  TermStore& terms_;
  std::vector<Term> next_;  // X'
  std::vector<Place> places_;
  std::vector<Term> edge_switches_;
  std::unique_ptr<smt::SmtSolver> scratch_;  // nothing asserted
  std::vector<Term> atoms_, labels_;         // by variable; by literal code
  std::unordered_map<Term, sat::Var> index_;
  std::vector<double> activity_;
  ObligationQueue obligations_;
  std::vector<Origin> origins_;  // by obligation
  Generalizer<Ic3cfaSearch> generalizer_;
  LocationId here_{};             // of the cube at hand
  std::optional<EdgeId> failed_;  // the edge along which the last query found a step
  std::optional<CfaTrace> trace_;
  Level top_{1};
  bool gave_up_ = false;
  Counter &queries_, &lemmas_, &obligation_count_, &depth_;
  Timer &solve_, &generalize_, &propagate_;
};

}  // namespace lem
