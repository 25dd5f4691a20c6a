// The one list of engines. Order is the order of `lemmata engines`.
#include "engine/registry.h"

#include <array>

namespace lem {

std::span<const EngineInfo> all_engines() {
  static const std::array engines = {kIc3Info,    kIc3iaInfo,   kIc3smtInfo, kCtigarInfo,
                                     kIc3cfaInfo, kTreeIc3Info, kBmcInfo,    kKindInfo,
                                     kFsisInfo,   kIpdrInfo};
  return engines;
}

const EngineInfo* find_engine(std::string_view id) {
  for (const EngineInfo& engine : all_engines())
    if (engine.id == id) return &engine;
  return nullptr;
}

}  // namespace lem
