// The frames of all locations [Lange18 4.2.1]: F_(i,l) for every level i and location l, and
// the history of each location's lemmas, from which solvers bring themselves up to date.
#pragma once

#include <cassert>
#include <span>
#include <vector>

#include "engine/parts/cfa/steps.h"
#include "engine/parts/common/frames.h"
#include "model/cfa.h"

namespace lem::engine {

class CfaFrames {
 public:
  explicit CfaFrames(std::size_t locations) : places_(locations) { extend(); }

  Level top() const { return top_; }
  void extend() {
    if (!places_.empty() && places_.front().frames.top() > Level{0}) ++top_;
    for (Place& each : places_) each.frames.extend();
    assert((places_.empty() || places_.front().frames.top() == top_) && "levels are common");
  }
  Frames& at(LocationId id) { return places_[lem::index(id)].frames; }
  const Frames& at(LocationId id) const { return places_[lem::index(id)].frames; }

  /// A lemma as it was added; it may have moved or been subsumed since.
  struct Added {
    Level level;
    Cube cube;
  };
  std::span<const Added> history(LocationId id) const { return places_[lem::index(id)].history; }

  /// ensure: false if a lemma of the same or a higher frame subsumes it already: nothing changed
  bool add(LocationId id, Level level, const Cube& cube) {
    assert(Level{0} < level && level <= top_ && "lemmas live in F_1 .. F_top");
    if (!at(id).add(level, Lemma{cube})) return false;
    places_[lem::index(id)].history.push_back({level, cube});
    return true;
  }

  /// A lemma of F_(level,id) that excludes the cube alone [Lange18 Thm. 4.5].
  const Cube* excluding(LocationId id, Level level, const Cube& cube) const {
    assert(Level{0} < level && "F_0 has no lemmas");
    for (Level i = level; i <= top_; ++i)
      if (const Lemma* lemma = at(id).subsuming(i, cube)) return &lemma->cube;
    return nullptr;
  }
  /// Calls `visit` on every lemma of F_(level,id).
  template <class Visit>
  void for_each(LocationId id, Level level, Visit visit) const {
    for (Level i = level; i <= top_; ++i)
      for (const Lemma& lemma : at(id).at(i)) visit(lemma.cube);
  }

 private:
  struct Place {
    Frames frames;
    std::vector<Added> history;
  };
  std::vector<Place> places_;
  Level top_{1};
};

/// For caches by step and cube.
inline std::uint64_t step_cube_hash(StepId step, const Cube& cube) {
  std::uint64_t hash = engine::index(step) + 0x9E3779B97F4A7C15U;
  for (Lit lit : cube.lits()) hash = (hash ^ lit.code()) * 0x100000001B3U;
  return hash;
}

}  // namespace lem::engine
