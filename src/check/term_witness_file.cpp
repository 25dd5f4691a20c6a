// Counterexample tables: rows `property name`, `step _ 0 1 ...`, `state name values`, `input name
// values`, each on a line of its own; values are SMT-LIB.
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "check/terms.h"
#include "check/validate.h"
#include "model/step_names.h"
#include "term/smtlib/sexpr.h"
#include "term/smtlib/term_parser.h"

namespace lem {

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
  }

  struct Witness {
    std::size_t property = 0;
    TermTrace trace{};
  };

  Result<Witness> run() {
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
  Witness witness_;
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
  if (first.is_symbol("state") || first.is_symbol("input")) return values(cells);
  return document_.error(
      first, "expected a row of property, step, state or input, found " + smtlib::describe(first));
}

Status TableReader::property(std::span<const Sexpr> cells) {
  if (cells.size() != 2) return document_.error(cells[0], "expected the name of the property");
  for (std::size_t i = 0; i < model_.properties.size(); ++i) {
    witness_.property = i;
    if (smtlib::symbol_text(model_.properties[i].name) == smtlib::symbol_text(cells[1].text))
      return Ok{};
  }
  return document_.error(cells[1], "the model has no property " + smtlib::describe(cells[1]));
}

Status TableReader::values(std::span<const Sexpr> cells) {
  if (!started_) return document_.error(cells[0], "expected the row 'step' first");
  std::string name = cells.size() > 1 ? std::string(cells[1].text) : std::string();
  auto place = place_.find(name);
  if (place == place_.end() || place->second.kind != cells[0].text)
    return document_.error(cells[0],
                           "the model has no " + std::string(cells[0].text) + " '" + name + "'");
  if (!seen_.insert(name).second)
    return document_.error(cells[1], "there is already a row for '" + name + "'");
  std::size_t steps = witness_.trace.steps.size();
  if (cells.size() - 2 != steps)
    return document_.error(cells[0], "expected " + std::to_string(steps) + " values, found " +
                                         std::to_string(cells.size() - 2));
  std::size_t index = place->second.index;
  bool state = place->second.kind == "state";
  Term variable = state ? system_.states()[index].current : system_.inputs()[index];
  for (std::size_t k = 0; k < steps; ++k) {
    auto value = parser_.term(cells[k + 2], system_.terms().sort(variable));
    if (!value) return value.error();
    if (!system_.terms().is_value(*value)) return document_.error(cells[k + 2], "expected a value");
    TermTrace::Step& step = witness_.trace.steps[k];
    (state ? step.states : step.inputs)[index] = *value;
  }
  return Ok{};
}

}  // namespace

Status validate_term_witness(const Problem& model, const std::string& path, std::string_view text) {
  auto document = smtlib::read_document(path, text);
  if (!document) return document.error();
  auto witness = TableReader(model, *document).run();
  if (!witness) return witness.error();
  const Property& property = model.properties[witness->property];
  if (auto wrong = check::replay(model.system(), property.bad_term(), witness->trace))
    return Error{{path, 0, 0},
                 "the witness for property '" + property.name + "' is rejected: " + *wrong,
                 ErrorKind::Internal};
  return Ok{};
}

}  // namespace lem
