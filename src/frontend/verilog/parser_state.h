// What the parts of the parser share. A wrong text is noted once, and the parser is then at the end
// of the text, so that its loops end.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/verilog/syntax.h"

namespace lem::verilog {

class Parser {
 public:
  explicit Parser(TokenList text) { out_.text = std::move(text); }

  Result<Syntax> run();

 private:
  // Words.
  const Token& token(std::size_t ahead = 0) const;
  bool is(std::string_view what, std::size_t ahead = 0) const { return token(ahead).is(what); }
  template <class List>
  bool is_one_of(const List& list) const {
    for (std::string_view each : list)
      if (is(each)) return true;
    return false;
  }
  bool at_end() const { return token().kind == TokenKind::End; }
  bool accept(std::string_view what);
  void expect(std::string_view what);
  void fail(std::size_t at, std::string message);
  /// Passes over words up to one of these outside of brackets.
  Range skip_to(std::initializer_list<std::string_view> ends);
  /// At a bracket: behind the one that closes it. The range is what is between.
  Range brackets();
  std::vector<Range> split(Range range, std::string_view sign) const;
  void skip_attributes();
  void skip_label();  // of an end: `endmodule : top`
  bool system() const;
  bool starts_declaration() const;

  // Scopes.
  Scope& scope() { return out_.scopes[scope_]; }
  Symbol& declare(std::size_t at, SymbolKind kind);
  Symbol* find(const std::string& name);
  ScopeId open(ScopeKind kind);
  void close() { scope_ = scope().parent; }

  // Units and items.
  void unit(bool package);
  void parameters();
  void ports(SymbolKind otherwise);
  void items(std::string_view end);
  void item(bool in_branch);
  void one_item(bool in_branch);
  /// Notes that the text is nested too deeply for this parser and for Yosys.
  bool too_deep();
  void check_brackets();
  bool declaration_item(bool in_branch);
  bool generate_item();
  bool assertion_item(bool in_branch);
  void branch();
  void generate_for();
  void generate_case();
  void block_items();
  void routine(std::string_view end);
  void property(std::string_view end);
  void clocking();
  void default_item();
  void continuous_assignment();
  void instances(bool gate);
  void import();
  void process(ProcessKind kind, bool in_branch);
  void read_edges(Process& process);
  void refuse_region(std::string_view what);

  // Declarations.
  void declaration(SymbolKind otherwise, bool in_branch);
  /// The name that a segment of a list declares: before `=` and dimensions. kNone without one.
  struct Declarator {
    std::size_t name = ~std::size_t{0};
    Range dimensions, init;
  };
  Declarator declarator(Range segment) const;
  void enumerators(Range range);
  SymbolKind kind_of(Range type, SymbolKind otherwise) const;

  // Statements.
  void statement();
  void one_statement();
  bool control();
  bool jump();
  bool loop();
  bool timing();
  void nested_statement();
  void note(InitialStep::Kind kind, Range target, Range value);
  void block();
  void for_statement();
  void case_statement();
  void check_item(Range item, bool wildcards);
  void simple_statement();
  void check_concatenation(Range target);
  void assigned(Range target, bool blocking);
  void assertion(std::string label, std::size_t first, bool in_branch);
  void action(std::size_t at);
  bool starts_assertion(std::size_t ahead = 0) const;
  void check_all_found();

  Syntax out_;
  std::size_t at_ = 0;
  ScopeId scope_ = 0;
  std::optional<std::size_t> process_;
  bool in_routine_ = false;
  ScopeId routine_ = kNoScope;  // around a statement
  bool in_loop_ = false;
  std::size_t nesting_ = 0;  // of branches and loops around a statement
  std::size_t depth_ = 0;    // of items and statements in each other
  Token end_;
  std::optional<Error> error_;
};

}  // namespace lem::verilog
