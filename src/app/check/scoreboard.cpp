#include "app/check/scoreboard.h"

#include <algorithm>
#include <cassert>
#include <variant>

#include "writer/diagnostics.h"
#include "writer/finding.h"
#include "writer/json.h"

namespace lem::app {

void Scoreboard::expect(const Problem& problem, std::span<const std::size_t> properties,
                        std::span<const Unchecked> unchecked) {
  std::lock_guard lock(mutex_);
  problem_ = &problem;
  report_.format = problem.source.format;
  for (std::size_t index : properties) expected_.push_back(problem.properties[index].name);
  for (const Unchecked& one : unchecked) expected_.push_back(one.name);
  waiting_.resize(expected_.size());
}

void Scoreboard::warn(std::vector<Warning> warnings, Warnings shown) {
  std::lock_guard lock(mutex_);
  report_.warnings = std::move(warnings);
  if (shown == Warnings::Hide) return;
  for (const Warning& warning : report_.warnings) console_.err(warning.text());
}

void Scoreboard::add_rows(writer::PropertyResult& result) const {
  if (style_.rows == Rows::None) return;
  result.finding =
      std::make_shared<const writer::Finding>(writer::finding_of(result, problem_, report_.file));
  if (style_.rows == Rows::Json) result.json = writer::json_row(result, problem_, report_);
}

void Scoreboard::add(std::size_t place, writer::PropertyResult result) {
  if (style_.adviser) result.advice = style_.adviser(result, problem_);
  add_rows(result);
  std::lock_guard lock(mutex_);
  add_locked(place, std::move(result));
}

void Scoreboard::add_locked(std::size_t place, writer::PropertyResult result) {
  assert(place < waiting_.size() && !waiting_[place] && "one verdict for each property");
  if (style_.order == Order::AsTheyCome) print(result);
  waiting_[place] = std::move(result);
  ++settled_;
  if (style_.order == Order::Input)
    for (; printed_ < waiting_.size() && waiting_[printed_]; ++printed_) print(*waiting_[printed_]);
  if (settled_ < waiting_.size()) return;
  for (std::optional<writer::PropertyResult>& row : waiting_)
    report_.results.push_back(*std::move(row));
}

void Scoreboard::add_evidence(std::size_t place, const std::string& file) {
  std::lock_guard lock(mutex_);
  if (!report_.results.empty())
    report_.results[place].evidence = file;
  else
    waiting_[place]->evidence = file;
}

void Scoreboard::amend(std::size_t place, writer::PropertyResult result) {
  add_rows(result);
  std::lock_guard lock(mutex_);
  assert(place < report_.results.size() && "all are settled");
  if (!result.vacuous.empty() && ++vacuous_ <= kVacuousLines)
    console_.err(result.property + ": vacuous: " + result.vacuous);
  report_.results[place] = std::move(result);
}

void Scoreboard::sum_up_vacuous() {
  std::lock_guard lock(mutex_);
  if (vacuous_ > kVacuousLines)
    console_.err(std::to_string(vacuous_ - kVacuousLines) +
                 " more proofs are vacuous: --json and --report have them all");
  std::size_t all = report_.results.size();
  if (vacuous_ == all && all > 1) console_.err("vacuous: all " + std::to_string(all) + " proofs");
}

std::string Scoreboard::line_of(const writer::PropertyResult& result) const {
  std::string line(writer::answer_word(result));
  switch (style_.words) {
    case Words::Hwmcc:
      return line == "safe" ? "unsat" : line == "unsafe" ? "sat" : "unknown";
    case Words::SvComp:
      if (line == "safe") return "true";
      if (line == "unsafe") return "false(" + result.property + ")";
      break;
    case Words::Own:
    case Words::Gcc:
      line += ' ' + style_.label + result.property;
      break;
  }
  return result.reason.empty() ? line : line + ": " + result.reason;
}

void Scoreboard::print(const writer::PropertyResult& result) {
  std::string text = style_.words == Words::Gcc
                         ? writer::diagnostics(writer::finding_for(result, problem_, report_.file))
                         : line_of(result) + "\n";
  if (text.empty()) return;
  if (style_.lines == Lines::StandardOutput)
    console_.out(text);
  else
    console_.err(text.substr(0, text.size() - 1));
}

std::unique_lock<std::mutex> Scoreboard::close(StopCause cause, const std::string& engine) {
  std::unique_lock lock(mutex_);
  if (expected_.empty()) {
    expected_.push_back(report_.file);
    waiting_.resize(1);
  }
  if (settled_ == waiting_.size()) return lock;
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    if (!waiting_[i]) {
      writer::PropertyResult result{
          expected_[i], check::unknown(Reason::Stopped), std::string(name(cause)), engine, 0, {}};
      if (style_.adviser) result.advice = style_.adviser(result, problem_);
      add_locked(i, std::move(result));
    }
  return lock;
}

ExitCode exit_code(const writer::RunReport& report) {
  auto some = [&](std::string_view word) {
    return std::any_of(report.results.begin(), report.results.end(),
                       [&](const auto& result) { return writer::answer_word(result) == word; });
  };
  if (some("unsafe")) return ExitCode::Unsafe;
  return some("unknown") ? ExitCode::Unknown : ExitCode::Safe;
}

}  // namespace lem::app
