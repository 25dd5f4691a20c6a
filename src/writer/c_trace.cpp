#include "writer/c_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "writer/program_run.h"

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

/// What nobody can see.
bool is_silent(const RunRow& row) {
  return row.line == 0 && row.changed.empty() && row.inputs.empty();
}

void append(RunRow& before, const RunRow& row) {
  for (const auto& change : row.changed) {
    std::erase_if(before.changed, [&](const auto& old) { return old.first == change.first; });
    before.changed.push_back(change);
  }
  before.inputs.insert(before.inputs.end(), row.inputs.begin(), row.inputs.end());
  before.given.insert(before.given.end(), row.given.begin(), row.given.end());
}

/// One row for each visit of a line: edges of the same line in the same call are one step, until
/// a loop comes back. The first row only gives values at the start.
std::vector<RunRow> visits(const std::vector<RunRow>& all) {
  std::vector<RunRow> rows;
  std::set<std::string> passed;  // locations in the last row
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (is_silent(all[i])) continue;
    if (all[i].line == 0 && !rows.empty()) {  // what clang adds, such as copies of arguments
      append(rows.back(), all[i]);
      continue;
    }
    bool same = !rows.empty() && rows.back().line == all[i].line &&
                rows.back().calls == all[i].calls && !passed.contains(all[i].to);
    if (!same) passed.clear();
    passed.insert(all[i].to);
    if (same)
      append(rows.back(), all[i]);
    else
      rows.push_back(all[i]);
  }
  return rows;
}

/// A row for the line of each call that was entered, unless the row before shows it.
std::vector<RunRow> with_calls(const std::vector<RunRow>& rows) {
  std::vector<RunRow> out;
  std::vector<std::uint32_t> open;
  for (const RunRow& row : rows) {
    if (row.line == 0) {
      out.push_back(row);
      continue;
    }
    std::size_t common = 0;
    while (common < std::min(open.size(), row.calls.size()) && open[common] == row.calls[common])
      ++common;
    for (std::size_t i = common; i < row.calls.size(); ++i) {
      RunRow call;
      call.line = row.calls[i];
      call.calls.assign(row.calls.begin(), row.calls.begin() + static_cast<std::ptrdiff_t>(i));
      bool shown = !out.empty() && out.back().line == call.line && out.back().calls == call.calls;
      if (!shown && call.line != 0) out.push_back(std::move(call));
    }
    open = row.calls;
    out.push_back(row);
  }
  return out;
}

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

/// What fails at the end, in the words of the program.
std::string failure(const Problem& program) {
  const CProperty* about = program.source.c->about(program.property().name);
  if (about == nullptr || about->text.empty()) return {};
  if (about->rule == CRule::Assertion) return "assertion fails: " + about->text;
  return std::string(name(about->rule)) + ": " + about->text;
}

}  // namespace

std::vector<CStep> c_steps(const Problem& program, const CfaTrace& trace) {
  std::vector<RunRow> all = rows_of(program, trace);
  ShortNames names(all);
  std::vector<CStep> out;
  for (const RunRow& row : with_calls(visits(all)))
    out.push_back({row.line, row.column, row.calls, row.elsewhere, changes(row, names)});
  return out;
}

std::string c_trace_text(const Problem& program, const ctext::CText& text,
                         const check::Certified& certified) {
  static constexpr std::size_t kColumn = 48;  // of the values; longer lines push them aside
  std::vector<CStep> rows = c_steps(program, std::get<Unsafe>(certified.verdict()).cfa_trace());
  std::vector<std::string> words;
  std::size_t widest = 0;
  for (const CStep& row : rows) {
    std::string line = row.line == 0   ? "(globals)"
                       : row.elsewhere ? "(in another file)"
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
  std::string end = failure(program);
  return end.empty() ? out : out + fmt::format("{:>6}  {}\n", "", end);
}

}  // namespace lem::writer
