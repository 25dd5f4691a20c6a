// The loops of IC3 over cubes of formulas, which ic3ia [Cimatti14 Fig. 2], ic3smt [Cimatti14 2.2]
// and ctigar [Birgmeier14 2.2] share: blocking and propagation in turn, with a queue of obligations
// instead of recursion. What differs is what an obligation's cube is, and what follows when it
// meets Init or is not inductive. A Search offers
//   std::optional<Cube> violation()                        of the top frame, if there is one
//   Outcome at_initial(ObligationId id, Level level)       the cube meets Init
//   Outcome not_inductive(ObligationId id, Level level)    after the query: a state steps into it
//   std::string progress()
// and, if it needs them,
//   void refresh(ObligationId id)                          before an obligation is looked at
//   bool is_excluded(Level level, const Cube& cube)        before inductive() is asked
//   void about_to_block(ObligationId id)
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/parts/common/obligations.h"
#include "engine/parts/common/outcome.h"
#include "engine/parts/terms/blocker.h"
#include "engine/parts/terms/system.h"

namespace lem::engine {

template <class Frames, class Details = NoDetails>
class TermLoop {
 public:
  using Queue = ObligationQueue<Details>;
  /// Borrows context and frames.
  TermLoop(const Context& ctx, Frames& frames, const std::string& engine, const Effort& effort,
           typename Blocker<Frames>::Extras extras)
      : ctx_(ctx),
        frames_(frames),
        blocker_(frames, ctx, engine, std::move(extras)),
        effort_(effort),
        discharged_(ctx.stats.counter(engine + ".obligations")),
        block_(ctx.stats.timer(engine + ".block")) {}

  Queue obligations;
  std::optional<TermTrace> trace;  // with Outcome::Counterexample
  bool gave_up = false;            // the search did: a source, a solver, or a projection
  bool stopped() const { return frames_.stopped() || gave_up; }
  Outcome done_unless_stopped() const { return stopped() ? Outcome::Stopped : Outcome::Done; }

  /// The blocking and the propagation phase in turn. Init & Bad is asked for beforehand, so that
  /// the first frame is F_1.
  template <class Search>
  Verdict run(Search& search) {
    TermStore& terms = frames_.atoms().terms();
    if (!frames_.meets_initial({}))
      return Safe{TermInvariant{terms.boolean(false)}};  // no state at all
    if (auto initial = frames_.bad_in_init()) return Unsafe{std::move(*initial)};
    while (!stopped()) {
      switch (strengthen(search)) {  // until F_k & Bad is unsatisfiable
        case Outcome::Done:
          break;
        case Outcome::Counterexample:
          assert(trace && "a counterexample has its trace");
          return Unsafe{std::move(*trace)};
        case Outcome::Stopped:
          return unknown(ctx_);
      }
      frames_.extend();
      if (auto fixpoint = frames_.propagate())
        return Safe{TermInvariant{frames_.clauses().frame(next(*fixpoint))}};
    }
    return unknown(ctx_);
  }

 private:
  /// Obligations lowest frame first, until the top frame has no violation.
  template <class Search>
  Outcome strengthen(Search& search) {
    TimerScope timer(block_);
    while (!stopped()) {
      auto popped = obligations.pop(frames_.top());
      if (!popped) {
        std::optional<Cube> violation = search.violation();
        if (!violation) return done_unless_stopped();
        obligations.push(obligations.make({std::move(*violation)}).id(), frames_.top());
        continue;
      }
      Outcome outcome = discharge(search, popped->obligation.id(), popped->level);
      if (outcome != Outcome::Done) return outcome;
    }
    return Outcome::Stopped;
  }

  /// Blocks the pair (s, i), or finds out why it cannot be.
  template <class Search>
  Outcome discharge(Search& search, ObligationId id, Level level) {
    assert(Level{0} < level && "what is to be blocked in F_0 is a counterexample");
    if (ctx_.progress.due()) ctx_.progress.publish(search.progress());
    ++discharged_;
    if constexpr (requires { search.refresh(id); }) search.refresh(id);
    const Cube& cube = obligations[id].cube;
    if (frames_.meets_initial(cube.lits())) return search.at_initial(id, level);
    Level blocked = level;
    if (auto known = frames_.clauses().lists().blocked_at(level, cube)) {
      blocked = *known;
    } else if (!is_excluded(search, level, cube)) {
      Induction answer = frames_.inductive(level, cube.lits());
      if (answer.stopped()) return Outcome::Stopped;
      if (answer.fails()) return search.not_inductive(id, level);
      if constexpr (requires { search.about_to_block(id); }) search.about_to_block(id);
      blocked = blocker_.block(level, answer.core, effort_);
    }
    assert(level <= blocked && "a cube is blocked where it was asked for, or higher");
    if (blocked < frames_.top()) obligations.push(id, next(blocked));
    return done_unless_stopped();
  }

  template <class Search>
  static bool is_excluded(Search& search, Level level, const Cube& cube) {
    if constexpr (requires { search.is_excluded(level, cube); })
      return search.is_excluded(level, cube);
    return false;
  }

  const Context& ctx_;
  Frames& frames_;
  Blocker<Frames> blocker_;
  Effort effort_;
  Counter& discharged_;
  Timer& block_;
};

}  // namespace lem::engine
