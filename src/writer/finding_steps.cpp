#include "writer/finding_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/format.h"
#include "model/observed.h"
#include "model/st/source.h"
#include "model/step_names.h"
#include "term/traverse.h"
#include "writer/c_trace.h"
#include "writer/horn.h"
#include "writer/infix.h"
#include "writer/live_text.h"
#include "writer/program_run.h"
#include "writer/st_invariant.h"
#include "writer/st_trace.h"

namespace lem::writer {

namespace {

// Lists end with "and N more" here: diagnostics are for people. JSON and witnesses have all values.
constexpr std::size_t kMaxValues = 40;
constexpr std::size_t kMaxFormulas = 200;

/// "a = 1, b = 2".
class ValueList {
 public:
  void add(std::string_view name, std::string_view value) {
    if (++count_ > kMaxValues) return;
    text_ += fmt::format("{}{} = {}", text_.empty() ? "" : ", ", name, value);
  }
  std::string text() const {
    if (count_ <= kMaxValues) return text_;
    return text_ + fmt::format(" and {} more", count_ - kMaxValues);
  }

 private:
  std::size_t count_ = 0;
  std::string text_;
};

std::string step_text(std::size_t number, const ValueList& values) {
  std::string text = values.text();
  return fmt::format("step {}{}{}", number, text.empty() ? "" : ": ", text);
}

/// Inputs of every step, and the latches of the first.
std::vector<PlacedText> steps_of(const Problem& problem, const SourcePos& at, const Trace& trace) {
  const Aig& aig = problem.aig();
  std::vector<PlacedText> out;
  for (std::size_t k = 0; k < trace.inputs.size(); ++k) {
    ValueList values;
    for (std::uint32_t i = 0; k == 0 && i < aig.num_latches(); ++i)
      values.add(signal_name(problem, aig.first_latch() + i), trace.initial[i] ? "1" : "0");
    for (std::uint32_t i = 0; i < aig.num_inputs(); ++i)
      values.add(signal_name(problem, aig.first_input() + i), trace.inputs[k][i] ? "1" : "0");
    out.push_back({at, step_text(k, values)});
  }
  return out;
}

/// A number with its width, as Verilog has them: 8'd17; one bit is 0 or 1.
std::string value_text(const Problem& problem, Term value) {
  const TermStore& terms = problem.system().terms();
  if (!facts_of(problem.source.format).sized_numbers || terms.kind(value) != SortKind::BitVec)
    return infix_text(terms, value);
  std::string number = terms.integer_value(value).get_str();
  std::uint32_t width = terms.width(value);
  return width == 1 ? number : fmt::format("{}'d{}", width, number);
}

/// What each step changes; of inputs, all values.
std::vector<PlacedText> steps_of(const Problem& problem, const SourcePos& at,
                                 const TermTrace& trace) {
  const TransitionSystem& system = problem.system();
  smtlib::Naming naming = step_names(system);
  const FormatFacts& facts = facts_of(problem.source.format);
  std::vector<PlacedText> out;
  std::vector<Term> before;
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const TermTrace::Step& step = trace.steps[k];
    ValueList values;
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      values.add(naming.plain(system.inputs()[i]), value_text(problem, step.inputs[i]));
    for (std::size_t i = 0; i < step.states.size(); ++i)
      if (k == 0 || step.states[i] != trace.steps[k - 1].states[i])
        if (std::string name = naming.plain(system.states()[i].current);
            is_users_state(facts, name))
          values.add(name, value_text(problem, step.states[i]));
    std::vector<Term> observed = observed_at(problem, step);
    for (std::size_t i = 0; i < observed.size(); ++i)
      if (k == 0 || observed[i] != before[i])
        values.add(problem.source.observed[i].first, value_text(problem, observed[i]));
    before = std::move(observed);
    out.push_back({at, step_text(k, values)});
  }
  return out;
}

/// The line of the innermost call that is in the file of main; 0: none.
std::uint32_t call_line(const CStep& step) {
  auto at = std::find_if(step.calls.rbegin(), step.calls.rend(),
                         [](std::uint32_t line) { return line != 0; });
  return at == step.calls.rend() ? 0 : *at;
}

/// Lines of C count in the file of main; what happens in other files is at the call.
std::vector<PlacedText> c_steps_of(const Problem& problem, const SourcePos& at,
                                   const CfaTrace& trace) {
  SourcePos last{problem.source.file};
  std::vector<PlacedText> out;
  for (const CStep& step : c_steps(problem, trace)) {
    std::string text = step.changes.empty() ? "control passes here" : step.changes;
    if (step.elsewhere) {
      if (std::uint32_t line = call_line(step); line != 0) last = {problem.source.file, line};
      out.push_back({last, fmt::format("line {} of {}: {}", step.line,
                                       step.file.empty() ? "another file" : step.file, text)});
      continue;
    }
    if (step.line != 0) last = {problem.source.file, step.line, step.column};
    out.push_back({last, text});
  }
  if (!out.empty() && out.back().at.line == at.line && out.back().text == "control passes here")
    out.back().text = "the property fails here";
  return out;
}

/// The line of the first statement from this step on; 0: there is none.
std::uint32_t next_line(const Cfa& cfa, const CfaTrace& trace, std::size_t step) {
  for (; step < trace.edges.size(); ++step)
    if (std::uint32_t line = cfa[trace.edges[step]].line; line != 0) return line;
  return 0;
}

/// One text for each visit of a line of a PLC program, and one for the inputs of each cycle.
std::vector<PlacedText> st_steps_of(const Problem& problem, const SourcePos& at,
                                    const CfaTrace& trace) {
  const StSource& source = *problem.source.st;
  const Cfa& cfa = problem.cfa();
  std::vector<PlacedText> out;
  std::size_t cycle = 0;
  SourcePos last{at.file};
  for (std::size_t k = 0; k < trace.edges.size(); ++k) {
    const CfaEdge& edge = cfa[trace.edges[k]];
    bool begins = edge.to == source.cycle_begin;
    if (begins) ++cycle;
    std::uint32_t line = begins ? next_line(cfa, trace, k + 1) : edge.line;
    if (line != 0) last = {at.file, line};
    ValueList values;
    for (std::size_t v = 0; v < source.variables.size(); ++v)
      if (source.is_shown(v) &&
          (trace.values[k + 1][v] != trace.values[k][v] || (begins && cycle == 1)))
        values.add(source.variables[v].name,
                   st_literal(cfa.terms(), trace.values[k + 1][v], *source.variables[v].type));
    std::string text = values.text();
    if (begins) text = fmt::format("cycle {} begins{}{}", cycle, text.empty() ? "" : ": ", text);
    if (!text.empty()) out.push_back({last, text});
  }
  out.push_back({at, fmt::format("the property fails in cycle {}", cycle)});
  return out;
}

std::vector<PlacedText> steps_of(const Problem& problem, const SourcePos& at,
                                 const CfaTrace& trace) {
  if (problem.source.st != nullptr) return st_steps_of(problem, at, trace);
  return c_steps_of(problem, at, trace);
}

std::vector<PlacedText> clauses_at(const Problem& problem, const SourcePos& at,
                                   const std::vector<SignalClause>& clauses) {
  std::vector<PlacedText> out;
  for (std::size_t i = 0; i < std::min(clauses.size(), kMaxFormulas); ++i) {
    std::string text;
    for (AigLit lit : clauses[i]) text += (text.empty() ? "" : " | ") + literal_name(problem, lit);
    out.push_back({at, text});
  }
  return out;
}

/// Facts, premises first.
std::vector<PlacedText> steps_of(const Problem& problem, const SourcePos& at,
                                 const Derivation& run) {
  std::vector<PlacedText> out;
  for (const DerivationRow& row : rows_of(problem, run)) {
    SourcePos place = row.line == 0 ? at : SourcePos{problem.source.file, row.line};
    out.push_back({place, row.fact});
  }
  return out;
}

std::vector<PlacedText> formulas_at(const Problem& problem, const SourcePos& at,
                                    const Interpretation& claim) {
  std::vector<PlacedText> out;
  for (const MeaningRow& row : rows_of(problem, claim))
    if (out.size() < kMaxFormulas) out.push_back({at, row.definition});
  return out;
}

std::vector<PlacedText> formulas_at(const Problem& problem, const SourcePos& at,
                                    const InductiveInvariant& claim) {
  return clauses_at(problem, at, claim.clauses);
}

std::vector<PlacedText> formulas_at(const Problem& problem, const SourcePos& at,
                                    const KInductive& claim) {
  return clauses_at(problem, at, claim.clauses);
}

std::vector<PlacedText> formulas_at(const Problem& problem, const SourcePos& at,
                                    const TermInvariant& claim) {
  const TermStore& terms = problem.system().terms();
  std::vector<PlacedText> out;
  for (Term part : conjuncts(terms, claim.invariant)) {
    if (out.size() == kMaxFormulas) break;
    if (!terms.is_true(part)) out.push_back({at, infix_text(terms, part)});
  }
  return out;
}

std::vector<PlacedText> formulas_at(const Problem& problem, const SourcePos& at,
                                    const LocationInvariants& claim) {
  std::vector<PlacedText> out;
  if (problem.source.st != nullptr) {
    for (const std::string& text : st_invariants({problem.cfa(), problem.source.st}, claim))
      out.push_back({at, "between cycles: " + text});
    return out;
  }
  auto place = [&](std::uint32_t line) {
    return line == 0 ? at : SourcePos{problem.source.file, line};
  };
  for (const InvariantRow& row : rows_of(problem, claim))
    if (row.line != 0) out.push_back({place(row.line), row.formula});
  for (const UnwoundRow& row : unwound_rows(problem, claim))
    out.push_back({place(row.line), fmt::format("unwound, at most {} rounds", row.rounds)});
  return out;
}

std::vector<PlacedText> formulas_at(const Problem& /*problem*/, const SourcePos& at,
                                    const LiveProof& claim) {
  return {{at, live_text(claim)}};
}

std::vector<PlacedText> formulas_at(const Problem& /*problem*/, const SourcePos& at,
                                    const TermLiveProof& claim) {
  return {{at, live_text(claim)}};
}

}  // namespace

std::vector<PlacedText> placed_steps(const Problem& problem, const SourcePos& at, const Run& run) {
  return std::visit([&](const auto& one) { return steps_of(problem, at, one); }, run);
}

std::vector<PlacedText> placed_invariants(const Problem& problem, const SourcePos& at,
                                          const Certificate& certificate) {
  return std::visit([&](const auto& claim) { return formulas_at(problem, at, claim); },
                    certificate);
}

}  // namespace lem::writer
