// The state of one IC3 run. The algorithm is split by its parts: search.cpp (main loop and
// blocking), queries.cpp (SAT queries, the generalizer's oracle), propagate.cpp (pushing, infinity
// frame), reachable.cpp (Quip's reachable states and counterexample traces).
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "base/context.h"
#include "engine/ic3/options.h"
#include "engine/parts/bits/lifter.h"
#include "engine/parts/bits/transition_cnf.h"
#include "engine/parts/common/frames.h"
#include "engine/parts/common/generalizer.h"
#include "engine/parts/common/obligations.h"
#include "engine/parts/common/push_up.h"
#include "model/verdict.h"

namespace lem {

struct Ic3Stats {
  explicit Ic3Stats(Stats& all)
      : obligations(all.counter("ic3.obligations")),
        lemmas(all.counter("ic3.lemmas")),
        ctgs(all.counter("ic3.ctgs")),
        pushes(all.counter("ic3.pushes")),
        push_skips(all.counter("ic3.push-skips")),
        infinity(all.counter("ic3.infinity-lemmas")),
        reachable(all.counter("ic3.reachable-states")),
        rebuilds(all.counter("ic3.solver-rebuilds")),
        depth(all.counter("ic3.depth")),
        queries(all.counter("ic3.queries")),
        conflicts(all.counter("ic3.conflicts")),
        generalize(all.timer("ic3.generalize")),
        lift(all.timer("ic3.lift")),
        block(all.timer("ic3.block")),
        propagate(all.timer("ic3.propagate")) {}
  Counter &obligations, &lemmas, &ctgs, &pushes, &push_skips, &infinity, &reachable, &rebuilds,
      &depth, &queries, &conflicts;
  Timer &generalize, &lift, &block, &propagate;
};

class Ic3Search {
 public:
  Ic3Search(const Problem& problem, const Context& ctx);
  ~Ic3Search();
  Verdict run();

  const Frames& frames() const { return frames_; }  // for tests

  // The oracle of Generalizer (contracts there).
  Induction inductive(Level i, std::span<const Lit> cube);
  std::vector<Lit> counterexample() const;
  bool meets_initial(std::span<const Lit> cube) const { return cnf_.meets_reset(cube); }
  void order(std::vector<Lit>& cube) const;
  bool block_ctg(Level i, const Effort& effort, std::uint32_t depth);

 private:
  bool stopped() const { return ctx_.stopped(); }
  enum class Blocked : std::uint8_t { All, Counterexample, Stopped };

  // search.cpp
  void extend();
  Blocked strengthen();
  bool find_bad();
  Blocked discharge(ObligationId id, Level level);
  void learn(ObligationId id, Level level, std::vector<Lit> core);
  Blocked enqueue_predecessor(ObligationId id, Level level);
  Blocked arrive(ObligationId id, std::uint32_t from);
  Effort effort_for(const Obligation& obligation) const;
  void add_lemma(Level level, Cube cube);
  void add_lemma_infinity(Cube cube);
  void report_progress();

  // queries.cpp
  bool block_chain(Level i, std::vector<Lit> cube, const Effort& effort, std::uint32_t depth,
                   std::uint32_t& budget);
  std::vector<Lit> lift_last_model();
  Lifted lift_model(sat::Cdcl& solver, std::span<const Lit> targets);
  void repair_initiation(std::span<const Lit> cube);
  void add_clause_of(const Cube& cube, sat::Cdcl& solver) const;
  void rebuild_if_stale(Level level);
  void bump(std::span<const Lit> cube);

  // propagate.cpp
  std::optional<Level> propagate();
  void push_frame(Level level);
  bool push_lemma(Level level, const Lemma& lemma);
  void record_failed_push(Level level, const Lemma& lemma);
  void push_armed(Level up_to);
  void find_infinite(Level level);
  InductiveInvariant invariant(Level level) const;

  // reachable.cpp
  /// A concrete state reached from reset, with the way there.
  struct Reached {
    std::vector<bool> state;
    std::uint32_t parent;      // index, or kNone for an initial state
    std::vector<bool> inputs;  // of the step from the parent
  };
  static constexpr std::uint32_t kNone = UINT32_MAX;
  bool in_cube(const std::vector<bool>& state, const Cube& cube) const;
  std::vector<bool> step(const std::vector<bool>& state, const std::vector<bool>& inputs) const;
  Trace trace_from_initial(ObligationId id) const;
  Trace trace_from_reached(ObligationId id, std::uint32_t from) const;
  void append_inputs(ObligationId id, Trace& trace) const;
  std::uint32_t reached_in(const Cube& cube) const;
  void walk_forward(ObligationId id, std::uint32_t from);
  std::uint32_t remember(Reached reached);

  const Problem& problem_;
  const Context& ctx_;
  Ic3Config config_;
  Ic3Stats stats_;
  TransitionCnf cnf_;
  Lifter lifter_;
  Frames frames_;
  ObligationQueue obligations_;
  Generalizer<Ic3Search> generalizer_;

  std::unique_ptr<sat::Cdcl> step_;                  // T and F_infinity: what frames start from
  std::vector<std::unique_ptr<sat::Cdcl>> solvers_;  // one per frame, F_0 first
  std::vector<std::size_t> clauses_added_;           // to each, since it was built
  std::uint64_t retired_queries_ = 0;                // of rebuilt solvers

  std::vector<double> activity_;  // of latches, by variable
  double activity_step_ = 1;
  const Lemma* parent_ = nullptr;  // its literals are dropped last [Xia23]
  Level last_query_{0};            // the frame of the last model
  std::vector<Lit> last_targets_;
  std::vector<Lit> core_;  // of the last query that holds
  std::vector<Lit> assumptions_, temporary_;

  std::chrono::steady_clock::time_point reported_at_ = std::chrono::steady_clock::now();
  std::uint64_t reported_queries_ = 0;

  std::vector<Reached> reached_;
  std::optional<Trace> trace_;
};

}  // namespace lem
