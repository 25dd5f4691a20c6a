// Expressions by precedence climbing. Levels, from loose to tight; a prefix operator takes an
// operand of its own level, wherever it stands, as Kind 2's grammar has it.
#include <algorithm>
#include <array>
#include <utility>

#include "frontend/lustre/parser.h"

namespace lem::lustre {

namespace {

enum Level : int {
  kWhen,
  kElse,
  kArrow,
  kImplies,
  kOr,
  kAnd,
  kRelation,
  kSum,
  kProduct,
  kPre,
  kCast,
  kNot
};

enum class Assoc : std::uint8_t { Left, Right };

struct InfixRow {
  std::string_view token;
  Operator op;
  int level;
  Assoc assoc;
};

constexpr std::array<InfixRow, 17> kInfix = {{
    {"->", Operator::Arrow, kArrow, Assoc::Right},
    {"=>", Operator::Implies, kImplies, Assoc::Right},
    {"or", Operator::Or, kOr, Assoc::Left},
    {"xor", Operator::Xor, kOr, Assoc::Left},
    {"and", Operator::And, kAnd, Assoc::Left},
    {"=", Operator::Eq, kRelation, Assoc::Left},
    {"<>", Operator::Ne, kRelation, Assoc::Left},
    {"<", Operator::Lt, kRelation, Assoc::Left},
    {"<=", Operator::Le, kRelation, Assoc::Left},
    {">", Operator::Gt, kRelation, Assoc::Left},
    {">=", Operator::Ge, kRelation, Assoc::Left},
    {"+", Operator::Add, kSum, Assoc::Left},
    {"-", Operator::Sub, kSum, Assoc::Left},
    {"*", Operator::Mul, kProduct, Assoc::Left},
    {"/", Operator::Slash, kProduct, Assoc::Left},
    {"div", Operator::Div, kProduct, Assoc::Left},
    {"mod", Operator::Mod, kProduct, Assoc::Left},
}};

// Neither valid programs nor the recursion over them need more.
constexpr std::uint32_t kMaxDepth = 2000;

// 10 to a larger power is a typing error, and would fill the memory.
constexpr std::size_t kMaxExponent = 10'000;

const InfixRow* infix_of(const Token& token) {
  if (token.kind != TokenKind::Word && token.kind != TokenKind::Symbol) return nullptr;
  for (const InfixRow& row : kInfix)
    if (row.token == token.text) return &row;
  return nullptr;
}

}  // namespace

std::string_view text(Operator op) {
  switch (op) {
    case Operator::Not:
      return "not";
    case Operator::Neg:
      return "-";
    case Operator::Pre:
      return "pre";
    default:
      break;
  }
  for (const InfixRow& row : kInfix)
    if (row.op == op) return row.token;
  unreachable();
}

ExprId Parser::make(Expr expr) {
  for (const std::vector<ExprId>* list : {&expr.args, &expr.defaults})
    for (ExprId arg : *list) expr.depth = std::max(expr.depth, program_[arg].depth + 1);
  if (expr.clock != kNoExpr) expr.depth = std::max(expr.depth, program_[expr.clock].depth + 1);
  if (expr.depth > kMaxDepth) fail(expr.at, "the expression is nested too deeply");
  program_.exprs.push_back(std::move(expr));
  return ExprId{static_cast<std::uint32_t>(program_.exprs.size() - 1)};
}

ExprId Parser::expr(int level) {
  if (++depth_ > kMaxDepth) fail(now().at, "the expression is nested too deeply");
  ExprId left = prefix();
  while (!done()) {
    if (level <= kWhen && is("when")) {
      left = when(left);
      continue;
    }
    const InfixRow* row = infix_of(now());
    if (row == nullptr) reject_foreign();
    if (row == nullptr || row->level < level) break;
    Place at = now().at;
    step();
    ExprId right = expr(row->assoc == Assoc::Left ? row->level + 1 : row->level);
    left = make({.kind = ExprKind::Binary, .at = at, .op = row->op, .args = {left, right}});
  }
  --depth_;
  return left;
}

/// Operators of Lustre that we do not read, by name.
void Parser::reject_foreign() {
  for (std::string_view token : {"&&", "||", "!", "^", "[", "|", "fby", "lsh", "rsh", "#", "@"})
    if (is(token)) return fail(now().at, "unsupported: operator " + found());
}

ExprId Parser::prefix() {
  if (is("not")) return operand_of(Operator::Not, kNot);
  if (is("pre")) return operand_of(Operator::Pre, kPre);
  if (is("-")) return operand_of(Operator::Neg, kProduct);
  if (is("if")) return conditional();
  if (is("int")) return cast(kInt, kCast);
  if (is("real")) return cast(kReal, kCast);
  for (std::uint32_t width : {8U, 16U, 32U, 64U}) {
    std::string bits = std::to_string(width);
    if (is("int" + bits)) return cast(program_.types.machine(width, Signedness::Signed), kWhen);
    if (is("uint" + bits)) return cast(program_.types.machine(width, Signedness::Unsigned), kWhen);
  }
  return postfix(primary());
}

ExprId Parser::operand_of(Operator op, int level) {
  Place at = now().at;
  step();
  ExprId operand = expr(level);
  return make({.kind = ExprKind::Unary, .at = at, .op = op, .args = {operand}});
}

ExprId Parser::cast(TypeId to, int level) {
  Place at = now().at;
  step();
  ExprId operand = expr(level);
  return make({.kind = ExprKind::Cast, .at = at, .args = {operand}, .cast = to});
}

ExprId Parser::conditional() {
  Place at = now().at;
  expect("if");
  ExprId condition = expr();
  expect("then");
  ExprId yes = expr();
  if (is("elsif")) fail(now().at, "unsupported: elsif");
  expect("else");
  ExprId no = expr(kArrow);
  return make({.kind = ExprKind::Ite, .at = at, .args = {condition, yes, no}});
}

ExprId Parser::postfix(ExprId operand) {
  while (is(".") && ahead().kind == TokenKind::Word) {
    step();
    Place at = now().at;
    std::string field = identifier("a field");
    operand =
        make({.kind = ExprKind::Field, .at = at, .name = std::move(field), .args = {operand}});
  }
  return operand;
}

ExprId Parser::primary() {
  if (is("true") || is("false")) {
    Expr out{.kind = ExprKind::Bool, .at = now().at, .name = std::string(now().text)};
    step();
    return make(std::move(out));
  }
  if (is(TokenKind::Integer) || is(TokenKind::Decimal)) return number();
  if (is("(")) return parenthesised();
  if (is("::")) return mode_reference();
  if (is("condact") && is(ahead(), "(")) return condact();
  if (is("merge") && (is(ahead(), "(") || ahead().kind == TokenKind::Word)) return merge();
  for (std::string_view token : {"forall", "exists", "[", "{", "#", "!", "'"})
    if (is(token)) fail(now().at, "unsupported: expression that starts with " + found());
  if (is("current") && (is(ahead(), "(") || ahead().kind == TokenKind::Word))
    fail(now().at, "unsupported: operator 'current'");
  return word();
}

ExprId Parser::number() {
  Expr out{.kind = ExprKind::Number, .at = now().at};
  out.types = {is(TokenKind::Integer) ? kInt : kReal};
  std::string_view digits = now().text;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    out.number = static_cast<std::uint32_t>(program_.numbers.size());
    program_.numbers.emplace_back(mpz_class(std::string(digits.substr(2)), 16));
    step();
    return make(std::move(out));
  }
  std::size_t e = digits.find_first_of("eE");
  std::string_view mantissa = digits.substr(0, e);
  long exponent = 0;
  if (e != digits.npos) {
    mpz_class written(std::string(digits.substr(digits[e + 1] == '+' ? e + 2 : e + 1)), 10);
    if (abs(written) > kMaxExponent) fail(out.at, "the exponent is too large");
    if (!done()) exponent = written.get_si();
  }
  std::size_t point = mantissa.find('.');
  std::string all(mantissa.substr(0, point));
  if (point != mantissa.npos) {
    all += mantissa.substr(point + 1);
    exponent -= static_cast<long>(mantissa.size() - point - 1);
  }
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(exponent)));
  mpq_class value(mpz_class(all, 10));
  if (exponent < 0)
    value /= power;
  else
    value *= power;
  out.number = static_cast<std::uint32_t>(program_.numbers.size());
  program_.numbers.push_back(std::move(value));
  step();
  return make(std::move(out));
}

ExprId Parser::parenthesised() {
  if ((is(ahead(), "activate") || is(ahead(), "restart")) && ahead(2).kind == TokenKind::Word &&
      is(ahead(3), "every"))
    return clocked_call();
  if ((is(ahead(), "activate") || is(ahead(), "restart")) && is(ahead(2), "(") &&
      is(ahead(3), "restart"))
    fail(ahead().at, "unsupported: activate and restart of one call");
  Place at = now().at;
  std::vector<ExprId> parts = arguments();
  if (parts.size() == 1) return parts.front();
  return make({.kind = ExprKind::Tuple, .at = at, .args = std::move(parts)});
}

/// `(activate N every c [initial default e]) (args)` and `(restart N every c) (args)`.
ExprId Parser::clocked_call() {
  expect("(");
  bool activate = accept("activate");
  if (!activate) expect("restart");
  Expr out{.kind = ExprKind::Call, .at = now().at};
  out.clocking = activate ? Clocking::Activate : Clocking::Restart;
  out.name = identifier("the name of a node");
  expect("every");
  out.clock = expr();
  if (activate && accept("initial")) {
    expect("default");
    out.clocking = Clocking::Condact;
    out.defaults = {expr()};
  }
  if (is("restart")) fail(now().at, "unsupported: activate and restart of one call");
  expect(")");
  out.args = arguments();
  return make(std::move(out));
}

/// `condact(c, N(args), default, ...)`
ExprId Parser::condact() {
  expect("condact");
  expect("(");
  ExprId clock = expr();
  expect(",");
  Place at = now().at;
  if (is("(") && is(ahead(), "restart")) fail(at, "unsupported: condact and restart of one call");
  std::string name = identifier("a call of a node");
  if (!is("(")) fail_expected("the arguments of a call");
  Expr out{.kind = ExprKind::Call, .at = at, .clocking = Clocking::Condact};
  out.name = std::move(name);
  out.args = arguments();
  out.clock = clock;
  while (accept(",")) out.defaults.push_back(expr());
  expect(")");
  return make(std::move(out));
}

/// `merge(c; e; e)` or `merge c (A -> e) (B -> e)`. What follows is one argument per value; in the
/// first form the checker finds the labels, since only it knows the clock's type.
ExprId Parser::merge() {
  Expr out{.kind = ExprKind::Merge, .at = now().at};
  expect("merge");
  bool listed = accept("(");
  Place at = now().at;
  std::string clock = identifier("the clock of the merge");
  out.args = {make({.kind = ExprKind::Name, .at = at, .name = std::move(clock)})};
  if (listed) {
    while (accept(";")) out.args.push_back(expr());
    expect(")");
    return make(std::move(out));
  }
  while (accept("(")) {
    if (!is(TokenKind::Word)) fail_expected("a value of the clock");
    out.labels.emplace_back(now().text);
    step();
    expect("->");
    out.args.push_back(expr());
    expect(")");
  }
  return make(std::move(out));
}

ExprId Parser::when(ExprId operand) {
  Expr out{.kind = ExprKind::When, .at = now().at, .args = {operand}};
  expect("when");
  if (accept("not")) {
    bool open = accept("(");
    out.labels = {"false"};
    out.name = identifier("a clock");
    if (open) expect(")");
  } else if (is(ahead(), "(")) {
    out.labels = {identifier("a value of the clock")};
    expect("(");
    out.name = identifier("a clock");
    expect(")");
  } else {
    out.labels = {"true"};
    out.name = identifier("a clock");
  }
  return make(std::move(out));
}

ExprId Parser::word() {
  Place at = now().at;
  std::string name = identifier("an expression");
  if (is("(")) return call(std::move(name), at);
  if (is("{")) return record_literal(std::move(name), at);
  if (is("<<")) fail(now().at, "unsupported: nodes with static parameters");
  return make({.kind = ExprKind::Name, .at = at, .name = std::move(name)});
}

ExprId Parser::call(std::string name, Place at) {
  Expr out{.kind = ExprKind::Call, .at = at};
  out.name = std::move(name);
  out.args = arguments();
  return make(std::move(out));
}

ExprId Parser::record_literal(std::string name, Place at) {
  Expr out{.kind = ExprKind::Record, .at = at};
  out.name = std::move(name);
  expect("{");
  do {
    if (is("}") && !out.args.empty()) break;
    out.labels.push_back(identifier("a field"));
    if (is(":=")) fail(now().at, "unsupported: record update");
    expect("=");
    out.args.push_back(expr());
  } while (accept(";"));
  expect("}");
  return make(std::move(out));
}

ExprId Parser::mode_reference() {
  Expr out{.kind = ExprKind::ModeRef, .at = now().at};
  while (accept("::")) out.labels.push_back(identifier("a mode or contract"));
  return make(std::move(out));
}

std::vector<ExprId> Parser::arguments() {
  std::vector<ExprId> out;
  expect("(");
  if (accept(")")) return out;
  do out.push_back(expr());
  while (accept(","));
  expect(")");
  return out;
}

}  // namespace lem::lustre
