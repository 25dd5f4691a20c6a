// Blocking a cube as high as it can be.
#pragma once

#include <cassert>
#include <span>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/id.h"
#include "engine/parts/common/induction.h"

namespace lem::engine {

/// A cube that is inductive relative to the frame before `level`.
struct BlockedCube {
  Level level;
  std::vector<Lit> cube;
};

/// Raises a blocked cube to the highest level up to `top` at which it, or the part of it that the
/// query needs, can be blocked.   require: an oracle as Generalizer has it
template <class Oracle>
BlockedCube push_up(Oracle& oracle, BlockedCube blocked, Level top) {
  assert(blocked.level <= top && "a cube is blocked up to the top");
  while (blocked.level < top) {
    Induction answer = oracle.inductive(next(blocked.level), blocked.cube);
    if (!answer.holds()) break;
    LEM_DASSERT(answer.core.size() <= blocked.cube.size() && "a core is a part of the cube");
    blocked.cube.assign(answer.core.begin(), answer.core.end());
    ++blocked.level;
  }
  return blocked;
}

}  // namespace lem::engine
