#include "check/c/witness_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <set>
#include <string_view>

namespace lem::check {

namespace {

/// Whether the text has the form of the pattern, in which x is a hexadecimal digit and d a decimal
/// one.
bool matches(std::string_view text, std::string_view pattern) {
  auto fits = [](char c, char wanted) {
    if (wanted == 'd') return std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (wanted == 'x') return std::isxdigit(static_cast<unsigned char>(c)) != 0;
    return c == wanted;
  };
  return std::equal(text.begin(), text.end(), pattern.begin(), pattern.end(), fits);
}

/// What is wrong is remembered once; afterwards nothing more is read.
class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}
  Result<WitnessEntry> read(const YAML::Node& root, WitnessKind kind);

 private:
  void fail(const YAML::Node& node, const std::string& what);
  bool ok() const { return !error_; }
  /// A map with these keys and no others but the optional ones.
  bool is_map(const YAML::Node& node, const char* what, std::initializer_list<const char*> keys,
              std::initializer_list<const char*> optional = {});
  std::string word(const YAML::Node& map, const char* key,
                   std::initializer_list<std::string_view> allowed = {});
  WitnessText text(const YAML::Node& map, const char* key,
                   std::initializer_list<std::string_view> allowed = {}) {
    std::string words = word(map, key, allowed);
    return {std::move(words), ok() ? place(map[key]) : SourcePos{}};
  }
  SourcePos place(const YAML::Node& node) const;
  std::uint32_t number(const YAML::Node& map, const char* key);
  void metadata(const YAML::Node& node);
  void task(const YAML::Node& node);
  WitnessLocation location(const YAML::Node& node);
  void invariant(const YAML::Node& node);
  void segment(const YAML::Node& node, bool last);
  void waypoint(const YAML::Node& node, bool last);

  std::string path_;
  WitnessEntry entry_;
  std::optional<Error> error_;
};

SourcePos Reader::place(const YAML::Node& node) const {
  YAML::Mark at = node.Mark();
  auto from_one = [](int number) {
    return number < 0 ? 0U : static_cast<std::uint32_t>(number) + 1;
  };
  return {path_, from_one(at.line), from_one(at.column)};
}

void Reader::fail(const YAML::Node& node, const std::string& what) {
  if (!error_) error_ = Error{place(node), what};
}

bool Reader::is_map(const YAML::Node& node, const char* what,
                    std::initializer_list<const char*> keys,
                    std::initializer_list<const char*> optional) {
  if (!ok()) return false;
  if (!node.IsMap()) {
    fail(node, fmt::format("{} is no map", what));
    return false;
  }
  for (const char* key : keys)
    if (!node[key]) fail(node, fmt::format("{} has no '{}'", what, key));
  std::set<std::string> seen;
  for (const auto& pair : node) {
    std::string key = pair.first.IsScalar() ? pair.first.Scalar() : "?";
    if (!seen.insert(key).second) fail(pair.first, fmt::format("{} has '{}' twice", what, key));
    auto is = [&](const char* one) { return key == one; };
    if (std::none_of(keys.begin(), keys.end(), is) &&
        std::none_of(optional.begin(), optional.end(), is))
      fail(pair.first, fmt::format("{} has no key '{}'", what, key));
  }
  return ok();
}

std::string Reader::word(const YAML::Node& map, const char* key,
                         std::initializer_list<std::string_view> allowed) {
  if (!ok()) return {};
  YAML::Node node = map[key];
  if (!node.IsScalar()) {
    fail(node, fmt::format("'{}' is no text", key));
    return {};
  }
  const std::string& text = node.Scalar();
  if (allowed.size() != 0 && std::find(allowed.begin(), allowed.end(), text) == allowed.end())
    fail(node, fmt::format("'{}' cannot be '{}'", key, text));
  return text;
}

std::uint32_t Reader::number(const YAML::Node& map, const char* key) {
  if (!ok()) return 0;
  std::uint32_t out = 0;
  if (!YAML::convert<std::uint32_t>::decode(map[key], out) || out == 0)
    fail(map[key], fmt::format("'{}' is no positive number", key));
  return out;
}

void Reader::task(const YAML::Node& node) {
  if (!is_map(node, "task",
              {"input_files", "input_file_hashes", "specification", "data_model", "language"}))
    return;
  YAML::Node files = node["input_files"], hashes = node["input_file_hashes"];
  if (!files.IsSequence() || files.size() == 0 || !hashes.IsMap())
    return fail(node, "the task has no input files with hashes");
  for (const auto& file : files)
    if (!file.IsScalar() || !hashes[file.Scalar()] || !hashes[file.Scalar()].IsScalar() ||
        hashes[file.Scalar()].Scalar().size() != 64)
      return fail(file, "an input file without a hash");
  if (files.size() != 1 || hashes.size() != 1)
    return fail(node, "unsupported: several input files");
  entry_.file_name = {files[0].Scalar(), place(files[0])};
  entry_.file_hash = {hashes[files[0].Scalar()].Scalar(), place(hashes[files[0].Scalar()])};
  entry_.specification = text(node, "specification");
  entry_.data_model = text(node, "data_model", {"ILP32", "LP64"});
  word(node, "language", {"C"});
}

void Reader::metadata(const YAML::Node& node) {
  if (!is_map(node, "metadata", {"format_version", "uuid", "creation_time", "producer", "task"}))
    return;
  word(node, "format_version", {"2.0"});
  if (!matches(word(node, "uuid"), "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"))
    fail(node["uuid"], "'uuid' is none");
  if (!matches(word(node, "creation_time").substr(0, 19), "dddd-dd-ddTdd:dd:dd"))
    fail(node["creation_time"], "'creation_time' is none");
  if (is_map(node["producer"], "producer", {"name", "version"},
             {"configuration", "command_line", "description"})) {
    word(node["producer"], "name");
    word(node["producer"], "version");
  }
  task(node["task"]);
}

WitnessLocation Reader::location(const YAML::Node& node) {
  WitnessLocation out;
  if (!is_map(node, "location", {"file_name", "line"}, {"column", "function"})) return out;
  out.at = place(node);
  out.file = text(node, "file_name");
  out.row = number(node, "line");
  if (node["column"]) out.column = number(node, "column");
  if (node["function"]) out.function = text(node, "function");
  return out;
}

void Reader::invariant(const YAML::Node& node) {
  if (!is_map(node, "an entry of the content", {"invariant"})) return;
  YAML::Node inner = node["invariant"];
  if (!is_map(inner, "invariant", {"type", "location", "value", "format"})) return;
  WitnessInvariant out;
  bool loop = word(inner, "type", {"loop_invariant", "location_invariant"}) == "loop_invariant";
  out.kind = loop ? ctext::CPlace::Kind::Loop : ctext::CPlace::Kind::Statement;
  out.location = location(inner["location"]);
  out.value = text(inner, "value");
  word(inner, "format", {"c_expression"});
  entry_.invariants.push_back(std::move(out));
}

void Reader::waypoint(const YAML::Node& node, bool last) {
  if (!is_map(node, "an entry of the segment", {"waypoint"})) return;
  YAML::Node inner = node["waypoint"];
  if (!is_map(inner, "waypoint", {"type", "action", "location"}, {"constraint"})) return;
  Waypoint out;
  out.type = word(inner, "type",
                  {"assumption", "branching", "function_enter", "function_return", "target"});
  std::string action = word(inner, "action", {"follow", "avoid"});
  out.location = location(inner["location"]);
  bool wants = out.type == "assumption" || out.type == "branching" || out.type == "function_return";
  if (ok() && wants != static_cast<bool>(inner["constraint"]))
    fail(inner,
         fmt::format("a waypoint '{}' {} constraint", out.type, wants ? "without a" : "with a"));
  if (ok() && wants && is_map(inner["constraint"], "constraint", {"value"}, {"format"})) {
    out.value = text(inner["constraint"], "value");
    if (inner["constraint"]["format"])
      word(inner["constraint"], "format", {"c_expression", "ext_c_expression"});
  }
  if (ok() && (out.type == "target") != last)
    fail(inner, "the target is in the last segment, and nothing else is");
  if (ok() && action == "avoid") return fail(inner, "unsupported: waypoints to avoid");
  if (ok() && (out.type == "branching" || out.type == "function_enter"))
    return fail(inner, fmt::format("unsupported: a waypoint '{}'", out.type));
  entry_.waypoints.push_back(std::move(out));
}

/// One waypoint to follow, at its end.
void Reader::segment(const YAML::Node& node, bool last) {
  if (!is_map(node, "an entry of the content", {"segment"})) return;
  YAML::Node inner = node["segment"];
  if (!inner.IsSequence() || inner.size() == 0) return fail(node, "a segment without waypoints");
  if (inner.size() != 1) return fail(node, "unsupported: waypoints to avoid");
  waypoint(inner[0], last);
}

Result<WitnessEntry> Reader::read(const YAML::Node& root, WitnessKind kind) {
  const char* type = kind == WitnessKind::InvariantSet ? "invariant_set" : "violation_sequence";
  if (!root.IsSequence() || root.size() != 1) {
    fail(root, "the file is no list of one entry");
  } else if (is_map(root[0], "the entry", {"entry_type", "metadata", "content"})) {
    word(root[0], "entry_type", {type});
    metadata(root[0]["metadata"]);
    YAML::Node content = root[0]["content"];
    if (ok() && !content.IsSequence()) fail(content, "'content' is no list");
    bool runs = kind == WitnessKind::ViolationSequence;
    if (ok() && runs && content.size() == 0) fail(content, "a sequence without segments");
    for (std::size_t i = 0; ok() && i < content.size(); ++i) {
      if (runs)
        segment(content[i], i + 1 == content.size());
      else
        invariant(content[i]);
    }
  }
  if (error_) return *error_;
  return std::move(entry_);
}

}  // namespace

Result<WitnessEntry> read_witness(const std::string& path, const std::string& text,
                                  WitnessKind kind) {
  try {
    return Reader(path).read(YAML::Load(text), kind);
  } catch (const YAML::Exception& bad) {  // our code throws nothing; the library does
    auto from_one = [](int at) { return at < 0 ? 0U : static_cast<std::uint32_t>(at) + 1; };
    return Error{{path, from_one(bad.mark.line), from_one(bad.mark.column)}, "no YAML: " + bad.msg};
  }
}

}  // namespace lem::check
