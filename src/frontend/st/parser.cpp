#include "frontend/st/parser.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/try.h"
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
  LEM_LET(ExprPtr low, expression());
  if (!at_symbol("..")) {  // [5]: five elements, from 0
    return expected("'..'");
  }
  next();
  LEM_LET(ExprPtr high, expression());
  return Bounds{std::move(low), std::move(high)};
}

Result<TypePtr> Parser::array_type() {
  TypeExpr out{TypeExpr::Kind::Array, peek().at};
  LEM_TRY(expect_symbol("["));
  do {
    LEM_LET(out.bounds.emplace_back(), bounds());
  } while (take_symbol(","));
  LEM_TRY(expect_symbol("]"));
  LEM_TRY(expect_word("of"));
  LEM_LET(out.element, type());
  return std::make_shared<const TypeExpr>(std::move(out));
}

Result<TypePtr> Parser::structure_type() {
  TypeExpr out{TypeExpr::Kind::Structure, peek().at};
  while (!at_word("end_struct")) {
    std::vector<Name> names;
    do {
      LEM_LET(Name one, name());
      names.push_back(std::move(one));
    } while (take_symbol(","));
    LEM_TRY(expect_symbol(":"));
    LEM_LET(TypePtr of, type());
    ExprPtr initial;
    if (take_symbol(":=")) {
      LEM_LET(initial, initial_value());
    }
    for (Name& one : names) out.fields.push_back({std::move(one), of, initial});
    LEM_TRY(expect_symbol(";"));
  }
  next();
  return std::make_shared<const TypeExpr>(std::move(out));
}

Result<TypePtr> Parser::enumeration_type() {
  TypeExpr out{TypeExpr::Kind::Enumeration, peek().at};
  do {
    LEM_LET(Name one, name());
    EnumLiteral literal{std::move(one)};
    if (take_symbol(":=")) {
      LEM_LET(literal.value, expression());
    }
    out.literals.push_back(std::move(literal));
  } while (take_symbol(",") && !at_symbol(")"));
  LEM_TRY(expect_symbol(")"));
  if (at_name() && !at_symbol(";")) {  // a base type behind the list
    LEM_LET(out.name, name());
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
        LEM_LET(ExprPtr length, expression());
        LEM_TRY(expect_symbol(close));
        out.bounds.push_back({length, length});
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
    LEM_LET(out.bounds.emplace_back(), bounds());
    LEM_TRY(expect_symbol(")"));
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
    LEM_LET(out.operand, initial_value());
  }
  LEM_TRY(expect_symbol(")"));
  return std::make_shared<const Expr>(std::move(out));
}

Result<ExprPtr> Parser::aggregate(const char* close) {
  Expr out{Expr::Kind::Aggregate, peek().at};
  out.text = close;
  while (!take_symbol(close)) {
    Argument part;
    if (peek(1).is_symbol(":=")) {
      LEM_LET(part.name, name());
      part.kind = Argument::Kind::Input;
      next();
    }
    LEM_LET(part.value, initial_value());
    out.arguments.push_back(std::move(part));
    if (!at_symbol(close)) LEM_TRY(expect_symbol(","));
  }
  return std::make_shared<const Expr>(std::move(out));
}

Status Parser::type_declarations(Unit& unit) {
  while (!take_word("end_type")) {
    LEM_LET(Name found, name());
    skip_header_lines();
    TypeDecl made{std::move(found), {}};
    if (!at_word("struct")) LEM_TRY(expect_symbol(":"));
    LEM_LET(made.type, type());
    if (take_symbol(":=")) {
      LEM_LET(made.initial, initial_value());
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
      LEM_LET(one.name, name());
    }
    if (take_word("at")) {
      if (!peek().is(Token::Kind::Address)) return expected("an address, as in %IX0.0");
      one.address = next().key;
    }
    made.push_back(std::move(one));
  } while (take_symbol(","));
  LEM_TRY(expect_symbol(":"));
  LEM_LET(TypePtr is, type());
  ExprPtr initial;
  if (take_symbol(":=")) {
    LEM_LET(initial, initial_value());
  }
  for (VarDecl& one : made) {
    one.type = is;
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
    LEM_LET(made.name, name());
    if (take_symbol(":")) {
      LEM_LET(made.type, type());
    }
    LEM_TRY(expect_symbol(":="));
    LEM_LET(made.initial, initial_value());
    out.push_back(std::move(made));
    LEM_TRY(expect_symbol(";"));
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
    LEM_TRY(declaration(pattern, out));
  }
  take_symbol(";");
  return Ok{};
}

Result<std::vector<VarDecl>> Parser::whole_interface() {
  std::vector<VarDecl> out;
  while (at_section()) LEM_TRY(section(out));
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
      LEM_LET(pou.result, type());
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
    LEM_TRY(section(made));
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
  LEM_LET(Name found, name());
  Pou made{kind, std::move(found)};
  LEM_TRY(pou_interface(made));
  if (!is_used_as_name()) take_word("begin");
  while (at_word("method") && !is_used_as_name()) {
    next();
    LEM_TRY(method(made));
  }
  if (at_word("property") && !is_used_as_name()) return refuse("properties (PROPERTY)");
  if ((at_word("initial_step") || at_word("step") || at_word("transition")) &&
      !peek(1).is(Token::Kind::Symbol))
    return refuse("sequential function charts (STEP, TRANSITION)");
  LEM_LET(made.body, statements());
  while (at_word("action") || at_word("method")) {
    bool is_method = next().key == "method";
    LEM_TRY(is_method ? method(made) : action(made));
  }
  LEM_TRY(end_of(end));
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
  LEM_LET(Name found, name());
  Pou made{Pou::Kind::Function, std::move(found)};
  LEM_TRY(pou_interface(made));
  return made;
}

Status Parser::method(Pou& of) {
  LEM_LET(Pou made, method_header());
  LEM_LET(made.body, statements());
  scopes_.pop_back();
  of.methods.push_back(std::move(made));
  return end_of("end_method");
}

/// ACTION name: statements END_ACTION
Status Parser::action(Pou& of) {
  LEM_LET(Name found, name());
  take_symbol(":");
  LEM_LET(Body body, statements());
  if (of.find_action(found.key) != nullptr)
    return Error{found.at, "'" + found.text + "' is declared twice"};
  of.actions.push_back({std::move(found), std::move(body)});
  LEM_TRY(expect_word("end_action"));
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
  while (take_word("action")) LEM_TRY(action(*of));
  scopes_.pop_back();
  return expect_word("end_actions");
}

/// DATA_BLOCK of SCL: a global variable, an instance of a block or a structure of its own.
Status Parser::data_block(Unit& unit) {
  LEM_LET(Name found, name());
  VarDecl made;
  made.name = std::move(found);
  made.section = Section::Global;
  skip_header_lines();
  while (take_word("non_retain") || take_word("retain") || take_word("read_only") ||
         take_word("unlinked"))
    skip_header_lines();
  if (at_word("var")) {
    TypeExpr is{TypeExpr::Kind::Structure, peek().at};
    std::vector<VarDecl> variables;
    while (at_section()) LEM_TRY(section(variables));
    for (VarDecl& one : variables) is.fields.push_back({one.name, one.type, one.initial});
    auto kept = std::count_if(variables.begin(), variables.end(),
                              [](const VarDecl& one) { return one.retain; });
    made.retain = kept > 0;
    if (made.retain && static_cast<std::size_t>(kept) != variables.size())
      return Error{made.name.at, "RETAIN for some variables of a DATA_BLOCK is not supported"};
    made.type = std::make_shared<const TypeExpr>(std::move(is));
  } else {
    LEM_LET(made.type, type());
  }
  take_symbol(";");
  Expr initial{Expr::Kind::Aggregate, peek().at};
  initial.text = ")";
  if (take_word("begin")) {
    while (peek().is(Token::Kind::Word) && !at_word("end_data_block")) {
      LEM_LET(Name part, name());
      if (at_symbol(".") || at_symbol("["))
        return refuse("initial values of parts of parts in a DATA_BLOCK");
      LEM_TRY(expect_symbol(":="));
      LEM_LET(ExprPtr value, initial_value());
      initial.arguments.push_back(
          {Argument::Kind::Input, std::move(part), false, std::move(value)});
      LEM_TRY(expect_symbol(";"));
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
  LEM_TRY(expect_word(end));
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
  LEM_LET(Name found, name());
  Pou made{kind, std::move(found)};
  LEM_TRY(pou_interface(made));
  if (!peek().is(Token::Kind::End)) return expected("the end of the declaration");
  return made;
}

/// TASK t(INTERVAL := T#50ms, PRIORITY := 1); behind the first word
Result<Task> Parser::task(const std::string& resource) {
  LEM_LET(Name found, name());
  Task made{std::move(found), resource};
  LEM_TRY(expect_symbol("("));
  LEM_LET(std::vector<Argument> settings, arguments(")"));
  for (const Argument& one : settings) {
    if (!one.name || one.value == nullptr) continue;
    if (one.name->key == "priority" && one.value->kind == Expr::Kind::Integer)
      made.priority = one.value->number;
    made.on_event = made.on_event || one.name->key == "single";
  }
  LEM_TRY(expect_symbol(";"));
  return made;
}

/// PROGRAM p WITH t : Main(x := g); behind the first word
Result<ConfiguredProgram> Parser::program_instance(const std::vector<Task>& tasks,
                                                   const std::string& resource) {
  bool retain = !is_used_as_name() && take_word("retain");
  if (!is_used_as_name()) take_word("non_retain");
  LEM_LET(Name instance, name());
  ConfiguredProgram made{std::move(instance), {}, resource};
  made.retain = retain;
  if (take_word("with")) {
    LEM_LET(Name wanted, name());
    for (const Task& one : tasks)
      if (one.name.key == wanted.key && one.resource == resource) made.task = one;
    if (!made.task) return Error{wanted.at, "there is no task '" + wanted.text + "'"};
  }
  LEM_TRY(expect_symbol(":"));
  LEM_LET(made.type, name());
  if (take_symbol("(")) {
    LEM_LET(made.connections, arguments(")"));
  }
  LEM_TRY(expect_symbol(";"));
  return made;
}

Status Parser::resource_item(Unit& unit, std::vector<Task>& tasks, const std::string& resource) {
  if (at_section()) return section(unit.globals);
  if (take_word("task")) {
    LEM_LET(Task made, task(resource));
    tasks.push_back(std::move(made));
    return Ok{};
  }
  if (take_word("program")) {
    LEM_LET(configured_.emplace_back(), program_instance(tasks, resource));
    return Ok{};
  }
  return expected("TASK, PROGRAM or VAR_GLOBAL");
}

Status Parser::configuration(Unit& unit) {
  LEM_LET(Name found, name());
  std::vector<Task> tasks;
  std::size_t first = configured_.size();
  while (!take_word("end_configuration")) {
    if (take_word("resource")) {
      LEM_LET(Name resource, name());
      if (take_word("on"))
        if (Result<Name> processor = name(); !processor) return processor.error();
      while (!take_word("end_resource")) LEM_TRY(resource_item(unit, tasks, resource.key));
      take_symbol(";");
    } else if (Status done = resource_item(unit, tasks, ""); !done) {
      return done;
    }
  }
  for (std::size_t i = first; i < configured_.size(); ++i) configured_[i].configuration = found.key;
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
