// What progress lines of all IC3-style engines say.
#pragma once

#include <string>

#include "engine/parts/common/frames.h"

namespace lem::engine {

/// "lemmas 3 0 7": how many are in each list, of a long sequence in the last ten.
std::string lemma_counts(const Frames& frames);

}  // namespace lem::engine
