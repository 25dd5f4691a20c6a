#include "engine/parts/common/frames.h"

#include <algorithm>
#include <cassert>

#include "base/assert.h"

namespace lem::engine {

#ifdef LEM_CHECKED_BUILD
static constexpr std::size_t kSample = 16;  // frames are checked when their size is a multiple
#endif

static bool any_subsumes(const std::vector<Lemma>& list, const Cube& cube) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Lemma& lemma) { return lemma.cube.subsumes(cube); });
}

std::optional<Level> Frames::blocked_at(Level from, const Cube& cube) const {
  assert(index(from) <= lists_.size() && "at most the level past the top");
  if (any_subsumes(infinity_, cube)) return next(top());
  for (std::size_t i = lists_.size(); i > index(from); --i) {
    if (any_subsumes(lists_[i - 1], cube)) return Level{static_cast<std::uint32_t>(i - 1)};
  }
  return std::nullopt;
}

const Lemma* Frames::subsuming(Level level, const Cube& cube) const {
  for (const Lemma& lemma : lists_[index(level)]) {
    if (lemma.cube.subsumes(cube)) return &lemma;
  }
  return nullptr;
}

void Frames::remove_subsumed(std::vector<Lemma>& list, const Cube& by) {
  std::erase_if(list, [&](const Lemma& lemma) { return by.subsumes(lemma.cube); });
}

void Frames::rearm(std::vector<Lemma>& list, const Cube& by) {
  for (Lemma& lemma : list) {
    if (lemma.witness.empty() || !by.subsumes(lemma.witness)) continue;
    lemma.witness = Cube();
    lemma.armed = true;
  }
}

bool Frames::add(Level level, Lemma lemma) {
  assert(index(level) > 0 && level <= top() && "lemmas live in F_1 .. F_top");
  if (blocked_at(level, lemma.cube)) return false;
  for (std::size_t i = 1; i <= index(level); ++i) {
    remove_subsumed(lists_[i], lemma.cube);
    rearm(lists_[i], lemma.cube);
  }
  lists_[index(level)].push_back(std::move(lemma));
  assert(lists_[0].empty() && "F_0 has no lemmas");
  LEM_CHECKED(size() % kSample != 0 || is_monotone(), "frames are not monotone");
  return true;
}

bool Frames::add_infinity(Lemma lemma) {
  assert(!lemma.cube.empty() && "the empty clause would exclude every state");
  if (any_subsumes(infinity_, lemma.cube)) return false;
  for (std::vector<Lemma>& list : lists_) {
    remove_subsumed(list, lemma.cube);
    rearm(list, lemma.cube);
  }
  remove_subsumed(infinity_, lemma.cube);
  infinity_.push_back(std::move(lemma));
  return true;
}

bool Frames::is_monotone() const {
  if (!lists_[0].empty()) return false;
  for (std::size_t i = 1; i < lists_.size(); ++i)
    for (const Lemma& lemma : lists_[i]) {
      auto subsumes_it = [&](const Lemma& other) {
        return &other != &lemma && other.cube.subsumes(lemma.cube);
      };
      if (std::any_of(infinity_.begin(), infinity_.end(), subsumes_it)) return false;
      for (std::size_t j = i; j < lists_.size(); ++j)
        if (std::any_of(lists_[j].begin(), lists_[j].end(), subsumes_it)) return false;
    }
  return true;
}

std::size_t Frames::size() const {
  std::size_t count = infinity_.size();
  for (const std::vector<Lemma>& list : lists_) count += list.size();
  return count;
}

}  // namespace lem::engine
