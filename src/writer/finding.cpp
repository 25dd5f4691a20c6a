#include "writer/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "model/format.h"
#include "model/st/source.h"
#include "writer/finding_steps.h"

namespace lem::writer {

namespace {

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
  if (property.is_justice()) return "justice";
  const FormatFacts& facts = facts_of(problem.source.format);
  if (!facts.output.empty() && property.symbol.starts_with("o")) return std::string(facts.output);
  return std::string(property.goal == Goal::Reach ? facts.goal : facts.property);
}

/// What is wrong where a property of that kind fails.
std::string_view phrase(std::string_view rule) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kPhrases = {{
      {"assert", "assertion may fail"},
      {"assertion", "assertion may fail"},
      {"unreach-call", "the error may be reached"},
      {"bounds", "index may be out of bounds"},
      {"null", "null pointer may be dereferenced"},
      {"division", "division may fail"},
      {"overflow", "arithmetic may overflow"},
      {"shift", "shift may be undefined"},
      {"conversion", "conversion may lose the value"},
      {"uninitialised", "value may be uninitialised"},
      {"use-after-free", "memory may be used after it was freed"},
      {"double-free", "memory may be freed twice"},
      {"leak", "memory may leak"},
      {"unreachable", "code marked as unreachable may be reached"},
      {"cover", "cover is never reached"},
      {"reachability", "goal is never reached"},
      {"bad", "bad state may be reached"},
      {"output", "output may become true"},
      {"query", "query may be reached"},
      {"justice", "recurring signals may all recur for ever"},
  }};
  for (const auto& [id, text] : kPhrases)
    if (id == rule) return text;
  return "property may fail";
}

}  // namespace

PropertyAbout about(const Problem& problem, std::size_t index) {
  const Property& property = problem.properties[index];
  PropertyAbout out{kind_of(problem, property), {}, property.at};
  if (const CSource* c = problem.source.c.get()) {
    const CProperty* one = c->about(property.name);
    out.rule = one == nullptr ? name(CRule::ErrorCall) : name(one->rule);
    if (one != nullptr) out.claim = one->text;
    if (one != nullptr) out.at = one->at;
  }
  if (problem.source.st != nullptr) {
    const StProperty& one = problem.source.st->properties[index];
    out.rule = kind_of(one);
    bool check = one.kind == StProperty::Kind::Overflow || one.kind == StProperty::Kind::Division ||
                 one.kind == StProperty::Kind::Bounds;
    out.claim = check ? "expected: " + one.text : one.text;
  }
  if (out.at.file.empty()) out.at.file = problem.source.file;
  return out;
}

std::string Finding::message() const {
  if (verdict == "unknown") return fmt::format("not decided: {}: {}", property, reason);
  if (verdict == "safe") return property + " is safe";
  return fmt::format("{}: {}", phrase(about.rule), about.claim.empty() ? property : about.claim);
}

Finding finding_of(const PropertyResult& result, const Problem* problem, const std::string& file) {
  Finding out{result.property,
              std::string(answer_word(result)),
              result.reason,
              result.engine,
              result.seconds,
              result.vacuous,
              {},
              {},
              {}};
  out.about = {"property", {}, {file}};
  if (problem == nullptr) return out;
  auto at = std::find_if(problem->properties.begin(), problem->properties.end(),
                         [&](const Property& one) { return one.name == result.property; });
  if (at == problem->properties.end()) return out;  // stated, but checked by nothing here
  out.about = about(*problem, static_cast<std::size_t>(at - problem->properties.begin()));
  const Verdict& verdict = result.outcome.verdict();
  if (const Run* run = run_of(verdict)) out.steps = placed_steps(*problem, out.about.at, *run);
  if (const Certificate* proof = certificate_of(verdict))
    out.invariants = placed_invariants(*problem, out.about.at, *proof);
  return out;
}

Finding finding_for(const PropertyResult& result, const Problem* problem, const std::string& file) {
  if (result.finding == nullptr) return finding_of(result, problem, file);
  Finding out = *result.finding;
  out.vacuous = result.vacuous;
  return out;
}

CheckedFile checked_file(const RunReport& report, const Problem* problem, int exit_code,
                         double seconds) {
  CheckedFile out{report.file, exit_code, {}, seconds, {}};
  for (const PropertyResult& result : report.results)
    out.findings.push_back(finding_for(result, problem, report.file));
  return out;
}

}  // namespace lem::writer
