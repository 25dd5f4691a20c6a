#include "writer/vmt.h"

#include "term/smtlib/printer.h"

namespace lem::writer {

namespace {

using smtlib::Naming;
using smtlib::SymbolMap;

std::string annotated(const TermStore& terms, const std::string& name, Term term,
                      const std::string& annotation, const SymbolMap& symbols) {
  return "(define-fun " + name + " () " + smtlib::sort_text(terms, terms.sort(term)) + "\n (! " +
         smtlib::term_text(terms, term, symbols) + " " + annotation + "))\n";
}

}  // namespace

std::string write_vmt(const Problem& problem) {
  const TransitionSystem& system = problem.system();
  TermStore& terms = system.terms();
  Naming naming;
  for (const StateVar& state : system.states()) naming.add(terms, state.current);
  for (Term input : system.inputs()) naming.add(terms, input);
  for (const StateVar& state : system.states()) naming.add(terms, state.next);
  SymbolMap symbols = naming.symbols();

  std::string out = "(set-info :source |written by lemmata|)\n";
  for (const StateVar& state : system.states())
    out += smtlib::declaration_text(terms, state.current, symbols) + "\n" +
           smtlib::declaration_text(terms, state.next, symbols) + "\n";
  for (Term input : system.inputs()) out += smtlib::declaration_text(terms, input, symbols) + "\n";
  std::size_t count = 0;
  auto definition = [&](Term term, const std::string& annotation) {
    std::string name = smtlib::symbol_text(naming.unique(".def_" + std::to_string(count++)));
    out += annotated(terms, name, term, annotation, symbols);
  };
  for (const StateVar& state : system.states())
    definition(state.current, ":next " + symbols.at(state.next));
  definition(system.init_formula(), ":init true");
  definition(terms.make_and(system.trans_formula(), system.constraint()), ":trans true");
  for (Term hint : problem.source.hints) definition(hint, ":predicate true");
  for (std::size_t i = 0; i < problem.properties.size(); ++i)
    definition(
        terms.make_not(terms.make_and(system.constraint(), problem.properties[i].bad_term())),
        ":invar-property " + std::to_string(i));
  return out + "(assert true)\n";
}

}  // namespace lem::writer
