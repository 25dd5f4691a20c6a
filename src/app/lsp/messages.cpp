#include "app/lsp/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "app/exit_code.h"
#include "app/lsp/text.h"

namespace lem::app::lsp {

namespace {

constexpr std::size_t kMaxSteps = 100;
enum Severity { kError = 1, kWarning = 2, kInformation = 3 };

/// From a place to the end of the claim, if it stands there, else of the line. Lines of other files
/// are not known: the place alone.
Json range_of(const Checked& checked, const SourcePos& at, std::string_view claim) {
  std::uint32_t line = std::max(at.line, 1U);
  std::string_view text = at.file == checked.path ? line_of(checked.text, line) : "";
  std::size_t blanks = std::min(text.find_first_not_of(" \t"), text.size());
  std::size_t start = at.column == 0 ? blanks : std::min<std::size_t>(at.column - 1, text.size());
  std::size_t end = std::max(text.find_last_not_of(" \t") + 1, start);
  if (std::size_t found = text.find(claim, start); !claim.empty() && found != text.npos)
    end = found + claim.size();
  std::size_t from =
      text.empty() ? std::max(at.column, 1U) - 1 : utf16_length(text.substr(0, start));
  std::size_t to = text.empty() ? from : utf16_length(text.substr(0, end));
  return {{"start", {{"line", line - 1}, {"character", from}}},
          {"end", {{"line", line - 1}, {"character", to}}}};
}

Json diagnostic(const Checked& checked, const SourcePos& at, std::string_view claim,
                Severity severity, const std::string& message) {
  return {{"range", range_of(checked, at, claim)},
          {"severity", static_cast<int>(severity)},
          {"source", "lemmata"},
          {"message", message}};
}

Json related(const Checked& checked, const std::vector<writer::PlacedText>& steps) {
  Json out = Json::array();
  std::size_t first = steps.size() - std::min(steps.size(), kMaxSteps);
  for (std::size_t i = first; i < steps.size(); ++i) {
    const writer::PlacedText& step = steps[i];
    std::string text = step.text;
    if (i == first && first > 0) text = fmt::format("({} steps before) {}", first, text);
    out.push_back(
        {{"location", {{"uri", uri_of(step.at.file)}, {"range", range_of(checked, step.at, {})}}},
         {"message", text}});
  }
  return out;
}

Json finding_json(const Checked& checked, const writer::Finding& finding) {
  bool unsafe = finding.verdict == "unsafe";
  // A place in another file is shown at the top of this one.
  SourcePos at = finding.about.at.file == checked.path ? finding.about.at : SourcePos{checked.path};
  std::string message = finding.message();
  if (at.line == 0 && finding.about.at.line != 0)
    message += fmt::format(" ({}:{})", finding.about.at.file, finding.about.at.line);
  Json out = diagnostic(checked, at, finding.about.claim, unsafe ? kError : kInformation, message);
  out["code"] = finding.about.rule;
  if (!finding.steps.empty()) out["relatedInformation"] = related(checked, finding.steps);
  return out;
}

Json error_json(const Checked& checked) {
  std::string_view first = checked.result.error;
  writer::PlacedText error = parse_error_line(first.substr(0, first.find('\n')), checked.path);
  bool usage = checked.result.exit_code == static_cast<int>(ExitCode::Usage);
  SourcePos at = error.at.file == checked.path ? error.at : SourcePos{checked.path};
  std::string text = error.text;
  if (error.at.file != checked.path) text = std::string(first);
  return diagnostic(checked, at, {}, usage ? kInformation : kError, text);
}

std::string verdict_text(const writer::Finding& finding) {
  if (finding.verdict != "safe")
    return fmt::format("**{}**: {}", finding.verdict, finding.message());
  std::string text = fmt::format("**safe**: {}, proved in {:.1f} s ({})", finding.property,
                                 finding.seconds, finding.engine);
  return finding.vacuous.empty() ? text : text + ", vacuous: " + finding.vacuous;
}

}  // namespace

Json diagnostics_of(const Checked& checked) {
  Json out = Json::array();
  for (const writer::Finding& finding : checked.result.findings)
    if (finding.verdict != "safe") out.push_back(finding_json(checked, finding));
  for (const writer::PlacedText& warning : checked.result.warnings)
    out.push_back(diagnostic(checked, warning.at, {}, kWarning, warning.text));
  if (!checked.result.error.empty()) out.push_back(error_json(checked));
  return out;
}

std::optional<std::string> hover_text(const writer::CheckedFile& result, std::string_view path,
                                      std::uint32_t line) {
  std::string out;
  std::string formulas;
  std::set<std::string> seen;
  for (const writer::Finding& finding : result.findings) {
    const SourcePos& at = finding.about.at;
    if (at.file == path && std::max(at.line, 1U) == line) out += verdict_text(finding) + "\n\n";
    for (const writer::PlacedText& one : finding.invariants)
      if (one.at.file == path && std::max(one.at.line, 1U) == line && seen.insert(one.text).second)
        formulas += one.text + "\n";
  }
  if (!formulas.empty()) out += "invariant:\n```\n" + formulas + "```\n";
  if (out.empty()) return {};
  return out;
}

writer::PlacedText parse_error_line(std::string_view line, std::string_view file) {
  writer::PlacedText out{{}, std::string(line)};
  constexpr std::string_view kWord = "error: ";
  std::size_t word = line.find(kWord);
  if (word == line.npos) return {{std::string(file)}, std::string(line)};
  out.text = line.substr(word + kWord.size());
  std::string_view place = line.substr(0, word);
  if (!place.starts_with(file)) {
    if (place.empty()) out.at.file = file;
    return out;
  }
  out.at.file = file;
  place.remove_prefix(file.size());
  for (std::uint32_t* number : {&out.at.line, &out.at.column}) {
    if (!place.starts_with(':')) break;
    place.remove_prefix(1);
    auto [stop, failed] = std::from_chars(place.data(), place.data() + place.size(), *number);
    if (failed != std::errc{}) break;
    place.remove_prefix(static_cast<std::size_t>(stop - place.data()));
  }
  return out;
}

}  // namespace lem::app::lsp
