#include "engine/ic3cfa/contexts.h"

#include <algorithm>
#include <cassert>

namespace lem::engine {

GeneralizationContexts::GeneralizationContexts(const CfaFrames& frames, std::size_t capacity,
                                               Stats& stats)
    : frames_(frames), capacity_(capacity), stats_(stats) {}

void GeneralizationContexts::remember(StepId step, LocationId from, Level level, const Cube& cube,
                                      const Cube& result) {
  if (!enabled()) return;
  Entry entry{step, cube, {}, result};
  frames_.for_each(from, level, [&](const Cube& lemma) { entry.frame.push_back(lemma); });
  auto [first, last] = by_cube_.equal_range(step_cube_hash(step, cube));
  for (auto at = first; at != last; ++at) {
    const Entry& other = *at->second;
    if (other.step == step && other.cube == cube && other.frame == entry.frame) {
      at->second->result = result;
      return use(at->second);
    }
  }
  if (entries_.size() >= capacity_) forget_oldest();
  entries_.push_front(std::move(entry));
  by_cube_.emplace(step_cube_hash(step, cube), entries_.begin());
  assert(entries_.size() == by_cube_.size() && "every context is indexed once");
  assert(entries_.size() <= capacity_ && "the oldest context makes room");
}

void GeneralizationContexts::forget_oldest() {
  assert(!entries_.empty() && "there is a context to forget");
  auto oldest = std::prev(entries_.end());
  auto [first, last] = by_cube_.equal_range(step_cube_hash(oldest->step, oldest->cube));
  for (auto at = first; at != last; ++at)
    if (at->second == oldest) {
      by_cube_.erase(at);
      break;
    }
  entries_.erase(oldest);
}

/// F is a subset of F_(level,from).
bool GeneralizationContexts::grew(const Entry& entry, LocationId from, Level level) const {
  return std::all_of(entry.frame.begin(), entry.frame.end(), [&](const Cube& lemma) {
    return frames_.at(from).blocked_at(level, lemma).has_value();
  });
}

/// F_(level,from) is a subset of F.
bool GeneralizationContexts::had_more(const Entry& entry, LocationId from, Level level) const {
  bool all = true;
  frames_.for_each(from, level, [&](const Cube& lemma) {
    all = all && std::any_of(entry.frame.begin(), entry.frame.end(),
                             [&](const Cube& known) { return known.subsumes(lemma); });
  });
  return all;
}

std::optional<Cube> GeneralizationContexts::upper(StepId step, LocationId from, Level level,
                                                  const Cube& cube, bool extended) {
  auto [first, last] = by_cube_.equal_range(step_cube_hash(step, cube));
  std::optional<Entries::iterator> best;
  for (auto at = first; at != last; ++at) {
    const Entry& entry = *at->second;
    bool smaller = !best || entry.result.size() < (*best)->result.size();
    if (smaller && entry.step == step && entry.cube == cube && grew(entry, from, level))
      best = at->second;
  }
  if (best) ++stats_.context_upper;
  for (auto at = entries_.begin(); !best && extended && at != entries_.end(); ++at) {
    if (at->step != step || !at->result.subsumes(cube) || !grew(*at, from, level)) continue;
    ++stats_.context_extended;
    best = at;
  }
  if (!best) return {};
  use(*best);
  return (*best)->result;
}

std::optional<Cube> GeneralizationContexts::lower(StepId step, LocationId from, Level level,
                                                  const Cube& cube) {
  auto [first, last] = by_cube_.equal_range(step_cube_hash(step, cube));
  for (auto at = first; at != last; ++at) {
    const Entry& entry = *at->second;
    if (entry.step != step || !(entry.cube == cube) || !had_more(entry, from, level)) continue;
    ++stats_.context_lower;
    use(at->second);
    return entry.result;
  }
  return {};
}

}  // namespace lem::engine
