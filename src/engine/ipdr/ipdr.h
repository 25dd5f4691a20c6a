// Interpolating property directed reachability: interpolation sequences and IC3's frames
// (003 section 4.4) [Vizel14].
#pragma once

#include "engine/engine.h"

namespace lem {

extern const EngineInfo kIpdrInfo;

}  // namespace lem
