#include "writer/table.h"

#include <algorithm>
#include <vector>

#include "model/observed.h"
#include "model/step_names.h"
#include "term/smtlib/printer.h"

namespace lem::writer {

namespace {

using Row = std::vector<std::string>;

// Wider values (arrays) are written in full and push the rest of their line to the right.
constexpr std::size_t kMaxPadding = 24;

std::string layout(const std::vector<Row>& rows) {
  std::vector<std::size_t> width;
  for (const Row& row : rows) {
    width.resize(std::max(width.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      width[i] = std::max(width[i], std::min(row[i].size(), kMaxPadding));
  }
  std::string out;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += row[i];
      if (i + 1 == row.size()) break;
      out.append(width[i] > row[i].size() ? width[i] - row[i].size() : 0, ' ');
      out += "  ";
    }
    out += '\n';
  }
  return out;
}

}  // namespace

std::string write_trace_table(const Problem& problem, std::size_t property_index,
                              const check::Certified& certified) {
  const TermTrace& trace = run_as<TermTrace>(certified.verdict());
  const TransitionSystem& system = problem.system();
  const TermStore& terms = system.terms();
  smtlib::Naming naming = step_names(system);
  std::vector<Row> rows;
  Row head{"step", "_"};
  for (std::size_t k = 0; k < trace.steps.size(); ++k) head.push_back(std::to_string(k));
  rows.push_back(std::move(head));
  for (std::size_t i = 0; i < system.states().size(); ++i) {
    Row row{"state", naming.symbol(system.states()[i].current)};
    for (const auto& step : trace.steps) row.push_back(smtlib::term_text(terms, step.states[i]));
    rows.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < system.inputs().size(); ++i) {
    Row row{"input", naming.symbol(system.inputs()[i])};
    for (const auto& step : trace.steps) row.push_back(smtlib::term_text(terms, step.inputs[i]));
    rows.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < problem.source.observed.size(); ++i)
    rows.push_back({"observed", smtlib::symbol_text(problem.source.observed[i].first)});
  for (const TermTrace::Step& step : trace.steps) {
    std::vector<Term> values = observed_at(problem, step);
    for (std::size_t i = 0; i < values.size(); ++i)
      rows[rows.size() - values.size() + i].push_back(smtlib::term_text(terms, values[i]));
  }
  const std::string& name = problem.properties[property_index].name;
  std::optional<std::size_t> loop = loop_of(certified.verdict());
  std::string claim = !loop ? "the property fails at the last step"
                            : "from step " + std::to_string(*loop) +
                                  " on, for ever: after the last step comes step " +
                                  std::to_string(*loop);
  return "; counterexample written by lemmata: " + claim + "\nproperty  " +
         smtlib::symbol_text(name) + "\n" + layout(rows);
}

}  // namespace lem::writer
