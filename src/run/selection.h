// What `--engine NAME` can select: every engine, and `auto`, which chooses among them.
#pragma once

#include <span>
#include <string_view>

#include "base/options.h"
#include "engine/engine.h"
#include "model/rung.h"
#include "run/live/methods.h"

namespace lem::run {

struct Selectable {
  std::string_view id;
  std::string_view help;
  std::string_view paper;
  std::span<const OptionRow> options;
  std::span<const engine::Preset> presets;
  Rungs accepts;
  std::string_view settings;         // as in EngineInfo
  const engine::EngineInfo* engine;  // nullptr: `auto`, or a method for justice properties
  const LiveInfo* live = nullptr;    // for justice properties alone
  bool is_auto() const { return engine == nullptr && live == nullptr; }
};

/// In the order of `lemmata engines`.
std::span<const Selectable> all_selectable();
/// nullptr if there is none of that name.
const Selectable* find_selectable(std::string_view id);

/// The options of `auto`.
std::span<const OptionRow> auto_options();
/// Every option of transforms, engines and `auto`, at its default.
Options declared_options();

}  // namespace lem::run
