#include "writer/c_steps.h"

#include <algorithm>
#include <set>

namespace lem::writer {

namespace {

/// What nobody can see.
bool is_silent(const RunRow& row) {
  return row.line == 0 && row.changed.empty() && row.inputs.empty();
}

void append(RunRow& before, const RunRow& row) {
  for (const auto& change : row.changed) {
    std::erase_if(before.changed, [&](const auto& old) { return old.first == change.first; });
    before.changed.push_back(change);
  }
  for (const auto& value : row.kept)
    if (std::none_of(before.changed.begin(), before.changed.end(),
                     [&](const auto& old) { return old.first == value.first; }))
      before.kept.push_back(value);
  before.edges.insert(before.edges.end(), row.edges.begin(), row.edges.end());
  before.read.insert(before.read.end(), row.read.begin(), row.read.end());
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

}  // namespace

std::vector<RunRow> visited_lines(const std::vector<RunRow>& rows) {
  return with_calls(visits(rows));
}

std::string c_failure(const Problem& program, const std::string& property) {
  const CProperty* about = program.source.c->about(property);
  if (about == nullptr || about->text.empty()) return {};
  if (about->rule == CRule::Assertion) return "assertion fails: " + about->text;
  return std::string(name(about->rule)) + ": " + about->text;
}

}  // namespace lem::writer
