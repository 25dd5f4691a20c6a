// Counterexample tables: rows `property name`, `step _ 0 1 ...`, `state name values`, `input name
// values`, `observed name values`, each on a line of its own; values are SMT-LIB.
#include <map>
#include <set>
#include <vector>

#include "check/files/term_witness.h"
#include "check/validate.h"
#include "model/step_names.h"
#include "term/smtlib/sexpr.h"
#include "term/smtlib/term_parser.h"

namespace lem::check {

namespace {

using smtlib::Sexpr;

class TableReader {
 public:
  TableReader(const Problem& model, const smtlib::Document& document)
      : model_(model),
        system_(model.system()),
        document_(document),
        parser_(system_.terms(), document) {
    smtlib::Naming naming = step_names(system_);
    for (std::size_t i = 0; i < system_.states().size(); ++i)
      place_[naming.plain(system_.states()[i].current)] = {"state", i};
    for (std::size_t i = 0; i < system_.inputs().size(); ++i)
      place_[naming.plain(system_.inputs()[i])] = {"input", i};
    witness_.observed.resize(model_.source.observed.size());
  }

  Result<TermWitness> run() {
    const std::vector<Sexpr>& items = document_.top();
    for (std::size_t i = 0; i < items.size();) {
      std::size_t end = i;
      while (end < items.size() && items[end].line == items[i].line) ++end;
      if (Status ok = row(std::span(items).subspan(i, end - i)); !ok) return ok.error();
      i = end;
    }
    if (!started_) return missing("no row 'step'");
    for (const auto& [name, place] : place_)
      if (!seen_.contains(name)) return missing("no row for '" + name + "'");
    return std::move(witness_);
  }

 private:
  Error missing(std::string what) const {
    return {{document_.path(), 0, 0}, std::move(what), ErrorKind::BadInput};
  }
  Status row(std::span<const Sexpr> cells);
  Status property(std::span<const Sexpr> cells);
  Status values(std::span<const Sexpr> cells);
  Status observed(std::span<const Sexpr> cells);
  Result<std::vector<Term>> row_of(std::span<const Sexpr> cells, Sort sort);

  struct Place {
    std::string_view kind;
    std::size_t index;
  };
  const Problem& model_;
  const TransitionSystem& system_;
  const smtlib::Document& document_;
  smtlib::TermParser parser_;
  std::map<std::string, Place> place_;
  std::set<std::string> seen_;
  bool started_ = false;
  TermWitness witness_;
};

Status TableReader::row(std::span<const Sexpr> cells) {
  const Sexpr& first = cells[0];
  if (first.is_symbol("property")) return property(cells);
  if (first.is_symbol("step")) {
    if (started_) return document_.error(first, "there is already a row 'step'");
    if (cells.size() < 3) return document_.error(first, "the witness has no steps");
    started_ = true;
    TermTrace::Step step{std::vector<Term>(system_.states().size()),
                         std::vector<Term>(system_.inputs().size())};
    witness_.trace.steps.assign(cells.size() - 2, step);
    return Ok{};
  }
  bool shown = first.is_symbol("observed");
  if (!shown && !first.is_symbol("state") && !first.is_symbol("input"))
    return document_.error(first,
                           "expected a row of property, step, state, input or observed, found " +
                               smtlib::describe(first));
  if (!started_) return document_.error(first, "expected the row 'step' first");
  return shown ? observed(cells) : values(cells);
}

Status TableReader::property(std::span<const Sexpr> cells) {
  if (cells.size() != 2) return document_.error(cells[0], "expected the name of the property");
  if (witness_.property) return document_.error(cells[0], "there is already a row 'property'");
  for (std::size_t i = 0; i < model_.properties.size(); ++i) {
    witness_.property = i;
    if (smtlib::symbol_text(model_.properties[i].name) == smtlib::symbol_text(cells[1].text))
      return Ok{};
  }
  return document_.error(cells[1], "the model has no property " + smtlib::describe(cells[1]));
}

/// The cells after the first two, one value of that sort for each step.
Result<std::vector<Term>> TableReader::row_of(std::span<const Sexpr> cells, Sort sort) {
  std::size_t steps = witness_.trace.steps.size();
  if (cells.size() - 2 != steps)
    return document_.error(cells[0], "expected " + std::to_string(steps) + " values, found " +
                                         std::to_string(cells.size() - 2));
  std::vector<Term> row;
  for (const Sexpr& cell : cells.subspan(2)) {
    auto value = parser_.term(cell, sort);
    if (!value) return value.error();
    if (!system_.terms().is_value(*value)) return document_.error(cell, "expected a value");
    row.push_back(*value);
  }
  return row;
}

Status TableReader::observed(std::span<const Sexpr> cells) {
  std::string name = cells.size() > 1 ? std::string(cells[1].text) : std::string();
  for (std::size_t i = 0; i < witness_.observed.size(); ++i) {
    const auto& [called, term] = model_.source.observed[i];
    if (smtlib::symbol_text(called) != smtlib::symbol_text(name)) continue;
    if (!witness_.observed[i].empty())
      return document_.error(cells[1], "there is already a row for '" + name + "'");
    auto row = row_of(cells, system_.terms().sort(term));
    if (!row) return row.error();
    witness_.observed[i] = *std::move(row);
    return Ok{};
  }
  return document_.error(cells[0], "the model has no variable '" + name + "'");
}

Status TableReader::values(std::span<const Sexpr> cells) {
  std::string name = cells.size() > 1 ? std::string(cells[1].text) : std::string();
  auto place = place_.find(name);
  if (place == place_.end() || place->second.kind != cells[0].text)
    return document_.error(cells[0],
                           "the model has no " + std::string(cells[0].text) + " '" + name + "'");
  if (!seen_.insert(name).second)
    return document_.error(cells[1], "there is already a row for '" + name + "'");
  std::size_t index = place->second.index;
  bool state = place->second.kind == "state";
  Term variable = state ? system_.states()[index].current : system_.inputs()[index];
  auto row = row_of(cells, system_.terms().sort(variable));
  if (!row) return row.error();
  for (std::size_t k = 0; k < row->size(); ++k) {
    TermTrace::Step& step = witness_.trace.steps[k];
    (state ? step.states : step.inputs)[index] = (*row)[k];
  }
  return Ok{};
}

}  // namespace

Result<Accepted> validate_term_witness(const Problem& model, const std::string& path,
                                       std::string_view text, const EvidenceTask& task) {
  auto document = smtlib::read_document(path, text);
  if (!document) return document.error();
  auto witness = TableReader(model, *document).run();
  if (!witness) return witness.error();
  return judge(model, path, *witness, task);
}

}  // namespace lem::check
