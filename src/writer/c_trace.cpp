#include "writer/c_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "writer/program_run.h"

namespace lem::writer {

namespace {

/// Writes x for f::x: the line shows that the function is f.
std::string short_name(const std::string& name) {
  std::size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

/// Whether two rows are one step for the user: the same line of the program, without an input so
/// far.
bool continues(const RunRow& before, const RunRow& row) {
  return before.line == row.line && row.inputs.empty() && before.inputs.empty();
}

}  // namespace

std::string c_trace_text(const Problem& program, const ctext::CText& text,
                         const check::Certified& certified) {
  const CfaTrace& trace = std::get<Unsafe>(certified.verdict()).cfa_trace();
  std::vector<RunRow> rows;
  std::vector<RunRow> all = rows_of(program, trace);
  for (std::size_t i = 1; i < all.size(); ++i) {  // the first only gives values at the start
    if (!rows.empty() && continues(rows.back(), all[i]))
      rows.back().changed.insert(rows.back().changed.end(), all[i].changed.begin(),
                                 all[i].changed.end());
    else
      rows.push_back(std::move(all[i]));
  }
  std::size_t widest = 0;
  for (const RunRow& row : rows) widest = std::max(widest, text.line_text(row.line).size());
  widest = std::min<std::size_t>(widest, 48);
  std::string out;
  for (const RunRow& row : rows) {
    if (row.line == 0 && row.changed.empty()) continue;
    std::string words = row.line == 0 ? "(globals)" : text.line_text(row.line);
    std::replace(words.begin(), words.end(), '\n', ' ');
    if (words.size() > widest && widest > 3) words = words.substr(0, widest - 3) + "...";
    std::string changed;
    for (const auto& [name, value] : row.changed)
      changed += fmt::format("{}{} = {}", changed.empty() ? "" : ", ", short_name(name), value);
    for (const std::string& input : row.inputs)
      changed += fmt::format("{}<- {}", changed.empty() ? "" : " ", input);
    std::string number = row.line == 0 ? "" : std::to_string(row.line);
    std::string line = fmt::format("{:>6}  {:<{}}  {}", number, words, widest, changed);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace lem::writer
