#include "app/request.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "transform/transform.h"

namespace lem {

static Error usage(std::string message) {
  return {{}, std::move(message), ErrorKind::Usage};
}

Options declared_options() {
  Options options;
  options.declare(transform_options());
  for (const EngineInfo& engine : all_engines()) options.declare(engine.options);
  return options;
}

template <class Range, class Name>
static std::string listing(const Range& range, Name name) {
  std::string text;
  for (const auto& item : range) text += (text.empty() ? "" : ", ") + std::string(name(item));
  return text.empty() ? "none" : text;
}

static Result<std::string_view> preset_settings(const EngineInfo& engine, std::string_view name) {
  for (const Preset& preset : engine.presets)
    if (preset.name == name) return preset.settings;
  return usage("engine '" + std::string(engine.id) + "' has no preset '" + std::string(name) +
               "' (presets: " + listing(engine.presets, [](const Preset& p) { return p.name; }) +
               ")");
}

static Status check_writable(const std::string& path) {
  if (path.empty() || path == "-") return Ok{};
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed))
    return usage("cannot write '" + path + "': it is a directory");
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (!std::filesystem::is_directory(folder, failed))
    return usage("cannot write '" + path + "': no such folder");
  if (access(folder.c_str(), W_OK) != 0)
    return usage("cannot write '" + path + "': the folder is not writable");
  return Ok{};
}

Result<Plan> plan_run(const CheckRequest& request) {
  std::string_view text = request.engine;
  std::size_t colon = text.find(':');
  std::string_view id = text.substr(0, colon);
  const EngineInfo* engine = find_engine(id);
  if (engine == nullptr)
    return usage("unknown engine '" + std::string(id) + "' (engines: " +
                 listing(all_engines(), [](const EngineInfo& e) { return e.id; }) + ")");
  Options options = declared_options();
  [[maybe_unused]] Status suits = options.set_all(engine->settings);
  assert(suits.ok() && "an engine names options that do not exist");
  if (colon != std::string_view::npos) {
    Result<std::string_view> preset = preset_settings(*engine, text.substr(colon + 1));
    if (!preset) return preset.error();
    [[maybe_unused]] Status set = options.set_all(*preset);
    assert(set.ok() && "a preset names options that do not exist");
  }
  for (const std::string& setting : request.settings)
    if (Status set = options.set_all(setting); !set) return set.error();
  const OutputFiles& out = request.outputs;
  for (const std::string& path : {out.json, out.witness, out.certificate, out.report})
    if (Status writable = check_writable(path); !writable) return writable.error();
  return Plan{*engine, std::move(options)};
}

}  // namespace lem
