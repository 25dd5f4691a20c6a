// Counterexamples as JSON: {"property": name, "trace": [{"state": {name: value, ...}, "input":
// {...}, "observed": {...}}, ...]}; values are SMT-LIB text.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "check/term_witness.h"
#include "check/validate.h"
#include "model/step_names.h"
#include "term/smtlib/sexpr.h"
#include "term/smtlib/term_parser.h"

namespace lem {

namespace {

using Json = nlohmann::json;

Error malformed(const std::string& path, std::string message) {
  return {{path, 0, 0}, std::move(message), ErrorKind::BadInput};
}

SourcePos place_of(const std::string& path, std::string_view text, std::size_t byte) {
  std::string_view before = text.substr(0, std::min(byte == 0 ? 0 : byte - 1, text.size()));
  auto lines = std::count(before.begin(), before.end(), '\n');
  std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return {path, static_cast<std::uint32_t>(lines + 1), static_cast<std::uint32_t>(column)};
}

Result<Json> read_json(const std::string& path, std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return Error{place_of(path, text, error.byte), "this is no JSON", ErrorKind::BadInput};
  }
}

class JsonReader {
 public:
  JsonReader(const Problem& model, const std::string& path)
      : model_(model), system_(model.system()), path_(path) {}

  Result<check::TermWitness> run(const Json& file) {
    if (!file.is_object() || !file.contains("trace") || !file["trace"].is_array() ||
        file["trace"].empty())
      return malformed(path_, "expected an object with 'property' and a 'trace' of steps");
    if (Status named = property(file.value("property", Json())); !named) return named.error();
    for (const Json& step : file["trace"])
      if (Status added = add(step); !added) return added.error();
    return std::move(witness_);
  }

 private:
  Status property(const Json& name) {
    for (std::size_t i = 0; i < model_.properties.size(); ++i) {
      witness_.property = i;
      if (name.is_string() && name.get<std::string>() == model_.properties[i].name) return Ok{};
    }
    return malformed(path_, "the model has no property " + name.dump());
  }
  Status add(const Json& step);
  Result<std::vector<Term>> values(const Json& step, const char* part,
                                   const std::vector<std::pair<std::string, Sort>>& wanted);
  Result<Term> value(const Json& text, const std::string& where, Sort sort);

  const Problem& model_;
  const TransitionSystem& system_;
  const std::string& path_;  // borrowed
  check::TermWitness witness_;
};

Result<Term> JsonReader::value(const Json& text, const std::string& where, Sort sort) {
  if (!text.is_string()) return malformed(path_, where + ": expected SMT-LIB text");
  const auto& content = text.get_ref<const std::string&>();
  auto document = smtlib::read_document(path_, content);
  if (!document) return malformed(path_, where + ": " + document.error().message);
  if (document->top().size() != 1) return malformed(path_, where + ": expected one value");
  smtlib::TermParser parser(system_.terms(), *document);
  auto term = parser.term(document->top()[0], sort);
  if (!term) return malformed(path_, where + ": " + term.error().message);
  if (!system_.terms().is_value(*term)) return malformed(path_, where + ": expected a value");
  return *term;
}

/// The values of one part of a step, which names each variable once and no others.
Result<std::vector<Term>> JsonReader::values(
    const Json& step, const char* part, const std::vector<std::pair<std::string, Sort>>& wanted) {
  std::string where = "step " + std::to_string(witness_.trace.steps.size()) + ", " + part;
  Json given = step.value(part, Json::object());
  if (!given.is_object()) return malformed(path_, where + ": expected an object");
  std::vector<Term> result;
  for (const auto& [name, sort] : wanted) {
    if (!given.contains(name)) return malformed(path_, where + ": no value for '" + name + "'");
    auto term = value(given[name], where + " '" + name + "'", sort);
    if (!term) return term.error();
    result.push_back(*term);
    given.erase(name);
  }
  if (!given.empty())
    return malformed(path_, where + ": the model has no '" + given.begin().key() + "'");
  return result;
}

Status JsonReader::add(const Json& step) {
  if (!step.is_object()) return malformed(path_, "expected an object for each step");
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
    return malformed(path_, "some steps have 'observed', some have not");
  for (std::size_t i = 0; i < shown->size(); ++i) witness_.observed[i].push_back((*shown)[i]);
  witness_.trace.steps.push_back({*std::move(state_values), *std::move(input_values)});
  return Ok{};
}

}  // namespace

Status validate_json_witness(const Problem& model, const std::string& path, std::string_view text) {
  Result<Json> file = read_json(path, text);
  if (!file) return file.error();
  auto witness = JsonReader(model, path).run(*file);
  if (!witness) return witness.error();
  return check::judge(model, path, *witness);
}

}  // namespace lem
