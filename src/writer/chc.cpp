#include "writer/chc.h"

#include <span>
#include <vector>

#include "term/smtlib/printer.h"
#include "term/traverse.h"

namespace lem::writer {

namespace {

using smtlib::Naming;
using smtlib::SymbolMap;

class ChcWriter {
 public:
  explicit ChcWriter(const Problem& problem)
      : problem_(problem), system_(problem.system()), terms_(system_.terms()) {
    Naming naming;
    predicate_ = smtlib::symbol_text(naming.unique("state"));
    for (const StateVar& state : system_.states()) naming.add(terms_, state.current);
    for (Term input : system_.inputs()) naming.add(terms_, input);
    for (const StateVar& state : system_.states()) naming.add(terms_, state.next);
    symbols_ = naming.symbols();
    for (const StateVar& state : system_.states()) {
      current_.push_back(state.current);
      next_.push_back(state.next);
    }
  }

  std::string run() {
    out_ = "(set-logic HORN)\n(declare-fun " + predicate_ + " (";
    for (std::size_t i = 0; i < current_.size(); ++i)
      out_ += (i == 0 ? "" : " ") + smtlib::sort_text(terms_, terms_.sort(current_[i]));
    out_ += ") Bool)\n";
    clause("", system_.init_formula(), atom(current_));
    clause(atom(current_), terms_.make_and(system_.constraint(), system_.trans_formula()),
           atom(next_));
    for (const Property& property : problem_.properties) {
      out_ += "; property " + smtlib::symbol_text(property.name) + "\n";
      clause(atom(current_), terms_.make_and(system_.constraint(), property.bad_term()), "false");
    }
    return out_ + "(check-sat)\n";
  }

 private:
  std::string atom(std::span<const Term> args) const {
    if (args.empty()) return predicate_;
    std::string text = "(" + predicate_;
    for (Term arg : args) text += " " + symbols_.at(arg);
    return text + ")";
  }
  /// All variables are bound: those of the formula, and the states of both atoms.
  void clause(const std::string& body, Term formula, const std::string& head) {
    std::vector<Term> bound = current_;
    bound.insert(bound.end(), system_.inputs().begin(), system_.inputs().end());
    if (!body.empty() && head != "false") bound.insert(bound.end(), next_.begin(), next_.end());
    std::string vars;
    for (Term variable : bound)
      vars += (vars.empty() ? "(" : " (") + symbols_.at(variable) + " " +
              smtlib::sort_text(terms_, terms_.sort(variable)) + ")";
    std::string clause = "(=> (and " + (body.empty() ? "true" : body) + "\n  " +
                         smtlib::term_text(terms_, formula, symbols_) + ")\n  " + head + ")";
    out_ +=
        "(assert " + (vars.empty() ? clause : "(forall (" + vars + ")\n " + clause + ")") + ")\n";
  }

  const Problem& problem_;
  const TransitionSystem& system_;
  TermStore& terms_;
  std::string predicate_;
  SymbolMap symbols_;
  std::vector<Term> current_;
  std::vector<Term> next_;
  std::string out_;
};

}  // namespace

std::string write_chc(const Problem& problem) {
  return ChcWriter(problem).run();
}

}  // namespace lem::writer
