// Interpolating property directed reachability: interpolation sequences and IC3's frames
// [Vizel14; Wolff 4.4].
#pragma once

#include "engine/engine.h"

namespace lem {

extern const EngineInfo kIpdrInfo;

}  // namespace lem
