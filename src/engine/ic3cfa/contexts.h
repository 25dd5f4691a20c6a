// Generalization contexts [Lange18 Def. 4.11]: what cubes were generalized to, along which step
// and relative to which frame. Frames that grew since keep the result (upper bounds, Theorems 4.7
// and 4.8); frames that had more lemmas then show which literals cannot go (lower bounds, Theorem
// 4.9, as a heuristic: cached results need not be minimal, which costs quality, never soundness).
//
// A cached frame is a set of lemmas. It is a subset of a frame of today when each of its lemmas is
// there or subsumed by one that is. The least recently used entries are forgotten first.
// Tests: tests/unit/engine/ic3cfa/generalization_test.cpp.
#pragma once

#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/ic3cfa/frames.h"
#include "engine/ic3cfa/stats.h"
#include "engine/parts/cfa/steps.h"

namespace lem::engine {

class GeneralizationContexts {
 public:
  GeneralizationContexts(const CfaFrames& frames, std::size_t capacity, Stats& stats);

  bool enabled() const { return capacity_ > 0; }
  void remember(StepId step, LocationId from, Level level, const Cube& cube, const Cube& result);

  /// A generalization of the cube along the step relative to F_(level,from): of the same cube
  /// [Lange18 Thm. 4.7], or of another one if `extended` [Lange18 Thm. 4.8].
  std::optional<Cube> upper(StepId step, LocationId from, Level level, const Cube& cube,
                            bool extended);
  /// Literals of the cube that a stronger frame could not spare [Lange18 Thm. 4.9].
  std::optional<Cube> lower(StepId step, LocationId from, Level level, const Cube& cube);

  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    StepId step;
    Cube cube;                // generalized
    std::vector<Cube> frame;  // lemmas of F
    Cube result;
  };
  using Entries = std::list<Entry>;  // the most recently used first
  bool grew(const Entry& entry, LocationId from, Level level) const;
  bool had_more(const Entry& entry, LocationId from, Level level) const;
  void use(Entries::iterator entry) { entries_.splice(entries_.begin(), entries_, entry); }
  void forget_oldest();

  const CfaFrames& frames_;
  std::size_t capacity_;
  Entries entries_;
  std::unordered_multimap<std::uint64_t, Entries::iterator> by_cube_;
  Ic3cfaStats stats_;
};

}  // namespace lem::engine
