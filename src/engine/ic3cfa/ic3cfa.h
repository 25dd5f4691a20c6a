// IC3CFA as an engine on programs [Lange18 ch. 4].
#pragma once

#include "engine/engine.h"

namespace lem {

extern const EngineInfo kIc3cfaInfo;

}  // namespace lem
