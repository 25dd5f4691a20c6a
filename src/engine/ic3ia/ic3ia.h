#pragma once

#include "engine/engine.h"

namespace lem {

extern const EngineInfo kIc3iaInfo;

}  // namespace lem
