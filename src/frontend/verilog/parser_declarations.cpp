// Declarations: which names there are, of what kind, and with which initial value.
#include <algorithm>
#include <array>

#include "frontend/verilog/parser_state.h"

namespace lem::verilog {

namespace {

constexpr std::array<std::string_view, 15> kNets = {
    "wire", "tri",   "tri0",    "tri1",    "triand", "trior",  "trireg", "wand",
    "wor",  "uwire", "supply0", "supply1", "input",  "output", "inout"};
constexpr std::array<std::string_view, 6> kVariables = {"reg",      "integer", "real",
                                                        "realtime", "time",    "event"};
constexpr std::array<std::string_view, 19> kSystemTypes = {
    "logic",  "bit",       "byte",    "int",   "shortint", "longint", "shortreal",
    "string", "enum",      "struct",  "union", "var",      "const",   "rand",
    "static", "automatic", "chandle", "ref",   "randc"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, const Token& token) {
  return token.kind == TokenKind::Name &&
         std::find(list.begin(), list.end(), token.text) != list.end();
}

}  // namespace

bool Parser::starts_declaration() const {
  const Token& first = token();
  if (contains(kNets, first) || contains(kVariables, first)) return true;
  // Yosys takes `rand` and `const` in Verilog too, but a name may stand there.
  if (contains(kSystemTypes, first)) return system() || token(1).names();
  if (!first.names()) return false;
  if (is("::", 1)) return token(2).names() && (token(3).names() || is("[", 3));
  const Symbol* symbol = out_.find(scope_, first.name());
  return symbol != nullptr && symbol->kind == SymbolKind::Type && (token(1).names() || is("[", 1));
}

Parser::Declarator Parser::declarator(Range segment) const {
  const std::vector<Token>& all = out_.text.tokens;
  Declarator out;
  Range left = split(segment, "=")[0];
  if (left.last < segment.last) out.init = {left.last + 1, segment.last};
  std::size_t end = left.last;
  while (end > left.first && all[end - 1].is("]")) {
    int depth = 0;
    do {
      --end;
      depth += all[end].is("]") ? 1 : all[end].is("[") ? -1 : 0;
    } while (end > left.first && depth > 0);
  }
  if (end <= left.first || !all[end - 1].names()) return out;
  out.name = end - 1;
  out.dimensions = {end, left.last};
  return out;
}

/// enum { A, B = 3 } declares A and B.
void Parser::enumerators(Range range) {
  const std::vector<Token>& all = out_.text.tokens;
  for (std::size_t i = range.first; i < range.last; ++i) {
    if (!all[i].is("enum")) continue;
    while (i < range.last && !all[i].is("{")) ++i;
    std::size_t end = i;
    for (int depth = 0; end < range.last; ++end) {
      depth += all[end].is("{") ? 1 : all[end].is("}") ? -1 : 0;
      if (depth == 0) break;
    }
    for (Range each : split({i + 1, end}, ","))
      if (!each.empty() && all[each.first].names()) declare(each.first, SymbolKind::Constant);
    i = end;
  }
}

/// Ports and declarations without a type are nets in a module and variables in a function.
SymbolKind Parser::kind_of(Range type, SymbolKind otherwise) const {
  bool net = false;
  for (std::size_t i = type.first; i < type.last; ++i) {
    const Token& each = out_.text.tokens[i];
    if (contains(kVariables, each) || contains(kSystemTypes, each)) return SymbolKind::Variable;
    net = net || contains(kNets, each);
  }
  return net && otherwise != SymbolKind::Variable ? SymbolKind::Net : otherwise;
}

void Parser::declaration(SymbolKind otherwise, bool in_branch) {
  std::size_t first = at_;
  bool net = contains(kNets, token());
  bool local = out_.scopes[scope_].kind == ScopeKind::Block;
  Range whole = skip_to({";"});
  expect(";");
  if (error_) return;
  Declaration made{{first, at_}, scope_, {}, in_branch};
  Range type;
  bool initial_value = false;
  for (Range segment : split(whole, ",")) {
    Declarator each = declarator(segment);
    if (each.name == ~std::size_t{0}) return fail(segment.first, "syntax error: expected a name");
    if (segment.first == first) {
      type = {first, each.name};
      enumerators(type);
    }
    bool as_type = otherwise == SymbolKind::Constant && out_.text.tokens[first + 1].is("type");
    SymbolKind kind = as_type ? SymbolKind::Type : otherwise;
    if (kind == SymbolKind::Variable)
      kind = kind_of(type, net ? SymbolKind::Net : SymbolKind::Variable);
    Symbol& symbol = declare(each.name, kind);
    symbol.type = type;
    symbol.dimensions = each.dimensions;
    symbol.init = each.init;
    made.names.push_back(out_.text.tokens[each.name].name());
    initial_value = initial_value || (kind == SymbolKind::Variable && !each.init.empty());
  }
  // Such a variable has its value once in the standard and at each entry in Yosys.
  if (initial_value && (local || in_routine_))
    return fail(first,
                "unsupported: a variable of a block with an initial value (assign to it "
                "in a statement)");
  if (!local && !in_routine_ && otherwise == SymbolKind::Variable && !net)
    out_.declarations.push_back(std::move(made));
}

}  // namespace lem::verilog
