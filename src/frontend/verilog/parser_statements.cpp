// Procedures and the statements in them: which variables they assign, and where assertions stand.
#include <algorithm>
#include <array>

#include "frontend/verilog/parser_state.h"

namespace lem::verilog {

namespace {

/// Tasks that print or end a simulation: the model does not depend on them.
bool only_prints(const std::string& task) {
  constexpr std::array<std::string_view, 12> kStarts = {
      "$display", "$write",    "$strobe", "$monitor", "$fdisplay", "$fwrite",
      "$fstrobe", "$fmonitor", "$dump",   "$fflush",  "$fclose",   "$timeformat"};
  constexpr std::array<std::string_view, 8> kWhole = {
      "$finish", "$stop", "$exit", "$error", "$warning", "$info", "$fatal", "$printtimescale"};
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view each) { return task.starts_with(each); }) ||
         std::find(kWhole.begin(), kWhole.end(), task) != kWhole.end();
}

bool is_assignment(const Token& token) {
  constexpr std::array<std::string_view, 16> kSigns = {
      "=",  "<=", "+=",  "-=",  "*=",   "/=",   "%=", "&=",
      "|=", "^=", "<<=", ">>=", "<<<=", ">>>=", "++", "--"};
  return token.kind == TokenKind::Sign &&
         std::find(kSigns.begin(), kSigns.end(), token.text) != kSigns.end();
}

}  // namespace

void Parser::process(ProcessKind kind, bool in_branch) {
  Process made{.kind = kind,
               .whole = {at_, at_},
               .event = {},
               .edges = {},
               .body = {},
               .scope = scope_,
               .in_branch = in_branch,
               .blocking = {},
               .steps = {}};
  ++at_;
  if (kind == ProcessKind::Always && accept("@")) {
    if (is("("))
      made.event = brackets();
    else
      made.event = {at_, at_ + 1}, ++at_;
    read_edges(made);
  }
  std::size_t index = out_.processes.size();
  out_.processes.push_back(std::move(made));
  process_ = index;
  std::size_t body = at_;
  nesting_ = 0;
  statement();
  process_.reset();
  out_.processes[index].body = {body, at_};
  out_.processes[index].whole.last = at_;
}

void Parser::read_edges(Process& process) {
  for (Range part : split(process.event, ","))
    for (Range each : split(part, "or")) {
      bool rising = !each.empty() && out_.text.tokens[each.first].is("posedge");
      bool falling = !each.empty() && out_.text.tokens[each.first].is("negedge");
      bool gated = false;
      for (std::size_t i = each.first; i < each.last; ++i)
        gated = gated || out_.text.tokens[i].is("iff");
      if (gated || (!rising && !falling)) return process.edges.clear();
      process.edges.push_back({rising, {each.first + 1, each.last}});
    }
}

void Parser::note(InitialStep::Kind kind, Range target, Range value) {
  std::size_t at = target.empty() ? value.first : target.first;
  InitialStep step{kind, at, target, value, scope_, nesting_ > 0};
  if (routine_ != kNoScope)
    out_.scopes[routine_].steps.push_back(step);
  else if (process_ && out_.processes[*process_].kind == ProcessKind::Initial)
    out_.processes[*process_].steps.push_back(step);
}

void Parser::statement() {
  ++depth_;
  if (!too_deep()) one_statement();
  --depth_;
}

void Parser::one_statement() {
  skip_attributes();
  std::size_t first = at_;
  if (accept(";")) return;
  if (starts_assertion()) return assertion("", first, false);
  if (control() || loop() || timing() || jump()) return;
  if (token().names() && is(":", 1)) {
    std::string label = token().name();
    at_ += 2;
    if (starts_assertion()) return assertion(std::move(label), first, false);
    return statement();
  }
  if (starts_declaration()) return declaration(SymbolKind::Variable, false);
  if (is("parameter") || is("localparam")) return declaration(SymbolKind::Constant, false);
  if (is("typedef")) return declaration(SymbolKind::Type, false);
  if (is("import")) return import();
  simple_statement();
}

void Parser::nested_statement() {
  ++nesting_;
  statement();
  --nesting_;
}

bool Parser::control() {
  constexpr std::array<std::string_view, 3> kQualifiers = {"unique", "unique0", "priority"};
  constexpr std::array<std::string_view, 3> kCases = {"case", "casez", "casex"};
  if (system() && is_one_of(kQualifiers)) ++at_;
  if (is("begin") || is("fork")) {
    block();
  } else if (accept("if")) {
    if (!is("(")) expect("(");
    note(InitialStep::Kind::Condition, {}, brackets());
    nested_statement();
    if (accept("else")) nested_statement();
  } else if (is_one_of(kCases)) {
    case_statement();
  } else {
    return false;
  }
  return true;
}

void Parser::block() {
  bool fork = is("fork");
  ++at_;
  open(ScopeKind::Block);
  if (accept(":")) {
    scope_ = scope().parent;
    declare(at_++, SymbolKind::Block);
    scope_ = out_.scopes.size() - 1;
  }
  auto ends = [&] { return fork ? is("join") || is("join_any") || is("join_none") : is("end"); };
  while (!at_end() && !ends()) statement();
  if (at_end()) expect(fork ? "join" : "end");
  ++at_;
  close();
  skip_label();
}

/// An item that no value matches, which Yosys takes for one that any value may match.
void Parser::check_item(Range item, bool wildcards) {
  for (std::size_t i = item.first; i < item.last; ++i) {
    const Token& each = out_.text.tokens[i];
    std::size_t base = each.kind == TokenKind::Number ? each.text.find('\'') : std::string::npos;
    if (base == std::string::npos) continue;
    if (each.text.find_first_of(wildcards ? "xX" : "xXzZ?", base) == std::string::npos) continue;
    return fail(i, "unsupported: an item of a case statement with an x or z, which no value has");
  }
}

void Parser::case_statement() {
  bool exact = is("case"), wildcards = is("casez");
  ++at_;
  if (!is("(")) return expect("(");
  note(InitialStep::Kind::Condition, {}, brackets());
  if (!accept("inside")) accept("matches");
  while (!at_end() && !is("endcase")) {
    if (accept("default")) {
      accept(":");
    } else {
      Range item = skip_to({":", "?"});
      for (std::size_t choices = 0; is("?") || choices > 0;) {  // a ? b : c: statement
        choices = is("?") ? choices + 1 : choices - 1;
        ++at_;
        item.last = skip_to({":", "?"}).last;
        if (at_end()) return;
      }
      note(InitialStep::Kind::Condition, {}, item);
      if (exact || wildcards) check_item(item, wildcards);
      expect(":");
    }
    nested_statement();
  }
  expect("endcase");
}

bool Parser::loop() {
  bool outer = in_loop_;
  if (is("for")) {
    in_loop_ = true;
    for_statement();
  } else if (is("while") || is("repeat")) {
    ++at_;
    note(InitialStep::Kind::Condition, {}, brackets());
    in_loop_ = true;
    nested_statement();
  } else if (accept("forever")) {
    in_loop_ = true;
    nested_statement();
  } else if (system() && is("do")) {
    ++at_;
    in_loop_ = true;
    nested_statement();
    expect("while");
    brackets();
    expect(";");
  } else if (system() && is("foreach")) {
    fail(at_, "unsupported: foreach");
  } else {
    return false;
  }
  in_loop_ = outer;
  return true;
}

void Parser::for_statement() {
  expect("for");
  open(ScopeKind::Block);
  std::size_t head = at_ + 1;
  Range all = brackets();
  std::vector<Range> parts = split(all, ";");
  if (!all.empty() && parts.size() == 3) {
    Range start = parts[0];
    Declarator made = declarator(start);
    std::size_t behind = at_;
    at_ = head;
    bool declares = made.name != ~std::size_t{0} && starts_declaration();
    at_ = behind;
    if (declares) {
      Symbol& symbol = declare(made.name, SymbolKind::Variable);
      symbol.type = {start.first, made.name};
      symbol.loop = true;
    }
    Range target = declares ? Range{made.name, made.name + 1} : split(start, "=")[0];
    assigned(target, true);
    note(InitialStep::Kind::Assign, target, made.init);
    ++nesting_;
    note(InitialStep::Kind::Condition, {}, parts[1]);
    --nesting_;
  }
  nested_statement();
  close();
}

/// @(event), #delay, wait: then a statement.
bool Parser::timing() {
  if (is("@") || is("#") || is("##")) {
    note(InitialStep::Kind::Wait, {}, {at_, at_ + 1});
    ++at_;
    if (is("("))
      brackets();
    else
      ++at_;
    statement();
  } else if (accept("wait")) {
    note(InitialStep::Kind::Wait, {}, {at_ - 1, at_});
    if (is("("))
      brackets();
    else
      skip_to({";"});
    statement();
  } else {
    return false;
  }
  return true;
}

bool Parser::jump() {
  constexpr std::array<std::string_view, 6> kJumps = {"disable",  "return", "break",
                                                      "continue", "->",     "->>"};
  constexpr std::array<std::string_view, 4> kForces = {"assign", "deassign", "force", "release"};
  if (is_one_of(kForces)) fail(at_, "unsupported: '" + token().text + "' in a procedure");
  if (!is_one_of(kJumps) || (is("return") && !system())) return false;
  skip_to({";"});
  expect(";");
  return true;
}

/// Notes the variables of the left side of an assignment: those outside of index brackets.
void Parser::assigned(Range target, bool blocking) {
  int index = 0;
  for (std::size_t i = target.first; i < target.last; ++i) {
    const Token& each = out_.text.tokens[i];
    index += each.is("[") ? 1 : each.is("]") ? -1 : 0;
    if (index != 0 || !each.names()) continue;
    if (i > target.first && out_.text.tokens[i - 1].is(".")) continue;
    bool starts = process_ && out_.processes[*process_].kind == ProcessKind::Initial;
    if (Symbol* symbol = find(each.name()); symbol != nullptr && !starts) symbol->assigned = true;
    if (blocking && process_) out_.processes[*process_].blocking.push_back(each.name());
  }
}

/// {a[i], b} = ...: Yosys drives the value of a[i] where i is a variable.
void Parser::check_concatenation(Range target) {
  if (target.empty() || !out_.text.tokens[target.first].is("{")) return;
  int index = 0;
  for (std::size_t i = target.first; i < target.last; ++i) {
    const Token& each = out_.text.tokens[i];
    index += each.is("[") ? 1 : each.is("]") ? -1 : 0;
    if (index == 0 || !each.names()) continue;
    const Symbol* symbol = find(each.name());
    if (symbol != nullptr && symbol->kind == SymbolKind::Constant) continue;
    return fail(i, "unsupported: a variable index in a concatenation to which a value is assigned");
  }
}

void Parser::simple_statement() {
  std::size_t first = at_;
  Range whole = skip_to({";"});
  expect(";");
  if (error_ || whole.empty()) return;
  const std::vector<Token>& all = out_.text.tokens;
  if (all[first].kind == TokenKind::System) {
    if (all[first].text.starts_with("$assert"))
      return fail(first, "unsupported: " + all[first].text);
    if (only_prints(all[first].text)) out_.edits.push_back({{first, at_}, ";"});
    return;
  }
  int depth = 0;
  std::size_t sign = whole.first;
  for (; sign < whole.last; ++sign) {
    const std::string& text = all[sign].text;
    depth += text == "(" || text == "[" || text == "{" ? 1 : 0;
    depth -= text == ")" || text == "]" || text == "}" ? 1 : 0;
    if (depth == 0 && is_assignment(all[sign])) break;
  }
  if (sign == whole.last) {  // a task, which may assign its arguments
    note(InitialStep::Kind::Call, {first, first + 1}, {first + 1, whole.last});
    return assigned(whole, true);
  }
  bool blocking = !all[sign].is("<=");
  Range target{whole.first, sign};
  if (target.empty()) target = {sign + 1, whole.last};  // ++i
  assigned(target, blocking);
  check_concatenation(target);
  note(InitialStep::Kind::Assign, target, {sign + 1, whole.last});
}

// --- assertions ---

bool Parser::starts_assertion(std::size_t ahead) const {
  bool word =
      is("assert", ahead) || is("assume", ahead) || is("cover", ahead) || is("restrict", ahead);
  return word && (is("(", ahead + 1) || is("property", ahead + 1) || is("sequence", ahead + 1) ||
                  is("final", ahead + 1) || is("#", ahead + 1));
}

void Parser::assertion(std::string label, std::size_t first, bool in_branch) {
  Assertion made{.label = std::move(label),
                 .at = at_,
                 .whole = {},
                 .formula = {},
                 .scope = scope_,
                 .process = process_,
                 .in_routine = in_routine_,
                 .in_loop = in_loop_,
                 .in_branch = in_branch};
  std::size_t keyword = at_;
  made.kind = is("cover")    ? AssertionKind::Cover
              : is("assert") ? AssertionKind::Assert
                             : AssertionKind::Assume;
  ++at_;
  if (is("sequence")) return fail(at_, "unsupported: cover sequence");
  made.concurrent = accept("property");
  bool deferred = !made.concurrent && accept("final");
  if (!made.concurrent && accept("#")) {
    expect("0");
    deferred = true;
  }
  if (!is("(")) return expect("(");
  made.formula = brackets();
  if (made.formula.empty()) return fail(keyword, "syntax error: the assertion has no formula");
  if (!process_ && !in_routine_ && !made.concurrent && !deferred)
    return fail(keyword,
                "syntax error: an immediate assertion stands in a procedure (a module has "
                "'assert property' or 'assert final')");
  if (!accept(";")) {
    std::size_t before = at_;
    if (!is("else")) action(before);
    if (accept("else")) action(at_);
  }
  made.whole = {first, at_};
  out_.assertions.push_back(std::move(made));
}

/// What is done when an assertion holds or fails is left out, so it may only print.
void Parser::action(std::size_t at) {
  std::optional<std::size_t> outer = std::exchange(process_, std::nullopt);
  std::size_t edits = out_.edits.size();
  statement();
  process_ = outer;
  if (error_) return;
  out_.edits.resize(edits);
  const std::vector<Token>& all = out_.text.tokens;
  std::size_t i = at;
  while (i < at_ && (all[i].is("begin") || all[i].is(";"))) ++i;
  while (i < at_ && !all[i].is("end")) {
    if (all[i].kind != TokenKind::System || !only_prints(all[i].text))
      return fail(i, "unsupported: an assertion with an action that does not only print");
    while (i < at_ && !all[i].is(";")) ++i;
    while (i < at_ && all[i].is(";")) ++i;
  }
}

/// No assertion may be left that the parser has not seen.
void Parser::check_all_found() {
  if (error_) return;
  constexpr std::array<std::string_view, 9> kWords = {"assert",      "assume",      "cover",
                                                      "restrict",    "property",    "sequence",
                                                      "endproperty", "endsequence", "expect"};
  std::vector<bool> seen(out_.text.tokens.size());
  auto mark = [&](Range range) {
    std::fill(seen.begin() + static_cast<std::ptrdiff_t>(range.first),
              seen.begin() + static_cast<std::ptrdiff_t>(range.last), true);
  };
  for (const Assertion& each : out_.assertions) mark(each.whole);
  for (const Edit& each : out_.edits) mark(each.range);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Token& each = out_.text.tokens[i];
    if (seen[i] || each.kind != TokenKind::Name) continue;
    if (!out_.text.files[each.file].system && !each.text.starts_with("ass")) continue;
    if (std::find(kWords.begin(), kWords.end(), each.text) != kWords.end())
      return fail(i, "unsupported: '" + each.text + "' in this place");
  }
}

}  // namespace lem::verilog
