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
using smtlib::TermParser;

constexpr std::size_t kMaxClauses = 100'000;

/// An atom P(args) is parsed to a Bool variable that stands for it, and so is a quantified formula.
/// The rewriting constructors then bring every assertion, however it is written, to a disjunction
/// whose parts can be identified.
class HornParser {
 public:
  explicit HornParser(const Document& document)
      : document_(document), parser_(*file_.system.terms, document), t_(*file_.system.terms) {
    parser_.on_quantifier(
        [this](TermParser::Quantifier kind, std::span<const Term> bound, Term body) {
          return quantified({kind, {bound.begin(), bound.end()}, body});
        });
  }

  Result<HornFile> run() {
    for (const Sexpr& command : document_.top()) {
      if (command.is_call("exit")) break;
      if (Status ok = this->command(command); !ok) return ok.error();
    }
    return std::move(file_);
  }

 private:
  struct Quantified {
    TermParser::Quantifier kind;
    std::vector<Term> bound;
    Term body;
  };
  /// A clause while its disjuncts are sorted.
  struct Draft {
    Clause clause;
    std::vector<Term> constraint;
    std::vector<Term> open;
  };

  Status command(const Sexpr& command);
  Status declare(const Sexpr& name, const Sexpr* sorts);
  Status declare_function(const Sexpr& command);
  Status define(const Sexpr& command);
  Status declare_variable(const Sexpr& command);
  Status query(const Sexpr& command);
  Term stand_in(PredicateId predicate, std::span<const Term> args);
  Term quantified(Quantified formula);
  Term instantiate(Term body, const TermMap& map);
  bool stands_for_something(Term variable) const {
    return atom_of_.contains(variable) || quantified_.contains(variable);
  }
  bool has_predicates(Term formula) const {
    std::vector<Term> variables = variables_of(t_, formula);
    return std::ranges::any_of(variables, [&](Term v) { return stands_for_something(v); });
  }
  Status assertion(const Sexpr& command);
  Status add_clauses(Term formula, const Sexpr& at);
  Status sort_disjunct(std::vector<Draft>& drafts, const Sexpr& at);
  std::vector<std::vector<Term>> alternatives(Term part);
  Status finish(Draft draft, const Sexpr& at);
  void note_names(const Atom& atom);
  Error error(const Sexpr& at, std::string message) const {
    return document_.error(at, std::move(message));
  }

  static HornFile empty_file() {
    HornFile file;
    file.system.terms = std::make_shared<TermStore>();
    return file;
  }

  const Document& document_;
  HornFile file_ = empty_file();
  TermParser parser_;
  TermStore& t_;
  std::unordered_map<Term, Atom> atom_of_;
  std::unordered_map<Term, Quantified> quantified_;
  std::map<std::pair<PredicateId, std::vector<Term>>, Term> stand_ins_;
};

/// Both forms: SMT-LIB's HORN, and the rules of Z3's fixedpoints.
Status HornParser::command(const Sexpr& command) {
  if (!command.is_list() || command.size() == 0 || !command[0].is_symbol())
    return error(command, "expected a command, found " + smtlib::describe(command));
  if (smtlib::is_idle_command(command)) return Ok{};
  if (command.is_call("declare-fun") || command.is_call("declare-const"))
    return declare_function(command);
  if (command.is_call("declare-rel")) {
    if (command.size() != 3 || !command[1].is_symbol() || !command[2].is_list())
      return error(command, "expected (declare-rel symbol (sorts))");
    return declare(command[1], &command[2]);
  }
  if (command.is_call("declare-var")) return declare_variable(command);
  if (command.is_call("assert") || command.is_call("rule")) return assertion(command);
  if (command.is_call("query")) return query(command);
  if (command.is_call("define-fun") && command.size() == 5 && command[2].size() > 0)
    return define(command);
  if (command.is_call("define-fun") || command.is_call("define-const") ||
      command.is_call("define-sort"))
    return parser_.define(command);
  return error(command, "unsupported: command '" + std::string(command[0].text) + "'");
}

Status HornParser::declare_function(const Sexpr& command) {
  bool constant = command.is_call("declare-const");
  bool fits = constant ? command.size() == 3 : command.size() == 4 && command[2].is_list();
  if (!fits || !command[1].is_symbol())
    return error(command, constant ? "expected (declare-const symbol Bool)"
                                   : "expected (declare-fun symbol (sorts) Bool)");
  const Sexpr& sort = command[command.size() - 1];
  auto result = parser_.sort(sort);
  if (!result) return result.error();
  if (*result != t_.bool_sort()) return error(sort, "unsupported: a function that is no predicate");
  return declare(command[1], constant ? nullptr : &command[2]);
}

Status HornParser::declare(const Sexpr& name, const Sexpr* sorts) {
  if (parser_.knows(name.text)) return error(name, smtlib::describe(name) + " is already declared");
  Predicate predicate;
  predicate.name = name.text;
  for (std::size_t i = 0; sorts != nullptr && i < sorts->size(); ++i) {
    auto sort = parser_.sort((*sorts)[i]);
    if (!sort) return sort.error();
    predicate.sorts.push_back(*sort);
  }
  predicate.arg_names.resize(predicate.sorts.size());
  PredicateId id = file_.system.predicates.size();
  parser_.declare_function(predicate.name, predicate.sorts,
                           [this, id](std::span<const Term> args) { return stand_in(id, args); });
  file_.system.predicates.push_back(std::move(predicate));
  return Ok{};
}

/// (declare-var x S): x is universal in every rule.
Status HornParser::declare_variable(const Sexpr& command) {
  if (command.size() != 3 || !command[1].is_symbol())
    return error(command, "expected (declare-var symbol sort)");
  auto sort = parser_.sort(command[2]);
  if (!sort) return sort.error();
  parser_.bind(command[1].text, t_.variable(command[1].text, *sort));
  return Ok{};
}

/// (query p) or (query formula), perhaps with attributes: it must not hold.
Status HornParser::query(const Sexpr& command) {
  if (command.size() < 2) return error(command, "expected (query formula)");
  Result<Term> term = parser_.term(command[1], t_.bool_sort());
  if (!term) return term.error();
  file_.asserted = true;
  return add_clauses(t_.make_not(*term), command);
}

/// Arguments that are substituted into the body must reach into the atoms that stand-ins hide.
Status HornParser::define(const Sexpr& command) {
  if (!command[1].is_symbol() || parser_.knows(command[1].text))
    return error(command[1], smtlib::describe(command[1]) + " is already declared");
  auto vars = parser_.sorted_vars(command[2]);
  if (!vars) return vars.error();
  auto wanted = parser_.sort(command[3]);
  if (!wanted) return wanted.error();
  std::vector<Sort> sorts;
  std::vector<Term> params;
  std::size_t mark = parser_.mark();
  for (const auto& var : *vars) {
    sorts.push_back(var.sort);
    params.push_back(t_.fresh(var.name, var.sort));
    parser_.shadow(var.name, params.back());
  }
  Result<Term> body = parser_.term(command[4], *wanted);
  parser_.restore(mark);
  if (!body) return body.error();
  parser_.declare_function(command[1].text, sorts,
                           [this, params, body = *body](std::span<const Term> args) {
                             TermMap map;
                             for (std::size_t i = 0; i < params.size(); ++i)
                               map[params[i]] = args[i];
                             return instantiate(body, map);
                           });
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

Term HornParser::quantified(Quantified formula) {
  Term variable = t_.fresh("|quantified", t_.bool_sort());
  quantified_[variable] = std::move(formula);
  return variable;
}

/// The body with arguments for parameters, also below stand-ins. Bound variables get new names: two
/// instances in one clause are about different ones.
Term HornParser::instantiate(Term body, const TermMap& map) {
  TermMap all = map;
  for (Term variable : variables_of(t_, body)) {
    if (auto atom = atom_of_.find(variable); atom != atom_of_.end()) {
      Atom copy = atom->second;
      for (Term& arg : copy.args) arg = substitute(t_, arg, map);
      all[variable] = stand_in(copy.predicate, copy.args);
    } else if (auto found = quantified_.find(variable); found != quantified_.end()) {
      Quantified copy = found->second;
      TermMap inner = map;
      for (Term& bound : copy.bound) {
        Term renamed = t_.fresh("v", t_.sort(bound));
        inner[bound] = renamed;
        bound = renamed;
      }
      copy.body = instantiate(copy.body, inner);
      all[variable] = quantified(std::move(copy));
    }
  }
  return substitute(t_, body, all);
}

/// (forall vars F), (not (exists vars F)) and F itself, nested.
Status HornParser::assertion(const Sexpr& command) {
  // A rule may have a name.
  if (command.size() != 2 && !(command.is_call("rule") && command.size() == 3))
    return error(command, "expected (assert formula)");
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
  file_.asserted = true;
  for (Term clause : conjuncts(t_, negated ? t_.make_not(*term) : *term))
    if (Status ok = add_clauses(clause, command); !ok) return ok;
  return Ok{};
}

/// One clause, or several where a head is a conjunction or a body a disjunction.
Status HornParser::add_clauses(Term formula, const Sexpr& at) {
  if (t_.is_true(formula)) return Ok{};
  std::vector<Draft> drafts(1);
  drafts.back().clause.at = document_.pos(at);
  drafts.back().open = {formula};
  while (!drafts.empty()) {
    if (drafts.size() + file_.system.clauses.size() > kMaxClauses)
      return error(at, "unsupported: more than " + std::to_string(kMaxClauses) + " clauses");
    if (!drafts.back().open.empty()) {
      if (Status ok = sort_disjunct(drafts, at); !ok) return ok;
      continue;
    }
    Draft done = std::move(drafts.back());
    drafts.pop_back();
    if (Status ok = finish(std::move(done), at); !ok) return ok;
  }
  return Ok{};
}

/// Takes the last open disjunct of the last draft.
Status HornParser::sort_disjunct(std::vector<Draft>& drafts, const Sexpr& at) {
  Draft& draft = drafts.back();
  Term part = draft.open.back();
  draft.open.pop_back();
  Term inner = t_.atom_of(part);
  bool negative = inner != part;
  if (t_.op(inner) == (negative ? Op::And : Op::Or)) {
    for (Term arg : t_.args(inner)) draft.open.push_back(negative ? t_.make_not(arg) : arg);
  } else if (auto atom = atom_of_.find(inner); atom != atom_of_.end()) {
    if (!negative && draft.clause.head)
      return error(at, "unsupported: a clause with two positive predicates is no Horn clause");
    if (negative)
      draft.clause.body.push_back(atom->second);
    else
      draft.clause.head = atom->second;
  } else if (auto found = quantified_.find(inner); found != quantified_.end()) {
    bool exists = found->second.kind == TermParser::Quantifier::Exists;
    if (exists != negative) return error(at, "unsupported: a quantifier at this place");
    draft.open.push_back(negative ? t_.make_not(found->second.body) : found->second.body);
  } else if (!has_predicates(part)) {
    draft.constraint.push_back(t_.make_not(part));
  } else {
    std::vector<std::vector<Term>> all = alternatives(part);
    if (all.empty())
      return error(at, "unsupported: a predicate below other structure than that of a clause");
    Draft rest = std::move(draft);
    drafts.pop_back();
    for (const std::vector<Term>& one : all) {
      drafts.push_back(rest);
      drafts.back().open.insert(drafts.back().open.end(), one.begin(), one.end());
    }
  }
  return Ok{};
}

/// Disjunctions whose conjunction a formula is; none if it is no Boolean structure.
std::vector<std::vector<Term>> HornParser::alternatives(Term part) {
  Term inner = t_.atom_of(part);
  bool negative = inner != part;
  auto signed_as = [&](Term term) { return negative ? t_.make_not(term) : term; };
  std::span<const Term> args = t_.args(inner);
  std::vector<std::vector<Term>> all;
  if (t_.op(inner) == Op::And || t_.op(inner) == Op::Or) {
    for (Term arg : args) all.push_back({signed_as(arg)});
  } else if (t_.op(inner) == Op::Ite) {
    all = {{t_.make_not(args[0]), signed_as(args[1])}, {args[0], signed_as(args[2])}};
  } else if (t_.op(inner) == Op::Eq && t_.kind(args[0]) == SortKind::Bool) {
    all = {{t_.make_not(args[0]), signed_as(args[1])}, {args[0], signed_as(t_.make_not(args[1]))}};
  }
  return all;
}

Status HornParser::finish(Draft draft, const Sexpr& at) {
  Clause& clause = draft.clause;
  clause.constraint = t_.make_and(draft.constraint);
  std::vector<const Atom*> atoms;
  for (const Atom& atom : clause.body) atoms.push_back(&atom);
  if (clause.head) atoms.push_back(&*clause.head);
  for (const Atom* atom : atoms) {
    for (Term arg : atom->args)
      if (has_predicates(arg)) return error(at, "unsupported: a predicate inside an argument");
    note_names(*atom);
  }
  file_.system.clauses.push_back(std::move(clause));
  return Ok{};
}

void HornParser::note_names(const Atom& atom) {
  std::vector<std::string>& names = file_.system.predicates[atom.predicate].arg_names;
  for (std::size_t i = 0; i < atom.args.size(); ++i)
    if (names[i].empty() && t_.is_variable(atom.args[i]) &&
        std::find(names.begin(), names.end(), t_.name(atom.args[i])) == names.end())
      names[i] = t_.name(atom.args[i]);
}

}  // namespace

Result<HornFile> parse_horn(const Document& document) {
  return HornParser(document).run();
}

}  // namespace lem::chc
