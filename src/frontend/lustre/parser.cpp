#include "frontend/lustre/parser.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lem::lustre {

namespace {

// Words that are never names. Those of contracts and clocks are not here: programs use them.
constexpr std::array<std::string_view, 39> kReserved = {
    "and",    "or",    "not",   "xor",   "div",      "mod",      "if",      "then",
    "else",   "true",  "false", "pre",   "node",     "function", "returns", "var",
    "let",    "tel",   "type",  "const", "assert",   "bool",     "int",     "real",
    "int8",   "int16", "int32", "int64", "uint8",    "uint16",   "uint32",  "uint64",
    "struct", "enum",  "when",  "fby",   "subrange", "forall",   "exists"};

bool is_reserved(std::string_view word) {
  return std::find(kReserved.begin(), kReserved.end(), word) != kReserved.end();
}

}  // namespace

void Parser::fail(Place at, std::string message) {
  if (!error_) error_ = error_at(at, std::move(message));
  at_ = tokens_.size() - 1;
}

std::string Parser::found() const {
  switch (now().kind) {
    case TokenKind::End:
      return "the end of the file";
    case TokenKind::String:
      return "\"" + std::string(now().text) + "\"";
    case TokenKind::ContractOpen:
      return "a contract";
    case TokenKind::ContractClose:
      return "the end of the contract";
    default:
      return "'" + std::string(now().text) + "'";
  }
}

void Parser::fail_expected(std::string_view what) {
  fail(now().at, "expected " + std::string(what) + ", found " + found());
}

void Parser::expect(std::string_view text) {
  if (!accept(text)) fail_expected("'" + std::string(text) + "'");
}

std::string Parser::identifier(std::string_view what) {
  if (!is(TokenKind::Word) || is_reserved(now().text)) {
    fail_expected(what);
    return {};
  }
  std::string name(now().text);
  step();
  return name;
}

Result<Program> Parser::run() {
  program_.units.push_back({.kind = UnitKind::Globals, .name = "", .at = {}});
  while (!done()) declaration();
  if (error_) return *error_;
  return std::move(program_);
}

void Parser::declaration() {
  if (is("type")) return type_declaration();
  if (is("const")) return global_constants();
  if (is("node")) return node(UnitKind::Node);
  if (is("function")) return node(UnitKind::Function);
  if (is("contract")) return contract_declaration();
  for (std::string_view word : {"include", "package", "open", "datatype", "param", "extern"})
    if (is(word)) return fail(now().at, "unsupported: " + std::string(word) + " declaration");
  if (is(TokenKind::Main) || is(TokenKind::Property))
    return fail(now().at, "the pragma " + found() + " stands outside of a node");
  fail_expected("a declaration of a node, function, contract, type or constant");
}

void Parser::type_declaration() {
  expect("type");
  std::vector<TypeDecl> decls;
  do {
    Place at = now().at;
    decls.push_back({identifier("the name of a type"), at, {}});
  } while (accept(","));
  if (is(";"))
    return fail(decls.front().at,
                "unsupported: type '" + decls.front().name + "' without a definition");
  expect("=");
  TypeExpr body = type_body();
  for (TypeDecl& decl : decls) {
    decl.type = body;
    program_.type_decls.push_back(std::move(decl));
  }
  expect(";");
}

TypeExpr Parser::type_body() {
  if (is("enum")) return enumeration();
  if (is("struct") || is("{")) return record();
  return type();
}

TypeExpr Parser::type() {
  static constexpr std::array<std::pair<std::string_view, TypeId>, 3> kBasic = {
      {{"bool", kBool}, {"int", kInt}, {"real", kReal}}};
  TypeExpr out{.kind = TypeExpr::Kind::Known, .at = now().at};
  auto finish = [&] {
    if (is("^")) fail(now().at, "unsupported: array types");
    return out;
  };
  for (auto [word, id] : kBasic) {
    if (!accept(word)) continue;
    out.known = id;
    return finish();
  }
  for (std::uint32_t width : {8U, 16U, 32U, 64U}) {
    std::string bits = std::to_string(width);
    for (auto [word, sign] : {std::pair{"int" + bits, Signedness::Signed},
                              std::pair{"uint" + bits, Signedness::Unsigned}}) {
      if (!accept(word)) continue;
      out.known = program_.types.machine(width, sign);
      return finish();
    }
  }
  if (is("subrange")) return subrange();
  if (is("enum") || is("struct"))
    fail(now().at, "unsupported: " + found() + " outside of a type declaration");
  if (is("[")) fail(now().at, "unsupported: tuple types");
  out.kind = TypeExpr::Kind::Named;
  out.name = identifier("a type");
  return finish();
}

TypeExpr Parser::subrange() {
  TypeExpr out{.kind = TypeExpr::Kind::Subrange, .at = now().at};
  expect("subrange");
  expect("[");
  if (is("*")) fail(now().at, "unsupported: subrange without a bound");
  out.low = expr();
  expect(",");
  if (is("*")) fail(now().at, "unsupported: subrange without a bound");
  out.high = expr();
  expect("]");
  expect("of");
  expect("int");
  return out;
}

TypeExpr Parser::enumeration() {
  TypeExpr out{.kind = TypeExpr::Kind::Enum, .at = now().at};
  expect("enum");
  expect("{");
  do out.enumerators.push_back(identifier("an enumerator"));
  while (accept(","));
  expect("}");
  return out;
}

TypeExpr Parser::record() {
  TypeExpr out{.kind = TypeExpr::Kind::Record, .at = now().at};
  accept("struct");
  expect("{");
  do {
    if (is("}") && !out.fields.empty()) break;
    std::vector<std::string> names;
    do names.push_back(identifier("the name of a field"));
    while (accept(","));
    expect(":");
    TypeExpr of = type();
    for (std::string& name : names) out.fields.emplace_back(std::move(name), of);
  } while (accept(";"));
  expect("}");
  return out;
}

/// `name [, name] [: type] [= expr] ;`, more of which may follow one `const`.
void Parser::global_constants() {
  expect("const");
  std::vector<Variable>& vars = program_.units.front().vars;
  do {
    std::vector<Variable> group;
    do {
      Place at = now().at;
      group.push_back({identifier("the name of a constant"), at, {}});
    } while (accept(","));
    TypeExpr of{.at = group.front().at};
    if (accept(":")) of = type();
    ExprId value = accept("=") ? expr() : kNoExpr;
    if (value == kNoExpr && of.kind == TypeExpr::Kind::Inferred) fail_expected("':' or '='");
    if (value != kNoExpr && group.size() > 1) fail(group[1].at, "one value for several constants");
    for (Variable& variable : group) {
      variable.type_expr = of;
      variable.definition = value;
      vars.push_back(std::move(variable));
    }
    expect(";");
  } while (is(TokenKind::Word) && !is_reserved(now().text) && !is("contract"));
}

/// The same inside nodes and contracts, where a value is required.
Variable Parser::constant() {
  expect("const");
  Variable out{.name = "", .at = now().at, .type_expr = {}, .constant = true};
  out.name = identifier("the name of a constant");
  if (accept(":")) out.type_expr = type();
  if (!is("=")) {
    fail(out.at, "unsupported: constant '" + out.name + "' without a value inside a node");
    return out;
  }
  expect("=");
  out.definition = expr();
  expect(";");
  return out;
}

std::vector<Variable> Parser::variable_group(Role role) {
  bool constant = accept("const");
  std::vector<Variable> group;
  do {
    Place at = now().at;
    group.push_back(
        {.name = identifier("the name of a variable"), .at = at, .type_expr = {}, .role = role});
  } while (accept(","));
  if (constant && role != Role::Input) fail(group.front().at, "only inputs may be 'const'");
  expect(":");
  TypeExpr of = type();
  if (is("when")) fail(now().at, "unsupported: clocked variables");
  if (is("=")) fail(now().at, "unsupported: value in a declaration");
  for (Variable& variable : group) {
    variable.type_expr = of;
    variable.constant = constant;
  }
  return group;
}

std::vector<Variable> Parser::parameters(Role role) {
  std::vector<Variable> out;
  expect("(");
  while (!is(")") && !done()) {
    for (Variable& variable : variable_group(role)) out.push_back(std::move(variable));
    if (!accept(";")) break;
  }
  expect(")");
  return out;
}

void Parser::header(Unit& unit) {
  unit.at = now().at;
  if (is("imported") && ahead().kind == TokenKind::Word)
    return fail(unit.at, "unsupported: imported nodes");
  unit.name = identifier("a name");
  if (is("<<") || is("<") || is("="))
    return fail(now().at, "unsupported: nodes with static parameters");
  unit.vars = parameters(Role::Input);
  expect("returns");
  bool contract = unit.kind == UnitKind::Contract;
  for (Variable& variable : parameters(contract ? Role::Input : Role::Output)) {
    variable.produced = contract;
    unit.vars.push_back(std::move(variable));
  }
}

void Parser::node(UnitKind kind) {
  step();
  Unit unit{.kind = kind, .name = "", .at = {}};
  header(unit);
  accept(";");
  if (is(TokenKind::ContractOpen) || is("con")) unit.contract = inline_contract(unit);
  locals(unit);
  body(unit);
  if (!accept(";")) accept(".");
  program_.units.push_back(std::move(unit));
}

void Parser::contract_declaration() {
  expect("contract");
  Unit unit{.kind = UnitKind::Contract, .name = "", .at = {}};
  header(unit);
  accept(";");
  expect("let");
  while (!is("tel") && !done()) contract_item(unit);
  expect("tel");
  if (!accept(";")) accept(".");
  program_.units.push_back(std::move(unit));
}

UnitId Parser::inline_contract(const Unit& node) {
  Unit unit{.kind = UnitKind::Contract, .name = "", .at = now().at};
  bool words = is("con");  // con ... noc instead of a comment
  step();
  for (const Variable& variable : node.vars) {
    unit.vars.push_back(variable);
    unit.vars.back().produced = variable.role == Role::Output;
    unit.vars.back().role = Role::Input;
  }
  if (node.kind == UnitKind::Function) unit.function = node.name;
  while (!is(TokenKind::ContractClose) && !(words && is("noc")) && !done()) contract_item(unit);
  if (words)
    expect("noc");
  else
    step();
  program_.units.push_back(std::move(unit));
  return UnitId{static_cast<std::uint32_t>(program_.units.size() - 1)};
}

Claim Parser::claim() {
  Claim out{now().at, {}, kNoExpr};
  step();
  if (is(TokenKind::String)) {
    out.name = now().text;
    step();
  }
  out.formula = expr();
  expect(";");
  return out;
}

void Parser::contract_item(Unit& unit) {
  if (is("assume")) return unit.assumes.push_back(claim());
  if (is("guarantee")) return unit.guarantees.push_back(claim());
  if (is("mode")) return contract_mode(unit);
  if (is("import")) return contract_import(unit);
  if (is("var")) return contract_ghost(unit);
  if (is("const")) return unit.vars.push_back(constant());
  if (is("weakly")) return fail(now().at, "unsupported: weakly");
  fail_expected("assume, guarantee, mode, import, var or const");
}

void Parser::contract_ghost(Unit& unit) {
  expect("var");
  Variable out{.name = "", .at = now().at, .type_expr = {}};
  out.name = identifier("the name of a ghost variable");
  if (is(",")) return fail(now().at, "unsupported: several ghost variables in one definition");
  expect(":");
  out.type_expr = type();
  expect("=");
  out.definition = expr();
  expect(";");
  unit.vars.push_back(std::move(out));
}

void Parser::contract_mode(Unit& unit) {
  Mode mode{.at = now().at, .name = "", .requires_ = {}, .ensures = {}};
  expect("mode");
  mode.name = identifier("the name of a mode");
  expect("(");
  while (is("require")) mode.requires_.push_back(claim());
  while (is("ensure")) mode.ensures.push_back(claim());
  if (is("require")) fail(now().at, "in a mode 'require' comes before 'ensure'");
  expect(")");
  expect(";");
  unit.modes.push_back(std::move(mode));
}

void Parser::contract_import(Unit& unit) {
  Import import{.at = now().at, .name = "", .args = {}};
  expect("import");
  import.name = identifier("the name of a contract");
  import.args = arguments();
  import.inputs = import.args.size();
  expect("returns");
  for (ExprId output : arguments()) {
    if (program_[output].kind != ExprKind::Name)
      fail(program_[output].at, "after 'returns' an import lists variables");
    import.args.push_back(output);
  }
  expect(";");
  unit.imports.push_back(std::move(import));
}

void Parser::locals(Unit& unit) {
  while (!is("let") && !done()) {
    if (is("const")) {
      unit.vars.push_back(constant());
    } else if (is(TokenKind::Main)) {
      main_pragma(unit);
    } else if (accept("var")) {
      do {
        for (Variable& variable : variable_group(Role::Local))
          unit.vars.push_back(std::move(variable));
        expect(";");
      } while (is(TokenKind::Word) && !is_reserved(now().text));
    } else {
      fail_expected("'var' or 'let'");
    }
  }
}

void Parser::body(Unit& unit) {
  expect("let");
  while (!is("tel") && !done()) statement(unit);
  expect("tel");
}

void Parser::statement(Unit& unit) {
  if (is("assert")) return unit.asserts.push_back(claim());
  if (is(TokenKind::Main)) return main_pragma(unit);
  if (is(TokenKind::Property)) return unit.properties.push_back(property());
  bool defines = is(ahead(), "=") || is(ahead(), ",");
  if (is("check") && !defines) return unit.properties.push_back(property());
  if (is("if")) {
    for (Definition& one : if_statement(unit))
      unit.equations.push_back({one.at, {{std::move(one.name), one.at}}, one.value});
    accept(";");
    return;
  }
  for (std::string_view word : {"when", "frame", "automaton", "cond"})
    if (is(word) && !defines)
      return fail(now().at, "unsupported: '" + std::string(word) + "' as a statement");
  equation(unit);
}

void Parser::main_pragma(Unit& unit) {
  bool on = true;
  step();
  if (accept(":")) {
    on = is("true");
    if (!on && !is("false")) fail_expected("true or false");
    step();
  }
  expect(";");
  unit.main = unit.main || on;
}

std::uint32_t Parser::instant() {
  step();
  if (!is(TokenKind::Integer) || now().text.size() > 6 || now().text.find('x') != now().text.npos) {
    fail_expected("a number of steps");
    return 0;
  }
  auto number = static_cast<std::uint32_t>(std::stoul(std::string(now().text)));
  step();
  return number;
}

/// `check ["name"] e ;`, `check reachable ["name"] e [from n] [within n] ;` or `... at n ;`, and
/// `--%PROPERTY ["name"] e ;`; `--!PROPERTY` has a colon.
Claim Parser::property() {
  Claim out{now().at, {}, kNoExpr};
  step();
  bool words = ahead().kind == TokenKind::Word || ahead().kind == TokenKind::String;
  out.goal = is("reachable") && words ? Goal::Reach : Goal::Avoid;
  if (out.goal == Goal::Reach || (is("invariant") && words)) step();
  if (is(TokenKind::String)) {
    out.name = now().text;
    step();
  }
  accept(":");
  out.formula = expr();
  if (is("provided")) fail(now().at, "unsupported: conditional properties ('provided')");
  if (out.goal == Goal::Reach) {
    Place bounds = now().at;
    if (is("at")) {
      out.from = instant();
      out.within = out.from;
    } else {
      if (is("from")) out.from = instant();
      if (is("within")) out.within = instant();
    }
    if (out.within && *out.within < out.from) fail(bounds, "the bounds exclude every step");
  }
  expect(";");
  return out;
}

void Parser::equation(Unit& unit) {
  Equation out{now().at, {}, kNoExpr};
  bool open = accept("(");
  if (!open || !is(")")) {
    do {
      Place at = now().at;
      out.left.emplace_back(identifier("an equation"), at);
      if (is("[")) return fail(now().at, "unsupported: arrays");
    } while (accept(","));
  }
  if (open) expect(")");
  expect("=");
  out.right = expr();
  expect(";");
  unit.equations.push_back(std::move(out));
}

}  // namespace lem::lustre
