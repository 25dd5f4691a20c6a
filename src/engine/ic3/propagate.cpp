// Propagation [Lange18 3.4]: lemmas move to the highest frame they hold in; equal neighbours
// mean that the property is proved. The infinity frame collects lemmas that are inductive for good.
#include <algorithm>
#include <cassert>

#include "base/assert.h"
#include "engine/ic3/search.h"

namespace lem::engine {

/// Pushes lemmas of F_1 .. F_top-1.  ensure: a level i with F_i = F_i+1, if there is one
std::optional<Level> Ic3Search::propagate() {
  if (exchange_.due()) share_lemmas();
  TimerScope timer(stats_.propagate);
  for (Level level{1}; level < frames_.top() && !stopped(); ++level) {
    push_frame(level);
    if (stopped()) break;
    if (frames_.lemmas().at(level).empty()) return level;
  }
  if (config_.infinity && index(frames_.top()) > 0) find_infinite(frames_.top());
  return std::nullopt;
}

void Ic3Search::push_frame(Level level) {
  assert(Level{0} < level && level < frames_.top() && "lemmas of F_1 .. F_top-1 are pushed");
  rebuild_if_stale(level);
  std::vector<Lemma> lemmas = frames_.lemmas().at(level);  // a copy: pushing changes the list
  std::stable_sort(lemmas.begin(), lemmas.end(),
                   [](const Lemma& a, const Lemma& b) { return a.cube.size() < b.cube.size(); });
  for (const Lemma& lemma : lemmas) {
    if (stopped()) return;
    if (lemma.bad || frames_.lemmas().subsuming(level, lemma.cube) == nullptr)
      continue;  // gone meanwhile
    if (config_.push == Ic3Config::Push::Triggered && !lemma.witness.empty()) {
      ++stats_.push_skips;
      continue;
    }
    push_lemma(level, lemma);
  }
}

/// F_level & T => !cube': the lemma, or the part of it that the core needs, holds one frame later.
void Ic3Search::push_lemma(Level level, const Lemma& lemma) {
  LEM_DASSERT(level < frames_.top() && "a lemma is pushed to a frame that exists");
  Induction answer = inductive(next(level), lemma.cube.lits());
  if (answer.fails()) record_failed_push(level, lemma);
  if (!answer.holds()) return;
  ++stats_.pushes;
  add_lemma(next(level), answer.core);
}

/// Keeps the reason of a failed push [Suda13], and asks for the lemma one frame later anyway: that
/// is a may-obligation [Ivrii15].
void Ic3Search::record_failed_push(Level level, const Lemma& lemma) {
  if (config_.push == Ic3Config::Push::Triggered) {
    Cube state(counterexample());
    for (Lemma& stored : frames_.lemmas().at(level)) {
      if (!(stored.cube == lemma.cube)) continue;
      stored.witness = state;
      stored.armed = false;
    }
  }
  if (config_.quip)
    obligations_.push(obligations_.make({lemma.cube, ObligationId::None, 0, {{}, true}}).id(),
                      next(level));
}

/// Triggered pushing in the blocking phase: lemmas whose witness has just been excluded.
void Ic3Search::push_armed(Level up_to) {
  for (Level level{1}; level <= up_to && level < frames_.top() && !stopped(); ++level) {
    std::vector<Lemma> armed;
    for (Lemma& lemma : frames_.lemmas().at(level)) {
      if (!lemma.armed) continue;
      lemma.armed = false;
      armed.push_back(lemma);
    }
    for (const Lemma& lemma : armed) {
      if (frames_.lemmas().subsuming(level, lemma.cube) != nullptr) push_lemma(level, lemma);
    }
  }
}

/// Moves lemmas of F_level that are inductive relative to F_infinity alone to it, and repeats while
/// that makes others so: they never need pushing again, and every later frame starts with them.
void Ic3Search::find_infinite(Level level) {
  bool changed = true;
  while (changed && !stopped()) {
    changed = false;
    std::vector<Lemma> lemmas = frames_.lemmas().at(level);
    for (const Lemma& lemma : lemmas) {
      if (!frames_.inductive_for_good(lemma.cube.lits())) continue;
      if (frames_.add_infinity(lemma.cube)) ++stats_.infinity;
      changed = true;
    }
  }
}

}  // namespace lem::engine
