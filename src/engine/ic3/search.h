// The state of one run of ic3; ic3.cpp says what the files have.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "base/context.h"
#include "engine/engine.h"
#include "engine/ic3/options.h"
#include "engine/ic3/reachable.h"
#include "engine/ic3/stats.h"
#include "engine/parts/bits/frames.h"
#include "engine/parts/bits/lemma_exchange.h"
#include "engine/parts/common/generalizer.h"
#include "engine/parts/common/obligations.h"
#include "engine/parts/common/outcome.h"
#include "engine/parts/common/sample.h"
#include "model/verdict.h"

namespace lem::engine {

class Ic3Search {
 public:
  /// Borrows both.
  Ic3Search(const Problem& problem, const Context& ctx);
  /// The one property.
  Verdict run();
  /// All of them on the same frames, which over-approximate what is reachable whatever the
  /// property: they stay after a proof and after a counterexample. A property with a query that is
  /// too hard is set aside: it is not reported.
  void run(const OnFound& found);

  const Frames& frames() const { return frames_.lemmas(); }  // for tests

  // The oracle of Generalizer (contracts there).
  Induction inductive(Level i, std::span<const Lit> cube) { return frames_.inductive(i, cube); }
  std::vector<Lit> counterexample() const { return frames_.counterexample(); }
  bool meets_initial(std::span<const Lit> cube) const { return frames_.meets_initial(cube); }
  void order(std::vector<Lit>& cube) const;
  bool block_ctg(Level i, const Effort& effort, std::uint32_t depth);

 private:
  struct Details {            // of an obligation
    std::vector<Lit> inputs;  // under which its states reach the successor's cube
    bool may = false;         // would help, but need not hold [Ivrii15 Quip]
    double effort = 0;        // how often it came back unblocked, decayed [Su25a DynAMic]
  };
  using Queue = ObligationQueue<Details>;
  static Queue::Rank rank_by(Ic3Config::Ties ties);
  bool stopped() const { return ctx_.stopped(); }

  // together.cpp
  void search(const OnFound& found);
  bool strengthen_all(const OnFound& found);
  void report_violated(const OnFound& found);
  void report_proved(const OnFound& found);
  void close(std::size_t property);

  // search.cpp
  Verdict search();
  void finish();
  Outcome strengthen(std::size_t property);
  sat::SatResult find_bad(std::size_t property);
  Outcome discharge(ObligationId id, Level level);
  void learn(ObligationId id, Level level, std::vector<Lit> core);
  Outcome enqueue_predecessor(ObligationId id, Level level);
  Outcome arrive(ObligationId id, std::optional<ReachedId> from);
  void walk_forward(ObligationId id, std::optional<ReachedId> from);
  ReachedId remember(ReachedStates::Added added);
  Trace trace_of(ObligationId id, std::optional<ReachedId> from) const;
  bool replays(ObligationId id) const;
  Effort effort_for(const Details& obligation) const;
  std::optional<std::uint32_t> block_chain(Level i, std::vector<Lit> cube, const Effort& effort,
                                           std::uint32_t depth, std::uint32_t budget);
  Lifted lift_last_model();
  void add_lemma(Level level, std::span<const Lit> cube);
  void rebuild_if_stale(Level level);
  void report_progress();

  // propagate.cpp
  std::optional<Level> propagate();
  void push_frame(Level level);
  void push_lemma(Level level, const Lemma& lemma);
  void record_failed_push(Level level, const Lemma& lemma);
  void push_armed(Level up_to);
  void find_infinite(Level level);

  // share.cpp
  void share_lemmas();
  void publish_lemmas(Level from);
  void take_claims();
  bool take(const LemmaClaim& claim);
  /// A lemma of another run that is not proved here yet.
  struct Pending {
    LemmaClaim claim;
    std::uint32_t tries = 0;
    Level tried_at{0};  // the top frame then
  };

  const Problem& problem_;
  const Context& ctx_;
  Ic3Config config_;
  Ic3Stats stats_;
  BitFrames frames_;
  Queue obligations_;
  Generalizer<Ic3Search> generalizer_;
  std::optional<Cube> parent_;  // of the lemma under way: its literals are dropped last [Xia23]
  ReachedStates reached_;
  std::optional<Trace> trace_;
  std::vector<std::size_t> open_;  // properties that are neither decided nor set aside
  Sample sample_;                  // of obligations whose chain is replayed
  LemmaExchange exchange_;
  std::vector<Pending> claims_;

  std::chrono::steady_clock::time_point reported_at_ = std::chrono::steady_clock::now();
  std::uint64_t reported_queries_ = 0;
};

}  // namespace lem::engine
