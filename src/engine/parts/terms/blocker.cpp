#include "engine/parts/terms/blocker.h"

#include <fmt/format.h>

#include "engine/parts/common/push_up.h"
#include "term/smtlib/printer.h"

namespace lem::engine {

Blocker::Blocker(TheoryFrames& frames, const Context& ctx, std::string_view engine, Extras extras)
    : frames_(frames),
      ctx_(ctx),
      engine_(engine),
      extras_(std::move(extras)),
      generalizer_(*this),
      ctgs_(ctx.stats.counter(engine_ + ".ctgs")),
      generalize_(ctx.stats.timer(engine_ + ".generalize")) {}

Level Blocker::block(Level level, std::span<const Lit> core, const Effort& effort) {
  TimerScope timer(generalize_);
  return learn(level, core, effort, 0);
}

Level Blocker::learn(Level level, std::span<const Lit> core, const Effort& effort,
                     std::uint32_t depth) {
  std::vector<Lit> cube = generalizer_.generalize(level, {core.begin(), core.end()}, effort, depth);
  if (extras_.weaken) cube = extras_.weaken(level, std::move(cube));
  BlockedCube blocked = push_up(*this, {level, std::move(cube)}, frames_.top());
  if (frames_.stopped()) return blocked.level;
  frames_.count_blocked(blocked.cube);
  ctx_.log.debug([&] {
    TermStore& terms = frames_.terms();
    return fmt::format("{}: F_{} excludes {}", engine_, index(blocked.level),
                       smtlib::term_text(terms, terms.make_and(frames_.formulas(blocked.cube))));
  });
  frames_.add_lemma(blocked.level, Cube(std::move(blocked.cube)));
  return blocked.level;
}

bool Blocker::block_ctg(Level i, const Effort& effort, std::uint32_t depth) {
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

}  // namespace lem::engine
