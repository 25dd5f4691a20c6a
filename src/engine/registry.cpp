// The one list of engines. Order is the order of `lemmata engines`.
#include "engine/registry.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>
#include <utility>

namespace lem::engine {

std::span<const EngineInfo> all_engines() {
  static const std::array engines = {kIc3Info,    kIc3iaInfo,   kIc3smtInfo, kCtigarInfo,
                                     kIc3cfaInfo, kTreeIc3Info, kBmcInfo,    kKindInfo,
                                     kFsisInfo,   kIpdrInfo,    kSpacerInfo};
  return engines;
}

std::string all_settings(std::span<const Preset> presets, const Preset& preset) {
  if (preset.extends.empty()) return std::string(preset.settings);
  auto named = [&](std::string_view name) {
    return std::find_if(presets.begin(), presets.end(),
                        [&](const Preset& each) { return each.name == name; });
  };
  auto base = named(preset.extends);
  assert(base < named(preset.name) && "a preset extends one that is not before it");
  std::string settings = all_settings(presets, *base);
  if (!settings.empty() && !preset.settings.empty()) settings += ',';
  return settings + std::string(preset.settings);
}

const EngineInfo* find_engine(std::string_view id) {
  for (const EngineInfo& engine : all_engines())
    if (engine.id == id) return &engine;
  return nullptr;
}

Reason conclude(Verdict verdict, const OnFound& found) {
  if (std::optional<Reason> reason = reason_of(verdict)) return *reason;
  found({{0}, std::move(verdict)});
  return Reason::GaveUp;
}

Verdict check_one(const EngineInfo& engine, const Problem& problem, const Context& ctx) {
  assert(problem.properties.size() == 1 && "one property");
  std::optional<Verdict> first;
  Reason end = engine.check(
      problem,
      [&](Found found) {
        if (!first) first = std::move(found.verdict);
      },
      ctx);
  return first ? *std::move(first) : Unknown{end};
}

}  // namespace lem::engine
