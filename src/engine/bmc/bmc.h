// Bounded model checking: is a bad state reachable in 0, 1, 2, ... steps? [Biere99, Een03]
#pragma once

#include "engine/engine.h"

namespace lem {

extern const EngineInfo kBmcInfo;

}  // namespace lem
