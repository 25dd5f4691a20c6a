// What `--engine NAME` can select: every engine, and the portfolio under its two names.
#pragma once

#include <span>
#include <string_view>

#include "base/options.h"
#include "engine/engine.h"
#include "model/rung.h"

namespace lem::portfolio {

struct Selectable {
  std::string_view id;
  std::string_view help;
  std::string_view paper;
  std::span<const OptionRow> options;
  std::span<const engine::Preset> presets;
  Rungs accepts;
  std::string_view settings;         // as in EngineInfo
  const engine::EngineInfo* engine;  // nullptr: the portfolio
};

/// In the order of `lemmata engines`.
std::span<const Selectable> all_selectable();
/// nullptr if there is none of that name.
const Selectable* find_selectable(std::string_view id);

/// Every option of transforms, engines and the portfolio, at its default.
Options declared_options();

}  // namespace lem::portfolio
