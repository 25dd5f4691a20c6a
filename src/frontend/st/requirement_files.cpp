// Requirements from the command line and from files.
#include <yaml-cpp/yaml.h>

#include <array>
#include <charconv>
#include <map>

#include "base/try.h"
#include "frontend/st/lexer.h"
#include "frontend/st/st.h"

namespace lem {

namespace {

std::string trimmed(std::string_view text) {
  std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == text.npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1));
}

/// Our names; PLCverif's are accepted as well.
std::string pattern_name(std::string name) {
  static const std::map<std::string, std::string> kOther = {
      {"pattern-implication", "implication"},
      {"pattern-invariant", "invariant"},
      {"pattern-forbidden", "forbidden"},
      {"pattern-statechange-duringcycle", "during-cycle"},
      {"pattern-statechange-betweencycles", "between-cycles"},
      {"pattern-reachability", "reachability"},
      {"pattern-leadsto-earlier", "past"},
      {"pattern-leadsto-trigger", "past"},
      {"pattern-leadsto", "past"},
      {"during", "during-cycle"},
      {"between", "between-cycles"}};
  name = st::lower(name);
  auto found = kOther.find(name);
  return found == kOther.end() ? name : found->second;
}

Result<std::uint32_t> milliseconds(std::string_view text) {
  std::uint32_t value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size() || value > 1'000'000'000)
    return Error{
        {}, "--time: '" + std::string(text) + "' is no number of milliseconds", ErrorKind::Usage};
  return value;
}

}  // namespace

Result<StRequirement> parse_requirement(const std::string& text) {
  std::size_t colon = text.find(':');
  if (colon == text.npos)
    return Error{
        {}, "--require: expected 'PATTERN: p | q', found '" + text + "'", ErrorKind::Usage};
  StRequirement out;
  out.pattern = pattern_name(trimmed(text.substr(0, colon)));
  out.at = {"--require", 1, 1};
  std::string_view rest = std::string_view(text).substr(colon + 1);
  for (;;) {
    std::size_t bar = rest.find('|');
    out.parameters.push_back(trimmed(rest.substr(0, bar)));
    if (out.parameters.back().empty())
      return Error{{}, "--require: an empty parameter in '" + text + "'", ErrorKind::Usage};
    if (bar == rest.npos) return out;
    rest.remove_prefix(bar + 1);
  }
}

Status parse_time(const std::string& text, StOptions& options) {
  auto wrong = [&] {
    return Error{
        {}, "--time is nondet, fixed:MS or range:MIN:MAX, not '" + text + "'", ErrorKind::Usage};
  };
  if (text == "nondet") {
    options.time = StOptions::Time::Nondet;
    return Ok{};
  }
  bool fixed = text.starts_with("fixed:"), range = text.starts_with("range:");
  if (!fixed && !range) return wrong();
  std::string rest = text.substr(6);
  std::size_t colon = rest.find(':');
  if (range != (colon != rest.npos)) return wrong();
  LEM_LET(std::uint32_t least, milliseconds(rest.substr(0, colon)));
  LEM_LET(std::uint32_t most, fixed ? least : milliseconds(rest.substr(colon + 1)));
  if (most < least || (fixed && most == 0)) return wrong();
  options.time = StOptions::Time::Range;
  options.least_ms = least;
  options.most_ms = most;
  return Ok{};
}

Status parse_checks(const std::string& text, StOptions& options) {
  std::size_t from = 0;
  while (from <= text.size()) {
    std::size_t comma = std::min(text.find(',', from), text.size());
    std::string one = trimmed(std::string_view(text).substr(from, comma - from));
    bool all = one == "all" || one == "arithmetic";
    if (!all && one != "overflow" && one != "division" && one != "bounds")
      return Error{
          {},
          "--check: PLC programs are checked for overflow, division, bounds; not '" + one + "'",
          ErrorKind::Usage};
    options.checks.overflow |= all || one == "overflow";
    options.checks.division |= all || one == "division";
    options.checks.bounds |= one == "all" || one == "bounds";
    from = comma + 1;
  }
  return Ok{};
}

namespace {

SourcePos place(const std::string& path, const YAML::Node& node) {
  YAML::Mark mark = node.Mark();
  if (mark.line < 0) return {path, 0, 0};
  return {path, static_cast<std::uint32_t>(mark.line) + 1,
          static_cast<std::uint32_t>(mark.column) + 1};
}

Status read_one(const std::string& path, const YAML::Node& node, StOptions& options) {
  if (node.IsScalar()) {
    Result<StRequirement> made = parse_requirement(node.as<std::string>());
    if (!made) return Error{place(path, node), made.error().message};
    made->at = place(path, node);
    options.requirements.push_back(*std::move(made));
    return Ok{};
  }
  if (!node.IsMap()) return Error{place(path, node), "expected a requirement"};
  StRequirement made;
  made.at = place(path, node);
  for (const char* key : {"name", "id"})
    if (node[key]) made.name = node[key].as<std::string>();
  YAML::Node body = node["property"] ? node["property"] : node;  // Agents4PLC
  for (const char* key : {"pattern", "pattern_id", "kind"})
    if (body[key]) made.pattern = pattern_name(body[key].as<std::string>());
  if (body["entry_point"] && options.entry.empty())
    options.entry = body["entry_point"].as<std::string>();
  YAML::Node parameters;
  for (const char* key : {"parameters", "params", "pattern_params", "expression"})
    if (body[key]) parameters.reset(body[key]);
  if (!parameters.IsDefined() || parameters.IsNull())
    return Error{made.at, "a requirement has a pattern and parameters"};
  if (parameters.IsScalar()) made.parameters.push_back(parameters.as<std::string>());
  if (parameters.IsSequence())
    for (const YAML::Node& one : parameters) made.parameters.push_back(one.as<std::string>());
  if (parameters.IsMap()) {  // by number, from 0 or from 1
    std::map<int, std::string> ordered;
    for (const auto& one : parameters) ordered[one.first.as<int>()] = one.second.as<std::string>();
    for (const auto& [number, text] : ordered) made.parameters.push_back(text);
  }
  options.requirements.push_back(std::move(made));
  return Ok{};
}

Status read_yaml(const std::string& path, std::string_view bytes, StOptions& options) {
  YAML::Node root = YAML::Load(std::string(bytes));
  if (root.IsMap()) {
    if (root["entry"] && options.entry.empty()) options.entry = root["entry"].as<std::string>();
    if (root["time"])
      if (Status done = parse_time(root["time"].as<std::string>(), options); !done)
        return Error{place(path, root["time"]), done.error().message};
    if (root["check"])
      if (Status done = parse_checks(root["check"].as<std::string>(), options); !done)
        return Error{place(path, root["check"]), done.error().message};
    for (const YAML::Node& one : root["parameters"])
      options.parameters.push_back(one.as<std::string>());
    for (const YAML::Node& one : root["assume"])
      options.assumptions.push_back(one.as<std::string>());
  }
  YAML::Node list =
      root.IsMap() ? (root["requirements"] ? root["requirements"] : root["properties"]) : root;
  if (!list.IsSequence()) return Error{{path, 1, 1}, "expected a list 'requirements'"};
  for (const YAML::Node& one : list) LEM_TRY(read_one(path, one, options));
  return Ok{};
}

/// PLCverif's cases: `-key = value`, several in a line.
Status read_vc3(const std::string& path, std::string_view bytes, StOptions& options) {
  std::map<std::string, std::string> settings;
  std::map<int, std::string> parameters;
  std::uint32_t line = 0;
  for (std::size_t from = 0; from < bytes.size();) {
    std::size_t end = std::min(bytes.find('\n', from), bytes.size());
    std::string_view rest = bytes.substr(from, end - from);
    from = end + 1;
    ++line;
    if (trimmed(rest).starts_with("#") || trimmed(rest).starts_with("//")) continue;
    while (!trimmed(rest).empty()) {
      std::size_t dash = rest.find('-'), equals = rest.find('=');
      if (dash == rest.npos || equals == rest.npos || dash > equals)
        return Error{{path, line, 1}, "expected '-key = value'"};
      std::string key = st::lower(trimmed(rest.substr(dash + 1, equals - dash - 1)));
      rest.remove_prefix(equals + 1);
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
      std::string value;
      if (rest.starts_with('"')) {
        std::size_t close = rest.find('"', 1);
        if (close == rest.npos) return Error{{path, line, 1}, "this text has no closing quote"};
        value = rest.substr(1, close - 1);
        rest.remove_prefix(close + 1);
      } else {
        std::size_t next = rest.find(" -");
        value = trimmed(rest.substr(0, next));
        rest.remove_prefix(std::min(next, rest.size()));
      }
      std::string_view prefix = "job.req.pattern_params.";
      if (key.starts_with(prefix))
        parameters[std::atoi(key.c_str() + prefix.size())] = value;
      else if (key.starts_with("job.req.params."))
        options.parameters.push_back(value);
      else
        settings[key] = value;
    }
  }
  if (options.entry.empty() && settings.contains("lf.entry")) options.entry = settings["lf.entry"];
  if (settings["job.req"] == "pattern") {
    StRequirement made{
        settings["id"], pattern_name(settings["job.req.pattern_id"]), {}, {path, 1, 1}};
    for (const auto& [number, text] : parameters) made.parameters.push_back(text);
    options.requirements.push_back(std::move(made));
  }
  return Ok{};
}

}  // namespace

Status read_requirements(const std::string& path, std::string_view bytes, StOptions& options) {
  if (path.ends_with(".vc3")) return read_vc3(path, bytes, options);
  try {
    return read_yaml(path, bytes, options);
  } catch (const YAML::Exception& error) {
    return Error{{path, static_cast<std::uint32_t>(std::max(0, error.mark.line + 1)),
                  static_cast<std::uint32_t>(std::max(0, error.mark.column + 1))},
                 error.msg};
  }
}

}  // namespace lem
