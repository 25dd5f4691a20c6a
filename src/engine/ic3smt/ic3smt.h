// Concrete IC3 modulo theories, with under-approximated preimages [Cimatti12, Hoder12].
#pragma once

#include "engine/engine.h"

namespace lem {

extern const EngineInfo kIc3smtInfo;

}  // namespace lem
