#include "app/check/request.h"

#include <algorithm>
#include <span>

#include "base/near_names.h"
#include "base/try.h"

namespace lem::app {

static Error usage(std::string message) {
  return {{}, std::move(message), ErrorKind::Usage};
}

std::vector<Output> OutputFiles::all() const {
  return {{"--json", json},     {"--witness", witness, true}, {"--certificate", certificate, true},
          {"--report", report}, {"--sarif", sarif},           {"--junit", junit}};
}

static std::string listing(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

Error unknown_engine(std::string_view id) {
  std::vector<std::string> names;
  for (const run::Selectable& each : run::all_selectable()) names.emplace_back(each.id);
  return usage("unknown engine '" + std::string(id) + "'" + near_names(id, names) +
               " (engines: " + listing(names) + ")");
}

static Result<std::string> preset_settings(const run::Selectable& engine, std::string_view name) {
  std::vector<std::string> names;
  for (const engine::Preset& preset : engine.presets) {
    if (preset.name == name) return engine::all_settings(engine.presets, preset);
    names.emplace_back(preset.name);
  }
  return usage("engine '" + std::string(engine.id) + "' has no preset '" + std::string(name) + "'" +
               near_names(name, names) + " (presets: " + listing(names) + ")");
}

Result<Plan> plan_run(const CheckRequest& request) {
  std::string_view text = request.engine;
  if (request.depth != 0 && text == "auto") text = "bmc";
  std::size_t colon = text.find(':');
  std::string_view id = text.substr(0, colon);
  const run::Selectable* engine = run::find_selectable(id);
  if (engine == nullptr) return unknown_engine(id);
  if (request.depth != 0 && id != "bmc")
    return usage("--depth is for the engine bmc, not for '" + std::string(id) + "'");
  Options options = run::declared_options();
  [[maybe_unused]] Status suits = options.set_all(engine->settings);
  assert(suits.ok() && "an engine names options that do not exist");
  if (colon != std::string_view::npos) {
    LEM_LET(std::string preset, preset_settings(*engine, text.substr(colon + 1)));
    [[maybe_unused]] Status set = options.set_all(preset);
    assert(set.ok() && "a preset names options that do not exist");
  }
  for (const std::string& setting : request.settings) LEM_TRY(options.set_all(setting));
  if (request.depth != 0) {
    std::string last = std::to_string(request.depth - 1);  // the first step is step 0
    [[maybe_unused]] Status set = options.set_all("bmc.max-depth=" + last);
    assert(set.ok() && "bmc has a limit");
  }
  std::vector<Output> outputs = request.outputs.all();
  auto streams = std::count_if(outputs.begin(), outputs.end(),
                               [](const Output& output) { return output.path == "-"; });
  bool both = request.outputs.witness == "-" && request.outputs.certificate == "-";
  if (streams > (both ? 2 : 1))  // a property has one of them
    return usage("standard output takes one document: --json, --sarif, --junit or evidence");
  for (const Output& output : outputs) LEM_TRY(check_writable(output));
  LEM_TRY(check_apart(request.input.all_files(request.file), outputs));
  return Plan{*engine, std::move(options)};
}

}  // namespace lem::app
