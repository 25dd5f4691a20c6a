#include "frontend/verilog/names.h"

#include <algorithm>
#include <array>

namespace lem::verilog {

namespace {

constexpr const char* kHint = " (docs/verilog.md lists what is read)";

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

Error wrong(const Syntax& design, std::size_t at, std::string message) {
  return {design.place(at), std::move(message), ErrorKind::BadInput};
}

const Token& token_at(const Syntax& design, std::size_t at) {
  static const Token kEnd;
  return at < design.text.tokens.size() ? design.text.tokens[at] : kEnd;
}

/// Words of types and casts, which Yosys reads inside expressions.
bool is_cast_word(const std::string& word) {
  constexpr std::array<std::string_view, 10> kWords = {
      "signed", "unsigned", "int", "byte", "logic", "bit", "integer", "shortint", "longint", "reg"};
  return contains(kWords, word);
}

bool is_property_word(const Token& token) {
  constexpr std::array<std::string_view, 33> kWords = {"not",
                                                       "and",
                                                       "or",
                                                       "throughout",
                                                       "until",
                                                       "s_until",
                                                       "until_with",
                                                       "s_until_with",
                                                       "within",
                                                       "s_eventually",
                                                       "eventually",
                                                       "if",
                                                       "else",
                                                       "always",
                                                       "s_always",
                                                       "nexttime",
                                                       "s_nexttime",
                                                       "intersect",
                                                       "implies",
                                                       "first_match",
                                                       "iff",
                                                       "strong",
                                                       "weak",
                                                       "accept_on",
                                                       "reject_on",
                                                       "sync_accept_on",
                                                       "sync_reject_on",
                                                       "disable",
                                                       "case",
                                                       "posedge",
                                                       "negedge",
                                                       "edge",
                                                       "dist"};
  return token.kind == TokenKind::Name && contains(kWords, token.text);
}

Status check_sign(const Syntax& design, std::size_t at) {
  constexpr std::array<std::string_view, 11> kSigns = {"##", "|->", "|=>", "#-#", "#=#", "@",
                                                       ";",  "->>", "&&&", "=",   "#"};
  const Token& token = design.text.tokens[at];
  const Token& next = token_at(design, at + 1);
  bool repeats = token.is("[") && (next.is("*") || next.is("=") || next.is("->"));
  if (!repeats && !contains(kSigns, token.text)) return Ok{};
  return wrong(design, at,
               "unsupported: '" + token.text + (repeats ? next.text : "") +
                   "' in an expression of an assertion" + kHint);
}

Status check_symbol(const Syntax& design, std::size_t at, const Symbol& symbol) {
  const std::string& text = design.text.tokens[at].text;
  const Token& next = token_at(design, at + 1);
  switch (symbol.kind) {
    case SymbolKind::Property:
    case SymbolKind::Sequence:
      return wrong(design, at, "unsupported: the property '" + text + "' inside an expression");
    case SymbolKind::Instance:
      return wrong(design, at,
                   "unsupported: '" + text +
                       (next.is(".") ? "." + token_at(design, at + 2).text : "") +
                       "' refers into an instance or an array of structs");
    case SymbolKind::Other:
      return wrong(design, at, "unsupported: '" + text + "' in an assertion");
    case SymbolKind::Type:
      if (next.is("'")) return Ok{};
      return wrong(design, at, "'" + text + "' is a type");
    default:
      return Ok{};
  }
}

Status check_name(const Syntax& design, std::size_t at, ScopeId scope, ScopeId place) {
  const Token& token = design.text.tokens[at];
  const Token& before = token_at(design, at - 1);
  if (at > 0 && before.is(".")) return Ok{};  // a member
  bool qualified = at > 1 && before.is("::");
  const Symbol* symbol = nullptr;
  if (qualified) {
    const Symbol* package = design.find(0, design.text.tokens[at - 2].name());
    if (package != nullptr && package->kind == SymbolKind::Block &&
        package->declaration < design.scopes.size())
      symbol = design.find(package->declaration, token.name());
  } else {
    symbol = design.find(scope, token.name());
    if (symbol != design.find(place, token.name()))
      return wrong(design, at,
                   "unsupported: '" + token.name() +
                       "' means something else where the property is asserted");
  }
  if (symbol != nullptr) return check_symbol(design, at, *symbol);
  if (!qualified && is_implicit_net(design, scope, token)) return Ok{};
  return wrong(design, at, "'" + token.name() + "' is not declared");
}

}  // namespace

bool is_implicit_net(const Syntax& design, ScopeId scope, const Token& token) {
  if (!token.implicit_nets) return false;
  for (; scope != kNoScope; scope = design.scopes[scope].parent) {
    const std::vector<std::string>& names = design.scopes[scope].implicit_nets;
    if (std::find(names.begin(), names.end(), token.name()) != names.end()) return true;
  }
  return false;
}

Status check_expression(const Syntax& design, Range range, ScopeId scope, ScopeId place) {
  if (range.empty()) return wrong(design, range.first, "syntax error: an expression is missing");
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Token& token = design.text.tokens[i];
    Status fine = Ok{};
    if (token.kind == TokenKind::Sign)
      fine = check_sign(design, i);
    else if (is_property_word(token))
      fine = wrong(design, i,
                   "unsupported: '" + token.text + "' in an expression of an assertion" + kHint);
    else if (token.names() && !(token.kind == TokenKind::Name && is_cast_word(token.text)))
      fine = check_name(design, i, scope, place);
    if (!fine) return fine;
  }
  return Ok{};
}

bool is_constant(const Syntax& design, Range range, ScopeId scope,
                 const std::function<bool(const std::string&)>& known) {
  constexpr std::array<std::string_view, 8> kFree = {"$random",   "$urandom",  "$urandom_range",
                                                     "$anyseq",   "$anyconst", "$allseq",
                                                     "$allconst", "$past"};
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Token& token = design.text.tokens[i];
    if (token.kind == TokenKind::System && contains(kFree, token.text)) return false;
    if (!token.names() || is_cast_word(token.text) || known(token.name())) continue;
    if (i > 0 && (design.text.tokens[i - 1].is(".") || design.text.tokens[i - 1].is("::")))
      continue;
    const Symbol* symbol = design.find(scope, token.name());
    if (symbol != nullptr &&
        (symbol->kind == SymbolKind::Net || symbol->kind == SymbolKind::Variable))
      return false;
  }
  return true;
}

bool is_sampling(const std::string& function) {
  constexpr std::array<std::string_view, 6> kFunctions = {"$past",   "$rose",    "$fell",
                                                          "$stable", "$changed", "$sampled"};
  return contains(kFunctions, function);
}

Range call_at(const Syntax& design, std::size_t at) {
  const std::vector<Token>& all = design.text.tokens;
  if (!token_at(design, at + 1).is("(")) return {at, at + 1};
  int depth = 0;
  for (std::size_t i = at + 1; i < all.size(); ++i) {
    depth += all[i].is("(") ? 1 : all[i].is(")") ? -1 : 0;
    if (depth == 0) return {at, i + 1};
  }
  return {at, at + 1};
}

}  // namespace lem::verilog
