#include "writer/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

namespace lem::writer {

namespace {

using Json = nlohmann::ordered_json;

/// As RFC 3986 wants it; absolute paths become file:///….
std::string uri_of(const std::string& path) {
  std::string out = path.starts_with('/') ? "file://" : "";
  std::string_view rest = path;
  while (rest.starts_with("./")) rest.remove_prefix(2);
  // "a:b" would be read as a scheme.
  if (std::size_t colon = rest.find(':'); colon < rest.find('/') && !path.starts_with('/'))
    out += "./";
  for (unsigned char c : rest) {
    bool plain =
        (c < 128 && std::isalnum(c) != 0) ||
        std::string_view("-._~/!$&'()*+,;=:@").find(static_cast<char>(c)) != std::string_view::npos;
    out += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return out;
}

/// Columns of findings count bytes, those of the run count characters: `columnKind`.
class Columns {
 public:
  std::uint32_t characters(const SourcePos& at) {
    const std::vector<std::string>& lines = lines_of(at.file);
    if (at.line > lines.size()) return at.column;
    const std::string& line = lines[at.line - 1];
    auto end = line.begin() +
               static_cast<std::ptrdiff_t>(std::min<std::size_t>(at.column - 1, line.size()));
    auto inner = std::count_if(line.begin(), end, [](unsigned char c) { return c >> 6 == 2; });
    return at.column - static_cast<std::uint32_t>(inner);
  }

 private:
  const std::vector<std::string>& lines_of(const std::string& file) {
    auto [at, fresh] = files_.try_emplace(file);
    if (!fresh) return at->second;
    std::ifstream in(file, std::ios::binary);
    for (std::string line; std::getline(in, line);) at->second.push_back(line);
    return at->second;
  }
  std::map<std::string, std::vector<std::string>> files_;
};

struct Rule {
  std::string_view id, name, text, help;
};
constexpr Rule kRules[] = {
    {"assert", "Assertion", "An assertion of the program fails in some run.",
     "The code flow is a run that ends in the failing assertion."},
    {"assertion", "Assertion", "An assertion of the design or program fails in some run.",
     "The code flow is a run that ends where the assertion fails."},
    {"unreach-call", "ErrorCall", "Some run calls reach_error or a function like it.",
     "The code flow is a run to that call."},
    {"bounds", "Bounds", "An index or pointer is outside of its object in some run.",
     "Check the index before the access."},
    {"null", "NullPointer", "A null pointer is dereferenced in some run.",
     "Check the pointer before it is used."},
    {"division", "Division", "A divisor is zero, or a quotient overflows, in some run.",
     "Check the divisor."},
    {"overflow", "Overflow", "The result of an operation does not fit its type in some run.",
     "Use a wider type, or check the operands."},
    {"shift", "Shift", "A shift is by too many bits or of a negative value in some run.",
     "Check the number of bits."},
    {"conversion", "Conversion", "A conversion changes a value in some run.",
     "Check the value before it is converted."},
    {"uninitialised", "Uninitialised", "A variable is read before it is written in some run.",
     "Initialise the variable."},
    {"use-after-free", "UseAfterFree", "Memory is used after it was freed in some run.",
     "Do not use the pointer after free."},
    {"double-free", "DoubleFree", "Memory is freed twice in some run.", "Free each object once."},
    {"leak", "Leak", "Memory that was allocated is not freed in some run.",
     "Free the object before its last pointer is lost."},
    {"unreachable", "Unreachable", "Code that is marked as unreachable is reached in some run.",
     "The code flow is a run that gets there."},
    {"cover", "Cover", "No run reaches the cover statement.",
     "The condition of the cover is never met: check the constraints of the inputs."},
    {"reachability", "Reachability", "No run reaches the goal.", "Check the goal."},
    {"bad", "BadState", "A bad state is reached in some run.",
     "The code flow has the values at each step."},
    {"output", "Output", "An output, read as a bad state, becomes true in some run.",
     "The code flow has the values at each step."},
    {"justice", "Justice", "All signals of a justice property recur for ever in some run.",
     "The code flow has the values at each step; from the start of its loop it goes on for ever."},
    {"query", "Query", "The query of the Horn clauses is derivable.",
     "The code flow has the values at each step."},
    {"property", "Property", "A property of the model fails in some run.",
     "The code flow has the values at each step."},
};

Json rule_json(const std::string& id) {
  auto known = std::find_if(std::begin(kRules), std::end(kRules),
                            [&](const Rule& rule) { return rule.id == id; });
  std::string name = known == std::end(kRules) ? "Requirement" : std::string(known->name);
  std::string text = known == std::end(kRules)
                         ? "A requirement of the pattern '" + id + "' does not hold in some run."
                         : std::string(known->text);
  std::string help = known == std::end(kRules) ? "The code flow is a run that violates it."
                                               : std::string(known->help);
  return {{"id", id},
          {"name", name},
          {"shortDescription", {{"text", text}}},
          {"fullDescription", {{"text", text}}},
          {"help", {{"text", help}}},
          {"defaultConfiguration", {{"level", "error"}}},
          {"properties", {{"tags", {"correctness"}}, {"precision", "very-high"}}}};
}

class SarifRun {
 public:
  explicit SarifRun(const std::string& version) : version_(version) {}

  void add(const CheckedFile& file) {
    worst_ = std::max(worst_, file.exit_code);
    if (!file.error.empty())
      notices_.push_back({{"level", "error"},
                          {"message", {{"text", file.error}}},
                          {"locations", {location({file.file}, {})}}});
    for (const Finding& finding : file.findings)
      if (finding.verdict != "safe") results_.push_back(result_json(finding));
  }

  std::string text() const {
    Json driver = {{"name", "Lemmata"}, {"version", version_}, {"rules", rules_}};
    Json invocation = {{"executionSuccessful", worst_ < 64}, {"exitCode", worst_}};
    if (!notices_.empty()) invocation["toolExecutionNotifications"] = notices_;
    Json run = {{"tool", {{"driver", driver}}},
                {"invocations", Json::array({invocation})},
                {"columnKind", "unicodeCodePoints"},
                {"results", results_}};
    Json out = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                {"version", "2.1.0"},
                {"runs", Json::array({run})}};
    return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  std::size_t rule_index(const std::string& id) {
    auto [at, fresh] = index_.try_emplace(id, rules_.size());
    if (fresh) rules_.push_back(rule_json(id));
    return at->second;
  }

  Json location(const SourcePos& at, const std::string& message) {
    Json physical = {{"artifactLocation", {{"uri", uri_of(at.file)}}}};
    if (at.line != 0) {
      physical["region"]["startLine"] = at.line;
      if (at.column != 0) physical["region"]["startColumn"] = columns_.characters(at);
    }
    Json out = {{"physicalLocation", std::move(physical)}};
    if (!message.empty()) out["message"]["text"] = message;
    return out;
  }

  Json flow(const Finding& finding) {
    Json steps = Json::array();
    for (const PlacedText& step : finding.steps)
      steps.push_back({{"location", location(step.at, step.text)},
                       {"executionOrder", steps.size() + 1},
                       {"importance", "important"}});
    return {{"message", {{"text", "a run that violates " + finding.property}}},
            {"threadFlows", Json::array({{{"locations", std::move(steps)}}})}};
  }

  Json result_json(const Finding& finding) {
    bool unsafe = finding.verdict == "unsafe";
    Json out = {{"ruleId", finding.about.rule},
                {"ruleIndex", rule_index(finding.about.rule)},
                {"kind", unsafe ? "fail" : "open"},
                {"level", unsafe ? "error" : "none"},
                {"message", {{"text", finding.message()}}},
                {"locations", Json::array({location(finding.about.at, {})})}};
    out["partialFingerprints"]["lemmataProperty/v1"] =
        finding.about.at.file + "#" + finding.property;
    if (!finding.steps.empty()) out["codeFlows"] = Json::array({flow(finding)});
    out["properties"] = {{"property", finding.property},
                         {"verdict", finding.verdict},
                         {"engine", finding.engine},
                         {"seconds", finding.seconds}};
    if (!finding.reason.empty()) out["properties"]["reason"] = finding.reason;
    return out;
  }

  std::string version_;
  Columns columns_;
  int worst_ = 0;
  std::map<std::string, std::size_t> index_;
  Json rules_ = Json::array();
  Json results_ = Json::array();
  Json notices_ = Json::array();
};

}  // namespace

std::string write_sarif(const std::string& version, std::span<const CheckedFile> files) {
  SarifRun run(version);
  for (const CheckedFile& file : files) run.add(file);
  return run.text();
}

}  // namespace lem::writer
