#include "writer/c_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "writer/c_steps.h"

namespace lem::writer {

namespace {

std::string without_scope(const std::string& name) {
  std::size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

/// Names without their function, unless the run has two variables of the same name.
class ShortNames {
 public:
  explicit ShortNames(const std::vector<RunRow>& rows) {
    for (const RunRow& row : rows)
      for (const auto& [name, value] : row.changed) full_[without_scope(name)].insert(name);
  }
  std::string operator()(const std::string& name) const {
    std::string shorter = without_scope(name);
    return full_.at(shorter).size() == 1 ? shorter : name;
  }

 private:
  std::map<std::string, std::set<std::string>> full_;
};

std::string changes(const RunRow& row, const ShortNames& names) {
  std::string out;
  for (const auto& [name, value] : row.changed)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", names(name), value);
  for (std::size_t i = 0; i < row.inputs.size(); ++i) {
    bool stored = row.given[i].empty();
    out += stored ? fmt::format("{}<- {}", out.empty() ? "" : " ", row.inputs[i])
                  : fmt::format("{}{}", out.empty() ? "" : ", ", row.given[i]);
  }
  return out;
}

}  // namespace

std::vector<CStep> c_steps(const Problem& program, const CfaTrace& trace) {
  std::vector<RunRow> all = rows_of(program, trace);
  ShortNames names(all);
  std::vector<CStep> out;
  for (const RunRow& row : visited_lines(all))
    out.push_back({row.line, row.column, row.calls, row.elsewhere, row.file, changes(row, names)});
  return out;
}

std::string c_trace_text(const Problem& program, const ctext::CText& text,
                         const check::Certified& certified) {
  static constexpr std::size_t kColumn = 48;  // of the values; longer lines push them aside
  std::vector<CStep> rows = c_steps(program, run_as<CfaTrace>(certified.verdict()));
  std::vector<std::string> words;
  std::size_t widest = 0;
  for (const CStep& row : rows) {
    std::string line = row.line == 0 ? "(globals)"
                       : row.elsewhere
                           ? (row.file.empty() ? "(in another file)" : "(" + row.file + ")")
                           : text.line_text(row.line);
    std::replace(line.begin(), line.end(), '\n', ' ');
    words.push_back(std::string(2 * row.calls.size(), ' ') + line);
    if (words.back().size() <= kColumn) widest = std::max(widest, words.back().size());
  }
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string number = rows[i].line == 0 ? "" : std::to_string(rows[i].line);
    std::string line = fmt::format("{:>6}  {:<{}}  {}", number, words[i], widest, rows[i].changes);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  std::string end = c_failure(program, program.property().name);
  return end.empty() ? out : out + fmt::format("{:>6}  {}\n", "", end);
}

}  // namespace lem::writer
