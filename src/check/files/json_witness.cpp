// Counterexamples as JSON: {"property": name, "trace": [{"state": {name: value, ...}, "input":
// {...}, "observed": {...}}, ...]}; values are SMT-LIB text.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "base/try.h"
#include "check/files/term_witness.h"
#include "check/validate.h"
#include "model/step_names.h"
#include "term/smtlib/sexpr.h"
#include "term/smtlib/term_parser.h"

namespace lem::check {

namespace {

using Json = nlohmann::json;

SourcePos place_of(const std::string& path, std::string_view text, std::size_t byte) {
  std::string_view before = text.substr(0, std::min(byte, text.size()));
  auto lines = std::count(before.begin(), before.end(), '\n');
  std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return {path, static_cast<std::uint32_t>(lines + 1), static_cast<std::uint32_t>(column)};
}

/// The library keeps the last of several values of a key; we refuse such files.
Result<Json> read_json(const std::string& path, std::string_view text) {
  std::vector<std::set<std::string>> open;
  std::string twice;
  auto look = [&](int /*depth*/, Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second)
      twice = parsed.get<std::string>();
    return true;
  };
  try {
    Json file = Json::parse(text, look);
    if (!twice.empty())
      return Error{place_of(path, text, text.rfind('"' + twice + '"')),
                   "'" + twice + "' is there twice"};
    return file;
  } catch (const Json::parse_error& error) {
    std::size_t byte = error.byte == 0 ? 0 : error.byte - 1;
    return Error{place_of(path, text, byte), "this is no JSON", ErrorKind::BadInput};
  }
}

/// Where the steps of the trace begin: objects in a list in an object.
std::vector<std::size_t> find_steps(std::string_view text) {
  std::vector<std::size_t> out;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
      continue;
    }
    if (text[i] == '{' && depth == 2) out.push_back(i);
    if (text[i] == '{' || text[i] == '[') ++depth;
    if ((text[i] == '}' || text[i] == ']') && depth > 0) --depth;
  }
  return out;
}

class JsonReader {
 public:
  JsonReader(const Problem& model, const std::string& path, std::string_view text)
      : model_(model),
        system_(model.system()),
        path_(path),
        text_(text),
        steps_(find_steps(text)) {}

  Result<TermWitness> run(const Json& file) {
    if (!file.is_object() || !file.contains("trace") || !file["trace"].is_array() ||
        file["trace"].empty())
      return malformed("expected an object with 'property' and a 'trace' of steps");
    for (const auto& [key, value] : file.items())
      if (key != "property" && key != "trace")
        return malformed("expected 'property' and 'trace', found '" + key + "'",
                         text_.find('"' + key + '"'));
    LEM_TRY(property(file.value("property", Json())));
    for (const Json& step : file["trace"]) LEM_TRY(add(step));
    return std::move(witness_);
  }

 private:
  /// At a byte of the text, else at the step that is being read.
  Error malformed(std::string message, std::size_t byte = std::string_view::npos) const {
    std::size_t step = witness_.trace.steps.size();
    if (byte == std::string_view::npos) byte = step < steps_.size() ? steps_[step] : 0;
    return {place_of(path_, text_, byte), std::move(message), ErrorKind::BadInput};
  }
  Status property(const Json& name) {
    if (name.is_null()) return Ok{};
    for (std::size_t i = 0; i < model_.properties.size(); ++i) {
      witness_.property = i;
      if (name.is_string() && name.get<std::string>() == model_.properties[i].name) return Ok{};
    }
    return malformed("the model has no property " + name.dump(), text_.find("\"property\""));
  }
  Status add(const Json& step);
  Result<std::vector<Term>> values(const Json& step, const char* part,
                                   const std::vector<std::pair<std::string, Sort>>& wanted);
  Result<Term> value(const Json& text, const std::string& where, Sort sort);

  const Problem& model_;
  const TransitionSystem& system_;
  const std::string& path_;  // borrowed, as the text
  std::string_view text_;
  std::vector<std::size_t> steps_;
  TermWitness witness_;
};

Result<Term> JsonReader::value(const Json& text, const std::string& where, Sort sort) {
  if (!text.is_string()) return malformed(where + ": expected SMT-LIB text");
  const auto& content = text.get_ref<const std::string&>();
  auto document = smtlib::read_document(path_, content);
  if (!document) return malformed(where + ": " + document.error().message);
  if (document->top().size() != 1) return malformed(where + ": expected one value");
  smtlib::TermParser parser(system_.terms(), *document);
  auto term = parser.term(document->top()[0], sort);
  if (!term) return malformed(where + ": " + term.error().message);
  if (!system_.terms().is_value(*term)) return malformed(where + ": expected a value");
  return *term;
}

/// The values of one part of a step, which names each variable once and no others.
Result<std::vector<Term>> JsonReader::values(
    const Json& step, const char* part, const std::vector<std::pair<std::string, Sort>>& wanted) {
  std::string where = "step " + std::to_string(witness_.trace.steps.size()) + ", " + part;
  Json given = step.value(part, Json::object());
  if (!given.is_object()) return malformed(where + ": expected an object");
  std::vector<Term> result;
  for (const auto& [name, sort] : wanted) {
    if (!given.contains(name)) return malformed(where + ": no value for '" + name + "'");
    auto term = value(given[name], where + " '" + name + "'", sort);
    if (!term) return term.error();
    result.push_back(*term);
    given.erase(name);
  }
  if (!given.empty()) return malformed(where + ": the model has no '" + given.begin().key() + "'");
  return result;
}

Status JsonReader::add(const Json& step) {
  if (!step.is_object()) return malformed("expected an object for each step");
  for (const auto& [key, value] : step.items())
    if (key != "state" && key != "input" && key != "observed")
      return malformed("expected 'state', 'input' and 'observed', found '" + key + "'");
  const TermStore& terms = system_.terms();
  smtlib::Naming naming = step_names(system_);
  std::vector<std::pair<std::string, Sort>> states;
  std::vector<std::pair<std::string, Sort>> inputs;
  std::vector<std::pair<std::string, Sort>> observed;
  for (const StateVar& state : system_.states())
    states.emplace_back(naming.plain(state.current), terms.sort(state.current));
  for (Term input : system_.inputs()) inputs.emplace_back(naming.plain(input), terms.sort(input));
  if (step.contains("observed"))
    for (const auto& [name, term] : model_.source.observed)
      observed.emplace_back(name, terms.sort(term));
  auto state_values = values(step, "state", states);
  if (!state_values) return state_values.error();
  auto input_values = values(step, "input", inputs);
  if (!input_values) return input_values.error();
  auto shown = values(step, "observed", observed);
  if (!shown) return shown.error();
  std::size_t before = witness_.trace.steps.size();
  if (before == 0) witness_.observed.resize(shown->size());
  if (shown->size() != witness_.observed.size())
    return malformed("some steps have 'observed', some have not");
  for (std::size_t i = 0; i < shown->size(); ++i) witness_.observed[i].push_back((*shown)[i]);
  witness_.trace.steps.push_back({*std::move(state_values), *std::move(input_values)});
  return Ok{};
}

}  // namespace

Result<Accepted> validate_json_witness(const Problem& model, const std::string& path,
                                       std::string_view text, const EvidenceTask& task) {
  LEM_LET(Json file, read_json(path, text));
  auto witness = JsonReader(model, path, text).run(file);
  if (!witness) return witness.error();
  return judge(model, path, *witness, task);
}

}  // namespace lem::check
