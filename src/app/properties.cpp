#include "app/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/outputs.h"
#include "base/try.h"
#include "writer/finding.h"

namespace lem::app {

namespace {

struct Row {
  std::string name, kind, place;
  std::string claim{};  // in words, where the format has them
  SourcePos at{};
};

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
    writer::PropertyAbout about = writer::about(problem, i);
    Row row{property.name, about.rule, place_of(problem, property)};
    row.claim = about.claim;
    row.at = property.at;
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

Result<ExitCode> list_properties(const PropertiesRequest& request, Console& console) {
  if (!request.json.empty() && request.json != "-") {
    Output output{"--json", request.json};
    LEM_TRY(check_apart(request.input.all_files(request.file), std::span(&output, 1)));
  }
  LEM_LET(Problem problem, frontend::read_problem(request.file, request.input));
  if (problem.properties.empty())
    return frontend::nothing_to_check(request.file, problem.source.format);
  std::vector<Row> rows = rows_of(problem);
  if (request.json.empty())
    console.out(as_table(rows));
  else
    LEM_TRY(put(request.json, as_json(problem, rows), console));
  return ExitCode::Safe;
}

}  // namespace lem::app
