#include "frontend/verilog/names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

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

bool is_inside(const Syntax& design, ScopeId inner, ScopeId outer) {
  while (inner != kNoScope && inner != outer) inner = design.scopes[inner].parent;
  return inner == outer;
}

bool is_local(const Syntax& design, ScopeId routine, const std::string& name) {
  for (ScopeId id = routine; id < design.scopes.size(); ++id) {
    if (!is_inside(design, id, routine)) return false;  // scopes of a routine are consecutive
    if (design.scopes[id].names.contains(name)) return true;
  }
  return false;
}

namespace {

/// How far calls of functions are followed.
struct Patience {
  int depth = 0;
  std::size_t words = 0;
};
constexpr int kDeepestCall = 20;
constexpr std::size_t kMostWords = 1'000'000;

bool constant_routine(const Syntax& design, const Symbol& symbol, Patience& patience);

/// Whether the word has a value that is known before the first step.
bool constant_word(const Syntax& design, std::size_t at, ScopeId scope, Patience& patience) {
  constexpr std::array<std::string_view, 8> kFree = {"$random",   "$urandom",  "$urandom_range",
                                                     "$anyseq",   "$anyconst", "$allseq",
                                                     "$allconst", "$initstate"};
  const Token& token = design.text.tokens[at];
  if (token.kind == TokenKind::System)
    return !contains(kFree, token.text) && !is_sampling(token.text);
  if (!token.names() || is_cast_word(token.text)) return true;
  if (at > 0 && design.text.tokens[at - 1].is(".")) return true;  // decided by what is before it
  const Symbol* symbol = design.find(scope, token.name());
  if (at > 1 && design.text.tokens[at - 1].is("::")) {
    const Symbol* package = design.find(0, design.text.tokens[at - 2].name());
    if (package == nullptr || package->declaration >= design.scopes.size()) return false;
    symbol = design.find(package->declaration, token.name());
  }
  if (symbol == nullptr) return !is_implicit_net(design, scope, token);  // else a keyword
  switch (symbol->kind) {
    case SymbolKind::Constant:
    case SymbolKind::Type:
      return true;
    case SymbolKind::Routine:
      return constant_routine(design, *symbol, patience);
    case SymbolKind::Block:
      return token_at(design, at + 1).is("::");
    default:
      return false;
  }
}

/// A function that depends on nothing but its arguments.
bool constant_routine(const Syntax& design, const Symbol& symbol, Patience& patience) {
  if (patience.depth >= kDeepestCall || symbol.declaration >= design.scopes.size()) return false;
  ++patience.depth;
  ScopeId scope = symbol.declaration;
  Range range = design.scopes[scope].range;
  for (std::size_t i = range.first; i < range.last; ++i)
    if (++patience.words > kMostWords || (!is_local(design, scope, design.text.tokens[i].name()) &&
                                          !constant_word(design, i, scope, patience)))
      return false;
  --patience.depth;
  return true;
}

}  // namespace

bool is_constant(const Syntax& design, Range range, ScopeId scope,
                 const std::function<bool(const std::string&)>& known) {
  Patience patience;
  for (std::size_t i = range.first; i < range.last; ++i)
    if (!known(design.text.tokens[i].name()) && !constant_word(design, i, scope, patience))
      return false;
  return true;
}

ScopeId scope_of(const Syntax& design, std::size_t token) {
  ScopeId found = 0;  // inner scopes come behind outer ones
  for (ScopeId id = 0; id < design.scopes.size(); ++id) {
    const Scope& scope = design.scopes[id];
    bool items = scope.kind != ScopeKind::Files && scope.kind != ScopeKind::Block;
    if (items && scope.range.first <= token && token < scope.range.last) found = id;
  }
  return found;
}

namespace {

std::optional<std::int64_t> plain_number(const Token& token) {
  std::int64_t value = 0;
  const std::string& text = token.text;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (token.kind != TokenKind::Number || failed != std::errc{} || end != text.data() + text.size())
    return {};
  return value;
}

struct Bounds {
  std::int64_t low, high;
};

/// `[N]` or `[N:M]` with plain numbers, at its first bracket.
std::optional<Bounds> plain_bounds(const Syntax& design, std::size_t at) {
  std::optional<std::int64_t> left = plain_number(token_at(design, at + 1));
  if (left && token_at(design, at + 2).is("]")) return Bounds{*left, *left};
  std::optional<std::int64_t> right = plain_number(token_at(design, at + 3));
  bool range = token_at(design, at + 2).is(":") && token_at(design, at + 4).is("]");
  if (!left || !right || !range) return {};
  return Bounds{std::min(*left, *right), std::max(*left, *right)};
}

/// The words of the type of a variable that is a struct: those of its typedef, if it has a name.
Range struct_type(const Syntax& design, const Symbol& variable) {
  for (std::size_t i = variable.type.first; i < variable.type.last; ++i) {
    const Token& word = design.text.tokens[i];
    if (word.is("struct") || word.is("union")) return {i, variable.type.last};
    const Symbol* type = word.names() ? design.find(scope_of(design, i), word.name()) : nullptr;
    if (type != nullptr && type->kind == SymbolKind::Block && token_at(design, i + 1).is("::") &&
        type->declaration < design.scopes.size())
      type = design.find(type->declaration, token_at(design, i + 2).name());
    if (type != nullptr && type->kind == SymbolKind::Type) return type->type;
  }
  return {};
}

/// The range of a member that is declared with plain numbers.
std::optional<Bounds> member_bounds(const Syntax& design, Range type, const std::string& member) {
  std::size_t start = type.first;
  for (std::size_t i = type.first; i < type.last; ++i) {
    const Token& word = design.text.tokens[i];
    if (word.is("{") || word.is(";")) start = i + 1;
    bool last = token_at(design, i + 1).is(";") || token_at(design, i + 1).is(",");
    if (!word.names() || word.name() != member || !last) continue;
    while (start < i && !design.text.tokens[start].is("[")) ++start;
    return plain_bounds(design, start);
  }
  return {};
}

}  // namespace

Status check_member_selects(const Syntax& design) {
  for (std::size_t i = 3; i < design.text.tokens.size(); ++i) {
    const Token& member = token_at(design, i - 1);
    const Token& variable = token_at(design, i - 3);
    if (!token_at(design, i).is("[") || !member.names() || !token_at(design, i - 2).is(".") ||
        !(variable.names() || variable.is("]")))
      continue;
    const Symbol* symbol = design.find(scope_of(design, i), variable.name());
    bool plain = symbol != nullptr && symbol->kind != SymbolKind::Net &&
                 symbol->kind != SymbolKind::Variable && !token_at(design, i - 4).is(".");
    if (plain) continue;  // a generate block or an instance
    std::optional<Bounds> index = plain_bounds(design, i);
    std::optional<Bounds> whole;
    if (symbol != nullptr)
      whole = member_bounds(design, struct_type(design, *symbol), member.name());
    if (!index || !whole || index->low < whole->low || index->high > whole->high)
      return wrong(design, i,
                   "unsupported: a select of a member of a struct whose index is not a number in "
                   "its range (assign the member to a variable first)");
  }
  return Ok{};
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
