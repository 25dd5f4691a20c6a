#include "writer/smt.h"

#include <algorithm>
#include <span>
#include <vector>

#include "model/step_names.h"
#include "term/smtlib/printer.h"
#include "term/traverse.h"

namespace lem::writer {

namespace {

using smtlib::Naming;
using smtlib::SymbolMap;

class CertificateWriter {
 public:
  CertificateWriter(const Problem& problem, const TermInvariant& claim)
      : problem_(problem),
        claim_(claim),
        system_(problem.system()),
        terms_(system_.terms()),
        naming_(step_names(system_)),
        symbols_(naming_.symbols()) {
    for (const StateVar& state : system_.states()) {
      current_.push_back(state.current);
      next_.push_back(state.next);
    }
    step_ = current_;
    step_.insert(step_.end(), system_.inputs().begin(), system_.inputs().end());
    move_ = step_;
    move_.insert(move_.end(), next_.begin(), next_.end());
  }

  std::string run() {
    head();
    system();
    constants();
    base();
    induction_step();
    safety();
    if (!problem_.source.predicates.empty()) interpretations();
    return std::move(out_);
  }

 private:
  void head();
  void system();
  void constants();
  void base();
  void induction_step();
  void safety();
  void interpretations();
  std::string kept_predicate(const HornPredicate& predicate, const std::string& name) const;
  std::string inlined_predicate(const HornPredicate& predicate, const std::string& name,
                                std::span<const std::string> names) const;

  Term property() const { return terms_.make_not(problem_.property().bad_term()); }
  Term invariant() const { return terms_.make_and(claim_.invariant, property()); }

  void line(const std::string& text) { out_ += text + "\n"; }
  void define(const char* name, std::span<const Term> params, Term body) {
    line(smtlib::definition_text(terms_, name, params, body, symbols_));
  }
  // The step comes first: cvc5 refuses symbols that start with . or @, and names of the source may.
  std::string constant(Term variable, std::uint32_t k) const {
    return smtlib::symbol_text("s" + std::to_string(k) + "." + naming_.plain(variable));
  }
  /// `name` over states and inputs of step k; `init` over the states alone.
  std::string at(const char* name, std::span<const Term> params, std::uint32_t k) const {
    if (params.empty()) return name;
    std::string text = std::string("(") + name;
    for (Term param : params) text += " " + constant(param, k);
    return text + ")";
  }
  std::string holds_at(const char* name, std::uint32_t k) const { return at(name, step_, k); }
  std::string moves(std::uint32_t k) const {
    if (move_.empty()) return "trans";
    std::string text = "(trans";
    for (Term param : step_) text += " " + constant(param, k);
    for (Term state : current_) text += " " + constant(state, k + 1);
    return text + ")";
  }
  std::string differ(std::uint32_t i, std::uint32_t j) const {
    std::string text = "(or false";
    for (Term state : current_)
      text += " (not (= " + constant(state, i) + " " + constant(state, j) + "))";
    return text + ")";
  }
  void obligation(const std::string& what, const std::vector<std::string>& premises,
                  const std::string& conclusion) {
    line("; " + what);
    line("(push 1)");
    std::string all;
    for (const std::string& premise : premises) all += " " + premise;
    line("(assert (not (=> (and true" + all + ") " + conclusion + ")))");
    line("(check-sat)");
    line("(pop 1)");
  }

  const Problem& problem_;
  const TermInvariant& claim_;
  const TransitionSystem& system_;
  TermStore& terms_;
  Naming naming_;
  SymbolMap symbols_;
  std::vector<Term> current_;
  std::vector<Term> next_;
  std::vector<Term> step_;  // states and inputs
  std::vector<Term> move_;  // states, inputs and next states
  std::string out_;
};

void CertificateWriter::head() {
  line(
      "; certificate written by lemmata: every answer is unsat (z3 FILE, cvc5 --incremental FILE)");
  line("(set-info :lemmata-property " + smtlib::symbol_text(problem_.property().name) + ")");
  line("(set-info :lemmata-k " + std::to_string(claim_.k) + ")");
  if (claim_.simple_path == SimplePath::Yes) line("(set-info :lemmata-simple-path true)");
  line("(set-logic ALL)");
}

void CertificateWriter::system() {
  line("; the system");
  define("init", current_, system_.init_formula());
  define("trans", move_, system_.trans_formula());
  define("constraint", step_, system_.constraint());
  define("property", step_, property());
  line("; the invariant");
  define("inv", step_, invariant());
}

void CertificateWriter::constants() {
  line("; states and inputs of the steps 0 to " + std::to_string(claim_.k));
  for (std::uint32_t k = 0; k <= claim_.k; ++k)
    for (Term variable : step_)
      line("(declare-fun " + constant(variable, k) + " () " +
           smtlib::sort_text(terms_, terms_.sort(variable)) + ")");
}

void CertificateWriter::base() {
  std::vector<std::string> premises{at("init", current_, 0)};
  for (std::uint32_t k = 0; k < claim_.k; ++k) {
    premises.push_back(holds_at("constraint", k));
    std::string what = claim_.k == 1 ? "initiation" : "base case, step " + std::to_string(k);
    obligation(what, premises, holds_at("inv", k));
    premises.push_back(holds_at("inv", k));
    premises.push_back(moves(k));
  }
}

void CertificateWriter::induction_step() {
  std::vector<std::string> premises;
  for (std::uint32_t k = 0; k < claim_.k; ++k)
    for (std::string& text : std::vector{holds_at("inv", k), holds_at("constraint", k), moves(k)})
      premises.push_back(std::move(text));
  premises.push_back(holds_at("constraint", claim_.k));
  if (claim_.simple_path == SimplePath::Yes)
    for (std::uint32_t i = 0; i <= claim_.k; ++i)
      for (std::uint32_t j = 0; j < i; ++j) premises.push_back(differ(i, j));
  obligation(claim_.k == 1 ? "consecution" : "induction step", premises, holds_at("inv", claim_.k));
}

void CertificateWriter::safety() {
  obligation("safety", {holds_at("inv", 0), holds_at("constraint", 0)}, holds_at("property", 0));
}

/// Kept predicates first, then inlined ones after those their rules mention.
void CertificateWriter::interpretations() {
  line("; interpretations of the predicates");
  if (claim_.k != 1) return line("; none: the invariant is k-inductive only for k > 1");
  const std::vector<HornPredicate>& predicates = problem_.source.predicates;
  Naming naming;
  for (const char* taken : {"init", "trans", "constraint", "property", "inv"}) naming.unique(taken);
  for (Term variable : step_)
    for (const char* step : {"s0.", "s1."}) naming.unique(step + naming_.plain(variable));
  std::vector<std::string> names;
  for (const HornPredicate& predicate : predicates) {
    bool reserved = predicate.name.starts_with('.') || predicate.name.starts_with('@');
    names.push_back(naming.unique((reserved ? "_" : "") + predicate.name));
  }
  std::vector<bool> done(predicates.size(), false);
  auto is_ready = [&](const HornPredicate& predicate) {
    return std::ranges::all_of(
        predicate.rules, [&](const HornRule& rule) { return !rule.from || done[*rule.from]; });
  };
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < predicates.size(); ++i) {
      if (done[i] || !is_ready(predicates[i])) continue;
      if (names[i] != predicates[i].name)
        line("; predicate " + smtlib::symbol_text(predicates[i].name));
      line(predicates[i].guard ? kept_predicate(predicates[i], names[i])
                               : inlined_predicate(predicates[i], names[i], names));
      done[i] = more = true;
    }
  }
}

std::string parameters(const TermStore& terms, std::span<const Term> params,
                       const SymbolMap& symbols) {
  std::string text = "(";
  for (std::size_t i = 0; i < params.size(); ++i)
    text += (i == 0 ? "(" : " (") + symbols.at(params[i]) + " " +
            smtlib::sort_text(terms, terms.sort(params[i])) + ")";
  return text + ")";
}

/// The invariant at that location; states that the predicate does not have are at their default,
/// as the encoding leaves them. Inputs are those of the next step: any.
std::string CertificateWriter::kept_predicate(const HornPredicate& predicate,
                                              const std::string& name) const {
  TermMap map;
  for (Term state : current_)
    if (std::ranges::find(predicate.params, state) == predicate.params.end())
      map[state] = terms_.default_value(terms_.sort(state));
  for (Term bit : conjuncts(terms_, predicate.guard))
    if (!terms_.is_true(bit)) map[terms_.atom_of(bit)] = terms_.boolean(terms_.op(bit) != Op::Not);
  Term body = substitute(terms_, invariant(), map);
  std::vector<Term> any = variables_of(terms_, body);
  std::erase_if(any, [&](Term v) {
    return std::ranges::find(system_.inputs(), v) == system_.inputs().end();
  });
  std::string text = smtlib::term_text(terms_, body, symbols_);
  if (!any.empty()) text = "(forall " + parameters(terms_, any, symbols_) + "\n " + text + ")";
  return "(define-fun " + smtlib::symbol_text(name) + " " +
         parameters(terms_, predicate.params, symbols_) + " Bool\n " + text + ")";
}

std::string CertificateWriter::inlined_predicate(const HornPredicate& predicate,
                                                 const std::string& name,
                                                 std::span<const std::string> names) const {
  SymbolMap symbols;
  for (std::size_t i = 0; i < predicate.params.size(); ++i)
    symbols[predicate.params[i]] = "p" + std::to_string(i);
  std::string body = "(or false";
  for (const HornRule& rule : predicate.rules) {
    std::vector<Term> roots = rule.args;
    roots.push_back(rule.formula);
    std::vector<Term> some = variables_of(terms_, roots);
    std::erase_if(some, [&](Term v) {
      return std::ranges::find(predicate.params, v) != predicate.params.end();
    });
    for (std::size_t i = 0; i < some.size(); ++i) symbols[some[i]] = "v" + std::to_string(i);
    std::string atom = rule.from ? smtlib::symbol_text(names[*rule.from]) : "true";
    if (!rule.args.empty()) {
      for (Term arg : rule.args) atom += " " + smtlib::term_text(terms_, arg, symbols);
      atom = "(" + atom + ")";
    }
    std::string text =
        "(and " + atom + " " + smtlib::term_text(terms_, rule.formula, symbols) + ")";
    if (!some.empty()) text = "(exists " + parameters(terms_, some, symbols) + " " + text + ")";
    body += "\n " + text;
  }
  return "(define-fun " + smtlib::symbol_text(name) + " " +
         parameters(terms_, predicate.params, symbols) + " Bool\n " + body + "))";
}

}  // namespace

std::string write_smt_certificate(const Problem& focused, const check::Certified& certified) {
  const auto& claim = certificate_as<TermInvariant>(certified.verdict());
  assert(claim.k > 0 && "k-induction needs a step");
  return CertificateWriter(focused, claim).run();
}

}  // namespace lem::writer
