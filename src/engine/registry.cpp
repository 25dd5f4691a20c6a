// The one list of engines. Order is the order of `lemmata engines`.
#include <array>

#include "engine/bmc/bmc.h"
#include "engine/ctigar/ctigar.h"
#include "engine/engine.h"
#include "engine/fsis/fsis.h"
#include "engine/ic3/ic3.h"
#include "engine/ic3cfa/ic3cfa.h"
#include "engine/ic3ia/ic3ia.h"
#include "engine/ic3smt/ic3smt.h"
#include "engine/ipdr/ipdr.h"
#include "engine/kind/kind.h"
#include "engine/portfolio/portfolio.h"
#include "engine/treeic3/treeic3.h"

namespace lem {

std::span<const EngineInfo> all_engines() {
  static const std::array engines = {kIc3Info,    kIc3iaInfo,   kIc3smtInfo,    kCtigarInfo,
                                     kIc3cfaInfo, kTreeIc3Info, kBmcInfo,       kKindInfo,
                                     kFsisInfo,   kIpdrInfo,    kPortfolioInfo, kAutoInfo};
  return engines;
}

const EngineInfo* find_engine(std::string_view id) {
  for (const EngineInfo& engine : all_engines())
    if (engine.id == id) return &engine;
  return nullptr;
}

}  // namespace lem
