#include "engine/ic3ia/seen_steps.h"

#include <algorithm>
#include <cassert>

namespace lem::engine {

static constexpr std::size_t kWord = 64;

void SeenSteps::reset(std::size_t predicates) {
  predicates_ = predicates;
  steps_.clear();
  oldest_ = 0;
}

bool SeenSteps::Mask::contains(const Words& state) const {
  for (std::size_t i = 0; i < care.size(); ++i)
    if ((state[i] & care[i]) != value[i]) return false;
  return true;
}

SeenSteps::Mask SeenSteps::mask_of(std::span<const Lit> cube) const {
  std::size_t words = (predicates_ + kWord - 1) / kWord;
  Mask mask{Words(words), Words(words)};
  for (Lit lit : cube) {
    assert(lit.var() < predicates_ && "a predicate that is known here");
    std::uint64_t bit = std::uint64_t{1} << (lit.var() % kWord);
    mask.care[lit.var() / kWord] |= bit;
    if (!lit.negative()) mask.value[lit.var() / kWord] |= bit;
  }
  return mask;
}

SeenSteps::Words SeenSteps::pack(const std::vector<bool>& values) const {
  assert(values.size() == predicates_ && "every predicate has a value");
  Words words((predicates_ + kWord - 1) / kWord);
  for (std::size_t p = 0; p < predicates_; ++p)
    if (values[p]) words[p / kWord] |= std::uint64_t{1} << (p % kWord);
  return words;
}

void SeenSteps::add(Level level, const std::vector<bool>& from, const std::vector<bool>& to) {
  Step step{level, pack(from), pack(to)};
  if (steps_.size() < kMost) {
    steps_.push_back(std::move(step));
    return;
  }
  steps_[oldest_] = std::move(step);
  assert(steps_.size() == kMost && "the oldest makes room when all places are taken");
  oldest_ = (oldest_ + 1) % kMost;
}

void SeenSteps::exclude(Level level, std::span<const Lit> cube) {
  Mask mask = mask_of(cube);
  for (Step& step : steps_)
    if (step.level <= level && step.level > Level{0} && mask.contains(step.from))
      step.level = next(level);
}

std::optional<std::vector<Lit>> SeenSteps::find(Level level, std::span<const Lit> cube) const {
  Mask mask = mask_of(cube);
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (step->level > level || !mask.contains(step->to) || mask.contains(step->from)) continue;
    std::vector<Lit> state;
    for (std::size_t p = 0; p < predicates_; ++p) {
      bool holds = (step->from[p / kWord] >> (p % kWord) & 1) != 0;
      state.push_back(Lit(static_cast<sat::Var>(p), !holds));
    }
    return state;
  }
  return {};
}

}  // namespace lem::engine
