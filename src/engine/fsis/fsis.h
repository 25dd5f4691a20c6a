// Finite-state inductive strengthening: the ancestor of IC3, without frames [Bradley07].
#pragma once

#include "engine/engine.h"

namespace lem {

extern const EngineInfo kFsisInfo;

}  // namespace lem
