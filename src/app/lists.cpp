#include "app/lists.h"

#include <fmt/format.h>

#include "app/request.h"
#include "base/assert.h"
#include "engine/engine.h"
#include "frontend/frontend.h"
#include "transform/transform.h"

namespace lem {

static std::string_view models_of(Accepts accepts) {
  switch (accepts) {
    case Accepts::Bits:
      return "AIGER; others after bit-blasting";
    case Accepts::Terms:
      return "transition systems; AIGER as one over Bool";
    case Accepts::Systems:
      return "AIGER and transition systems; programs as transition systems";
    case Accepts::Programs:
      return "programs";
    case Accepts::All:
      return "all";
  }
  unreachable();
}

std::string list_engines() {
  std::string out;
  for (const EngineInfo& engine : all_engines()) {
    out += fmt::format("{:<10} {}\n", engine.id, engine.help);
    if (!engine.paper.empty()) out += fmt::format("{:<10}   paper: {}\n", "", engine.paper);
    out += fmt::format("{:<10}   models: {}\n", "", models_of(engine.accepts));
    if (!engine.settings.empty())
      out += fmt::format("{:<10}   defaults: {}\n", "", engine.settings);
    for (const Preset& preset : engine.presets)
      out += fmt::format("{:<10}   {}:{}  {} ({})\n", "", engine.id, preset.name, preset.help,
                         preset.settings.empty() ? "defaults" : preset.settings);
  }
  return out;
}

std::string list_formats() {
  std::string out;
  for (const FormatInfo& format : all_formats())
    out += fmt::format("{:<10} {:<16} {}\n", format.id, format.extensions, format.help);
  return out;
}

std::string list_options() {
  std::string out;
  for (const OptionRow& row : declared_options().rows()) {
    std::string range =
        row.choices.empty() ? fmt::format("{}..{}", row.min, row.max) : std::string(row.choices);
    out += fmt::format("{}={}\n    {} (default {})\n", row.name, range, row.help,
                       option_text(row, row.fallback));
  }
  out += "transforms, in the order in which they run:\n";
  for (const TransformInfo& transform : all_transforms())
    out += fmt::format("    {:<12} {}\n", transform.id, transform.help);
  return out;
}

}  // namespace lem
