// Recursive descent over the tokens. The first error ends it: the parser moves to the end of the
// input, so that every rule returns, and the result is discarded. Precedence is that of Kind 2's
// grammar; docs/formats.md has the table.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/lustre/syntax.h"
#include "frontend/lustre/token.h"

namespace lem::lustre {

class Parser {
 public:
  /// require: tokens end with End
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}
  Result<Program> run();

 private:
  // parser.cpp: declarations
  void declaration();
  void type_declaration();
  void global_constants();
  Variable constant();
  void node(UnitKind kind);
  void contract_declaration();
  void header(Unit& unit);
  std::vector<Variable> parameters(Role role);
  std::vector<Variable> variable_group(Role role);
  void locals(Unit& unit);
  void body(Unit& unit);
  void statement(Unit& unit);
  void main_pragma(Unit& unit);
  Claim property();
  std::uint32_t instant();
  void equation(Unit& unit);
  // parser_if.cpp: conditions as statements
  struct Definition {
    std::string name;
    Place at;
    ExprId value;
  };
  std::vector<Definition> if_statement(Unit& unit);
  std::vector<Definition> branch(Unit& unit);
  std::string condition_variable(Unit& unit, Place at);
  TypeExpr type();
  TypeExpr type_body();
  TypeExpr subrange();
  TypeExpr enumeration();
  TypeExpr record();
  UnitId inline_contract(const Unit& node);
  void contract_item(Unit& unit);
  void contract_ghost(Unit& unit);
  void contract_mode(Unit& unit);
  void contract_import(Unit& unit);
  Claim claim();

  // parser_expr.cpp: expressions
  ExprId expr(int level = 0);
  ExprId prefix();
  ExprId primary();
  ExprId postfix(ExprId operand);
  ExprId operand_of(Operator op, int level);
  ExprId cast(TypeId to, int level);
  ExprId conditional();
  ExprId parenthesised();
  ExprId clocked_call();
  ExprId condact();
  ExprId merge();
  ExprId word();
  ExprId call(std::string name, Place at);
  ExprId record_literal(std::string name, Place at);
  ExprId mode_reference();
  ExprId number();
  ExprId when(ExprId operand);
  std::vector<ExprId> arguments();
  ExprId make(Expr expr);
  void reject_foreign();

  // The cursor.
  const Token& now() const { return tokens_[at_]; }
  const Token& ahead(std::size_t by = 1) const {
    return tokens_[std::min(at_ + by, tokens_.size() - 1)];
  }
  bool is(std::string_view text) const { return is(now(), text); }
  static bool is(const Token& token, std::string_view text) {
    return (token.kind == TokenKind::Word || token.kind == TokenKind::Symbol) && token.text == text;
  }
  bool is(TokenKind kind) const { return now().kind == kind; }
  bool done() const { return is(TokenKind::End); }
  void step() {
    if (!done()) ++at_;
  }
  bool accept(std::string_view text) {
    if (!is(text)) return false;
    step();
    return true;
  }
  void expect(std::string_view text);
  std::string identifier(std::string_view what);
  void fail(Place at, std::string message);
  void fail_expected(std::string_view what);
  std::string found() const;

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
  std::optional<Error> error_;
  Program program_;
};

}  // namespace lem::lustre
