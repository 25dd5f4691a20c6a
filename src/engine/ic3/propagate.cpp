// Propagation (004 section 3.4): lemmas move to the highest frame they hold in; equal neighbours mean
// that the property is proved. The infinity frame collects lemmas that are inductive for good.
#include <algorithm>
#include <cassert>

#include "engine/ic3/search.h"

namespace lem {

/// Pushes lemmas of F_1 .. F_top-1.  ensure: a level i with F_i = F_i+1, if there is one
std::optional<Level> Ic3Search::propagate() {
  TimerScope timer(stats_.propagate);
  if (config_.infinity) find_infinite();
  for (Level level{1}; level < frames_.top() && !stopped(); ++level) {
    push_frame(level);
    if (stopped()) break;
    if (frames_.at(level).empty()) return level;
  }
  return std::nullopt;
}

void Ic3Search::push_frame(Level level) {
  rebuild_if_stale(level);
  std::vector<Lemma> lemmas = frames_.at(level);  // a copy: pushing changes the list
  std::stable_sort(lemmas.begin(), lemmas.end(), [](const Lemma& a, const Lemma& b) {
    return a.cube.size() < b.cube.size();
  });
  for (const Lemma& lemma : lemmas) {
    if (stopped()) return;
    if (frames_.subsuming(level, lemma.cube) == nullptr) continue;  // gone meanwhile
    if (config_.triggered && !lemma.witness.empty()) {
      ++stats_.push_skips;
      continue;
    }
    push_lemma(level, lemma);
  }
}

/// F_level & T => !cube': the lemma, or the part of it that the core needs, holds one frame later.
bool Ic3Search::push_lemma(Level level, const Lemma& lemma) {
  std::vector<Lit> core;
  if (inductive(next(level), lemma.cube.lits(), core)) {
    ++stats_.pushes;
    add_lemma(next(level), Cube(std::move(core)));
    return true;
  }
  if (config_.triggered && !stopped()) {
    std::vector<Lit> state;
    counterexample(state);
    for (Lemma& stored : frames_.at(level)) {
      if (stored.cube == lemma.cube) stored.witness = Cube(state);
    }
  }
  return false;
}

/// Moves lemmas of the frame below the top that are inductive by themselves, given F_infinity, to
/// F_infinity; repeats while that makes others so.
void Ic3Search::find_infinite() {
}

/// require: F_level = F_level+1.  The invariant is every lemma above, with the property, which
/// F_level implies.
InductiveInvariant Ic3Search::invariant(Level level) const {
  InductiveInvariant result;
  auto add = [&](const std::vector<Lemma>& lemmas) {
    for (const Lemma& lemma : lemmas) {
      SignalClause& clause = result.clauses.emplace_back();
      for (Lit lit : lemma.cube.lits()) clause.push_back(to_aig(!lit));
    }
  };
  for (Level i = next(level); i <= frames_.top(); ++i) add(frames_.at(i));
  add(frames_.infinity());
  return result;
}

}  // namespace lem
