#include "app/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/outputs.h"
#include "model/st/source.h"
#include "writer/file.h"

namespace lem::app {

namespace {

struct Row {
  std::string name, kind, place;
  std::string claim{};  // in words, where the format has them
  SourcePos at{};
};

std::string kind_of(const StProperty& one) {
  switch (one.kind) {
    case StProperty::Kind::Assertion:
      return "assertion";
    case StProperty::Kind::Requirement:
    case StProperty::Kind::Reachability:
      return one.pattern;
    case StProperty::Kind::Overflow:
      return "overflow";
    case StProperty::Kind::Division:
      return "division";
    case StProperty::Kind::Bounds:
      return "bounds";
  }
  unreachable();
}

/// What the formats call the things that are checked.
std::string kind_of(const Problem& problem, const Property& property) {
  const std::string& format = problem.source.format;
  if (format == "aiger") return property.symbol.starts_with("o") ? "output" : "bad";
  if (format == "btor2") return "bad";
  if (format == "chc") return "query";
  if (format == "verilog") return property.goal == Goal::Reach ? "cover" : "assertion";
  return property.goal == Goal::Reach ? "reachability" : "property";
}

std::string place_of(const Problem& problem, const Property& property) {
  const SourcePos& at = property.at;
  if (at.line != 0)
    return fmt::format("{}:{}:{}", at.file.empty() ? problem.source.file : at.file, at.line,
                       at.column);
  if (!at.file.empty()) return at.file;
  return property.symbol.empty() ? problem.source.file
                                 : problem.source.file + ":" + property.symbol;
}

std::vector<Row> rows_of(const Problem& problem) {
  std::vector<Row> out;
  for (std::size_t i = 0; i < problem.properties.size(); ++i) {
    const Property& property = problem.properties[i];
    Row row{property.name, kind_of(problem, property), place_of(problem, property)};
    row.at = property.at;
    if (const CSource* c = problem.source.c.get()) {
      const CProperty* about = c->about(property.name);
      row.kind = about == nullptr ? name(CRule::ErrorCall) : name(about->rule);
      if (about != nullptr) row.claim = about->text;
    }
    if (problem.source.st != nullptr) {
      const StProperty& one = problem.source.st->properties[i];
      row.kind = kind_of(one);
      row.claim = one.text;
    }
    out.push_back(std::move(row));
  }
  return out;
}

std::string as_json(const Problem& problem, const std::vector<Row>& rows) {
  nlohmann::ordered_json out = {{"file", problem.source.file}, {"format", problem.source.format}};
  out["properties"] = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    auto& one = out["properties"].emplace_back(
        nlohmann::ordered_json{{"name", row.name}, {"kind", row.kind}, {"place", row.place}});
    if (row.at.line != 0) {
      one["line"] = row.at.line;
      one["column"] = row.at.column;
    }
    if (!row.claim.empty()) one["claim"] = row.claim;
  }
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string as_table(const std::vector<Row>& rows) {
  std::size_t names = 0, kinds = 0;
  for (const Row& row : rows) {
    names = std::max(names, row.name.size());
    kinds = std::max(kinds, row.kind.size());
  }
  std::string out;
  for (const Row& row : rows)
    out += fmt::format("{:<{}}  {:<{}}  {}\n", row.name, names, row.kind, kinds, row.place);
  return out;
}

}  // namespace

ExitCode list_properties(const PropertiesRequest& request, Console& console) {
  if (!request.json.empty() && request.json != "-") {
    Output output{"--json", request.json};
    if (Status apart = check_apart(request.input.all_files(request.file), std::span(&output, 1));
        !apart)
      return console.fail(apart.error());
  }
  Result<Problem> problem = frontend::read_problem(request.file, request.input);
  if (!problem) return console.fail(problem.error());
  if (problem->properties.empty())
    return console.fail(frontend::nothing_to_check(request.file, problem->source.format));
  std::vector<Row> rows = rows_of(*problem);
  if (request.json.empty() || request.json == "-") {
    console.out(request.json.empty() ? as_table(rows) : as_json(*problem, rows));
    return ExitCode::Safe;
  }
  Status written = writer::write_file_atomically(request.json, as_json(*problem, rows));
  return written.ok() ? ExitCode::Safe : console.fail(written.error());
}

}  // namespace lem::app
