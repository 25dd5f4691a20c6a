#include <algorithm>
#include <array>
#include <optional>

#include "base/try.h"
#include "frontend/st/lexer.h"
#include "frontend/st/parser.h"

namespace lem::st {

namespace {

struct Operator {
  const char* text;  // a symbol or a word
  BinaryOp op;
};

/// Weakest first; each level is left-associative, but for the first.
const std::vector<std::vector<Operator>>& levels() {
  static const std::vector<std::vector<Operator>> kLevels = {
      {{"-->", BinaryOp::Implies}},
      {{"or", BinaryOp::Or}, {"or_else", BinaryOp::Or}},
      {{"xor", BinaryOp::Xor}},
      {{"and", BinaryOp::And}, {"&", BinaryOp::And}, {"and_then", BinaryOp::And}},
      {{"=", BinaryOp::Equal}, {"==", BinaryOp::Equal}, {"<>", BinaryOp::NotEqual}},
      {{"<", BinaryOp::Less},
       {"<=", BinaryOp::LessEqual},
       {">", BinaryOp::Greater},
       {">=", BinaryOp::GreaterEqual}},
      {{"+", BinaryOp::Add}, {"-", BinaryOp::Subtract}},
      {{"*", BinaryOp::Times}, {"/", BinaryOp::Divide}, {"mod", BinaryOp::Modulo}},
  };
  return kLevels;
}

ExprPtr make(Expr expr) {
  return std::make_shared<const Expr>(std::move(expr));
}

Expr of_kind(Expr::Kind kind, const SourcePos& at) {
  Expr expr{kind, at};
  return expr;
}

}  // namespace

Result<ExprPtr> Parser::expression() {
  return binary(0);
}

Result<ExprPtr> Parser::binary(int level) {
  Depth depth(*this);
  if (depth.too_deep()) return refuse("expressions nested this deeply");
  if (level == static_cast<int>(levels().size())) return unary();
  Result<ExprPtr> left = binary(level + 1);
  if (!left) return left;
  for (;;) {
    const Operator* found = nullptr;
    for (const Operator& one : levels()[static_cast<std::size_t>(level)])
      if (at_symbol(one.text) || at_word(one.text)) found = &one;
    if (found == nullptr) return left;
    SourcePos at = next().at;
    if (std::string_view(found->text) == "==") warn(at, "'==' is read as '='");
    LEM_LET(ExprPtr right, found->op == BinaryOp::Implies ? binary(level) : binary(level + 1));
    Expr expr = of_kind(Expr::Kind::Binary, at);
    expr.binary = found->op;
    expr.lazy = std::string_view(found->text).find('_') != std::string_view::npos;
    expr.operand = *std::move(left);
    expr.right = std::move(right);
    left = make(std::move(expr));
  }
}

Result<ExprPtr> Parser::unary() {
  Depth depth(*this);
  if (depth.too_deep()) return refuse("expressions nested this deeply");
  bool minus = at_symbol("-"), plus = at_symbol("+"), negation = at_word("not");
  if (!minus && !plus && !negation) return power();
  SourcePos at = next().at;
  LEM_LET(ExprPtr operand, unary());
  const Expr& inner = *operand;
  bool literal = inner.kind == Expr::Kind::Integer || inner.kind == Expr::Kind::Real ||
                 inner.kind == Expr::Kind::Time;
  if (minus && literal) {
    Expr folded = inner;  // -32768 is a literal of INT
    folded.number = -folded.number;
    folded.rational = -folded.rational;
    folded.text = "-" + folded.text;
    folded.at = at;
    return make(std::move(folded));
  }
  Expr expr = of_kind(Expr::Kind::Unary, at);
  expr.unary = minus ? UnaryOp::Minus : plus ? UnaryOp::Plus : UnaryOp::Not;
  expr.operand = std::move(operand);
  return make(std::move(expr));
}

Result<ExprPtr> Parser::power() {
  Result<ExprPtr> base = postfix();
  if (!base) return base;
  while (at_symbol("**")) {
    SourcePos at = next().at;
    bool negative = at_symbol("-") || at_symbol("+") || at_word("not");
    LEM_LET(ExprPtr exponent, negative ? unary() : postfix());
    Expr expr = of_kind(Expr::Kind::Binary, at);
    expr.binary = BinaryOp::Power;
    expr.operand = *std::move(base);
    expr.right = std::move(exponent);
    base = make(std::move(expr));
  }
  return base;
}

/// Behind the dot: a member, a bit or a part of a word.
Result<ExprPtr> Parser::member(ExprPtr operand) {
  SourcePos at = peek().at;
  if (peek().is(Token::Kind::Integer)) {
    Expr expr = of_kind(Expr::Kind::Bit, at);
    expr.number = next().number;
    expr.operand = std::move(operand);
    return make(std::move(expr));
  }
  if (peek().is(Token::Kind::Address)) {
    std::string key = next().key;  // %x3
    bool digits =
        key.size() > 2 && key.size() < 6 && key.find_first_not_of("0123456789", 2) == key.npos;
    if (!digits || std::string_view("xbwd").find(key[1]) == std::string_view::npos)
      return Error{at, "expected a bit or a part of a word, as in .%X3 or .%B1"};
    Expr expr = of_kind(key[1] == 'x' ? Expr::Kind::Bit : Expr::Kind::Slice, at);
    expr.number = mpz_class(key.substr(2), 10);
    expr.text = key.substr(1, 1);
    expr.operand = std::move(operand);
    return make(std::move(expr));
  }
  bool any_word = peek().is(Token::Kind::Word) || peek().is(Token::Kind::Quoted);
  if (!any_word) return expected("a member's name or a bit's number");
  Expr expr = of_kind(Expr::Kind::Member, at);
  const Token& token = next();
  expr.name = Name{token.text, token.key, token.at};
  expr.operand = std::move(operand);
  return make(std::move(expr));
}

Result<ExprPtr> Parser::postfix() {
  Result<ExprPtr> operand = primary();
  if (!operand) return operand;
  std::size_t parts = 0;
  for (;;) {
    if (++parts > 1000) return refuse("this many accesses in a row");
    bool is_this = (*operand)->kind == Expr::Kind::Name && (*operand)->name->key == "this";
    if (is_this && at_symbol("^") && peek(1).is_symbol(".")) next();  // THIS^.x
    if (at_symbol("^")) return refuse("pointers");
    SourcePos at = peek().at;
    if (take_symbol(".")) {
      operand = member(*std::move(operand));
      if (!operand) return operand;
    } else if (take_symbol("[")) {
      LEM_LET(std::vector<Argument> indices, arguments("]"));
      Expr expr = of_kind(Expr::Kind::Index, at);
      expr.operand = *std::move(operand);
      expr.arguments = std::move(indices);
      operand = make(std::move(expr));
    } else if (at_symbol("(") &&
               ((*operand)->kind == Expr::Kind::Name || (*operand)->kind == Expr::Kind::Member ||
                (*operand)->kind == Expr::Kind::Index)) {
      next();
      LEM_LET(std::vector<Argument> given, arguments(")"));
      Expr expr = of_kind(Expr::Kind::Call, (*operand)->at);
      expr.operand = *std::move(operand);
      expr.arguments = std::move(given);
      operand = make(std::move(expr));
    } else {
      return operand;
    }
  }
}

Result<Argument> Parser::argument() {
  Argument out;
  std::size_t skip = at_word("not") ? 1 : 0;
  const Token& first = peek(skip);
  bool is_name = first.is(Token::Kind::Word) || first.is(Token::Kind::Quoted);
  bool output = is_name && peek(skip + 1).is_symbol("=>");
  bool input = skip == 0 && is_name && peek(1).is_symbol(":=");
  if (output || input) {
    out.negated = skip == 1;
    if (out.negated) next();
    const Token& token = next();
    out.name = Name{token.text, token.key, token.at};
    out.kind = output ? Argument::Kind::Output : Argument::Kind::Input;
    next();
    if (at_symbol(",") || at_symbol(")")) return out;  // as if it were left out
  }
  LEM_LET(out.value, expression());
  return out;
}

/// Behind the opening bracket, up to and with the closing one.
Result<std::vector<Argument>> Parser::arguments(const char* close) {
  std::vector<Argument> out;
  if (take_symbol(close)) return out;
  for (;;) {
    LEM_LET(out.emplace_back(), argument());
    if (take_symbol(close)) return out;
    LEM_TRY(expect_symbol(","));
    if (take_symbol(close)) return out;  // a comma too many
  }
}

/// `BOOL#TRUE`, `Color#Red`.
Result<ExprPtr> Parser::prefixed() {
  const Token& prefix = next();
  if (prefix.key == "bool" && (at_word("true") || at_word("false"))) {
    Expr expr = of_kind(Expr::Kind::Boolean, prefix.at);
    expr.number = at_word("true") ? 1 : 0;
    expr.text = prefix.text + peek().text;
    expr.type = "bool";
    next();
    return make(std::move(expr));
  }
  if (!peek().is(Token::Kind::Word)) return expected("a literal behind '" + prefix.text + "'");
  Expr expr = of_kind(Expr::Kind::Qualified, prefix.at);
  expr.type = prefix.key;
  expr.text = prefix.text + peek().text;
  const Token& token = next();
  expr.name = Name{token.text, token.key, token.at};
  return make(std::move(expr));
}

/// `MOD(a, b)`, `AND(a, b, c)`: operators in the form of functions.
Result<ExprPtr> Parser::operator_call(BinaryOp op) {
  const Token& word = next();
  next();
  LEM_LET(std::vector<Argument> given, arguments(")"));
  bool plain = std::all_of(given.begin(), given.end(), [](const Argument& one) {
    return one.kind != Argument::Kind::Output && one.value != nullptr;
  });
  bool named = std::any_of(given.begin(), given.end(),
                           [](const Argument& one) { return one.name.has_value(); });
  if (!plain || given.size() < 2 || (op == BinaryOp::Modulo && (given.size() > 2 || named)))
    return Error{word.at, "wrong arguments for '" + word.text + "'"};
  ExprPtr out = given[0].value;
  for (std::size_t i = 1; i < given.size(); ++i) {
    Expr expr = of_kind(Expr::Kind::Binary, word.at);
    expr.binary = op;
    expr.operand = std::move(out);
    expr.right = given[i].value;
    out = make(std::move(expr));
  }
  return out;
}

/// %Q0.0 in a statement: a variable that is declared by its use.
Result<ExprPtr> Parser::address() {
  const Token& token = peek();
  const std::string& key = token.key;
  std::size_t digits = key.find_first_of("0123456789");
  bool area = key.size() > 2 && std::string_view("iqm").find(key[1]) != std::string_view::npos;
  bool size = digits == 2 ||
              (digits == 3 && std::string_view("xbwdl").find(key[2]) != std::string_view::npos);
  if (!area || !size || key.find_first_not_of("0123456789.", digits) != key.npos)
    return refuse("addresses like " + token.text);
  Expr expr = of_kind(Expr::Kind::Name, token.at);
  expr.name = Name{token.text, key, token.at};
  next();
  return make(std::move(expr));
}

Result<ExprPtr> Parser::primary() {
  const Token& token = peek();
  Expr expr = of_kind(Expr::Kind::Integer, token.at);
  switch (token.kind) {
    case Token::Kind::Integer:
    case Token::Kind::Real:
    case Token::Kind::Time:
      expr.kind = token.is(Token::Kind::Integer) ? Expr::Kind::Integer
                  : token.is(Token::Kind::Real)  ? Expr::Kind::Real
                                                 : Expr::Kind::Time;
      expr.number = token.number;
      expr.rational = token.rational;
      expr.text = token.text;
      expr.type = token.key;
      next();
      return make(std::move(expr));
    case Token::Kind::String:
      expr.kind = Expr::Kind::String;
      expr.text = token.text;
      next();
      return make(std::move(expr));
    case Token::Kind::Prefix:
      return prefixed();
    case Token::Kind::Address:
      return address();
    default:
      break;
  }
  if (at_word("true") || at_word("false")) {
    expr.kind = Expr::Kind::Boolean;
    expr.number = at_word("true") ? 1 : 0;
    expr.text = next().text;
    return make(std::move(expr));
  }
  if (take_symbol("(")) {
    LEM_LET(ExprPtr inner, expression());
    LEM_TRY(expect_symbol(")"));
    return inner;
  }
  for (auto [word, op] : {std::pair{"mod", BinaryOp::Modulo}, std::pair{"and", BinaryOp::And},
                          std::pair{"or", BinaryOp::Or}, std::pair{"xor", BinaryOp::Xor}})
    if (at_word(word) && peek(1).is_symbol("(")) return operator_call(op);
  if (!at_name()) return expected("an expression");
  LEM_LET(Name found, name());
  expr.kind = Expr::Kind::Name;
  expr.name = meant(std::move(found));
  return make(std::move(expr));
}

Result<ExprPtr> Parser::whole_expression() {
  Result<ExprPtr> out = expression();
  if (out && !peek().is(Token::Kind::End)) return expected("the end of the expression");
  return out;
}

Result<ExprPtr> parse_expression(const std::string& text, const SourcePos& at,
                                 std::vector<Warning>& warnings) {
  LEM_LET(std::vector<Token> tokens, tokenize(at.file, text, {"", at.line, at.column}));
  return Parser(std::move(tokens), warnings).whole_expression();
}

}  // namespace lem::st
