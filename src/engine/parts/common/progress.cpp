#include "engine/parts/common/progress.h"

namespace lem::engine {

std::string lemma_counts(const Frames& frames) {
  constexpr std::uint32_t kMost = 12;
  constexpr std::uint32_t kLast = 10;
  std::string text = "lemmas";
  for (Level i{1}; i <= frames.top(); ++i)
    if (index(frames.top()) < kMost || index(i) + kLast > index(frames.top()))
      text += " " + std::to_string(frames.at(i).size());
  return text;
}

}  // namespace lem::engine
