// Explanations of runs.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/explain/proof.h"
#include "explain/choices.h"
#include "model/st/source.h"
#include "model/step_names.h"
#include "writer/infix.h"
#include "writer/run_report.h"
#include "writer/st_trace.h"

namespace lem::app {

namespace {

using explain::Choice;

ExplainedItem item_of(std::string place, std::string name, std::string value) {
  std::string text = name + " = " + value;
  return {std::move(place), std::move(text), {}, std::move(name), std::move(value)};
}

ExplainedItem bit_item(const Problem& problem, const Choice& choice) {
  std::string place =
      choice.kind == Choice::Kind::Initial ? "at the start" : fmt::format("step {}", choice.step);
  return item_of(place, writer::signal_name(problem, choice.signal), choice.bit ? "1" : "0");
}

ExplainedItem term_item(const Problem& problem, const smtlib::Naming& naming,
                        const Choice& choice) {
  std::string place =
      choice.kind == Choice::Kind::Initial ? "at the start" : fmt::format("step {}", choice.step);
  return item_of(place, naming.plain(choice.variable),
                 writer::infix_text(problem.system().terms(), choice.value));
}

/// Choices of a C program: calls that return any value, and variables without a value.
class CChoices {
 public:
  CChoices(const Problem& program, const CfaTrace& trace) : program_(program), trace_(trace) {
    for (const CInput& input : program.source.c->inputs)
      inputs_[{input.edge, input.variable}] = &input;
    for (const CVariable& one : program.source.c->variables) variables_[one.term] = &one;
  }

  ExplainedItem item(const Choice& choice) {
    const TermStore& terms = program_.cfa().terms();
    auto known = variables_.find(choice.variable);
    const CVariable* variable = known == variables_.end() ? nullptr : known->second;
    std::string name = variable == nullptr || variable->name.empty() ? terms.name(choice.variable)
                                                                     : variable->name;
    bool is_signed = variable == nullptr || variable->sign == CSign::Signed;
    if (choice.kind == Choice::Kind::Initial)
      return item_of("at the start", name, number(choice.value, is_signed));
    EdgeId edge = trace_.edges[choice.step];
    std::uint32_t line = program_.cfa()[edge].line;
    if (auto input = inputs_.find({edge, choice.variable}); input != inputs_.end()) {
      name = input->second->function + "()";
      line = input->second->at.line;
      is_signed = input->second->sign == CSign::Signed;
    }
    std::string place = fmt::format("line {}", line);
    // Calls in a loop are told apart by their number.
    if (std::size_t times = ++seen_[{edge, choice.variable}]; times > 1)
      place += fmt::format(", time {}", times);
    return item_of(place, name, number(choice.value, is_signed));
  }

 private:
  std::string number(Term value, bool is_signed) const {
    const TermStore& terms = program_.cfa().terms();
    if (terms.kind(value) != SortKind::BitVec) return writer::infix_text(terms, value);
    return (is_signed ? terms.signed_value(value) : terms.integer_value(value)).get_str();
  }

  const Problem& program_;
  const CfaTrace& trace_;
  std::map<std::pair<EdgeId, Term>, const CInput*> inputs_;
  std::map<Term, const CVariable*> variables_;
  std::map<std::pair<EdgeId, Term>, std::size_t> seen_;
};

/// Choices of a PLC program: inputs of a cycle, and what it leaves open.
class StChoices {
 public:
  StChoices(const Problem& program, const CfaTrace& trace)
      : program_(program), source_(*program.source.st) {
    for (std::size_t i = 0; i < source_.variables.size(); ++i)
      variables_[source_.variables[i].term] = &source_.variables[i];
    for (const StChoice& open : source_.choices) open_[open.variable] = open.at.line;
    std::size_t begun = 0;
    bool inside = false;
    for (EdgeId edge : trace.edges) {
      cycle_.push_back(inside ? begun : begun + 1);
      LocationId to = program.cfa()[edge].to;
      if (to == source_.cycle_begin) {
        ++begun;
        inside = true;
      }
      if (to == source_.head) inside = false;
    }
  }

  ExplainedItem item(const Choice& choice) const {
    const TermStore& terms = program_.cfa().terms();
    std::string place = choice.kind == Choice::Kind::Initial
                            ? "at the start"
                            : fmt::format("cycle {}", cycle_[choice.step]);
    auto known = variables_.find(choice.variable);
    bool typed = known != variables_.end() && known->second->type != nullptr;
    std::string value = typed && terms.kind(choice.value) != SortKind::Array
                            ? writer::st_literal(terms, choice.value, *known->second->type)
                            : writer::infix_text(terms, choice.value);
    if (auto open = open_.find(choice.variable); open != open_.end())
      return item_of(place, fmt::format("what line {} leaves open", open->second), value);
    std::string name = known != variables_.end() && !known->second->name.empty()
                           ? known->second->name
                           : terms.name(choice.variable);
    return item_of(place, name, value);
  }

 private:
  const Problem& program_;
  const StSource& source_;
  std::map<Term, const StVariable*> variables_;
  std::map<Term, std::uint32_t> open_;
  std::vector<std::size_t> cycle_;  // by edge
};

std::vector<ExplainedItem> items_of(const Problem& problem, const Run& run,
                                    const std::vector<Choice>& choices) {
  std::vector<ExplainedItem> out;
  if (problem.is_bits()) {
    for (const Choice& choice : choices) out.push_back(bit_item(problem, choice));
  } else if (problem.is_terms()) {
    smtlib::Naming naming = step_names(problem.system());
    for (const Choice& choice : choices) out.push_back(term_item(problem, naming, choice));
  } else if (problem.source.st != nullptr) {
    StChoices words(problem, std::get<CfaTrace>(run));
    for (const Choice& choice : choices) out.push_back(words.item(choice));
  } else {
    CChoices words(problem, std::get<CfaTrace>(run));
    for (const Choice& choice : choices) out.push_back(words.item(choice));
  }
  return out;
}

std::string meaning_of(const Problem& problem, const Run& run) {
  if (problem.is_program())
    return "every run with these values that keeps the program's assumptions takes the same path "
           "to the violation";
  return fmt::format(
      "every run of {} steps with these values that keeps the model's constraints violates the "
      "property",
      length_of(run));
}

}  // namespace

Result<Explanation> explain_run(const Judged& evidence, const std::stop_token& stop) {
  const Run& run = std::get<Run>(evidence.accepted.contents);
  Problem problem = focus(evidence.model, evidence.accepted.properties.front());
  Result<explain::NeededChoices> found = explain::needed_choices(problem, run, stop);
  if (!found) return found.error();
  Explanation out;
  out.kind = Explanation::Kind::Run;
  out.property = problem.property().name;
  out.items = items_of(problem, run, found->all);
  for (std::size_t i : found->needed) out.items[i].needed = true;
  out.minimal = found->minimal;
  out.meaning = meaning_of(problem, run);
  return out;
}

}  // namespace lem::app
