#include "frontend/st/parser.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "frontend/st/lexer.h"

namespace lem::st {

// Tokens ------------------------------------------------------------------------------------------

const Token& Parser::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

bool Parser::take_symbol(const char* symbol) {
  if (!at_symbol(symbol)) return false;
  next();
  return true;
}

bool Parser::take_word(const char* word) {
  if (!at_word(word)) return false;
  next();
  return true;
}

static std::string shown(const Token& token) {
  switch (token.kind) {
    case Token::Kind::End:
      return "the end of the text";
    case Token::Kind::EndAnnotation:
      return "the end of the line";
    case Token::Kind::Annotation:
      return "an annotation";
    default:
      return "'" + token.text + "'";
  }
}

Error Parser::expected(const std::string& what) const {
  return {peek().at, "expected " + what + ", found " + shown(peek())};
}

Error Parser::refuse(const std::string& what) const {
  return {peek().at, what + " are not supported"};
}

Status Parser::expect_symbol(const char* symbol) {
  if (take_symbol(symbol)) return Ok{};
  return expected("'" + std::string(symbol) + "'");
}

Status Parser::expect_word(const char* word) {
  if (take_word(word)) return Ok{};
  std::string upper(word);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return expected("'" + upper + "'");
}

/// Whether the word here is a name and no keyword, as in Begin := 1 and Retain : BOOL.
bool Parser::is_used_as_name() const {
  static constexpr std::array kBehind = {":=", ":", ",", ".", "[", "(", "+=", "-=", "*=", "/="};
  return std::any_of(kBehind.begin(), kBehind.end(),
                     [&](const char* symbol) { return peek(1).is_symbol(symbol); });
}

bool Parser::at_name() const {
  if (peek().is(Token::Kind::Quoted)) return true;
  return peek().is(Token::Kind::Word) && !is_reserved(peek().key);
}

Result<Name> Parser::name() {
  if (!at_name()) return expected("a name");
  const Token& token = next();
  return Name{token.text, token.key, token.at};
}

// Types -------------------------------------------------------------------------------------------

Result<Bounds> Parser::bounds() {
  if (at_symbol("*")) return refuse("arrays of variable length");
  Result<ExprPtr> low = expression();
  if (!low) return low.error();
  if (!at_symbol("..")) {  // [5]: five elements, from 0
    return expected("'..'");
  }
  next();
  Result<ExprPtr> high = expression();
  if (!high) return high.error();
  return Bounds{*std::move(low), *std::move(high)};
}

Result<TypePtr> Parser::array_type() {
  TypeExpr out{TypeExpr::Kind::Array, peek().at};
  if (Status open = expect_symbol("["); !open) return open.error();
  do {
    Result<Bounds> pair = bounds();
    if (!pair) return pair.error();
    out.bounds.push_back(*std::move(pair));
  } while (take_symbol(","));
  if (Status close = expect_symbol("]"); !close) return close.error();
  if (Status of = expect_word("of"); !of) return of.error();
  Result<TypePtr> element = type();
  if (!element) return element;
  out.element = *std::move(element);
  return std::make_shared<const TypeExpr>(std::move(out));
}

Result<TypePtr> Parser::structure_type() {
  TypeExpr out{TypeExpr::Kind::Structure, peek().at};
  while (!at_word("end_struct")) {
    std::vector<Name> names;
    do {
      Result<Name> one = name();
      if (!one) return one.error();
      names.push_back(*std::move(one));
    } while (take_symbol(","));
    if (Status colon = expect_symbol(":"); !colon) return colon.error();
    Result<TypePtr> of = type();
    if (!of) return of;
    ExprPtr initial;
    if (take_symbol(":=")) {
      Result<ExprPtr> value = initial_value();
      if (!value) return value.error();
      initial = *std::move(value);
    }
    for (Name& one : names) out.fields.push_back({std::move(one), *of, initial});
    if (Status end = expect_symbol(";"); !end) return end.error();
  }
  next();
  return std::make_shared<const TypeExpr>(std::move(out));
}

Result<TypePtr> Parser::enumeration_type() {
  TypeExpr out{TypeExpr::Kind::Enumeration, peek().at};
  do {
    Result<Name> one = name();
    if (!one) return one.error();
    EnumLiteral literal{*std::move(one)};
    if (take_symbol(":=")) {
      Result<ExprPtr> value = expression();
      if (!value) return value.error();
      literal.value = *std::move(value);
    }
    out.literals.push_back(std::move(literal));
  } while (take_symbol(",") && !at_symbol(")"));
  if (Status close = expect_symbol(")"); !close) return close.error();
  if (at_name() && !at_symbol(";")) {  // a base type behind the list
    Result<Name> base = name();
    if (!base) return base.error();
    out.name = *std::move(base);
  }
  return std::make_shared<const TypeExpr>(std::move(out));
}

Result<TypePtr> Parser::type() {
  Depth depth(*this);
  if (depth.too_deep()) return refuse("types nested this deeply");
  SourcePos at = peek().at;
  if (take_word("array")) return array_type();
  if (take_word("struct")) return structure_type();
  if (take_symbol("(")) return enumeration_type();
  if (at_word("string") || at_word("wstring")) {
    TypeExpr out{TypeExpr::Kind::Text, at};
    out.what = next().text;
    for (auto [open, close] : {std::pair{"[", "]"}, std::pair{"(", ")"}})
      if (take_symbol(open)) {
        Result<ExprPtr> length = expression();
        if (!length) return length.error();
        if (Status end = expect_symbol(close); !end) return end.error();
        out.bounds.push_back({*length, *length});
      }
    return std::make_shared<const TypeExpr>(std::move(out));
  }
  if ((at_word("pointer") || at_word("reference")) && peek(1).is_word("to"))
    return refuse("pointers and references");
  if (at_word("ref_to")) return refuse("pointers and references");
  TypeExpr out{TypeExpr::Kind::Named, at};
  Result<Name> found = name();
  if (!found) return expected("a type");
  out.name = *std::move(found);
  while (at_symbol(".") && peek(1).is(Token::Kind::Word)) {  // a name space
    next();
    const Token& part = next();
    out.name = Name{out.name.text + "." + part.text, part.key, out.name.at};
  }
  if (at_word("r_edge") || at_word("f_edge")) return refuse("R_EDGE and F_EDGE");
  if (take_symbol("(")) {
    out.kind = TypeExpr::Kind::Subrange;
    Result<Bounds> pair = bounds();
    if (!pair) return pair.error();
    out.bounds.push_back(*std::move(pair));
    if (Status close = expect_symbol(")"); !close) return close.error();
  }
  return std::make_shared<const TypeExpr>(std::move(out));
}

/// An expression, `[1, 2, 3(0)]` or `(a := 1, b := 2)`.
Result<ExprPtr> Parser::initial_value() {
  Depth depth(*this);
  if (depth.too_deep()) return refuse("initial values nested this deeply");
  if (take_symbol("[")) return aggregate("]");
  bool structure = at_symbol("(") &&
                   (peek(1).is(Token::Kind::Word) || peek(1).is(Token::Kind::Quoted)) &&
                   peek(2).is_symbol(":=");
  if (structure || (at_symbol("(") && peek(1).is_symbol(")"))) {
    next();
    return aggregate(")");
  }
  bool repeated = peek().is(Token::Kind::Integer) && peek(1).is_symbol("(");
  if (!repeated) return expression();
  Expr out{Expr::Kind::Repeat, peek().at};
  out.number = next().number;
  next();
  if (!at_symbol(")")) {
    Result<ExprPtr> value = initial_value();
    if (!value) return value;
    out.operand = *std::move(value);
  }
  if (Status close = expect_symbol(")"); !close) return close.error();
  return std::make_shared<const Expr>(std::move(out));
}

Result<ExprPtr> Parser::aggregate(const char* close) {
  Expr out{Expr::Kind::Aggregate, peek().at};
  out.text = close;
  while (!take_symbol(close)) {
    Argument part;
    if (peek(1).is_symbol(":=")) {
      Result<Name> field = name();
      if (!field) return field.error();
      part.name = *std::move(field);
      part.kind = Argument::Kind::Input;
      next();
    }
    Result<ExprPtr> value = initial_value();
    if (!value) return value;
    part.value = *std::move(value);
    out.arguments.push_back(std::move(part));
    if (!at_symbol(close))
      if (Status comma = expect_symbol(","); !comma) return comma.error();
  }
  return std::make_shared<const Expr>(std::move(out));
}

Status Parser::type_declarations(Unit& unit) {
  while (!take_word("end_type")) {
    Result<Name> found = name();
    if (!found) return found.error();
    skip_header_lines();
    TypeDecl made{*std::move(found), {}};
    if (!at_word("struct"))
      if (Status colon = expect_symbol(":"); !colon) return colon;
    Result<TypePtr> is = type();
    if (!is) return is.error();
    made.type = *std::move(is);
    if (take_symbol(":=")) {
      Result<ExprPtr> value = initial_value();
      if (!value) return value.error();
      made.initial = *std::move(value);
    }
    unit.types.push_back(std::move(made));
    if (!take_symbol(";") && !at_word("end_type")) return expected("';'");
  }
  take_symbol(";");
  return Ok{};
}

// Variables ---------------------------------------------------------------------------------------

bool Parser::at_section() const {
  static constexpr std::array kWords = {"var",      "var_input",  "var_output",   "var_in_out",
                                        "var_temp", "var_global", "var_external", "var_stat",
                                        "var_inst", "const",      "var_access",   "var_config",
                                        "label"};
  if (!peek().is(Token::Kind::Word) || is_used_as_name()) return false;
  return std::find(kWords.begin(), kWords.end(), peek().key) != kWords.end();
}

Status Parser::declaration(const VarDecl& pattern, std::vector<VarDecl>& out) {
  std::vector<VarDecl> made;
  do {
    VarDecl one = pattern;
    if (at_word("at") && peek(1).is(Token::Kind::Address)) {
      one.name = Name{peek(1).text, peek(1).key, peek(1).at};
    } else {
      Result<Name> found = name();
      if (!found) return found.error();
      one.name = *std::move(found);
    }
    if (take_word("at")) {
      if (!peek().is(Token::Kind::Address)) return expected("an address, as in %IX0.0");
      one.address = next().key;
    }
    made.push_back(std::move(one));
  } while (take_symbol(","));
  if (Status colon = expect_symbol(":"); !colon) return colon;
  Result<TypePtr> is = type();
  if (!is) return is.error();
  ExprPtr initial;
  if (take_symbol(":=")) {
    Result<ExprPtr> value = initial_value();
    if (!value) return value.error();
    initial = *std::move(value);
  }
  for (VarDecl& one : made) {
    one.type = *is;
    one.initial = initial;
    out.push_back(std::move(one));
  }
  if (!take_symbol(";")) {
    if (!at_word("end_var")) return expected("';'");
    warn(peek().at, "missing ';'");
  }
  return Ok{};
}

/// CONST a := 5; END_CONST of SCL: types are those of the values.
Status Parser::constants(std::vector<VarDecl>& out) {
  while (!take_word("end_const")) {
    VarDecl made;
    made.constant = true;
    Result<Name> found = name();
    if (!found) return found.error();
    made.name = *std::move(found);
    if (take_symbol(":")) {
      Result<TypePtr> is = type();
      if (!is) return is.error();
      made.type = *std::move(is);
    }
    if (Status is = expect_symbol(":="); !is) return is;
    Result<ExprPtr> value = initial_value();
    if (!value) return value.error();
    made.initial = *std::move(value);
    out.push_back(std::move(made));
    if (Status end = expect_symbol(";"); !end) return end;
  }
  take_symbol(";");
  return Ok{};
}

Status Parser::section(std::vector<VarDecl>& out) {
  SourcePos at = peek().at;
  std::string key = next().key;
  if (key == "const") return constants(out);
  if (key == "var_access" || key == "var_config" || key == "var_inst" || key == "label")
    return Error{at, "sections " + key + " are not supported"};
  VarDecl pattern;
  pattern.section = key == "var_input"      ? Section::Input
                    : key == "var_output"   ? Section::Output
                    : key == "var_in_out"   ? Section::InOut
                    : key == "var_temp"     ? Section::Temp
                    : key == "var_global"   ? Section::Global
                    : key == "var_external" ? Section::External
                                            : Section::Static;
  while (!is_used_as_name()) {
    if (take_word("constant"))
      pattern.constant = true;
    else if (take_word("retain") || take_word("persistent"))
      pattern.retain = true;
    else if (take_word("non_retain"))
      pattern.non_retain = true;
    else if (!take_word("public") && !take_word("private") && !take_word("protected") &&
             !take_word("internal"))
      break;
  }
  while (!take_word("end_var")) {
    if (peek().is(Token::Kind::End)) return expected("'END_VAR'");
    if (Status done = declaration(pattern, out); !done) return done;
  }
  take_symbol(";");
  return Ok{};
}

Result<std::vector<VarDecl>> Parser::whole_interface() {
  std::vector<VarDecl> out;
  while (at_section())
    if (Status done = section(out); !done) return done.error();
  if (!peek().is(Token::Kind::End)) return expected("a VAR section");
  return out;
}

// Units -------------------------------------------------------------------------------------------

/// VERSION : 0.1, AUTHOR : x, FAMILY : y, NAME : z, each on its line.
void Parser::skip_header_lines() {
  for (;;) {
    bool header = at_word("version") || at_word("author") || at_word("family") || at_word("name") ||
                  at_word("know_how_protect") || at_word("title");
    bool valued = peek(1).is_symbol(":") || peek(1).is_symbol("=");
    if (!header || (!valued && !at_word("know_how_protect"))) return;
    std::uint32_t line = peek().at.line;
    while (peek().at.line == line && !peek().is(Token::Kind::End)) next();
  }
}

Status Parser::pou_interface(Pou& pou) {
  if (at_word("extends")) return refuse("classes and inheritance");
  if (take_word("implements")) {  // what an interface asks for changes nothing
    do {
      if (Result<Name> interface = name(); !interface) return interface.error();
    } while (take_symbol(",") || take_symbol("."));
  }
  if (pou.kind == Pou::Kind::Function && take_symbol(":")) {
    if (!take_word("void")) {
      Result<TypePtr> result = type();
      if (!result) return result.error();
      pou.result = *std::move(result);
    }
  }
  take_symbol(";");
  skip_header_lines();
  scopes_.push_back({(scopes_.empty() ? "" : scopes_.back().pou + ".") + pou.name.text});
  while (at_section()) {
    // An instance that is RETAIN would not keep these.
    bool names = peek(2).is_symbol(":") || peek(2).is_symbol(",");
    if (pou.kind == Pou::Kind::Block && peek(1).is_word("non_retain") && !names)
      return Error{peek(1).at, "NON_RETAIN in a function block is not supported"};
    bool shared = at_word("var_stat");
    std::vector<VarDecl> made;
    if (Status done = section(made); !done) return done;
    if (!shared)
      pou.variables.insert(pou.variables.end(), made.begin(), made.end());
    else if (Status done = add_statics(pou, std::move(made)); !done)
      return done;
    skip_header_lines();
  }
  for (const VarDecl& one : pou.variables) {
    scopes_.back().own.insert(one.name.key);
    if (scopes_.back().statics.contains(one.name.key))
      return Error{one.name.at, "'" + one.name.text + "' is declared twice"};
  }
  return Ok{};
}

Status Parser::add_statics(Pou& pou, std::vector<VarDecl> variables) {
  Scope& scope = scopes_.back();
  for (VarDecl& one : variables) {
    if (one.constant) {
      pou.variables.push_back(std::move(one));
      continue;
    }
    std::string text = scope.pou + "." + one.name.text;
    Name global{text, lower(text), one.name.at};
    if (!scope.statics.insert({one.name.key, global}).second)
      return Error{one.name.at, "'" + one.name.text + "' is declared twice"};
    one.name = global;
    one.section = Section::Global;
    statics_.push_back(std::move(one));
  }
  return Ok{};
}

/// The global variable where a name is one of VAR_STAT.
Name Parser::meant(Name name) const {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    auto found = scopes_[i].statics.find(name.key);
    if (found != scopes_[i].statics.end()) return {found->second.text, found->second.key, name.at};
    if (scopes_[i].own.contains(name.key)) break;
  }
  return name;
}

Status Parser::pou(Unit& unit, Pou::Kind kind, const char* end) {
  while (at_word("public") || at_word("internal") || at_word("final")) next();
  if (at_word("abstract")) return refuse("classes and inheritance");
  Result<Name> found = name();
  if (!found) return found.error();
  Pou made{kind, *std::move(found)};
  if (Status done = pou_interface(made); !done) return done;
  if (!is_used_as_name()) take_word("begin");
  while (at_word("method") && !is_used_as_name()) {
    next();
    if (Status done = method(made); !done) return done;
  }
  if (at_word("property") && !is_used_as_name()) return refuse("properties (PROPERTY)");
  if ((at_word("initial_step") || at_word("step") || at_word("transition")) &&
      !peek(1).is(Token::Kind::Symbol))
    return refuse("sequential function charts (STEP, TRANSITION)");
  Result<Body> body = statements();
  if (!body) return body.error();
  made.body = *std::move(body);
  while (at_word("action") || at_word("method")) {
    bool is_method = next().key == "method";
    if (Status done = is_method ? method(made) : action(made); !done) return done;
  }
  if (Status closed = end_of(end); !closed) return closed;
  read_[made.name.key] = scopes_.back();
  scopes_.pop_back();
  unit.pous.push_back(std::move(made));
  return Ok{};
}

/// METHOD name : result VAR sections, up to the body
Result<Pou> Parser::method_header() {
  while (take_word("public") || take_word("private") || take_word("protected") ||
         take_word("internal") || take_word("final")) {
  }
  if (at_word("abstract") || at_word("override")) return refuse("classes and inheritance");
  Result<Name> found = name();
  if (!found) return found.error();
  Pou made{Pou::Kind::Function, *std::move(found)};
  if (Status done = pou_interface(made); !done) return done.error();
  return made;
}

Status Parser::method(Pou& of) {
  Result<Pou> made = method_header();
  if (!made) return made.error();
  Result<Body> body = statements();
  if (!body) return body.error();
  made->body = *std::move(body);
  scopes_.pop_back();
  of.methods.push_back(*std::move(made));
  return end_of("end_method");
}

/// ACTION name: statements END_ACTION
Status Parser::action(Pou& of) {
  Result<Name> found = name();
  if (!found) return found.error();
  take_symbol(":");
  Result<Body> body = statements();
  if (!body) return body.error();
  if (of.find_action(found->key) != nullptr)
    return Error{found->at, "'" + found->text + "' is declared twice"};
  of.actions.push_back({*std::move(found), *std::move(body)});
  if (Status end = expect_word("end_action"); !end) return end;
  take_symbol(";");
  return Ok{};
}

/// ACTIONS, behind the block they belong to: ACTION name ... END_ACTION ... END_ACTIONS
Status Parser::actions(Unit& unit) {
  SourcePos at = peek().at;
  Pou* of = unit.pous.empty() ? nullptr : &unit.pous.back();
  if (at_name() && !at_word("action")) {
    Result<Name> block = name();
    for (Pou& one : unit.pous)
      if (one.name.key == block->key) of = &one;
  }
  if (of == nullptr) return Error{at, "these actions belong to no block"};
  scopes_.push_back(read_[of->name.key]);
  while (take_word("action"))
    if (Status done = action(*of); !done) return done;
  scopes_.pop_back();
  return expect_word("end_actions");
}

/// DATA_BLOCK of SCL: a global variable, an instance of a block or a structure of its own.
Status Parser::data_block(Unit& unit) {
  Result<Name> found = name();
  if (!found) return found.error();
  VarDecl made;
  made.name = *std::move(found);
  made.section = Section::Global;
  skip_header_lines();
  while (take_word("non_retain") || take_word("retain") || take_word("read_only") ||
         take_word("unlinked"))
    skip_header_lines();
  if (at_word("var")) {
    TypeExpr is{TypeExpr::Kind::Structure, peek().at};
    std::vector<VarDecl> variables;
    while (at_section())
      if (Status done = section(variables); !done) return done;
    for (VarDecl& one : variables) is.fields.push_back({one.name, one.type, one.initial});
    auto kept = std::count_if(variables.begin(), variables.end(),
                              [](const VarDecl& one) { return one.retain; });
    made.retain = kept > 0;
    if (made.retain && static_cast<std::size_t>(kept) != variables.size())
      return Error{made.name.at, "RETAIN for some variables of a DATA_BLOCK is not supported"};
    made.type = std::make_shared<const TypeExpr>(std::move(is));
  } else {
    Result<TypePtr> is = type();
    if (!is) return is.error();
    made.type = *std::move(is);
  }
  take_symbol(";");
  Expr initial{Expr::Kind::Aggregate, peek().at};
  initial.text = ")";
  if (take_word("begin")) {
    while (peek().is(Token::Kind::Word) && !at_word("end_data_block")) {
      Result<Name> part = name();
      if (!part) return part.error();
      if (at_symbol(".") || at_symbol("["))
        return refuse("initial values of parts of parts in a DATA_BLOCK");
      if (Status is = expect_symbol(":="); !is) return is;
      Result<ExprPtr> value = initial_value();
      if (!value) return value.error();
      initial.arguments.push_back(
          {Argument::Kind::Input, *std::move(part), false, *std::move(value)});
      if (Status end = expect_symbol(";"); !end) return end;
    }
  }
  if (!initial.arguments.empty()) made.initial = std::make_shared<const Expr>(std::move(initial));
  unit.globals.push_back(std::move(made));
  return end_of("end_data_block");
}

/// Editors that keep one block a file leave the last line out.
Status Parser::end_of(const char* end) {
  if (peek().is(Token::Kind::End)) {
    std::string upper(end);
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    warn(peek().at, "missing " + upper);
    return Ok{};
  }
  if (Status closed = expect_word(end); !closed) return closed;
  take_symbol(";");
  return Ok{};
}

Result<Pou> Parser::header() {
  Pou::Kind kind = at_word("function")  ? Pou::Kind::Function
                   : at_word("program") ? Pou::Kind::Program
                                        : Pou::Kind::Block;
  if (take_word("method")) {
    Result<Pou> made = method_header();
    if (made && !peek().is(Token::Kind::End)) return expected("the end of the declaration");
    return made;
  }
  if (!take_word("function") && !take_word("program") && !take_word("function_block"))
    return expected("FUNCTION, FUNCTION_BLOCK or PROGRAM");
  while (at_word("public") || at_word("internal") || at_word("final")) next();
  if (at_word("abstract")) return refuse("classes and inheritance");
  Result<Name> found = name();
  if (!found) return found.error();
  Pou made{kind, *std::move(found)};
  if (Status done = pou_interface(made); !done) return done.error();
  if (!peek().is(Token::Kind::End)) return expected("the end of the declaration");
  return made;
}

/// TASK t(INTERVAL := T#50ms, PRIORITY := 1); behind the first word
Result<Task> Parser::task(const std::string& resource) {
  Result<Name> found = name();
  if (!found) return found.error();
  Task made{*std::move(found), resource};
  if (Status open = expect_symbol("("); !open) return open.error();
  Result<std::vector<Argument>> settings = arguments(")");
  if (!settings) return settings.error();
  for (const Argument& one : *settings) {
    if (!one.name || one.value == nullptr) continue;
    if (one.name->key == "priority" && one.value->kind == Expr::Kind::Integer)
      made.priority = one.value->number;
    made.on_event = made.on_event || one.name->key == "single";
  }
  if (Status end = expect_symbol(";"); !end) return end.error();
  return made;
}

/// PROGRAM p WITH t : Main(x := g); behind the first word
Result<ConfiguredProgram> Parser::program_instance(const std::vector<Task>& tasks,
                                                   const std::string& resource) {
  bool retain = !is_used_as_name() && take_word("retain");
  if (!is_used_as_name()) take_word("non_retain");
  Result<Name> instance = name();
  if (!instance) return instance.error();
  ConfiguredProgram made{*std::move(instance), {}, resource};
  made.retain = retain;
  if (take_word("with")) {
    Result<Name> wanted = name();
    if (!wanted) return wanted.error();
    for (const Task& one : tasks)
      if (one.name.key == wanted->key && one.resource == resource) made.task = one;
    if (!made.task) return Error{wanted->at, "there is no task '" + wanted->text + "'"};
  }
  if (Status colon = expect_symbol(":"); !colon) return colon.error();
  Result<Name> is = name();
  if (!is) return is.error();
  made.type = *std::move(is);
  if (take_symbol("(")) {
    Result<std::vector<Argument>> connections = arguments(")");
    if (!connections) return connections.error();
    made.connections = *std::move(connections);
  }
  if (Status end = expect_symbol(";"); !end) return end.error();
  return made;
}

Status Parser::resource_item(Unit& unit, std::vector<Task>& tasks, const std::string& resource) {
  if (at_section()) return section(unit.globals);
  if (take_word("task")) {
    Result<Task> made = task(resource);
    if (!made) return made.error();
    tasks.push_back(*std::move(made));
    return Ok{};
  }
  if (take_word("program")) {
    Result<ConfiguredProgram> made = program_instance(tasks, resource);
    if (!made) return made.error();
    configured_.push_back(*std::move(made));
    return Ok{};
  }
  return expected("TASK, PROGRAM or VAR_GLOBAL");
}

Status Parser::configuration(Unit& unit) {
  Result<Name> found = name();
  if (!found) return found.error();
  std::vector<Task> tasks;
  std::size_t first = configured_.size();
  while (!take_word("end_configuration")) {
    if (take_word("resource")) {
      Result<Name> resource = name();
      if (!resource) return resource.error();
      if (take_word("on"))
        if (Result<Name> processor = name(); !processor) return processor.error();
      while (!take_word("end_resource"))
        if (Status done = resource_item(unit, tasks, resource->key); !done) return done;
      take_symbol(";");
    } else if (Status done = resource_item(unit, tasks, ""); !done) {
      return done;
    }
  }
  for (std::size_t i = first; i < configured_.size(); ++i)
    configured_[i].configuration = found->key;
  take_symbol(";");
  return Ok{};
}

Status Parser::unit(Unit& unit) {
  while (!peek().is(Token::Kind::End)) {
    Status done = Ok{};
    if (take_word("type"))
      done = type_declarations(unit);
    else if (take_word("function_block"))
      done = pou(unit, Pou::Kind::Block, "end_function_block");
    else if (take_word("function"))
      done = pou(unit, Pou::Kind::Function, "end_function");
    else if (take_word("program"))
      done = pou(unit, Pou::Kind::Program, "end_program");
    else if (take_word("organization_block"))
      done = pou(unit, Pou::Kind::Program, "end_organization_block");
    else if (take_word("configuration"))
      done = configuration(unit);
    else if (at_word("var_global"))
      done = section(unit.globals);
    else if (take_word("data_block"))
      done = data_block(unit);
    else if (at_word("class") || at_word("interface") || at_word("namespace") || at_word("method"))
      done = refuse("classes, interfaces and name spaces");
    else if (take_word("actions"))
      done = actions(unit);
    else if (!take_symbol(";"))
      done = expected("a declaration (FUNCTION, FUNCTION_BLOCK, PROGRAM, TYPE, VAR_GLOBAL)");
    if (!done) return done;
  }
  unit.globals.insert(unit.globals.end(), statics_.begin(), statics_.end());
  return Ok{};
}

}  // namespace lem::st
