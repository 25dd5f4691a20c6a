// The text of C programs: tokens, functions, scopes and statements are inside the text, and places
// of an automaton are found in any text, be it that of another program.
#include <algorithm>

#include "ctext/text.h"

#include "ctext/places.h"
#include "loop_program.h"

using namespace lem;

static void look_at(const ctext::CText& text) {
  std::size_t count = text.tokens().size();
  // Each question may walk the whole text: of a long one only some tokens are asked about.
  for (std::size_t i = 0; i < count; i += 1 + count / 64) {
    const ctext::CToken& token = text.tokens()[i];
    fuzz::must(token.offset + token.text.size() <= text.text().size(), "a token beyond the text");
    fuzz::must(token.match < count, "a bracket beyond the tokens");
    fuzz::must(text.statement_end(i) < count, "a statement that ends beyond the text");
    ctext::CSpan scope = text.scope_of(i);
    fuzz::must(scope.first <= count && scope.last <= count, "a scope beyond the text");
    if (const ctext::CFunction* function = text.function_of(i))
      fuzz::must(function->open < count && function->close < count, "a body beyond the text");
    text.enclosing(i);
    text.line_text(token.line);
    if (std::optional<ctext::CSpan> line = text.line(token.line))
      fuzz::must(line->first <= line->last && line->last < count, "a line beyond the text");
    text.declaration(token.text, token.line);
  }
}

static void find_places(const ctext::CText& text) {
  Problem program = fuzz::loop_unsafe();
  const Cfa& cfa = program.cfa();
  CMarks marks = fuzz::loop_marks();
  ctext::CPlaces places(cfa, *program.source.c, marks, text);
  for (LocationId head : places.loop_heads()) {
    std::optional<ctext::CPlace> place = places.place(head);
    if (!place) continue;
    ctext::CPosition at = places.position(place->token);
    places.at(place->kind, at.row, at.column);
    for (const char* name : {"n", "i", "x"}) places.variable(name, places.frame(head), *place);
    for (Term variable : cfa.variables()) places.visible(variable, places.frame(head), *place);
  }
  for (std::uint32_t edge = 0; edge < cfa.edges().size(); ++edge)
    places.error_statement(EdgeId(edge));
  for (std::size_t token = 0; token < std::min<std::size_t>(text.tokens().size(), 50); ++token)
    places.entries(token);
  for (const CInput& input : program.source.c->inputs) places.call_end(input);
  for (const CVariable& variable : program.source.c->variables) places.behind_declaration(variable);
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ctext::CText text{std::string(fuzz::text_of(data, size))};
  look_at(text);
  find_places(text);
  return 0;
}
