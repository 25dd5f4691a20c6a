#include "app/check/report_page.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "app/check/needed_proof.h"
#include "app/evidence/form.h"
#include "base/word_list.h"
#include "check/c/readable.h"
#include "frontend/frontend.h"
#include "frontend/lustre/lustre.h"
#include "model/format.h"
#include "model/verilog_source.h"
#include "writer/report/report.h"

namespace lem::app {

namespace {

constexpr std::size_t kLargestSource = 1 << 20;  // bytes of one file
// For the question which lemmas are needed, of all proofs of a run together.
constexpr double kSecondsForLemmas = 2;

/// Whether people read the text of the file beside a trace.
bool has_source(const std::string& format, const std::string& file) {
  std::string_view texts = facts_of(format).texts;
  return texts == "*" || has_word(texts, extension_of(file));
}

std::vector<writer::ReportExtras::File> sources(const CheckRequest& request,
                                                const std::string& format) {
  std::vector<writer::ReportExtras::File> out;
  for (const std::string& file : request.input.all_files(request.file)) {
    if (!has_source(format, file)) continue;
    Result<std::string> text = frontend::read_bytes(file);
    if (!text || text->size() > kLargestSource) continue;
    out.push_back({std::filesystem::path(file).filename().string(), *std::move(text)});
  }
  return out;
}

/// A word that a shell takes as it is.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string out = "'";
  for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string command_of(const CheckRequest& request) {
  std::string out;
  for (std::size_t i = 0; i < request.command.size(); ++i)
    out += (i == 0 ? "lemmata" : " " + quoted(request.command[i]));
  return out;
}

std::vector<writer::ReportExtras::Option> options_of(const Options& options) {
  std::vector<writer::ReportExtras::Option> out;
  for (const OptionRow& row : options.rows())
    out.push_back({std::string(row.name), options.text(row.name), option_text(row, row.fallback)});
  std::stable_partition(out.begin(), out.end(),
                        [](const auto& option) { return option.value != option.fallback; });
  return out;
}

std::vector<std::pair<std::string, std::string>> versions(const writer::RunReport& report) {
  utsname system{};
  uname(&system);
  return {{"lemmata", report.version},
          {"compiler", __VERSION__},
          {"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)}};
}

/// What a report may take for that question: nothing beyond --timeout.
NeededProofs::Seconds time_for_lemmas(const CheckRequest& request, const Stats& stats) {
  if (!request.limits.seconds) return NeededProofs::Seconds(kSecondsForLemmas);
  auto total = stats.timers().find("app.total");
  double spent = total == stats.timers().end() ? 0 : total->second.seconds;
  return NeededProofs::Seconds(std::clamp(*request.limits.seconds - spent, 0.0, kSecondsForLemmas));
}

/// As the front end takes it.
const std::string& main_node(const frontend::ReadOptions& input) {
  return input.st.entry.empty() ? input.verilog.top : input.st.entry;
}

}  // namespace

std::string report_page(const CheckRequest& request, const writer::RunReport& report,
                        const Problem* problem, const Stats& stats, const RunFacts& facts) {
  writer::ReportExtras extras;
  extras.sources = sources(request, report.format);
  extras.verilog = facts.remarks.verilog.get();
  lustre::Enumerators enumerators;
  if (facts_of(report.format).enumerations && !extras.sources.empty())
    enumerators = lustre::read_enumerators(extras.sources.front().text, main_node(request.input));
  extras.enumerators = &enumerators;
  extras.command = command_of(request);
  extras.versions = versions(report);
  extras.options = options_of(facts.options);
  extras.growth = facts.growth;
  if (TermStore* terms = problem == nullptr ? nullptr : problem->store())
    extras.readable = [terms](Term formula) { return check::readable(*terms, formula, {}); };
  std::optional<NeededProofs> needed;
  if (problem != nullptr) {
    needed.emplace(*problem, time_for_lemmas(request, stats));
    extras.parts = [&](const writer::PropertyResult& result) { return needed->divide(result); };
  }
  return writer::write_report(report, problem, stats, extras);
}

}  // namespace lem::app
