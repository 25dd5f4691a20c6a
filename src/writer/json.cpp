#include "writer/json.h"

#include <cassert>
#include <nlohmann/json.hpp>
#include <variant>

#include "model/observed.h"
#include "model/step_names.h"
#include "term/smtlib/printer.h"
#include "writer/horn.h"
#include "writer/live_text.h"
#include "writer/program_run.h"
#include "writer/st_invariant.h"
#include "writer/st_trace.h"

namespace lem::writer {

// Keys in the order of the specification, not of the alphabet.
using Json = nlohmann::ordered_json;

// Names come from the input file and need not be UTF-8.
static std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

static std::string bits(const std::vector<bool>& values) {
  std::string text;
  for (bool value : values) text += value ? '1' : '0';
  return text;
}

static Json trace_json(const Problem& problem, const Trace& trace) {
  const Aig& aig = problem.aig();
  Json out;
  Json& latches = out["latches"] = Json::array();
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
    latches.push_back(signal_name(problem, aig.first_latch() + i));
  Json& inputs = out["inputs"] = Json::array();
  for (std::uint32_t i = 0; i < aig.num_inputs(); ++i)
    inputs.push_back(signal_name(problem, aig.first_input() + i));
  out["initial"] = bits(trace.initial);
  Json& steps = out["steps"] = Json::array();
  for (const std::vector<bool>& step : trace.inputs) steps.push_back(bits(step));
  return out;
}

/// One object for each step; values are SMT-LIB text. Variables that the source has and the system
/// evaluates are added.
static Json trace_json(const Problem& problem, const TermTrace& trace) {
  const TransitionSystem& system = problem.system();
  const TermStore& terms = system.terms();
  smtlib::Naming naming = step_names(system);
  Json out = Json::array();
  for (const TermTrace::Step& step : trace.steps) {
    Json& row = out.emplace_back(Json::object());
    Json& state = row["state"] = Json::object();
    for (std::size_t i = 0; i < step.states.size(); ++i)
      state[naming.plain(system.states()[i].current)] = smtlib::term_text(terms, step.states[i]);
    Json& input = row["input"] = Json::object();
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      input[naming.plain(system.inputs()[i])] = smtlib::term_text(terms, step.inputs[i]);
    if (problem.source.observed.empty()) continue;
    Json& observed = row["observed"] = Json::object();
    std::vector<Term> values = observed_at(problem, step);
    for (std::size_t i = 0; i < values.size(); ++i)
      observed[problem.source.observed[i].first] = smtlib::term_text(terms, values[i]);
  }
  return out;
}

/// One object for each edge of the run.
static Json trace_json(const Problem& problem, const CfaTrace& trace) {
  Json out = Json::array();
  for (const RunRow& row : rows_of(problem, trace)) {
    Json& step = out.emplace_back(Json::object());
    step["line"] = row.line;
    step["to"] = row.to;
    Json& changed = step["changed"] = Json::object();
    for (const auto& [name, value] : row.changed) changed[name] = value;
    if (!row.inputs.empty()) step["inputs"] = row.inputs;
  }
  return out;
}

/// One object for each fact, premises first; numbers count from 1.
static Json trace_json(const Problem& problem, const Derivation& run) {
  Json out = Json::array();
  for (const DerivationRow& row : rows_of(problem, run)) {
    Json& step = out.emplace_back(Json::object());
    step["fact"] = row.fact;
    step["clause"] = row.clause;
    step["line"] = row.line;
    Json& values = step["values"] = Json::object();
    for (const auto& [name, value] : row.values) values[name] = value;
    step["premises"] = row.premises;
  }
  return out;
}

/// A run of a PLC program: its table.
static Json cycles_json(const Problem& problem, const std::string& property,
                        const check::Certified& certified) {
  const StSource& source = *problem.source.st;
  return Json::parse(st_table_json(st_table({problem.cfa(), problem.source.st}, certified),
                                   source.about(property)));
}

static Json clauses_json(const Problem& problem, const std::vector<SignalClause>& clauses) {
  Json out = Json::array();
  for (const SignalClause& clause : clauses) {
    Json& row = out.emplace_back(Json::array());
    for (AigLit lit : clause) row.push_back(literal_name(problem, lit));
  }
  return out;
}

static Json invariant_json(const Problem& problem, const InductiveInvariant& claim) {
  return clauses_json(problem, claim.clauses);
}

static Json invariant_json(const Problem& problem, const KInductive& claim) {
  return Json{{"k", claim.k},
              {"simple_path", claim.simple_path == SimplePath::Yes},
              {"clauses", clauses_json(problem, claim.clauses)}};
}

static Json invariant_json(const Problem& problem, const TermInvariant& claim) {
  const TransitionSystem& system = problem.system();
  Json text = smtlib::term_text(system.terms(), claim.invariant, step_names(system).symbols());
  if (claim.k == 1) return text;
  return Json{{"k", claim.k},
              {"simple_path", claim.simple_path == SimplePath::Yes},
              {"formula", std::move(text)}};
}

static Json invariant_json(const Problem& problem, const Interpretation& claim) {
  Json out = Json::array();
  for (const MeaningRow& row : rows_of(problem, claim))
    out.push_back({{"predicate", row.predicate}, {"formula", row.definition}});
  return out;
}

static Json invariant_json(const Problem& problem, const LocationInvariants& claim) {
  Json out = Json::array();
  if (problem.source.st != nullptr) {
    for (const std::string& text : st_invariants({problem.cfa(), problem.source.st}, claim))
      out.push_back({{"location", "between cycles"}, {"formula", text}});
    return out;
  }
  for (const InvariantRow& row : rows_of(problem, claim))
    out.push_back({{"location", row.location}, {"line", row.line}, {"formula", row.formula}});
  for (const UnwoundRow& row : unwound_rows(problem, claim))
    out.push_back({{"location", row.location}, {"line", row.line}, {"rounds", row.rounds}});
  return out;
}

template <class Proof>
static Json live_json(const Proof& claim) {
  Json out{{"method", live_method(claim.shape)}, {"text", live_text(claim)}};
  if (claim.shape.kind == ProductKind::Counter) out["k"] = claim.shape.k;
  return out;
}

static Json invariant_json(const Problem& /*problem*/, const LiveProof& claim) {
  return live_json(claim);
}

static Json invariant_json(const Problem& /*problem*/, const TermLiveProof& claim) {
  return live_json(claim);
}

/// Of C programs: the rule, and where it applies.
static void add_place(Json& out, const PropertyResult& result, const Problem& problem) {
  const CSource* c = problem.source.c.get();
  const CProperty* about = c == nullptr ? nullptr : c->about(result.property);
  if (about == nullptr) return;
  out["rule"] = name(about->rule);
  out["file"] = about->at.file;
  out["line"] = about->at.line;
  out["column"] = about->at.column;
  if (!about->text.empty()) out["text"] = about->text;
}

/// --places: the kind of property, its place, and the run and the proof at lines of the source.
static Json places_json(const Finding& finding) {
  Json out;
  out["rule"] = finding.about.rule;
  out["file"] = finding.about.at.file;
  if (finding.about.at.line != 0) {
    out["line"] = finding.about.at.line;
    out["column"] = finding.about.at.column;
  }
  if (!finding.about.claim.empty()) out["text"] = finding.about.claim;
  for (const auto& [key, texts] :
       {std::pair("steps", &finding.steps), std::pair("invariants", &finding.invariants)}) {
    if (texts->empty()) continue;
    Json& list = out[key] = Json::array();
    for (const PlacedText& one : *texts) {
      Json& row = list.emplace_back(Json::object());
      if (one.at.file != finding.about.at.file) row["file"] = one.at.file;
      if (one.at.line != 0) row["line"] = one.at.line;
      if (one.at.column != 0) row["column"] = one.at.column;
      row["text"] = one.text;
    }
  }
  return out;
}

static Json result_json(const PropertyResult& result, const Problem* problem,
                        const RunReport& report) {
  const Verdict& verdict = result.outcome.verdict();
  const Certificate* proof = certificate_of(verdict);
  const Run* run = run_of(verdict);
  bool definite = !is_unknown(verdict);
  assert((problem != nullptr || !definite) && "a verdict about a problem that was not read");
  Json out;
  out["property"] = result.property;
  out["verdict"] = answer_word(result);
  out["reason"] = result.reason.empty() ? Json() : Json(result.reason);
  if (!result.advice.empty()) out["advice"] = result.advice;
  out["engine"] = result.engine;
  out["seconds"] = result.seconds;
  out["depth"] = result.depth ? Json(*result.depth) : Json();
  out["certified"] = definite && result.outcome.checked();
  if (result.task) {
    out["certified"] = result.task->checked;
    out["host"] = result.task->host;
  }
  if (!result.vacuous.empty()) {
    out["vacuous"] = true;
    out["vacuous_because"] = result.vacuous;
  }
  if (definite && result.outcome.how() == check::Certification::Replayed)
    out["certified"] = "replay";
  if (problem != nullptr) add_place(out, result, *problem);
  out["trace"] = Json();
  if (run != nullptr)
    out["trace"] =
        problem->source.st != nullptr
            ? cycles_json(*problem, result.property, result.outcome)
            : std::visit([&](const auto& one) { return trace_json(*problem, one); }, *run);
  if (std::optional<std::size_t> loop = loop_of(verdict)) out["loop"] = *loop;
  out["invariant"] = Json();
  if (proof != nullptr)
    out["invariant"] =
        std::visit([&](const auto& one) { return invariant_json(*problem, one); }, *proof);
  if (report.places) out["places"] = places_json(finding_for(result, problem, report.file));
  return out;
}

std::string write_json(const RunReport& report, const Problem* problem, const Stats& stats) {
  Json out;
  out["tool"] = "lemmata";
  out["version"] = report.version;
  out["file"] = report.file;
  out["format"] = report.format;
  if (!report.warnings.empty()) {
    Json& warnings = out["warnings"] = Json::array();
    for (const Warning& warning : report.warnings)
      warnings.push_back(
          {{"line", warning.at.line}, {"column", warning.at.column}, {"message", warning.message}});
  }
  Json& results = out["results"] = Json::array();
  for (const PropertyResult& result : report.results) {
    Json& row = results.emplace_back(result.json.empty() ? result_json(result, problem, report)
                                                         : Json::parse(result.json));
    if (!result.evidence.empty()) row["evidence"] = result.evidence;
  }
  Json& numbers = out["stats"] = Json::object();
  for (const auto& [name, counter] : stats.counters()) numbers[name] = counter.value;
  for (const auto& [name, timer] : stats.timers()) numbers[name + ".seconds"] = timer.seconds;
  return dumped(out);
}

std::string json_row(const PropertyResult& result, const Problem* problem,
                     const RunReport& report) {
  return dumped(result_json(result, problem, report));
}

static PlacedText placed_from(const Json& row, const std::string& file) {
  return {{row.value("file", file), row.value("line", 0U), row.value("column", 0U)},
          row.value("text", std::string())};
}

static std::string text_or_nothing(const Json& row, const char* key) {
  auto at = row.find(key);
  return at != row.end() && at->is_string() ? at->get<std::string>() : std::string();
}

static Finding finding_from(const Json& row) {
  Finding out{text_or_nothing(row, "property"),
              text_or_nothing(row, "verdict"),
              text_or_nothing(row, "reason"),
              text_or_nothing(row, "engine"),
              row.value("seconds", 0.0),
              text_or_nothing(row, "vacuous_because"),
              {},
              {},
              {}};
  const Json places = row.value("places", Json::object());
  PlacedText claim = placed_from(places, {});
  out.about = {text_or_nothing(places, "rule"), claim.text, claim.at};
  for (const auto& [key, texts] :
       {std::pair("steps", &out.steps), std::pair("invariants", &out.invariants)})
    for (const Json& one : places.value(key, Json::array()))
      texts->push_back(placed_from(one, out.about.at.file));
  return out;
}

std::optional<CheckedFile> read_findings(std::string_view document) {
  try {
    Json json = Json::parse(document);
    CheckedFile out;
    out.file = text_or_nothing(json, "file");
    for (const Json& row : json.value("warnings", Json::array()))
      out.warnings.push_back({{out.file, row.value("line", 0U), row.value("column", 0U)},
                              text_or_nothing(row, "message")});
    for (const Json& row : json.at("results")) out.findings.push_back(finding_from(row));
    return out;
  } catch (const Json::exception&) {
    return {};  // the process ended before the document did
  }
}

std::string write_json_list(const std::string& version, std::span<const std::string> documents,
                            Places wanted) {
  Json out;
  out["tool"] = "lemmata";
  out["version"] = version;
  Json& files = out["files"] = Json::array();
  for (const std::string& one : documents) {
    Json& file = files.emplace_back(Json::parse(one));
    if (wanted == Places::No)
      for (Json& row : file["results"]) row.erase("places");
  }
  return dumped(out);
}

std::string write_json_witness(const Problem& problem, std::size_t property_index,
                               const check::Certified& certified) {
  Json out;
  out["property"] = problem.properties[property_index].name;
  out["trace"] = std::visit([&](const auto& one) { return trace_json(problem, one); },
                            *run_of(certified.verdict()));
  return dumped(out);
}

}  // namespace lem::writer
