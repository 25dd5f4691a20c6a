// k-induction with simple-path constraints [Sheeran00, Een03].
#pragma once

#include "engine/engine.h"

namespace lem {

extern const EngineInfo kKindInfo;

}  // namespace lem
