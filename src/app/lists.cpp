#include "app/lists.h"

#include <fmt/format.h>

#include "frontend/frontend.h"
#include "portfolio/selection.h"
#include "transform/transform.h"

namespace lem {

static std::string_view models_of(Rungs accepts) {
  if (accepts == Rungs::all()) return "all";
  if (accepts == Rung::Program) return "programs";
  if (accepts == Rung::Terms) return "transition systems; AIGER as one over Bool";
  if (accepts == Rung::Bits) return "AIGER; others after bit-blasting";
  return "AIGER and transition systems; programs as transition systems";
}

std::string list_engines() {
  std::string out;
  for (const portfolio::Selectable& engine : portfolio::all_selectable()) {
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
  for (const frontend::FormatInfo& format : frontend::all_formats())
    out += fmt::format("{:<10} {:<16} {}\n", format.id, format.extensions, format.help);
  return out;
}

std::string list_options() {
  std::string out;
  for (const OptionRow& row : portfolio::declared_options().rows()) {
    std::string range =
        row.choices.empty() ? fmt::format("{}..{}", row.min, row.max) : std::string(row.choices);
    out += fmt::format("{}={}\n    {} (default {})\n", row.name, range, row.help,
                       option_text(row, row.fallback));
  }
  out += "transforms, in the order in which they run:\n";
  for (const transform::TransformInfo& transform : transform::all_transforms())
    out += fmt::format("    {:<12} {}\n", transform.id, transform.help);
  return out;
}

}  // namespace lem
