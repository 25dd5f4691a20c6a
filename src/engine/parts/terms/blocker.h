// Blocking of a cube over terms: generalize it, raise it as high as it holds, add the lemma; and
// the same for counterexamples to generalization on the way [Bradley11, Hassan13]. What the engines
// add are functions.
#pragma once

#include <fmt/format.h>

#include <cassert>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "engine/parts/common/generalizer.h"
#include "engine/parts/common/push_up.h"
#include "engine/parts/query/atoms.h"
#include "term/smtlib/printer.h"

namespace lem::engine {

/// `TermFrames` or another class with its queries.
template <class Frames>
class Blocker {
 public:
  struct Extras {
    /// After a query that fails: a cube around the model's state. Without it CTGs are not blocked.
    std::function<std::vector<Lit>()> around_model = {};
    /// A cube that is inductive relative to F_level-1, after generalization, for one that is too.
    std::function<std::vector<Lit>(Level level, std::vector<Lit> cube)> weaken = {};
  };
  /// Borrows frames and context.
  Blocker(Frames& frames, const Context& ctx, std::string_view engine, Extras extras)
      : frames_(frames),
        ctx_(ctx),
        engine_(engine),
        extras_(std::move(extras)),
        generalizer_(*this),
        ctgs_(ctx.stats.counter(engine_ + ".ctgs")),
        generalize_(ctx.stats.timer(engine_ + ".generalize")) {}

  /// Adds the lemma against `core`, generalized, as high as it holds; no lemma if stopped.
  ///   require: core is inductive relative to F_level-1   ensure: the level it got to
  Level block(Level level, std::span<const Lit> core, const Effort& effort) {
    TimerScope timer(generalize_);
    return learn(level, core, effort, 0);
  }

  // The oracle of Generalizer (contracts there).
  Induction inductive(Level i, std::span<const Lit> cube) { return frames_.inductive(i, cube); }
  std::vector<Lit> counterexample() { return frames_.counterexample(); }
  bool meets_initial(std::span<const Lit> cube) { return frames_.meets_initial(cube); }
  void order(std::vector<Lit>& cube) const { frames_.order(cube); }
  bool block_ctg(Level i, const Effort& effort, std::uint32_t depth) {
    if (!extras_.around_model) return false;
    std::vector<Lit> state = extras_.around_model();
    if (meets_initial(state)) return false;
    Induction answer = inductive(i, state);
    if (!answer.holds()) return false;
    learn(i, answer.core, effort, depth);
    if (frames_.stopped()) return false;
    ++ctgs_;
    return true;
  }

 private:
  Level learn(Level level, std::span<const Lit> core, const Effort& effort, std::uint32_t depth) {
    assert(Level{0} < level && level <= frames_.top() && "cubes are blocked in F_1 .. F_top");
    std::vector<Lit> cube =
        generalizer_.generalize(level, {core.begin(), core.end()}, effort, depth);
    if (extras_.weaken) cube = extras_.weaken(level, std::move(cube));
    BlockedCube blocked = push_up(*this, {level, std::move(cube)}, frames_.top());
    assert(level <= blocked.level && "pushing raises a cube");
    if (frames_.stopped()) return blocked.level;
    ctx_.log.debug([&] {
      const Atoms& atoms = frames_.atoms();
      return fmt::format("{}: F_{} excludes {}", engine_, index(blocked.level),
                         smtlib::term_text(atoms.terms(), atoms.conjunction(blocked.cube)));
    });
    frames_.learn(blocked.level, std::move(blocked.cube));
    return blocked.level;
  }

  Frames& frames_;
  const Context& ctx_;
  std::string engine_;
  Extras extras_;
  Generalizer<Blocker> generalizer_;
  Counter& ctgs_;
  Timer& generalize_;
};

}  // namespace lem::engine
