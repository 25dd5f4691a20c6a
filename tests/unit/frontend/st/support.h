// The parts of the translation of Structured Text, set up for one program whose entry block is `p`.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "frontend/st/declarations.h"
#include "frontend/st/lexer.h"
#include "frontend/st/translate/translator.h"

namespace lem::st::test {

inline std::shared_ptr<const Program> program_of(const std::string& text,
                                                 std::vector<Warning>& warnings) {
  Unit unit;
  Result<std::vector<Token>> tokens = tokenize("test.st", text);
  EXPECT_TRUE(tokens.ok());
  Status done = Parser(*std::move(tokens), warnings).unit(unit);
  EXPECT_TRUE(done.ok()) << (done ? "" : done.error().text());
  Result<std::shared_ptr<const Program>> out = resolve(std::move(unit), warnings);
  EXPECT_TRUE(out.ok()) << (out ? "" : out.error().text());
  return *out;
}

/// Everything but statements and calls; the automaton stands at a location of its own.
struct Parts {
  explicit Parts(const std::string& text, StOptions given = {})
      : options(std::move(given)), program(program_of(text, warnings)) {
    context.entry = program->find_pou("p");
    cfa.continue_at(cfa.new_location("here"));
    Status made = environment.make_variables();
    EXPECT_TRUE(made.ok()) << (made ? "" : made.error().text());
    context.frames.push_back(context.entry_frame);
  }
  ExprPtr parse(const std::string& text) {
    Result<ExprPtr> out = parse_expression(text, {"test.st", 1, 1}, warnings);
    EXPECT_TRUE(out.ok()) << text;
    return *out;
  }
  Result<Value> eval(const std::string& text, const Type* hint = nullptr) {
    return expressions.eval(*parse(text), hint);
  }
  std::string error_of(const std::string& text) {
    Result<Value> value = eval(text);
    return value ? "" : value.error().message;
  }
  Place place(const std::string& text) {
    Result<Place> out = expressions.places.place(*parse(text));
    EXPECT_TRUE(out.ok()) << text;
    return *out;
  }
  Term variable(const std::string& text) { return place(text).known()->leaf; }
  const Type& type(const char* key) { return *context.elementary(key); }

  StOptions options;
  std::vector<Warning> warnings{};
  std::shared_ptr<const Program> program;
  Context context{*program, options, warnings};
  Automaton& cfa = context.automaton;
  TermStore& t = context.automaton.terms();
  Expressions expressions{context};
  Environment environment{context, expressions};
};

inline const SourcePos kHere{"test.st", 1, 1};

/// The error of translating the program as a whole, or nothing.
inline std::string translation_error(const std::string& text, StOptions options = {}) {
  std::vector<Warning> warnings;
  options.requirements.push_back({"", "forbidden", {"FALSE"}, {"--require", 1, 1}});
  Result<StProgram> out = Translator(program_of(text, warnings), options, warnings).run("test.st");
  return out ? "" : out.error().message;
}

}  // namespace lem::st::test
