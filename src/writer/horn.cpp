#include "writer/horn.h"

#include <algorithm>
#include <functional>
#include <span>

#include "model/horn_names.h"
#include "term/smtlib/printer.h"
#include "term/traverse.h"

namespace lem::writer {

namespace {

using smtlib::SymbolMap;

std::string bound_text(const TermStore& terms, std::span<const Term> variables,
                       const SymbolMap& symbols) {
  std::string text;
  for (Term variable : variables)
    text += (text.empty() ? "(" : " (") + symbols.at(variable) + " " +
            smtlib::sort_text(terms, terms.sort(variable)) + ")";
  return "(" + text + ")";
}

/// Texts of one system's clauses: variables are called by their own names, or v0, v1, ... where
/// these could not be written.
class HornText {
 public:
  explicit HornText(const HornSystem& system)
      : system_(system), terms_(*system.terms), names_(predicate_names(system)) {}

  const std::string& name(PredicateId predicate) const { return names_[predicate]; }

  SymbolMap symbols(std::span<const Term> variables) const {
    smtlib::Naming naming;
    for (const std::string& taken : names_) naming.unique(taken);
    for (Term variable : variables) naming.add(terms_, variable);
    return naming.symbols();
  }

  std::string term(Term term, const SymbolMap& symbols) const {
    return smtlib::term_text(terms_, term, symbols);
  }

  std::string atom(PredicateId predicate, std::span<const Term> args,
                   const SymbolMap& symbols) const {
    std::string text = smtlib::symbol_text(names_[predicate]);
    if (args.empty()) return text;
    for (Term arg : args) text += " " + term(arg, symbols);
    return "(" + text + ")";
  }
  std::string atom(const HornAtom& atom, const SymbolMap& symbols) const {
    return this->atom(atom.predicate, atom.args, symbols);
  }

  /// (and atoms constraint more)
  std::string body(const HornClause& clause, const SymbolMap& symbols,
                   const std::vector<Term>& more = {}) const {
    std::string text = "(and true";
    for (const HornAtom& one : clause.body) text += " " + atom(one, symbols);
    if (!terms_.is_true(clause.constraint)) text += " " + term(clause.constraint, symbols);
    for (Term one : more) text += " " + term(one, symbols);
    return text + ")";
  }

  std::string definition(PredicateId predicate, const PredicateMeaning& meaning) const {
    SymbolMap symbols;
    for (std::size_t i = 0; i < meaning.params.size(); ++i)
      symbols[meaning.params[i]] = "x" + std::to_string(i);
    std::string text = meaning.formula ? term(meaning.formula, symbols)
                                       : by_clauses(predicate, meaning.params, symbols);
    return "(define-fun " + smtlib::symbol_text(names_[predicate]) + " " +
           bound_text(terms_, meaning.params, symbols) + " Bool\n  " + text + ")";
  }

 private:
  /// The predicate holds where one of its clauses gives it.
  std::string by_clauses(PredicateId predicate, const std::vector<Term>& params,
                         SymbolMap symbols) const {
    std::string text = "(or false";
    for (const HornClause& clause : system_.clauses) {
      if (!clause.head || clause.head->predicate != predicate) continue;
      std::vector<Term> variables = variables_of(system_, clause);
      for (std::size_t i = 0; i < variables.size(); ++i)
        symbols[variables[i]] = "v" + std::to_string(i);
      std::vector<Term> equal;
      for (std::size_t i = 0; i < params.size(); ++i)
        equal.push_back(terms_.make_eq(params[i], clause.head->args[i]));
      std::string way = body(clause, symbols, equal);
      if (!variables.empty())
        way = "(exists " + bound_text(terms_, variables, symbols) + " " + way + ")";
      text += "\n    " + way;
    }
    return text + ")";
  }

  const HornSystem& system_;
  TermStore& terms_;
  std::vector<std::string> names_;
};

/// Predicates in an order in which those without a formula come after what they depend on.
std::vector<PredicateId> definition_order(const HornSystem& system, const Interpretation& claim) {
  std::vector<PredicateId> order;
  std::vector<bool> done(system.predicates.size(), false);
  for (bool more = true; more;) {
    more = false;
    for (PredicateId p = 0; p < system.predicates.size(); ++p) {
      bool ready = !done[p] && std::ranges::all_of(system.clauses, [&](const HornClause& clause) {
        return claim.of[p].formula || !clause.head || clause.head->predicate != p ||
               std::ranges::all_of(clause.body,
                                   [&](const HornAtom& atom) { return done[atom.predicate]; });
      });
      if (!ready) continue;
      done[p] = more = true;
      order.push_back(p);
    }
  }
  return order;
}

}  // namespace

std::string write_horn(const HornSystem& system) {
  HornText text(system);
  const TermStore& terms = *system.terms;
  std::string out = "(set-logic HORN)\n";
  for (PredicateId p = 0; p < system.predicates.size(); ++p) {
    std::string sorts;
    for (Sort sort : system.predicates[p].sorts)
      sorts += (sorts.empty() ? "" : " ") + smtlib::sort_text(terms, sort);
    out += "(declare-fun " + smtlib::symbol_text(text.name(p)) + " (" + sorts + ") Bool)\n";
  }
  for (const HornClause& clause : system.clauses) {
    std::vector<Term> variables = variables_of(system, clause);
    SymbolMap symbols = text.symbols(variables);
    std::string implication = "(=> " + text.body(clause, symbols) + "\n  " +
                              (clause.head ? text.atom(*clause.head, symbols) : "false") + ")";
    if (!variables.empty())
      implication = "(forall " + bound_text(terms, variables, symbols) + "\n " + implication + ")";
    out += "(assert " + implication + ")\n";
  }
  return out + "(check-sat)\n";
}

std::string write_horn_certificate(const Problem& problem, const check::Certified& certified) {
  const auto& claim = certificate_as<Interpretation>(certified.verdict());
  const HornSystem& system = problem.horn();
  const TermStore& terms = *system.terms;
  HornText text(system);
  std::string out =
      "; certificate written by lemmata: every answer is unsat (z3 FILE, cvc5 --incremental FILE)\n"
      "(set-info :lemmata-property " +
      smtlib::symbol_text(problem.property().name) + ")\n(set-logic ALL)\n; the predicates\n";
  for (PredicateId p : definition_order(system, claim))
    out += text.definition(p, claim.of[p]) + "\n";
  for (std::size_t c = 0; c < system.clauses.size(); ++c) {
    const HornClause& clause = system.clauses[c];
    std::string number = "; clause " + std::to_string(c + 1);
    if (clause.head && !claim.of[clause.head->predicate].formula) {
      out += number + ": true by the definition of its head\n";
      continue;
    }
    std::vector<Term> variables = variables_of(system, clause);
    SymbolMap symbols = text.symbols(variables);
    out += number + "\n(push 1)\n";
    for (Term variable : variables)
      out += "(declare-fun " + symbols.at(variable) + " () " +
             smtlib::sort_text(terms, terms.sort(variable)) + ")\n";
    out += "(assert " + text.body(clause, symbols) + ")\n";
    if (clause.head) out += "(assert (not " + text.atom(*clause.head, symbols) + "))\n";
    out += "(check-sat)\n(pop 1)\n";
  }
  return out;
}

std::vector<MeaningRow> rows_of(const Problem& problem, const Interpretation& claim) {
  const HornSystem& system = problem.horn();
  HornText text(system);
  std::vector<MeaningRow> rows;
  for (PredicateId p : definition_order(system, claim))
    rows.push_back({system.predicates[p].name, text.definition(p, claim.of[p])});
  return rows;
}

std::vector<DerivationRow> rows_of(const Problem& problem, const Derivation& derivation) {
  const HornSystem& system = problem.horn();
  TermStore& terms = *system.terms;
  HornText text(system);
  std::vector<DerivationRow> rows;
  for (const Derivation::Step& step : derivation.steps) {
    const HornClause& clause = system.clauses[step.clause];
    DerivationRow row{"false", step.clause + 1, clause.at.line, {}, {}};
    std::vector<Term> variables = variables_of(system, clause);
    SymbolMap symbols = text.symbols(variables);
    TermMap values;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      values[variables[i]] = step.values[i];
      row.values.emplace_back(symbols.at(variables[i]), text.term(step.values[i], {}));
    }
    if (clause.head) {
      std::vector<Term> tuple;
      for (Term arg : clause.head->args) tuple.push_back(evaluate(terms, arg, values));
      row.fact = text.atom(clause.head->predicate, tuple, {});
    }
    for (std::size_t premise : step.premises) row.premises.push_back(premise + 1);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string write_derivation(const Problem& problem, const check::Certified& certified) {
  std::vector<DerivationRow> rows = rows_of(problem, run_as<Derivation>(certified.verdict()));
  std::string out =
      "; derivation written by lemmata: every fact with the clause and the facts it "
      "follows from\n";
  // The tree from its root; a fact that was shown already is not followed again.
  constexpr std::size_t kDeepest = 60;
  std::vector<bool> shown(rows.size(), false);
  std::vector<std::pair<std::size_t, std::size_t>> work{{rows.size() - 1, 0}};
  while (!work.empty()) {
    auto [at, depth] = work.back();
    work.pop_back();
    const DerivationRow& row = rows[at];
    bool again = shown[at] && !row.premises.empty();
    std::size_t indent = std::min(depth, kDeepest);
    out += "; " + std::string(2 * indent, ' ') + row.fact + "  (step " + std::to_string(at + 1) +
           (row.line != 0 ? ", line " + std::to_string(row.line) : std::string()) +
           (again ? ", see above)" : ")") + "\n";
    if (shown[at]) continue;
    shown[at] = true;
    for (std::size_t j = row.premises.size(); j-- > 0;)
      work.emplace_back(row.premises[j] - 1, depth + 1);
  }
  out += "(derivation " + smtlib::symbol_text(problem.property().name) + ")\n";
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const DerivationRow& row = rows[k];
    out += "(step " + std::to_string(k + 1) + " " + row.fact + " (clause " +
           std::to_string(row.clause) + ") (values";
    for (const auto& [name, value] : row.values) out += " (" + name + " " + value + ")";
    out += ") (premises";
    for (std::size_t premise : row.premises) out += " " + std::to_string(premise);
    out += "))\n";
  }
  return out;
}

}  // namespace lem::writer
