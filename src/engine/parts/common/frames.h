// Frames: F_1 .. F_k and F_infinity as delta-encoded lemma lists [Een11 section III].
//
// A lemma lives in one list, that of the highest frame it is known to hold in; F_i is the
// conjunction of the lists i, i+1, ..., and of infinity. No list holds a lemma subsumed by another
// of the same or a higher list.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/assert.h"
#include "base/id.h"
#include "engine/parts/common/cube.h"

namespace lem::engine {

struct Lemma {
  Cube cube;  // the lemma is its negation
  /// Why it could not be pushed when last tried: a state of its frame that steps into the cube.
  /// Empty: nothing known, pushing is worth a query ([Suda13] triggered clause pushing).
  Cube witness = {};
  bool armed = false;  // its witness was excluded since: pushing may work now
  bool bad = false;    // excludes a state known to be reachable: it never becomes inductive
};

class Frames {
 public:
  Level top() const { return Level{static_cast<std::uint32_t>(lists_.size() - 1)}; }
  void extend() { lists_.emplace_back(); }

  std::vector<Lemma>& at(Level level) {
    LEM_DASSERT(level <= top() && "a frame that exists");
    return lists_[index(level)];
  }
  const std::vector<Lemma>& at(Level level) const {
    LEM_DASSERT(level <= top() && "a frame that exists");
    return lists_[index(level)];
  }
  std::vector<Lemma>& infinity() { return infinity_; }
  const std::vector<Lemma>& infinity() const { return infinity_; }

  /// The highest level >= `from` whose frame excludes the cube by one lemma; a lemma of F_infinity
  /// counts as the level past the top.
  std::optional<Level> blocked_at(Level from, const Cube& cube) const;
  /// A lemma of list `level` that subsumes the cube, if any.
  const Lemma* subsuming(Level level, const Cube& cube) const;

  /// The lowest level from 1 on whose frame is the one of this level.
  Level first_equal(Level level) const {
    while (level > Level{1} && at(previous(level)).empty()) level = previous(level);
    return level;
  }

  /// Adds a lemma to F_level (and so to all before). Removes what it subsumes and re-arms lemmas
  /// whose witness it excludes.
  ///   ensure: false if a lemma of the same or a higher frame subsumes it already: nothing changed
  bool add(Level level, Lemma lemma);
  bool add_infinity(Lemma lemma);

  std::size_t size() const;
  /// F_i => F_i+1 for all i, as the lists have it: none before F_1, no lemma subsumed by one of the
  /// same or a higher list.
  bool is_monotone() const;

 private:
  void remove_subsumed(std::vector<Lemma>& list, const Cube& by);
  void rearm(std::vector<Lemma>& list, const Cube& by);

  std::vector<std::vector<Lemma>> lists_{1};  // list 0 stays empty: F_0 is the initial states
  std::vector<Lemma> infinity_;
};

}  // namespace lem::engine
