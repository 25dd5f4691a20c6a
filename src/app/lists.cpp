#include "app/lists.h"

#include <fmt/format.h>

#include <span>

#include "app/check/request.h"
#include "app/option_formats.h"
#include "frontend/frontend.h"
#include "run/selection.h"
#include "transform/transform.h"

namespace lem::app {

static std::string_view models_of(const run::Selectable& engine) {
  if (engine.live != nullptr) return "justice properties of AIGER and transition systems";
  Rungs accepts = engine.accepts;
  if (accepts == Rungs::all()) return "all";
  if (accepts == Rungs{Rung::Bits, Rung::Terms, Rung::Program})
    return "all but nonlinear Horn clauses";
  if (accepts == Rung::Program) return "programs";
  if (accepts == Rung::Horn) return "nonlinear Horn clauses";
  if (accepts == Rung::Terms) return "transition systems; AIGER as one over Bool";
  if (accepts == Rung::Bits) return "AIGER; others after bit-blasting";
  return "AIGER and transition systems; programs as transition systems";
}

/// One line, with the paper's key at its end unless the help has one.
static std::string line(const std::string& name, std::string_view help, std::string_view paper) {
  std::string_view space = paper.empty() ? "" : " ";
  return fmt::format("{:<20} {}{}{}\n", name, help, space, paper);
}

static std::string preset_name(const run::Selectable& engine, const engine::Preset& preset) {
  return fmt::format("{}:{}", engine.id, preset.name);
}

std::string list_engines() {
  std::string out;
  for (const run::Selectable& engine : run::all_selectable()) {
    out += line(std::string(engine.id), engine.help, engine.paper);
    for (const engine::Preset& preset : engine.presets)
      out += line(preset_name(engine, preset), preset.help, {});
  }
  return out;
}

static std::string settings_text(const run::Selectable& engine, const engine::Preset& preset) {
  if (preset.extends.empty()) return std::string(preset.settings);
  return fmt::format("{}:{} and {}", engine.id, preset.extends, preset.settings);
}

Result<std::string> describe_engine(std::string_view id) {
  const run::Selectable* engine = run::find_selectable(id);
  if (engine == nullptr) return unknown_engine(id);
  std::string out = fmt::format("{}: {}\n", engine->id, engine->help);
  if (!engine->paper.empty()) out += fmt::format("  paper: {}\n", engine->paper);
  out += fmt::format("  models: {}\n", models_of(*engine));
  if (!engine->settings.empty()) out += fmt::format("  defaults: {}\n", engine->settings);
  out += engine->options.empty()
             ? "  options: none\n"
             : fmt::format("  options: {}, see `lemmata options {}`\n", engine->options.size(), id);
  for (const engine::Preset& preset : engine->presets)
    out += fmt::format("  {}  {}\n      {}\n", preset_name(*engine, preset), preset.help,
                       settings_text(*engine, preset));
  return out;
}

std::string list_formats() {
  std::string out;
  for (const frontend::FormatInfo& format : frontend::all_formats())
    out += fmt::format("{:<10} {:<16} {}\n", format.id, format.extensions, format.help);
  out += "\noptions that are not for all of them:\n";
  for (const OptionUse& use : option_uses())
    out += fmt::format("  {:<18} {:<40} {}\n", use.option, use.extensions, use.purpose);
  return out;
}

static std::string describe(const OptionRow& row) {
  std::string range =
      row.choices.empty() ? fmt::format("{}..{}", row.min, row.max) : std::string(row.choices);
  std::string fallback = option_text(row, row.fallback);
  return fmt::format("{}={}\n    {} (default {})\n", row.name, range, row.help,
                     fallback.empty() ? "none" : fallback);
}

static std::string describe(std::span<const OptionRow> rows) {
  std::string out;
  for (const OptionRow& row : rows) out += describe(row);
  return out;
}

static std::string list_transforms() {
  std::string out = "transforms, in the order in which they run:\n";
  for (const transform::TransformInfo& transform : transform::all_transforms())
    out += fmt::format("    {:<12} {}\n", transform.id, transform.help);
  return out;
}

std::string list_options() {
  return describe(run::declared_options().rows()) + list_transforms();
}

Result<std::string> describe_options(std::string_view id) {
  if (id == "transform") return describe(transform::transform_options()) + list_transforms();
  const run::Selectable* engine = run::find_selectable(id);
  if (engine == nullptr) return unknown_engine(id);
  if (engine->options.empty()) return fmt::format("{} has no options\n", id);
  return describe(engine->options);
}

}  // namespace lem::app
