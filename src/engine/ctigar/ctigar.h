#pragma once

#include "engine/engine.h"

namespace lem {

extern const EngineInfo kCtigarInfo;

}  // namespace lem
