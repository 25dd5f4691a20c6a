// Declares the engines listed in registry.cpp; src/engine/<name>/<name>.cpp defines each.
#pragma once

#include "engine/engine.h"

namespace lem::engine {

extern const EngineInfo kIc3Info;
extern const EngineInfo kIc3iaInfo;
extern const EngineInfo kIc3smtInfo;
extern const EngineInfo kCtigarInfo;
extern const EngineInfo kIc3cfaInfo;
extern const EngineInfo kTreeIc3Info;
extern const EngineInfo kBmcInfo;
extern const EngineInfo kKindInfo;
extern const EngineInfo kFsisInfo;
extern const EngineInfo kIpdrInfo;
extern const EngineInfo kSpacerInfo;

}  // namespace lem::engine
