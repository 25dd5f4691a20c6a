#include "frontend/st/xml_files.h"

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <set>

#include "base/try.h"
#include "frontend/st/lexer.h"

namespace lem::st {

namespace {

class Reader {
 public:
  Reader(const std::string& path, std::string_view bytes, Unit& unit,
         std::vector<Warning>& warnings)
      : path_(path), bytes_(bytes), unit_(unit), warnings_(warnings) {}
  Status run();
  const std::vector<ConfiguredProgram>& configured() const { return configured_; }

 private:
  SourcePos place(pugi::xml_node node) const;
  Result<Parser> parser(const std::string& text, const SourcePos& at);
  Status tc_pou(pugi::xml_node node);
  Status tc_type(pugi::xml_node node);
  Status method(pugi::xml_node node, Pou& of);
  Status action(pugi::xml_node node, pugi::xml_node holder, const std::string& name, Pou& of);
  Status plcopen(pugi::xml_node root);
  Status plcopen_pou(pugi::xml_node pou);
  Status plcopen_type(pugi::xml_node type);
  Status plcopen_variables(pugi::xml_node list, Section section, std::vector<VarDecl>& out);
  Result<TypePtr> plcopen_type_of(pugi::xml_node type);
  Result<TypePtr> plcopen_array(pugi::xml_node is);
  Result<TypePtr> plcopen_subrange(pugi::xml_node is);
  Result<ExprPtr> plcopen_initial(pugi::xml_node value);
  Result<ExprPtr> expression(const std::string& text, pugi::xml_node at);
  Result<Bounds> plcopen_bounds(pugi::xml_node node);
  void plcopen_instances(pugi::xml_node task);
  Status plcopen_body(pugi::xml_node body, Pou& pou);

  const std::string& path_;
  std::string_view bytes_;
  Unit& unit_;
  std::vector<Warning>& warnings_;
  std::vector<Parser::Scope> scopes_;  // of the POU that is read
  std::vector<ConfiguredProgram> configured_;
  std::set<std::string> defined_;  // by pragmas of the texts so far
};

SourcePos Reader::place(pugi::xml_node node) const {
  std::ptrdiff_t offset = node.offset_debug();
  if (offset < 0) return {path_, 1, 1};
  std::string_view before = bytes_.substr(0, static_cast<std::size_t>(offset));
  auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
  std::size_t start = before.rfind('\n');
  std::size_t column = start == before.npos ? before.size() : before.size() - start - 1;
  return {path_, line + 1, static_cast<std::uint32_t>(column) + 1};
}

Result<Parser> Reader::parser(const std::string& text, const SourcePos& at) {
  LEM_LET(std::vector<Token> tokens, tokenize(path_, text, {"", at.line, at.column}, &defined_));
  Parser out(std::move(tokens), warnings_);
  out.enter(scopes_);
  return out;
}

/// The text of a node with everything below it: <xhtml:p> and CDATA alike.
std::string all_text(pugi::xml_node node) {
  std::string out;
  for (pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
      out += child.value();
    else
      out += all_text(child);
  }
  return out;
}

/// The first text below a node: where positions are counted from.
pugi::xml_node first_text(pugi::xml_node node) {
  for (pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) return child;
    if (pugi::xml_node found = first_text(child)) return found;
  }
  return {};
}

// TwinCAT -----------------------------------------------------------------------------------------

Status Reader::tc_pou(pugi::xml_node node) {
  for (const char* refused : {"Property", "Transition"})
    if (pugi::xml_node found = node.child(refused))
      return Error{place(found), std::string("a ") + refused + " in a POU is not supported"};
  pugi::xml_node declaration = node.child("Declaration");
  LEM_LET(Parser head, parser(all_text(declaration), place(first_text(declaration))));
  LEM_LET(Pou pou, head.header());
  pugi::xml_node implementation = node.child("Implementation");
  pugi::xml_node body = implementation.child("ST");
  if (!body)
    return Error{place(implementation),
                 "the body of '" + pou.name.text + "' is no Structured Text"};
  scopes_ = head.scopes();
  unit_.globals.insert(unit_.globals.end(), head.statics().begin(), head.statics().end());
  LEM_LET(Parser inside, parser(all_text(body), place(first_text(body))));
  LEM_LET(pou.body, inside.whole_body());
  for (pugi::xml_node one : node.children("Action"))
    LEM_TRY(action(one, one.child("Implementation"), one.attribute("Name").value(), pou));
  for (pugi::xml_node one : node.children("Method")) LEM_TRY(method(one, pou));
  scopes_.clear();
  unit_.pous.push_back(std::move(pou));
  return Ok{};
}

Status Reader::method(pugi::xml_node node, Pou& of) {
  pugi::xml_node declaration = node.child("Declaration");
  LEM_LET(Parser head, parser(all_text(declaration), place(first_text(declaration))));
  LEM_LET(Pou made, head.header());
  unit_.globals.insert(unit_.globals.end(), head.statics().begin(), head.statics().end());
  std::vector<Parser::Scope> outer = std::exchange(scopes_, head.scopes());
  LEM_TRY(action(node, node.child("Implementation"), made.name.text, made));
  scopes_ = std::move(outer);
  made.body = std::move(made.actions.back().body);
  made.actions.clear();
  of.methods.push_back(std::move(made));
  return Ok{};
}

Status Reader::action(pugi::xml_node node, pugi::xml_node holder, const std::string& name,
                      Pou& of) {
  pugi::xml_node text = holder.child("ST");
  if (!text) return Error{place(node), "the action '" + name + "' is no Structured Text"};
  LEM_LET(Parser inside, parser(all_text(text), place(first_text(text))));
  LEM_LET(Body statements, inside.whole_body());
  of.actions.push_back({{name, lower(name), place(node)}, std::move(statements)});
  return Ok{};
}

/// A data type or a list of global variables.
Status Reader::tc_type(pugi::xml_node node) {
  pugi::xml_node declaration = node.child("Declaration");
  LEM_LET(Parser inside, parser(all_text(declaration), place(first_text(declaration))));
  return inside.unit(unit_);
}

// PLCopen -----------------------------------------------------------------------------------------

Result<ExprPtr> Reader::expression(const std::string& text, pugi::xml_node at) {
  LEM_LET(Parser inside, parser(text, place(at)));
  return inside.whole_expression();
}

/// The value below <initialValue>, or below a <value> of a list; none without one.
Result<ExprPtr> Reader::plcopen_initial(pugi::xml_node value) {
  if (pugi::xml_node simple = value.child("simpleValue"))
    return expression(simple.attribute("value").value(), simple);
  pugi::xml_node array = value.child("arrayValue"), structure = value.child("structValue");
  if (!array && !structure) return ExprPtr{};
  pugi::xml_node list = array ? array : structure;
  Expr out{Expr::Kind::Aggregate, place(list)};
  out.text = array ? "]" : ")";
  for (pugi::xml_node one : list.children("value")) {
    LEM_LET(ExprPtr part, plcopen_initial(one));
    if (part == nullptr) return Error{place(one), "expected a value"};
    Argument made;
    made.value = std::move(part);
    std::string member = one.attribute("member").value();
    if (structure) {
      made.kind = Argument::Kind::Input;
      made.name = Name{member, lower(member), place(one)};
    } else if (pugi::xml_attribute times = one.attribute("repetitionValue")) {
      LEM_LET(ExprPtr count, expression(times.value(), one));
      if (count->kind != Expr::Kind::Integer)
        return Error{place(one), "a value is repeated by a number of times"};
      Expr repeat{Expr::Kind::Repeat, place(one)};
      repeat.number = count->number;
      repeat.operand = std::move(made.value);
      made.value = std::make_shared<const Expr>(std::move(repeat));
    }
    out.arguments.push_back(std::move(made));
  }
  return std::make_shared<const Expr>(std::move(out));
}

Result<Bounds> Reader::plcopen_bounds(pugi::xml_node node) {
  Bounds pair;
  for (auto [bound, attribute] : {std::pair{&pair.low, "lower"}, std::pair{&pair.high, "upper"}}) {
    LEM_LET(ExprPtr value, expression(node.attribute(attribute).value(), node));
    *bound = std::move(value);
  }
  return pair;
}

Result<TypePtr> Reader::plcopen_array(pugi::xml_node is) {
  TypeExpr out{TypeExpr::Kind::Array, place(is)};
  for (pugi::xml_node dimension : is.children("dimension")) {
    LEM_LET(out.bounds.emplace_back(), plcopen_bounds(dimension));
  }
  LEM_LET(out.element, plcopen_type_of(is.child("baseType")));
  return std::make_shared<const TypeExpr>(std::move(out));
}

Result<TypePtr> Reader::plcopen_subrange(pugi::xml_node is) {
  LEM_LET(TypePtr base, plcopen_type_of(is.child("baseType")));
  TypeExpr out{TypeExpr::Kind::Subrange, place(is)};
  out.name = base->name;
  LEM_LET(out.bounds.emplace_back(), plcopen_bounds(is.child("range")));
  return std::make_shared<const TypeExpr>(std::move(out));
}

Result<TypePtr> Reader::plcopen_type_of(pugi::xml_node type) {
  pugi::xml_node is = type.first_child();
  while (is && is.type() != pugi::node_element) is = is.next_sibling();
  if (!is) return Error{place(type), "a variable has no type"};
  TypeExpr out{TypeExpr::Kind::Named, place(is)};
  std::string name = is.name();
  if (name == "derived") name = is.attribute("name").value();
  if (name == "string" || name == "wstring") {
    out.kind = TypeExpr::Kind::Text;
    out.what = name;
    if (std::string length = is.attribute("length").value(); !length.empty()) {
      LEM_LET(ExprPtr most, expression(length, is));
      out.bounds.push_back({most, most});
    }
  } else if (name == "pointer") {
    return Error{out.at, "pointers and references are not supported"};
  } else if (name == "array") {
    return plcopen_array(is);
  } else if (name == "subrangeSigned" || name == "subrangeUnsigned") {
    return plcopen_subrange(is);
  } else if (name == "enum") {
    out.kind = TypeExpr::Kind::Enumeration;
    for (pugi::xml_node value : is.child("values").children("value")) {
      std::string literal = value.attribute("name").value();
      out.literals.push_back({{literal, lower(literal), place(value)}});
      if (std::string number = value.attribute("value").value(); !number.empty()) {
        LEM_LET(out.literals.back().value, expression(number, value));
      }
    }
  } else if (name == "struct") {
    out.kind = TypeExpr::Kind::Structure;
    for (pugi::xml_node field : is.children("variable")) {
      std::string field_name = field.attribute("name").value();
      LEM_LET(TypePtr of, plcopen_type_of(field.child("type")));
      LEM_LET(ExprPtr initial, plcopen_initial(field.child("initialValue")));
      out.fields.push_back(
          {{field_name, lower(field_name), place(field)}, std::move(of), std::move(initial)});
    }
  } else {
    out.name = Name{name, lower(name), out.at};
  }
  return std::make_shared<const TypeExpr>(std::move(out));
}

Status Reader::plcopen_variables(pugi::xml_node list, Section section, std::vector<VarDecl>& out) {
  for (pugi::xml_node one : list.children("variable")) {
    VarDecl made;
    std::string name = one.attribute("name").value();
    made.name = Name{name, lower(name), place(one)};
    made.section = section;
    made.constant = std::string_view(list.attribute("constant").value()) == "true";
    auto is_set = [&](const char* flag) {
      return std::string_view(list.attribute(flag).value()) == "true";
    };
    made.retain = is_set("retain") || is_set("persistent");
    made.non_retain = is_set("nonretain");
    made.address = lower(one.attribute("address").value());
    LEM_LET(made.type, plcopen_type_of(one.child("type")));
    LEM_LET(made.initial, plcopen_initial(one.child("initialValue")));
    out.push_back(std::move(made));
  }
  return Ok{};
}

Status Reader::plcopen_body(pugi::xml_node body, Pou& pou) {
  pugi::xml_node text = body.child("ST");
  if (!text) {
    pugi::xml_node other = body.first_child();
    while (other && other.type() != pugi::node_element) other = other.next_sibling();
    if (!other) return Ok{};  // an empty body
    return Error{place(other), "the body of '" + pou.name.text + "' is in " + other.name() +
                                   ", only Structured Text is supported"};
  }
  LEM_LET(Parser inside, parser(all_text(text), place(first_text(text))));
  LEM_LET(pou.body, inside.whole_body());
  return Ok{};
}

Status Reader::plcopen_pou(pugi::xml_node node) {
  std::string_view kind = node.attribute("pouType").value();
  std::string name = node.attribute("name").value();
  Pou pou{kind == "function"  ? Pou::Kind::Function
          : kind == "program" ? Pou::Kind::Program
                              : Pou::Kind::Block,
          Name{name, lower(name), place(node)}};
  pugi::xml_node interface = node.child("interface");
  static constexpr std::array<std::pair<const char*, Section>, 7> kLists = {
      {{"inputVars", Section::Input},
       {"outputVars", Section::Output},
       {"inOutVars", Section::InOut},
       {"localVars", Section::Static},
       {"tempVars", Section::Temp},
       {"externalVars", Section::External},
       {"globalVars", Section::Static}}};
  for (pugi::xml_node list : interface.children())
    for (const auto& [list_name, section] : kLists)
      if (std::string_view(list.name()) == list_name)
        LEM_TRY(plcopen_variables(list, section, pou.variables));
  for (const VarDecl& one : pou.variables)  // an instance that is RETAIN would not keep these
    if (one.non_retain && pou.kind == Pou::Kind::Block)
      return Error{one.name.at, "NON_RETAIN in a function block is not supported"};
  for (pugi::xml_node list : interface.children())
    if (std::string name_of = list.name();
        name_of.ends_with("Vars") &&
        std::none_of(kLists.begin(), kLists.end(),
                     [&](const auto& known) { return known.first == name_of; }))
      return Error{place(list), "variables of the kind " + name_of + " are not supported"};
  if (pugi::xml_node result = interface.child("returnType")) {
    LEM_LET(pou.result, plcopen_type_of(result));
  }
  for (pugi::xml_node body : node.children("body")) LEM_TRY(plcopen_body(body, pou));
  for (pugi::xml_node one : node.child("actions").children("action"))
    LEM_TRY(action(one, one.child("body"), one.attribute("name").value(), pou));
  unit_.pous.push_back(std::move(pou));
  return Ok{};
}

Status Reader::plcopen_type(pugi::xml_node node) {
  std::string name = node.attribute("name").value();
  LEM_LET(TypePtr type, plcopen_type_of(node.child("baseType")));
  LEM_LET(ExprPtr initial, plcopen_initial(node.child("initialValue")));
  unit_.types.push_back({{name, lower(name), place(node)}, std::move(type), std::move(initial)});
  return Ok{};
}

/// The programs of a task or of a resource.
void Reader::plcopen_instances(pugi::xml_node task) {
  for (pugi::xml_node one : task.children("pouInstance")) {
    std::string name = one.attribute("name").value(), type = one.attribute("typeName").value();
    if (type.empty()) type = one.attribute("type").value();
    ConfiguredProgram made{{name, lower(name), place(one)}, {type, lower(type), place(one)}};
    bool has_task = std::string_view(task.name()) == "task";
    pugi::xml_node resource = has_task ? task.parent() : task;
    made.resource = lower(resource.attribute("name").value());
    made.configuration = lower(resource.parent().attribute("name").value());
    if (has_task) {
      std::string of = task.attribute("name").value();
      made.task = Task{{of, lower(of), place(task)}, made.resource};
      if (pugi::xml_attribute priority = task.attribute("priority"))
        made.task->priority = priority.as_int();
      made.task->on_event = !std::string_view(task.attribute("single").value()).empty();
    }
    configured_.push_back(std::move(made));
  }
}

/// POUs stand under types/pous, or anywhere in addData as CODESYS exports them.
Status Reader::plcopen(pugi::xml_node root) {
  struct Walker : pugi::xml_tree_walker {
    std::vector<pugi::xml_node> pous, types, globals, tasks;
    bool for_each(pugi::xml_node& node) override {
      std::string_view name = node.name();
      std::string_view parent = node.parent().name();
      if (name == "pou" && node.attribute("pouType")) pous.push_back(node);
      if (name == "dataType" && node.child("baseType")) types.push_back(node);
      if (name == "globalVars" && parent != "interface") globals.push_back(node);
      if (node.child("pouInstance")) tasks.push_back(node);
      return true;
    }
  } walker;
  root.traverse(walker);
  for (pugi::xml_node one : walker.types) LEM_TRY(plcopen_type(one));
  for (pugi::xml_node one : walker.globals)
    LEM_TRY(plcopen_variables(one, Section::Global, unit_.globals));
  for (pugi::xml_node one : walker.pous) LEM_TRY(plcopen_pou(one));
  for (pugi::xml_node one : walker.tasks) plcopen_instances(one);
  return Ok{};
}

Status Reader::run() {
  pugi::xml_document document;
  pugi::xml_parse_result parsed = document.load_buffer(bytes_.data(), bytes_.size());
  if (!parsed) {
    std::string_view before =
        bytes_.substr(0, static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, parsed.offset)));
    auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
    return Error{{path_, line + 1, 1}, std::string("not well-formed XML: ") + parsed.description()};
  }
  pugi::xml_node root = document.document_element();
  std::string_view name = root.name();
  if (name == "TcPlcObject") {
    for (pugi::xml_node node : root.children()) {
      std::string_view kind = node.name();
      if (kind == "POU") LEM_TRY(tc_pou(node));
      if (kind == "DUT" || kind == "GVL") LEM_TRY(tc_type(node));
      if (kind == "Itf") return Error{place(node), "interfaces are not supported"};
    }
    return Ok{};
  }
  if (name == "project") return plcopen(root);
  return Error{place(root), "neither PLCopen XML (<project>) nor a TwinCAT object (<TcPlcObject>)"};
}

}  // namespace

bool is_container(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != bytes.npos && bytes[first] == '<';
}

Result<std::vector<ConfiguredProgram>> read_container(const std::string& path,
                                                      std::string_view bytes, Unit& unit,
                                                      std::vector<Warning>& warnings) {
  Reader reader(path, bytes, unit, warnings);
  LEM_TRY(reader.run());
  return reader.configured();
}

}  // namespace lem::st
