// Tests: tests/unit/writer/json_test.cpp. Traces wider than kMaxColumns and invariants longer than
// kMaxClauses are cut with a note: the witness and certificate files hold them in full.
#include "writer/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <variant>
#include <vector>

#include "base/assert.h"
#include "model/observed.h"
#include "model/step_names.h"
#include "term/smtlib/printer.h"
#include "term/traverse.h"
#include "writer/program_run.h"
#include "writer/st_invariant.h"
#include "writer/st_trace.h"

namespace lem::writer {

static constexpr std::size_t kMaxColumns = 200;
static constexpr std::size_t kMaxClauses = 500;

static constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Lemmata report</title><style>
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:.6em 0}
td,th{border:1px solid #ccc;padding:.15em .6em;text-align:left}
th{background:#f3f3f3}.safe{color:#17692b}.unsafe{color:#a11}.unknown{color:#875a00}
.scroll{overflow-x:auto}.bits td{font-family:monospace;text-align:center;padding:.1em .4em}
.one{background:#dbe9ff}.num{text-align:right;font-family:monospace}code{font-size:.95em}
</style></head><body>
)";

static std::string escape(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

static const char* certified_word(check::Certification how) {
  switch (how) {
    case check::Certification::Unchecked:
      return "no";
    case check::Certification::Replayed:
      return "replay";
    case check::Certification::Checked:
      return "yes";
  }
  unreachable();
}

static std::string verdict_table(const RunReport& report) {
  std::string out =
      "<table><tr><th>property</th><th>verdict</th><th>engine</th><th>seconds</th>"
      "<th>depth</th><th>certified</th></tr>\n";
  for (const PropertyResult& result : report.results) {
    std::string_view word = answer_word(result);
    bool definite = word != "unknown";
    out += fmt::format(
        "<tr><td>{}</td><td class=\"{}\">{}{}{}</td><td>{}</td><td class=\"num\">{:.3f}</td>"
        "<td class=\"num\">{}</td><td>{}</td></tr>\n",
        escape(result.property), word, word,
        result.reason.empty() ? "" : ": " + escape(result.reason),
        result.vacuous.empty() ? "" : ", vacuous: " + escape(result.vacuous), escape(result.engine),
        result.seconds, result.depth ? std::to_string(*result.depth) : "",
        definite ? certified_word(result.outcome.how()) : "");
  }
  return out + "</table>\n";
}

static std::string warning_list(const RunReport& report) {
  if (report.warnings.empty()) return {};
  std::string out = "<h2>Warnings</h2>\n<ul>\n";
  for (const Warning& warning : report.warnings) out += "<li>" + escape(warning.text()) + "</li>\n";
  return out + "</ul>\n";
}

/// Values of all signals, one vector for each step.
static std::vector<std::vector<bool>> replay(const Aig& aig, const Trace& trace) {
  std::vector<std::vector<bool>> steps;
  for (const std::vector<bool>& inputs : trace.inputs) {
    std::vector<bool> now(aig.num_vars());
    auto value = [](const std::vector<bool>& values, AigLit lit) {
      return values[lit.var()] != lit.negative();
    };
    std::copy(inputs.begin(), inputs.end(), now.begin() + aig.first_input());
    for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
      now[aig.first_latch() + i] =
          steps.empty() ? trace.initial[i] : value(steps.back(), aig.latches()[i].next);
    for (std::uint32_t i = 0; i < aig.num_ands(); ++i)
      now[aig.first_and() + i] = value(now, aig.ands()[i].left) && value(now, aig.ands()[i].right);
    steps.push_back(std::move(now));
  }
  return steps;
}

static std::string trace_table(const Problem& problem, const Trace& trace) {
  const Aig& aig = problem.aig();
  assert(trace.initial.size() == aig.num_latches() && "the trace does not fit the model");
  std::vector<std::vector<bool>> steps = replay(aig, trace);
  std::size_t columns = std::min(steps.size(), kMaxColumns);
  std::string out;
  if (columns < steps.size())
    out += fmt::format("<p>The first {} of {} steps.</p>\n", columns, steps.size());
  out += "<div class=\"scroll\"><table class=\"bits\"><tr><th>step</th>";
  for (std::size_t step = 0; step < columns; ++step) out += fmt::format("<th>{}</th>", step);
  out += "</tr>\n";
  for (std::uint32_t var = aig.first_input(); var < aig.first_and(); ++var) {
    out += "<tr><th>" + escape(signal_name(problem, var)) + "</th>";
    for (std::size_t step = 0; step < columns; ++step)
      out += steps[step][var] ? "<td class=\"one\">1</td>" : "<td>0</td>";
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

/// A value as SMT-LIB has it; of an array the entries that differ from the rest, and the rest.
static std::string value_text(const TermStore& terms, Term value) {
  if (terms.kind(value) != SortKind::Array) return smtlib::term_text(terms, value);
  std::string out;
  for (; terms.op(value) == Op::Store; value = terms.arg(value, 0))
    out = '[' + smtlib::term_text(terms, terms.arg(value, 1)) +
          "] = " + value_text(terms, terms.arg(value, 2)) + ", " + out;
  return out + "else " + value_text(terms, terms.arg(value, 0));
}

/// Inputs, states and observed variables of a transition system, a column for each step.
static std::string trace_table(const Problem& problem, const TermTrace& trace) {
  const TransitionSystem& system = problem.system();
  smtlib::Naming naming = step_names(system);
  std::size_t columns = std::min(trace.steps.size(), kMaxColumns);
  std::string out;
  if (columns < trace.steps.size())
    out += fmt::format("<p>The first {} of {} steps.</p>\n", columns, trace.steps.size());
  out += "<div class=\"scroll\"><table class=\"bits\"><tr><th>step</th>";
  for (std::size_t step = 0; step < columns; ++step) out += fmt::format("<th>{}</th>", step);
  out += "</tr>\n";
  auto row = [&](const std::string& name, auto value_at) {
    out += "<tr><th>" + escape(name) + "</th>";
    for (std::size_t step = 0; step < columns; ++step)
      out += "<td>" + escape(value_text(system.terms(), value_at(step))) + "</td>";
    out += "</tr>\n";
  };
  for (std::size_t i = 0; i < system.inputs().size(); ++i)
    row(naming.plain(system.inputs()[i]),
        [&](std::size_t step) { return trace.steps[step].inputs[i]; });
  for (std::size_t i = 0; i < system.states().size(); ++i)
    row(naming.plain(system.states()[i].current),
        [&](std::size_t step) { return trace.steps[step].states[i]; });
  std::vector<std::vector<Term>> observed;
  for (std::size_t step = 0; step < columns; ++step)
    observed.push_back(observed_at(problem, trace.steps[step]));
  for (std::size_t i = 0; i < problem.source.observed.size(); ++i)
    row(problem.source.observed[i].first, [&](std::size_t step) { return observed[step][i]; });
  return out + "</table></div>\n";
}

/// The edges of a run of a program, a row for each.
static std::string trace_table(const Problem& problem, const CfaTrace& trace) {
  std::string out = "<table><tr><th>line</th><th>values that change</th><th>read</th></tr>\n";
  for (const RunRow& row : rows_of(problem, trace)) {
    out += fmt::format("<tr><td>{}</td><td>", row.line);
    for (const auto& [name, value] : row.changed)
      out += "<code>" + escape(name) + " = " + escape(value) + "</code> ";
    out += "</td><td>";
    for (std::size_t i = 0; i < row.inputs.size(); ++i)
      out += "<code>" + escape(row.given[i].empty() ? row.inputs[i] : row.given[i]) + "</code> ";
    out += "</td></tr>\n";
  }
  return out + "</table>\n";
}

static std::string invariant_list(const Problem& problem, const LocationInvariants& claim) {
  if (problem.source.st != nullptr) {
    std::string list = "<p>What holds between two scan cycles.</p>\n<ul>\n";
    for (const std::string& text : st_invariants({problem.cfa(), problem.source.st}, claim))
      list += "<li><code>" + escape(text) + "</code></li>\n";
    return list + "</ul>\n";
  }
  std::string out =
      "<p>Invariants where control passes.</p>\n<table><tr><th>line</th>"
      "<th>location</th><th>formula</th></tr>\n";
  for (const InvariantRow& row : rows_of(problem, claim))
    out += fmt::format("<tr><td>{}</td><td>{}</td><td><code>{}</code></td></tr>\n", row.line,
                       escape(row.location), escape(row.formula));
  for (const UnwoundRow& row : unwound_rows(problem, claim))
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>unwound, at most {} rounds</td></tr>\n",
                       row.line, escape(row.location), row.rounds);
  return out + "</table>\n";
}

static std::string invariant_list(const Problem& problem, const TermInvariant& claim) {
  const TransitionSystem& system = problem.system();
  smtlib::SymbolMap symbols = step_names(system).symbols();
  std::vector<Term> parts = conjuncts(system.terms(), claim.invariant);
  std::string cut = parts.size() > kMaxClauses ? fmt::format(" (first {})", kMaxClauses) : "";
  std::string kind =
      claim.k == 1 ? "Inductive invariant" : fmt::format("{}-inductive invariant", claim.k);
  if (claim.simple_path == SimplePath::Yes) kind += " on paths of pairwise different states";
  std::string out =
      fmt::format("<p>{}: the property and {} formulas{}.</p>\n<ol>\n", kind, parts.size(), cut);
  for (std::size_t i = 0; i < std::min(parts.size(), kMaxClauses); ++i)
    out += "<li><code>" + escape(smtlib::term_text(system.terms(), parts[i], symbols)) +
           "</code></li>\n";
  return out + "</ol>\n";
}

static std::string clause_list(const Problem& problem, const std::vector<SignalClause>& clauses) {
  std::string out = "<ol>\n";
  for (std::size_t i = 0; i < std::min(clauses.size(), kMaxClauses); ++i) {
    out += "<li><code>";
    for (std::size_t j = 0; j < clauses[i].size(); ++j)
      out += (j == 0 ? "" : " | ") + escape(literal_name(problem, clauses[i][j]));
    out += "</code></li>\n";
  }
  return out + "</ol>\n";
}

static std::string evidence_section(const Problem& problem, const PropertyResult& result) {
  const Verdict& verdict = result.outcome.verdict();
  std::string title = "<h2>" + escape(result.property) + "</h2>\n";
  const auto* unsafe = std::get_if<Unsafe>(&verdict);
  if (unsafe != nullptr && problem.source.st != nullptr)
    return title + st_table_html(st_table({problem.cfa(), problem.source.st}, result.outcome),
                                 problem.source.st->about(result.property));
  if (unsafe != nullptr)
    return title + "<p>The property fails at the last step of this run.</p>\n" +
           std::visit([&](const auto& run) { return trace_table(problem, run); }, unsafe->run);
  const auto* safe = std::get_if<Safe>(&verdict);
  if (safe == nullptr) return {};
  if (const auto* claim = std::get_if<TermInvariant>(&safe->certificate))
    return title + invariant_list(problem, *claim);
  if (const auto* claim = std::get_if<LocationInvariants>(&safe->certificate))
    return title + invariant_list(problem, *claim);
  const auto* inductive = std::get_if<KInductive>(&safe->certificate);
  const std::vector<SignalClause>& clauses =
      inductive != nullptr ? inductive->clauses
                           : std::get<InductiveInvariant>(safe->certificate).clauses;
  std::string kind = inductive == nullptr ? "Inductive invariant"
                                          : fmt::format("{}-inductive invariant", inductive->k);
  if (inductive != nullptr && inductive->simple_path == SimplePath::Yes)
    kind += " on paths of pairwise different states";
  std::size_t literals = 0;
  for (const SignalClause& clause : clauses) literals += clause.size();
  std::string cut = clauses.size() > kMaxClauses ? fmt::format(" (first {})", kMaxClauses) : "";
  return title +
         fmt::format("<p>{}: the property and {} clauses with {} literals{}.</p>\n", kind,
                     clauses.size(), literals, cut) +
         clause_list(problem, clauses);
}

static std::string stats_table(const Stats& stats) {
  std::string out = "<h2>Statistics</h2>\n<table>\n";
  for (const auto& [name, counter] : stats.counters())
    out +=
        fmt::format("<tr><td>{}</td><td class=\"num\">{}</td></tr>\n", escape(name), counter.value);
  for (const auto& [name, timer] : stats.timers())
    out += fmt::format("<tr><td>{}</td><td class=\"num\">{:.3f} s</td></tr>\n", escape(name),
                       timer.seconds);
  return out + "</table>\n";
}

std::string write_html(const RunReport& report, const Problem* problem, const Stats& stats) {
  std::string out(kHead);
  out += "<h1>" + escape(report.file) + "</h1>\n<p>lemmata " + escape(report.version) +
         ", format " + escape(report.format) + "</p>\n";
  out += verdict_table(report) + warning_list(report);
  if (problem != nullptr)
    for (const PropertyResult& result : report.results) out += evidence_section(*problem, result);
  return out + stats_table(stats) + "</body></html>\n";
}

}  // namespace lem::writer
