// Blocking of a cube over terms: generalize it, raise it as high as it holds, add the lemma; and
// the same for counterexamples to generalization on the way [Bradley11, Hassan13]. What the engines
// add are functions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/context.h"
#include "engine/parts/common/generalizer.h"
#include "engine/parts/terms/theory_frames.h"

namespace lem::engine {

class Blocker {
 public:
  struct Extras {
    /// After a query that fails: a cube around the model's state. Without it CTGs are not blocked.
    std::function<std::vector<Lit>()> around_model = {};
    /// A cube that is inductive relative to F_level-1, after generalization, for one that is too.
    std::function<std::vector<Lit>(Level level, std::vector<Lit> cube)> weaken = {};
  };
  /// Borrows frames and context.
  Blocker(TheoryFrames& frames, const Context& ctx, std::string_view engine, Extras extras);

  /// Adds the lemma against `core`, generalized, as high as it holds; no lemma if stopped.
  ///   require: core is inductive relative to F_level-1   ensure: the level it got to
  Level block(Level level, std::span<const Lit> core, const Effort& effort);

  // The oracle of Generalizer (contracts there).
  Induction inductive(Level i, std::span<const Lit> cube) { return frames_.inductive(i, cube); }
  std::vector<Lit> counterexample() { return frames_.counterexample(); }
  bool meets_initial(std::span<const Lit> cube) { return frames_.meets_initial(cube); }
  void order(std::vector<Lit>& cube) const { frames_.order(cube); }
  bool block_ctg(Level i, const Effort& effort, std::uint32_t depth);

 private:
  Level learn(Level level, std::span<const Lit> core, const Effort& effort, std::uint32_t depth);

  TheoryFrames& frames_;
  const Context& ctx_;
  std::string engine_;
  Extras extras_;
  Generalizer<Blocker> generalizer_;
  Counter& ctgs_;
  Timer& generalize_;
};

}  // namespace lem::engine
