#include "frontend/verilog/parser.h"

#include <algorithm>
#include <array>

#include "frontend/verilog/parser_state.h"

namespace lem::verilog {

std::string Syntax::words(Range range) const {
  std::string out;
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Token& token = text.tokens[i];
    if (i > range.first && (token.spaced || text.tokens[i - 1].kind == TokenKind::Escaped))
      out += ' ';
    out += token.text;
  }
  if (!range.empty() && text.tokens[range.last - 1].kind == TokenKind::Escaped) out += ' ';
  return out;
}

const Symbol* Syntax::find(ScopeId scope, const std::string& name) const {
  for (; scope != kNoScope; scope = scopes[scope].parent)
    if (auto found = scopes[scope].names.find(name); found != scopes[scope].names.end())
      return &found->second;
  return nullptr;
}

// --- words ---

const Token& Parser::token(std::size_t ahead) const {
  if (error_ || at_ + ahead >= out_.text.tokens.size()) return end_;
  return out_.text.tokens[at_ + ahead];
}

bool Parser::accept(std::string_view what) {
  if (!is(what)) return false;
  ++at_;
  return true;
}

void Parser::expect(std::string_view what) {
  if (accept(what)) return;
  fail(at_, "syntax error: expected '" + std::string(what) + "'" +
                (at_end() ? " before the end" : ", found '" + token().text + "'"));
}

void Parser::fail(std::size_t at, std::string message) {
  if (error_) return;
  const std::vector<Token>& all = out_.text.tokens;
  SourcePos place;
  if (!all.empty()) place = out_.place(std::min(at, all.size() - 1));
  error_ = Error{place, std::move(message), ErrorKind::BadInput};
}

static int depth_change(const Token& token) {
  if (token.kind != TokenKind::Sign) return 0;
  const std::string& text = token.text;
  if (text == "(" || text == "[" || text == "{" || text == "(*") return 1;
  if (text == ")" || text == "]" || text == "}" || text == "*)") return -1;
  return 0;
}

/// Brackets and signs before an operand that are too many for the recursions of this program and of
/// Yosys.
void Parser::check_brackets() {
  constexpr int kDeepest = 1000;
  int depth = 0, signs = 0;
  for (std::size_t i = 0; i < out_.text.tokens.size() && !error_; ++i) {
    const Token& each = out_.text.tokens[i];
    depth = std::max(0, depth + depth_change(each));
    signs = each.kind == TokenKind::Sign ? signs + 1 : 0;
    if (each.is(";") || each.is(",") || each.is(")") || each.is("*)")) signs = 0;
    if (depth > kDeepest || signs > kDeepest) fail(i, "unsupported: the text is nested too deeply");
  }
}

Range Parser::skip_to(std::initializer_list<std::string_view> ends) {
  std::size_t first = at_;
  int depth = 0;
  for (; !at_end(); ++at_) {
    if (depth == 0 && is_one_of(ends)) return {first, at_};
    depth += depth_change(token());
    if (depth < 0) break;
  }
  bool end = at_end();
  fail(end ? first : at_, "syntax error: expected '" + std::string(*ends.begin()) + "'" +
                              (end ? " behind this" : ", found '" + token().text + "'"));
  return {first, first};
}

Range Parser::brackets() {
  std::size_t open = at_;
  int depth = 0;
  for (; !at_end(); ++at_) {
    depth += depth_change(token());
    if (depth > 0) continue;
    ++at_;
    return {open + 1, at_ - 1};
  }
  fail(open, "syntax error: the bracket is not closed");
  return {open, open};
}

std::vector<Range> Parser::split(Range range, std::string_view sign) const {
  std::vector<Range> out;
  int depth = 0;
  std::size_t first = range.first;
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Token& each = out_.text.tokens[i];
    depth += depth_change(each);
    if (depth != 0 || !each.is(sign)) continue;
    out.push_back({first, i});
    first = i + 1;
  }
  out.push_back({first, range.last});
  return out;
}

void Parser::skip_attributes() {
  while (is("(*")) brackets();
}

void Parser::skip_label() {
  if (!is(":") || !token(1).names()) return;
  at_ += 2;
}

bool Parser::system() const {
  return out_.text.files[token().file].system;
}

// --- scopes ---

ScopeId Parser::open(ScopeKind kind) {
  out_.scopes.push_back({.kind = kind, .parent = scope_});
  return scope_ = out_.scopes.size() - 1;
}

Symbol& Parser::declare(std::size_t at, SymbolKind kind) {
  Symbol& symbol = scope().names[out_.text.tokens[at].name()];
  symbol.kind = kind;
  symbol.at = at;
  return symbol;
}

Symbol* Parser::find(const std::string& name) {
  for (ScopeId id = scope_; id != kNoScope; id = out_.scopes[id].parent)
    if (auto found = out_.scopes[id].names.find(name); found != out_.scopes[id].names.end())
      return &found->second;
  return nullptr;
}

// --- units ---

Result<Syntax> Parser::run() {
  out_.scopes.push_back({});
  scope_ = 0;
  check_brackets();
  while (!at_end()) {
    skip_attributes();
    constexpr std::array<std::string_view, 4> kUnits = {"module", "macromodule", "interface",
                                                        "program"};
    if (is_one_of(kUnits) && (system() || !is("program")))
      unit(false);
    else if (is("package"))
      unit(true);
    else
      item(false);
  }
  check_all_found();
  if (error_) return *error_;
  return std::move(out_);
}

void Parser::unit(bool package) {
  std::string end = "end" + (is("macromodule") ? "module" : token().text);
  ++at_;
  if (!accept("automatic")) accept("static");
  if (!token().names()) return fail(at_, "syntax error: expected a name");
  declare(at_, SymbolKind::Other).declaration = out_.scopes.size();  // the scope, of packages
  if (package) scope().names[token().name()].kind = SymbolKind::Block;
  ++at_;
  ScopeId made = open(ScopeKind::Unit);
  out_.scopes[made].range.first = at_;
  while (is("import")) import();
  if (accept("#")) parameters();
  if (is("(")) ports(SymbolKind::Net);
  expect(";");
  items(end);
  out_.scopes[made].range.last = at_;
  close();
  skip_label();
}

void Parser::parameters() {
  if (!is("(")) return expect("(");
  for (Range segment : split(brackets(), ",")) {
    Declarator each = declarator(segment);
    if (each.name == ~std::size_t{0}) continue;
    bool type = false;
    for (std::size_t i = segment.first; i < each.name; ++i)
      type = type || out_.text.tokens[i].is("type");
    declare(each.name, type ? SymbolKind::Type : SymbolKind::Constant);
  }
}

/// A list of ports of a module, or of arguments of a function.
void Parser::ports(SymbolKind otherwise) {
  Range type;
  for (Range segment : split(brackets(), ",")) {
    while (segment.first < segment.last && out_.text.tokens[segment.first].is("(*")) {
      while (!out_.text.tokens[segment.first].is("*)")) ++segment.first;
      ++segment.first;
    }
    Declarator each = declarator(segment);
    if (each.name == ~std::size_t{0}) continue;
    if (each.name > segment.first) type = {segment.first, each.name};
    enumerators({segment.first, each.name});
    Symbol& symbol = declare(each.name, kind_of(type, otherwise));
    symbol.type = type;
    symbol.dimensions = each.dimensions;
    symbol.init = each.init;
  }
}

void Parser::import() {
  ++at_;
  for (Range each : split(skip_to({";"}), ",")) {
    if (each.last - each.first != 3) continue;
    const Symbol* package = find(out_.text.tokens[each.first].name());
    if (package == nullptr || package->declaration >= out_.scopes.size()) continue;
    const Token& what = out_.text.tokens[each.first + 2];
    for (const auto& [name, symbol] : out_.scopes[package->declaration].names)
      if (what.is("*") || what.name() == name) scope().names.emplace(name, symbol);
  }
  expect(";");
}

// --- items ---

void Parser::items(std::string_view end) {
  while (!at_end() && !is(end)) item(false);
  expect(end);
}

void Parser::refuse_region(std::string_view what) {
  fail(at_, "unsupported: " + std::string(what));
}

bool Parser::too_deep() {
  constexpr std::size_t kDeepest = 1000;
  if (depth_ <= kDeepest) return false;
  fail(at_, "unsupported: the text is nested too deeply");
  return true;
}

void Parser::item(bool in_branch) {
  ++depth_;
  if (!too_deep()) one_item(in_branch);
  --depth_;
}

void Parser::one_item(bool in_branch) {
  skip_attributes();
  constexpr std::array<std::string_view, 6> kRefused = {"checker", "class",        "covergroup",
                                                        "program", "randsequence", "expect"};
  if (accept(";")) return;
  if (is("bind") && (token(1).names()))
    return fail(at_, "unsupported: bind (instantiate the checker in the module instead)");
  if (system() && is_one_of(kRefused) && token(1).names()) return refuse_region(token().text);
  if (is("specify") || is("primitive") || is("config")) {
    std::string end = "end" + token().text;
    while (!at_end() && !is(end)) ++at_;
    expect(end);
    return skip_label();
  }
  if (assertion_item(in_branch) || generate_item() || declaration_item(in_branch)) return;
  if (token().kind == TokenKind::System || is("defparam") || is("alias") || is("export") ||
      is("extern") || is("modport") || is("timeunit") || is("timeprecision") || is("let") ||
      is("nettype")) {
    skip_to({";"});
    return expect(";");
  }
  constexpr std::array<std::string_view, 26> kGates = {
      "and",    "nand",   "or",     "nor",     "xor",      "xnor",  "buf",      "not",     "bufif0",
      "bufif1", "notif0", "notif1", "pullup",  "pulldown", "nmos",  "pmos",     "cmos",    "rnmos",
      "rpmos",  "rcmos",  "tran",   "tranif0", "tranif1",  "rtran", "rtranif0", "rtranif1"};
  if (is_one_of(kGates)) return instances(true);
  if (token().names()) return instances(false);
  fail(at_, "syntax error: unexpected '" + token().text + "'");
}

/// Assertions, what they refer to, and procedures.
bool Parser::assertion_item(bool in_branch) {
  std::size_t first = at_;
  if (starts_assertion()) {
    assertion("", first, in_branch);
  } else if (token().names() && is(":", 1) && starts_assertion(2)) {
    std::string label = token().name();
    at_ += 2;
    assertion(std::move(label), first, in_branch);
  } else if (is("property") || is("sequence")) {
    property(is("property") ? "endproperty" : "endsequence");
  } else if (is("default") && (is("clocking", 1) || is("disable", 1))) {
    default_item();
  } else if (is("clocking") || (is("global") && is("clocking", 1))) {
    clocking();
  } else if (is("always") || is("always_ff")) {
    process(ProcessKind::Always, in_branch);
  } else if (is("always_comb") || is("always_latch")) {
    process(ProcessKind::Combinational, in_branch);
  } else if (is("initial")) {
    process(ProcessKind::Initial, in_branch);
  } else if (system() && is("final")) {
    process(ProcessKind::Final, in_branch);
  } else {
    return false;
  }
  return true;
}

bool Parser::declaration_item(bool in_branch) {
  if (is("import") && token(1).kind != TokenKind::String) {
    import();
  } else if (is("import")) {
    fail(at_, "unsupported: DPI functions");
  } else if (is("parameter") || is("localparam")) {
    declaration(SymbolKind::Constant, in_branch);
  } else if (is("genvar")) {
    declaration(SymbolKind::Constant, in_branch);
  } else if (is("typedef")) {
    declaration(SymbolKind::Type, in_branch);
  } else if (is("function") || is("task")) {
    routine(is("function") ? "endfunction" : "endtask");
  } else if (is("assign")) {
    continuous_assignment();
  } else if (starts_declaration()) {
    declaration(SymbolKind::Variable, in_branch);
  } else {
    return false;
  }
  return true;
}

bool Parser::generate_item() {
  if (accept("generate")) {
    items("endgenerate");
  } else if (is("begin")) {
    block_items();
  } else if (token().names() && is(":", 1) && is("begin", 2)) {
    declare(at_, SymbolKind::Block);
    at_ += 2;
    block_items();
  } else if (is("for")) {
    generate_for();
  } else if (accept("if")) {
    if (!is("(")) expect("(");
    brackets();
    branch();
    if (accept("else")) branch();
  } else if (is("case")) {
    generate_case();
  } else {
    return false;
  }
  return true;
}

/// begin : name ... end, at begin.
void Parser::block_items() {
  expect("begin");
  if (accept(":")) declare(at_++, SymbolKind::Block);
  ScopeId made = open(ScopeKind::Generate);
  out_.scopes[made].range.first = at_;
  items("end");
  out_.scopes[made].range.last = at_;
  close();
  skip_label();
}

/// The branch of a generate construct: a scope of its own, also without begin.
void Parser::branch() {
  if (accept(";")) return;
  bool block = is("begin") || (token().names() && is(":", 1) && is("begin", 2));
  if (block) {
    generate_item();
    return;
  }
  ScopeId made = open(ScopeKind::Generate);
  out_.scopes[made].range.first = at_;
  item(true);
  out_.scopes[made].range.last = at_;
  close();
}

void Parser::generate_for() {
  expect("for");
  open(ScopeKind::Generate);
  std::size_t inside = at_ + 1;
  Range head = brackets();
  if (!head.empty() && out_.text.tokens[inside].is("genvar") && inside + 1 < head.last)
    declare(inside + 1, SymbolKind::Constant);
  branch();
  close();
}

void Parser::generate_case() {
  expect("case");
  if (!is("(")) return expect("(");
  brackets();
  while (!at_end() && !is("endcase")) {
    if (accept("default"))
      accept(":");
    else
      skip_to({":"}), expect(":");
    branch();
  }
  expect("endcase");
}

void Parser::routine(std::string_view end) {
  ++at_;
  Range head = skip_to({"(", ";"});
  if (head.empty()) return;
  std::size_t name = head.last - 1;
  declare(name, SymbolKind::Routine).declaration = out_.scopes.size();
  ScopeId made = open(ScopeKind::Routine);
  out_.scopes[made].range.first = at_;
  declare(name, SymbolKind::Variable).type = {head.first, name};
  if (is("(")) ports(SymbolKind::Variable);
  expect(";");
  bool outer = std::exchange(in_routine_, true);
  ScopeId outer_routine = std::exchange(routine_, made);
  while (!at_end() && !is(end)) statement();
  in_routine_ = outer;
  routine_ = outer_routine;
  out_.scopes[made].range.last = at_;
  expect(end);
  close();
  skip_label();
}

/// property NAME; ... endproperty: taken out of the text.
void Parser::property(std::string_view end) {
  std::size_t first = at_++;
  if (!token().names()) return fail(at_, "syntax error: expected the name of a property");
  Symbol& symbol =
      declare(at_++, end == "endproperty" ? SymbolKind::Property : SymbolKind::Sequence);
  symbol.declaration = out_.properties.size();
  PropertyDeclaration made{.body = {}, .scope = scope_, .plain = true};
  if (is("(")) made.plain = brackets().empty();
  expect(";");
  made.body.first = at_;
  while (!at_end() && !is(end)) ++at_;
  made.body.last = at_;
  if (!made.body.empty() && out_.text.tokens[made.body.last - 1].is(";")) --made.body.last;
  for (std::size_t i = made.body.first; i < made.body.last; ++i)
    made.plain = made.plain && !out_.text.tokens[i].is(";");
  out_.properties.push_back(made);
  expect(end);
  skip_label();
  out_.edits.push_back({{first, at_}, ""});
}

/// clocking NAME @(event); ... endclocking. Its signals are no names of the module.
void Parser::clocking() {
  std::size_t first = at_;
  bool is_default = accept("default");
  accept("global");
  expect("clocking");
  std::size_t name = at_;
  if (token().names()) ++at_;
  if (is(";")) return fail(first, "unsupported: a default clocking that is declared elsewhere");
  expect("@");
  Default event{first, {}};
  if (is("("))
    event.range = brackets();
  else
    event.range = {at_, at_ + 1}, ++at_;
  if (name + 1 < at_ && out_.text.tokens[name].names()) declare(name, SymbolKind::Other);
  while (!at_end() && !is("endclocking")) ++at_;
  expect("endclocking");
  skip_label();
  out_.edits.push_back({{first, at_}, ""});
  if (!is_default || error_) return;
  if (scope().clock) return fail(first, "a second default clocking");
  scope().clock = event;
}

void Parser::default_item() {
  if (is("clocking", 1)) return clocking();
  std::size_t first = at_;
  at_ += 2;
  expect("iff");
  Default made{first, skip_to({";"})};
  expect(";");
  if (scope().disable) return fail(first, "a second default disable iff");
  scope().disable = made;
  out_.edits.push_back({{first, at_}, ""});
}

void Parser::continuous_assignment() {
  ++at_;
  Range whole = skip_to({";"});
  for (Range each : split(whole, ",")) {
    Range target = split(each, "=")[0];
    int index = 0;
    for (std::size_t i = target.first; i < target.last; ++i) {
      const Token& word = out_.text.tokens[i];
      index += word.is("[") ? 1 : word.is("]") ? -1 : 0;
      if (index == 0 && word.names()) scope().implicit_nets.push_back(word.name());
    }
  }
  expect(";");
}

static bool is_logic_gate(const std::string& gate) {
  constexpr std::array<std::string_view, 8> kGates = {"and", "nand", "or",  "nor",
                                                      "xor", "xnor", "buf", "not"};
  return std::find(kGates.begin(), kGates.end(), gate) != kGates.end();
}

/// TYPE #(...) a (...), b [3:0] (...); a gate has no type and may have no name.
void Parser::instances(bool gate) {
  std::size_t first = at_++;
  if (accept("::")) ++at_;
  if (accept("#")) is("(") ? static_cast<void>(brackets()) : static_cast<void>(++at_);
  if (gate && is("(")) {
    std::size_t before = at_;
    brackets();  // a strength, if the instance comes behind it
    if (!token().names() && !is("(")) at_ = before;
  }
  while (!at_end()) {
    if (token().names())
      declare(at_++, SymbolKind::Instance);
    else if (!gate)
      return fail(first, "syntax error: expected an item of a module, found '" +
                             out_.text.tokens[first].text + "'");
    bool array = is("[");
    if (array && gate && (at_ != first + 2 || !is_logic_gate(out_.text.tokens[first].text)))
      return fail(at_, "unsupported: an array of gates of this kind");
    while (is("[")) brackets();
    if (!is("(")) return fail(at_, "syntax error: unexpected '" + token().text + "'");
    Range ports = brackets();
    if (array && gate && is(",")) return fail(at_, "unsupported: an array of gates in a list");
    if (array && gate) out_.gate_arrays.push_back({first, split(ports, ",").size()});
    int index = 0;
    for (std::size_t i = ports.first; i < ports.last; ++i) {  // `.name` alone declares nothing
      const Token& word = out_.text.tokens[i];
      index += word.is("[") ? 1 : word.is("]") ? -1 : 0;
      if (index == 0 && word.names() && !out_.text.tokens[i - 1].is("."))
        scope().implicit_nets.push_back(word.name());
    }
    if (!accept(",")) break;
  }
  expect(";");
}

Result<Syntax> parse(TokenList text) {
  return Parser(std::move(text)).run();
}

}  // namespace lem::verilog
