#include "writer/report/report.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

#include "base/assert.h"
#include "base/sha256.h"
#include "base/xml.h"
#include "model/st/source.h"
#include "writer/report/assets.h"
#include "writer/report/parts.h"

namespace lem::writer {

namespace {

using report::Json;
using report::Subject;

const char* certified_word(const PropertyResult& result) {
  if (is_unknown(result.outcome.verdict())) return "";
  switch (result.outcome.how()) {
    case check::Certification::Unchecked:
      return "no";
    case check::Certification::Replayed:
      return "replay";
    case check::Certification::Checked:
      return "yes";
  }
  unreachable();
}

/// Where the property is stated, and its text, as far as these are known.
void add_place(Json& out, const PropertyResult& result, const Subject& subject) {
  const SourceMap& source = subject.problem.source;
  SourcePos at;
  for (const Property& property : subject.problem.properties)
    if (property.name == result.property) at = property.at;
  if (const CProperty* c = source.c == nullptr ? nullptr : source.c->about(result.property)) {
    at = c->at;
    if (!c->text.empty()) out["text"] = c->text;
    out["rule"] = name(c->rule);
  }
  if (source.st != nullptr) {
    const StProperty& st = source.st->about(result.property);
    at = st.at;
    out["text"] = st.text;
  }
  if (at.line == 0) return;
  out["line"] = source.c != nullptr ? report::row_of(subject, at.line) : at.line;
  out["file"] = at.file;
}

Json result_json(const PropertyResult& result, const Subject* subject) {
  Json out;
  out["property"] = result.property;
  out["verdict"] = answer_word(result);
  out["reason"] = result.reason;
  out["engine"] = result.engine;
  out["seconds"] = result.seconds;
  out["depth"] = result.depth ? Json(*result.depth) : Json();
  out["certified"] = certified_word(result);
  out["vacuous"] = result.vacuous;
  out["advice"] = result.advice;
  if (result.goal == Goal::Reach) out["goal"] = true;
  if (subject == nullptr) return out;
  bool listed = false;
  for (const Property& property : subject->problem.properties)
    listed = listed || property.name == result.property;
  if (listed) add_place(out, result, *subject);
  if (const Run* run = run_of(result.outcome.verdict()))
    out["trace"] =
        std::visit([&](const auto& one) { return report::trace(*subject, result, one); }, *run);
  if (is_safe(result.outcome.verdict())) out["proof"] = report::proof(*subject, result);
  return out;
}

Json stats_json(const Stats& stats) {
  Json out = Json::array();
  for (const auto& [name, counter] : stats.counters()) out.push_back({name, counter.value, ""});
  for (const auto& [name, timer] : stats.timers()) out.push_back({name, timer.seconds, "s"});
  return out;
}

Json data_json(const RunReport& report, const Problem* problem, const Stats& stats,
               const ReportExtras& extras) {
  Json out;
  out["version"] = report.version;
  out["file"] = report.file;
  out["format"] = report.format;
  Json& sources = out["sources"] = Json::array();
  for (const ReportExtras::File& file : extras.sources)
    sources.push_back({{"name", file.name}, {"text", file.text}});
  Json& warnings = out["warnings"] = Json::array();
  for (const Warning& warning : report.warnings) warnings.push_back(warning.text());
  std::optional<ctext::CText> text;
  bool of_c = problem != nullptr && problem->source.c != nullptr;
  if (of_c && !extras.sources.empty()) text.emplace(extras.sources.front().text);
  std::optional<Subject> subject;
  if (problem != nullptr) subject.emplace(Subject{*problem, extras, text ? &*text : nullptr});
  Json& results = out["results"] = Json::array();
  for (const PropertyResult& result : report.results)
    results.push_back(result_json(result, subject ? &*subject : nullptr));
  if (subject) out["flow"] = report::control_flow(*subject);
  out["growth"] = extras.growth == nullptr ? Json::array() : report::growth(*extras.growth);
  out["command"] = extras.command;
  out["versions"] = extras.versions;
  Json& options = out["options"] = Json::array();
  for (const ReportExtras::Option& option : extras.options)
    options.push_back({option.name, option.value, option.fallback});
  out["stats"] = stats_json(stats);
  return out;
}

/// What is there without scripts: the verdict lines.
std::string plain_verdicts(const RunReport& report) {
  std::string out;
  for (const PropertyResult& result : report.results) {
    out += "<li>" + std::string(answer_word(result)) + " " + xml_escaped(result.property);
    if (!result.reason.empty()) out += ": " + xml_escaped(result.reason);
    out += "</li>\n";
  }
  return out;
}

std::string base64_of_hex(const std::string& digits) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned> bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<unsigned>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = bytes[i] << 16;
    if (i + 1 < bytes.size()) group |= bytes[i + 1] << 8;
    if (i + 2 < bytes.size()) group |= bytes[i + 2];
    for (int shift = 18; shift >= 0; shift -= 6) out += kAlphabet[group >> shift & 63];
  }
  std::size_t padding = (3 - bytes.size() % 3) % 3;
  for (std::size_t i = 0; i < padding; ++i) out[out.size() - 1 - i] = '=';
  return out;
}

/// The browser runs this script and this style, and loads nothing else, whatever the data says.
std::string policy(std::string_view style, std::string_view script) {
  auto hash = [](std::string_view text) { return base64_of_hex(sha256(text)); };
  return fmt::format("default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'",
                     hash(style), hash(script));
}

}  // namespace

namespace report {

std::uint32_t row_of(const Subject& subject, std::uint32_t line) {
  if (subject.text == nullptr) return line;
  std::optional<ctext::CSpan> span = subject.text->line(line);
  return span ? subject.text->tokens()[span->first].row : 0;
}

}  // namespace report

std::string embeddable(std::string json) {
  std::string out;
  out.reserve(json.size());
  for (char c : json)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

std::string write_report(const RunReport& report, const Problem* problem, const Stats& stats,
                         const ReportExtras& extras) {
  std::string_view page(report::kTemplate);
  std::string data = data_json(report, problem, stats, extras)
                         .dump(-1, ' ', false, Json::error_handler_t::replace);
  struct Hole {
    std::string_view name;
    std::string text;
  };
  const std::array holes = {
      Hole{"{{policy}}", policy(report::kStyle, report::kScript)},
      Hole{"{{title}}", xml_escaped(report.file)},
      Hole{"{{style}}", report::kStyle},
      Hole{"{{verdicts}}", plain_verdicts(report)},
      Hole{"{{data}}", embeddable(std::move(data))},
      Hole{"{{script}}", report::kScript},
  };
  std::string out;
  for (const Hole& hole : holes) {  // in the order of the template; nothing is looked at twice
    std::size_t at = page.find(hole.name);
    assert(at != page.npos && "the template lacks a hole");
    out += page.substr(0, at);
    out += hole.text;
    page.remove_prefix(at + hole.name.size());
  }
  return out + std::string(page);
}

}  // namespace lem::writer
