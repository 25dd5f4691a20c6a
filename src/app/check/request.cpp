#include "app/check/request.h"

#include <algorithm>
#include <span>

#include "base/near_names.h"

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
    Result<std::string> preset = preset_settings(*engine, text.substr(colon + 1));
    if (!preset) return preset.error();
    [[maybe_unused]] Status set = options.set_all(*preset);
    assert(set.ok() && "a preset names options that do not exist");
  }
  if (request.depth != 0) {
    // Its limit is the last step, and 0 is none. So of one step it looks at two, one by one, and
    // the pipeline reports no longer run than was asked for.
    std::string last = std::to_string(std::max(request.depth - 1, 1U));
    [[maybe_unused]] Status set = options.set_all("bmc.max-depth=" + last);
    if (request.depth == 1) set = options.set_all("bmc.step=1");
    assert(set.ok() && "bmc has a limit");
  }
  for (const std::string& setting : request.settings)
    if (Status set = options.set_all(setting); !set) return set.error();
  std::vector<Output> outputs = request.outputs.all();
  auto streams = std::count_if(outputs.begin(), outputs.end(),
                               [](const Output& output) { return output.path == "-"; });
  bool both = request.outputs.witness == "-" && request.outputs.certificate == "-";
  if (streams > (both ? 2 : 1))  // a property has one of them
    return usage("standard output takes one document: --json, --sarif, --junit or evidence");
  for (const Output& output : outputs)
    if (Status writable = check_writable(output); !writable) return writable.error();
  if (Status apart = check_apart(request.input.all_files(request.file), outputs); !apart)
    return apart.error();
  return Plan{*engine, std::move(options)};
}

}  // namespace lem::app
