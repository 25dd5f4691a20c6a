// TreeIC3 as an engine on programs [Cimatti12; Lange18 4.1].
#pragma once

#include "engine/engine.h"

namespace lem {

extern const EngineInfo kTreeIc3Info;

}  // namespace lem
