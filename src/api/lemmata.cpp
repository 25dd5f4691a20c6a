#include "api/lemmata/lemmata.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "api/child.h"

namespace lemmata {

using Json = nlohmann::json;

std::string_view version() {
  return LEM_VERSION;
}

namespace {

/// Removed with what is in it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "lemmata-api-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(Error::Kind::Internal, {}, name + ": error: " + std::strerror(errno));
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path file(const std::string& name) const { return path_ / name; }
  std::string folder(const std::string& name) const { return (path_ / name).string() + "/"; }

 private:
  std::filesystem::path path_;
};

}  // namespace

static std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in.is_open() || in.bad())
    throw Error(Error::Kind::Internal, {}, file.string() + ": error: cannot be read");
  return text;
}

static void write_text(const std::filesystem::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) throw Error(Error::Kind::Internal, {}, file.string() + ": error: cannot be written");
}

/// The number before a colon at the end of `text`, which loses both; 0: there is none.
static unsigned take_number(std::string& text) {
  std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return 0;
  unsigned number = 0;
  const char* end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc() || at != end) return 0;
  text.resize(colon);
  return number;
}

/// Of "file:line:column", "file:line" or "file".
static Place place_of(std::string text) {
  unsigned last = take_number(text);
  unsigned first = last == 0 ? 0 : take_number(text);
  return first == 0 ? Place{std::move(text), last, 0} : Place{std::move(text), first, last};
}

/// The failure of a run by its exit code and what it wrote to standard error.
static Error failure(const ChildEnd& end) {
  static constexpr std::string_view kMark = ": error: ";
  std::string text = end.errors;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  Place place;
  if (std::size_t mark = text.find(kMark); mark != std::string::npos) {
    std::size_t line = text.rfind('\n', mark);
    line = line == std::string::npos ? 0 : line + 1;
    place = place_of(text.substr(line, mark - line));
  }
  if (end.code > 128) text += "lemmata: error: ended by signal " + std::to_string(end.code - 128);
  switch (end.code) {
    case 64:
      return {Error::Kind::Usage, std::move(place), text};
    case 65:
      return {Error::Kind::BadInput, std::move(place), text};
    case 66:
      return {Error::Kind::NotFound, std::move(place), text};
    default:
      return {Error::Kind::Internal, std::move(place), text};
  }
}

static Json parsed(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(Error::Kind::Internal, {},
                std::string("lemmata: error: no document: ") + error.what());
  }
}

static std::string text_at(const Json& row, const char* key) {
  auto at = row.find(key);
  return at != row.end() && at->is_string() ? at->get<std::string>() : std::string();
}

static Place place_at(const Json& row, const std::string& file) {
  return {row.value("file", file), row.value("line", 0U), row.value("column", 0U)};
}

static std::vector<Remark> remarks_at(const Json& row, const char* key, const std::string& file,
                                      const char* text = "text") {
  std::vector<Remark> out;
  for (const Json& one : row.value(key, Json::array()))
    out.push_back({place_at(one, file), text_at(one, text)});
  return out;
}

/// As the program takes it: no option, and not standard input.
static std::string argument(const std::filesystem::path& file) {
  std::string name = file.string();
  return name.starts_with('-') ? "./" + name : name;
}

void Model::list_properties() {
  std::vector<std::string> arguments = {"properties", argument(file_), "--json", "-"};
  arguments.insert(arguments.end(), options_.begin(), options_.end());
  ChildEnd end = run_program(arguments, {});
  if (end.code != 0) throw failure(end);
  Json document = parsed(end.output);
  format_ = text_at(document, "format");
  for (const Json& row : document.value("properties", Json::array())) {
    Property& property = properties_.emplace_back();
    property = {text_at(row, "name"), text_at(row, "kind"), text_at(row, "claim"), {}};
    if (std::string place = text_at(row, "place"); !place.empty())
      property.place = place_of(std::move(place));
  }
}

Model Model::read(const std::filesystem::path& file, std::vector<std::string> options) {
  Model model;
  model.file_ = file;
  model.options_ = std::move(options);
  model.list_properties();
  return model;
}

Model Model::from_text(std::string_view text, const std::string& extension,
                       std::vector<std::string> options) {
  auto folder = std::make_shared<const Folder>();
  Model model;
  model.file_ = folder->file("model" + extension);
  model.options_ = std::move(options);
  model.kept_ = folder;
  write_text(model.file_, text);
  model.list_properties();
  return model;
}

static Verdict verdict_of(std::string_view word) {
  return word == "safe" ? Verdict::Safe : word == "unsafe" ? Verdict::Unsafe : Verdict::Unknown;
}

static Result result_of(const Json& row, const std::string& file) {
  Result out;
  out.property = text_at(row, "property");
  out.verdict = verdict_of(text_at(row, "verdict"));
  out.reason = text_at(row, "reason");
  out.advice = row.value("advice", std::vector<std::string>());
  out.engine = text_at(row, "engine");
  out.seconds = row.value("seconds", 0.0);
  out.vacuous = text_at(row, "vacuous_because");
  const Json places = row.value("places", Json::object());
  out.place = place_at(places, file);
  out.steps = remarks_at(places, "steps", out.place.file);
  out.invariant = remarks_at(places, "invariants", out.place.file);
  if (std::filesystem::path evidence = text_at(row, "evidence"); !evidence.empty()) {
    bool run = evidence.parent_path().filename() == "witness";
    out.evidence = {run ? Evidence::Kind::Witness : Evidence::Kind::Certificate,
                    evidence.extension().string(), read_text(evidence)};
  }
  return out;
}

/// "safe NAME", "unsafe NAME", "unknown NAME: reason".
static void tell(const CheckOptions& options, const Model& model, std::string_view line) {
  std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return;
  Verdict verdict = verdict_of(line.substr(0, space));
  std::string_view name = line.substr(space + 1);
  if (verdict == Verdict::Unknown)  // its reason is not part of its name, which may have a colon
    for (const Property& property : model.properties())
      if (name.starts_with(property.name + ": ")) name = property.name;
  options.on_verdict(verdict, name);
}

Report check(const Model& model, const CheckOptions& options, const std::stop_token& stop) {
  Folder folder;
  std::filesystem::path document = folder.file("results.json");
  std::vector<std::string> arguments = {"check",         argument(model.file()),
                                        "--engine",      options.engine,
                                        "--no-progress", "--places",
                                        "--json",        document.string(),
                                        "--stream",      "-q"};
  auto add = [&](const std::string& option, const std::string& value) {
    arguments.push_back(option);
    arguments.push_back(value);
  };
  for (const std::string& name : options.properties) add("--property", name);
  for (const std::string& setting : options.settings) add("--set", setting);
  if (options.timeout.count() > 0) add("--timeout", std::to_string(options.timeout.count()));
  if (options.memory_mb > 0) add("--memory", std::to_string(options.memory_mb));
  if (options.evidence) {
    add("--witness", folder.folder("witness"));
    add("--certificate", folder.folder("certificate"));
  }
  arguments.insert(arguments.end(), model.options().begin(), model.options().end());
  auto on_line = [&](std::string_view line) { tell(options, model, line); };
  ChildEnd end =
      options.on_verdict ? run_program(arguments, stop, on_line) : run_program(arguments, stop);
  // With 64 some evidence has no form in which it can be written; the verdicts are there.
  bool complete = end.code <= 2 || (end.code == 64 && std::filesystem::exists(document));
  if (!complete) throw failure(end);
  Report report;
  report.json = read_text(document);
  Json json = parsed(report.json);
  if (text_at(json, "version") != version())
    throw Error(Error::Kind::Internal, {},
                program_file() + ": error: is of version " + text_at(json, "version") +
                    ", the library of version " + std::string(version()));
  std::string file = text_at(json, "file");
  report.warnings = remarks_at(json, "warnings", file, "message");
  for (const Json& row : json.value("results", Json::array()))
    report.results.push_back(result_of(row, file));
  return report;
}

std::string validate(const Model& model, std::string_view property, const Evidence& evidence,
                     const std::stop_token& stop) {
  Folder folder;
  std::filesystem::path file = folder.file("evidence" + evidence.extension);
  write_text(file, evidence.text);
  bool run = evidence.kind == Evidence::Kind::Witness;
  std::vector<std::string> arguments = {
      "validate",    argument(model.file()), run ? "--witness" : "--certificate",
      file.string(), "--property",           std::string(property)};
  arguments.insert(arguments.end(), model.options().begin(), model.options().end());
  ChildEnd end = run_program(arguments, stop);
  if (end.code == 0 && end.output.starts_with("accepted ")) return {};
  static constexpr std::string_view kRejected = "rejected: ";
  bool judged = end.output.starts_with(kRejected);
  // The model was read before: what is malformed is the evidence.
  if (!judged && end.code > 2 && end.code != 65) throw failure(end);
  std::string why = judged               ? end.output.substr(kRejected.size())
                    : end.output.empty() ? end.errors
                                         : end.output;
  while (!why.empty() && why.back() == '\n') why.pop_back();
  return why;
}

}  // namespace lemmata
