#include "frontend/chc/horn.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "term/smtlib/term_parser.h"
#include "term/traverse.h"

namespace lem::chc {

namespace {

using smtlib::Document;
using smtlib::Sexpr;

/// An atom P(args) is parsed to a Bool variable that stands for it. The rewriting constructors then
/// bring every assertion, however it is written, to a disjunction whose parts can be identified.
class HornParser {
 public:
  explicit HornParser(const Document& document)
      : document_(document), parser_(*system_.terms, document), t_(*system_.terms) {}

  Result<HornSystem> run() {
    for (const Sexpr& command : document_.top()) {
      if (command.is_call("exit")) break;
      if (Status ok = this->command(command); !ok) return ok.error();
    }
    return std::move(system_);
  }

 private:
  Status command(const Sexpr& command);
  Status declare(const Sexpr& command);
  Term stand_in(PredicateId predicate, std::span<const Term> args);
  Status assertion(const Sexpr& command);
  Status add_clause(Term formula, const Sexpr& at);
  void note_names(const Atom& atom);
  Error error(const Sexpr& at, std::string message) const {
    return document_.error(at, std::move(message));
  }

  static HornSystem empty_system() {
    HornSystem system;
    system.terms = std::make_shared<TermStore>();
    return system;
  }

  const Document& document_;
  HornSystem system_ = empty_system();
  smtlib::TermParser parser_;
  TermStore& t_;
  std::unordered_map<Term, Atom> atom_of_;
  std::map<std::pair<PredicateId, std::vector<Term>>, Term> stand_ins_;
};

Status HornParser::command(const Sexpr& command) {
  if (!command.is_list() || command.size() == 0 || !command[0].is_symbol())
    return error(command, "expected a command, found " + smtlib::describe(command));
  if (smtlib::is_idle_command(command)) return Ok{};
  if (command.is_call("declare-fun")) return declare(command);
  if (command.is_call("assert")) return assertion(command);
  if (command.is_call("define-fun") || command.is_call("define-const") ||
      command.is_call("define-sort")) {
    // Arguments that are substituted into a body would not reach into an atom's stand-in.
    std::size_t before = atom_of_.size();
    if (Status ok = parser_.define(command); !ok) return ok;
    if (atom_of_.size() != before)
      return error(command, "unsupported: a predicate inside a definition");
    return Ok{};
  }
  return error(command, "unsupported: command '" + std::string(command[0].text) + "'");
}

Status HornParser::declare(const Sexpr& command) {
  if (command.size() != 4 || !command[1].is_symbol() || !command[2].is_list())
    return error(command, "expected (declare-fun symbol (sorts) Bool)");
  if (parser_.knows(command[1].text))
    return error(command[1], smtlib::describe(command[1]) + " is already declared");
  Predicate predicate;
  predicate.name = command[1].text;
  for (const Sexpr& item : command[2]) {
    auto sort = parser_.sort(item);
    if (!sort) return sort.error();
    predicate.sorts.push_back(*sort);
  }
  auto result = parser_.sort(command[3]);
  if (!result) return result.error();
  if (*result != t_.bool_sort())
    return error(command[3], "unsupported: a function that is no predicate");
  predicate.arg_names.resize(predicate.sorts.size());
  PredicateId id = system_.predicates.size();
  parser_.declare_function(predicate.name, predicate.sorts,
                           [this, id](std::span<const Term> args) { return stand_in(id, args); });
  system_.predicates.push_back(std::move(predicate));
  return Ok{};
}

Term HornParser::stand_in(PredicateId predicate, std::span<const Term> args) {
  std::vector<Term> list(args.begin(), args.end());
  Term& known = stand_ins_[{predicate, list}];
  if (!known) {
    // No symbol of the text can contain a bar.
    known = t_.fresh("|atom", t_.bool_sort());
    atom_of_[known] = {predicate, std::move(list)};
  }
  return known;
}

/// (forall vars F), (not (exists vars F)) and F itself, nested.
Status HornParser::assertion(const Sexpr& command) {
  if (command.size() != 2) return error(command, "expected (assert formula)");
  const Sexpr* formula = &command[1];
  bool negated = false;
  std::size_t mark = parser_.mark();
  Status status = Ok{};
  while (status.ok()) {
    if (!negated && formula->is_call("not") && formula->size() == 2 &&
        (*formula)[1].is_call("exists")) {
      negated = true;
      formula = &(*formula)[1];
    }
    if (!formula->is_call(negated ? "exists" : "forall")) break;
    if (formula->size() != 3) {
      status = error(*formula, "expected (" + std::string((*formula)[0].text) + " vars formula)");
      break;
    }
    auto vars = parser_.sorted_vars((*formula)[1]);
    if (!vars) {
      status = vars.error();
      break;
    }
    for (const auto& var : *vars) parser_.shadow(var.name, t_.variable(var.name, var.sort));
    formula = &(*formula)[2];
  }
  Result<Term> term = status ? parser_.term(*formula, t_.bool_sort()) : status.error();
  parser_.restore(mark);
  if (!term) return term.error();
  system_.asserted = true;
  for (Term clause : conjuncts(t_, negated ? t_.make_not(*term) : *term))
    if (Status ok = add_clause(clause, command); !ok) return ok;
  return Ok{};
}

Status HornParser::add_clause(Term formula, const Sexpr& at) {
  Clause clause;
  clause.at = document_.pos(at);
  std::vector<Term> constraint;
  std::vector<Term> work = {formula};
  while (!work.empty()) {
    Term part = work.back();
    work.pop_back();
    Term inner = t_.atom_of(part);
    bool negative = inner != part;
    if (t_.op(inner) == (negative ? Op::And : Op::Or)) {
      for (Term arg : t_.args(inner)) work.push_back(negative ? t_.make_not(arg) : arg);
    } else if (auto atom = atom_of_.find(inner); atom == atom_of_.end()) {
      constraint.push_back(t_.make_not(part));
    } else if (negative) {
      clause.body.push_back(atom->second);
    } else if (clause.head) {
      return error(at, "unsupported: a clause with two positive predicates is no Horn clause");
    } else {
      clause.head = atom->second;
    }
  }
  clause.constraint = t_.make_and(constraint);
  for (Term variable : variables_of(t_, clause.constraint))
    if (auto atom = atom_of_.find(variable); atom != atom_of_.end())
      return error(at, "unsupported: predicate '" +
                           system_.predicates[atom->second.predicate].name +
                           "' below other structure than that of a clause");
  for (const Atom& atom : clause.body) note_names(atom);
  if (clause.head) note_names(*clause.head);
  if (t_.is_true(formula)) return Ok{};
  system_.clauses.push_back(std::move(clause));
  return Ok{};
}

void HornParser::note_names(const Atom& atom) {
  std::vector<std::string>& names = system_.predicates[atom.predicate].arg_names;
  for (std::size_t i = 0; i < atom.args.size(); ++i)
    if (names[i].empty() && t_.is_variable(atom.args[i]) &&
        std::find(names.begin(), names.end(), t_.name(atom.args[i])) == names.end())
      names[i] = t_.name(atom.args[i]);
}

}  // namespace

Result<HornSystem> parse_horn(const Document& document) {
  return HornParser(document).run();
}

}  // namespace lem::chc
