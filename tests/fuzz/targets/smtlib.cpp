// SMT-LIB terms: declarations, definitions and assertions; what is printed of a term parses back to
// the same term.
#include "target.h"
#include "term/smtlib/printer.h"
#include "term/smtlib/term_parser.h"
#include "term/traverse.h"

using namespace lem;

static void print_and_parse(TermStore& terms, Term term) {
  std::string text;
  smtlib::Naming naming;
  for (Term variable : variables_of(terms, term)) naming.add(terms, variable);
  text = "(assert " + smtlib::term_text(terms, term, naming.symbols()) + ")";
  Result<smtlib::Document> document = smtlib::read_document("printed", text);
  fuzz::must(document.ok(), "printed text is not read: " + text);
  smtlib::TermParser parser(terms, *document);
  for (Term variable : variables_of(terms, term)) parser.bind(naming.plain(variable), variable);
  Result<Term> again = parser.term(document->top()[0][1]);
  fuzz::must(again.ok(), "a printed term is not parsed: " + text);
  fuzz::must(*again == term, "a printed term is another when parsed: " + text);
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = fuzz::text_of(data, size);
  Result<smtlib::Document> document = smtlib::read_document("terms", text);
  if (!document) return 0;
  TermStore terms;
  smtlib::TermParser parser(terms, *document);
  for (const smtlib::Sexpr& command : document->top()) {
    if (command.is_call("declare-fun") || command.is_call("declare-const")) {
      if (!parser.declare_constant(command)) return 0;
    } else if (command.is_call("define-fun") || command.is_call("define-const") ||
               command.is_call("define-sort")) {
      if (!parser.define(command)) return 0;
    } else if (command.is_call("assert") && command.size() == 2) {
      Result<Term> term = parser.term(command[1]);
      if (!term) return 0;
      print_and_parse(terms, *term);
    }
  }
  return 0;
}
