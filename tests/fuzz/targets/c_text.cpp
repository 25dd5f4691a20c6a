// The text of C programs: tokens, functions, scopes and statements are inside the text, and places
// of an automaton are found in any text, be it that of another program.
#include "model/c_text.h"

#include "loop_program.h"
#include "model/c_places.h"

using namespace lem;

static void look_at(const CText& text) {
  std::size_t count = text.tokens().size();
  // Each question may walk the whole text: of a long one only some tokens are asked about.
  for (std::size_t i = 0; i < count; i += 1 + count / 64) {
    const CToken& token = text.tokens()[i];
    fuzz::must(token.offset + token.text.size() <= text.text().size(), "a token beyond the text");
    fuzz::must(token.match < count, "a bracket beyond the tokens");
    fuzz::must(text.statement_end(i) < count, "a statement that ends beyond the text");
    CSpan scope = text.scope_of(i);
    fuzz::must(scope.first <= count && scope.last <= count, "a scope beyond the text");
    if (const CFunction* function = text.function_of(i))
      fuzz::must(function->open < count && function->close < count, "a body beyond the text");
    text.enclosing(i);
    text.line_text(token.line);
    if (std::optional<CSpan> line = text.line(token.line))
      fuzz::must(line->first <= line->last && line->last < count, "a line beyond the text");
    text.declaration(token.text, token.line);
  }
}

static void find_places(const CText& text) {
  Problem program = fuzz::loop_unsafe();
  const Cfa& cfa = program.cfa();
  CPlaces places(cfa, *program.source.c, text);
  for (std::uint32_t id = 0; id < cfa.locations().size(); ++id) {
    std::optional<CPlace> place = places.place(LocationId(id));
    if (!place) continue;
    CPosition at = places.position(place->token);
    places.at(place->kind, at.row, at.column);
    for (const char* name : {"n", "i", "x"}) places.variable(name, LocationId(id), *place);
    for (Term variable : cfa.variables()) places.visible(variable, LocationId(id), *place);
  }
  for (std::uint32_t line = 0; line < 16; ++line) places.error_statement(line);
  for (const CInput& input : program.source.c->inputs) places.call_end(input);
  for (const CVariable& variable : program.source.c->variables) places.behind_declaration(variable);
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  CText text{std::string(fuzz::text_of(data, size))};
  look_at(text);
  find_places(text);
  return 0;
}
