#include "frontend/st/configuration.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/try.h"
#include "frontend/st/implied_declarations.h"
#include "frontend/st/lexer.h"
#include "frontend/st/visit_expressions.h"

namespace lem::st {

namespace {

/// Programs that run together: those of one task, or those without one of a resource.
struct Group {
  std::vector<ConfiguredProgram*> instances;
  bool is_of(const ConfiguredProgram& other) const {
    const ConfiguredProgram& one = *instances[0];
    return one.configuration == other.configuration && one.resource == other.resource &&
           one.task.has_value() == other.task.has_value() &&
           (!one.task || one.task->name.key == other.task->name.key);
  }
  bool may_interrupt(const Group& other) const {
    const ConfiguredProgram &one = *instances[0], &two = *other.instances[0];
    bool equal = one.configuration == two.configuration && one.resource == two.resource &&
                 one.task && two.task && one.task->priority &&
                 one.task->priority == two.task->priority;
    return !equal;
  }
  std::string name() const {
    const ConfiguredProgram& one = *instances[0];
    return one.task ? "the task '" + one.task->name.text + "'"
                    : "the programs without a task, such as '" + one.name.text + "'";
  }
};

const Pou* find_pou(const Unit& unit, const std::string& key) {
  for (const Pou& one : unit.pous)
    if (one.name.key == key) return &one;
  return nullptr;
}

// What tasks share --------------------------------------------------------------------------------

/// Variables that outlive calls, as far as a group of programs uses them: true where it may assign.
class TaskUses {
 public:
  explicit TaskUses(const Unit& unit) : unit_(unit) {}
  void add(const ConfiguredProgram& instance) {
    add(instance.type.key);
    for (const Argument& one : instance.connections)
      walk(one.value.get(), [&](const Expr& expr) { note(expr, {}, true); });
  }
  const std::map<std::string, bool>& found() const { return found_; }

 private:
  void add(const std::string& pou) {
    const Pou* found = find_pou(unit_, pou);
    if (found == nullptr || !seen_.insert(found).second) return;
    add(*found);
    for (const Pou& method : found->methods) add(method);
  }
  void add(const Pou& pou) {
    std::set<std::string> own;
    for (const VarDecl& one : pou.variables) {
      add_types(one.type);
      if (one.section != Section::External) own.insert(one.name.key);
    }
    std::set<const Expr*> written;
    collect_written(pou.body, written);
    for (const Action& one : pou.actions) collect_written(one.body, written);
    walk(pou, [&](const Expr& expr) {
      note(expr, own, written.contains(&expr));
      if (expr.kind == Expr::Kind::Call)  // what is passed may be assigned to
        for (const Argument& one : expr.arguments)
          if (const Expr* base = base_of(one.value.get())) note(*base, own, true);
    });
  }
  void add_types(const TypePtr& type) {
    if (type == nullptr) return;
    if (type->kind == TypeExpr::Kind::Named) {
      add(type->name.key);
      for (const TypeDecl& one : unit_.types)
        if (one.name.key == type->name.key && types_.insert(&one).second) add_types(one.type);
    }
    add_types(type->element);
    for (const Field& field : type->fields) add_types(field.type);
  }
  /// The variable that an access is a part of: `a` of a[i].x.
  static const Expr* base_of(const Expr* expr) {
    while (expr != nullptr &&
           (expr->kind == Expr::Kind::Member || expr->kind == Expr::Kind::Index ||
            expr->kind == Expr::Kind::Bit || expr->kind == Expr::Kind::Slice))
      expr = expr->operand.get();
    return expr;
  }
  static void collect_written(const Body& body, std::set<const Expr*>& out) {
    for (const Statement& one : body) {
      if (const Expr* base = base_of(one.target.get())) out.insert(base);
      for (const Branch& branch : one.branches) collect_written(branch.body, out);
      for (const CaseBranch& branch : one.cases) collect_written(branch.body, out);
      collect_written(one.body, out);
    }
  }
  /// A function that is called, a global variable, an instance among these.
  void note(const Expr& expr, const std::set<std::string>& own, bool written) {
    if (expr.kind != Expr::Kind::Name || own.contains(expr.name->key)) return;
    add(expr.name->key);
    bool located = expr.name->key.starts_with("%");
    for (const VarDecl& one : unit_.globals)
      if (one.name.key == expr.name->key && !one.constant) {
        bool& assigned = found_[one.name.text];
        assigned = assigned || written || find_pou(unit_, type_key(one)) != nullptr;
        add_types(one.type);
      }
    if (located) found_[expr.name->text] = found_[expr.name->text] || written;
  }
  static std::string type_key(const VarDecl& one) {
    return one.type != nullptr && one.type->kind == TypeExpr::Kind::Named ? one.type->name.key : "";
  }

  const Unit& unit_;
  std::set<const Pou*> seen_;
  std::set<const TypeDecl*> types_;
  std::map<std::string, bool> found_;
};

/// Behaviour in the middle of a program is out of reach here.
Status check_sharing(const Unit& unit, const std::vector<Group>& groups) {
  std::vector<TaskUses> uses;
  for (const Group& group : groups) {
    uses.emplace_back(unit);
    for (const ConfiguredProgram* one : group.instances) uses.back().add(*one);
  }
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t j = i + 1; j < groups.size(); ++j) {
      if (!groups[i].may_interrupt(groups[j])) continue;
      for (const auto& [name, assigned] : uses[i].found()) {
        auto other = uses[j].found().find(name);
        if (other == uses[j].found().end() || (!assigned && !other->second)) continue;
        return Error{groups[j].instances[0]->name.at,
                     "'" + name + "' is shared by " + groups[i].name() + " and " +
                         groups[j].name() +
                         ", which may interrupt each other; this is not supported: give both "
                         "tasks the same priority, or check one program with --entry"};
      }
    }
  return Ok{};
}

// The main program --------------------------------------------------------------------------------

class Main {
 public:
  Main(Unit& unit, std::vector<Group> groups) : unit_(unit), groups_(std::move(groups)) {
    for (const VarDecl& one : unit.globals) taken_.insert(one.name.key);
    for (const Pou& one : unit.pous) taken_.insert(one.name.key);
  }
  void run() {
    for (Group& group : groups_)
      for (ConfiguredProgram* one : group.instances) {
        if (!names_.insert(one->name.key).second)  // of another resource
          one->name = free_name(one->resource + "_" + one->name.text, one->name.at);
        names_.insert(one->name.key);
      }
    SourcePos at = groups_[0].instances[0]->name.at;
    Pou made{Pou::Kind::Program, free_name("Configuration", at)};
    for (Group& group : groups_) {
      Body calls;
      Name due;
      if (groups_.size() > 1) due = add_task(group, made);
      for (ConfiguredProgram* one : group.instances) add_instance(*one, made, calls);
      if (groups_.size() > 1) calls = {when(due, std::move(calls))};
      made.body.insert(made.body.end(), calls.begin(), calls.end());
    }
    unit_.instances = {{made.name, made.name}};
    unit_.pous.push_back(std::move(made));
  }

 private:
  Name free_name(std::string text, const SourcePos& at) {
    while (taken_.contains(lower(text)) || names_.contains(lower(text))) text += "_";
    return {text, lower(text), at};
  }
  static ExprPtr name_of(const Name& name) {
    Expr out{Expr::Kind::Name, name.at};
    out.name = name;
    return std::make_shared<const Expr>(std::move(out));
  }
  static VarDecl variable(const Name& name, const Name& type, Section section) {
    TypeExpr is{TypeExpr::Kind::Named, name.at};
    is.name = type;
    VarDecl out;
    out.name = name;
    out.type = std::make_shared<const TypeExpr>(std::move(is));
    out.section = section;
    return out;
  }
  /// An input that says in which cycles the task runs.
  Name add_task(const Group& group, Pou& made) {
    const ConfiguredProgram& first = *group.instances[0];
    std::string task = first.task ? first.task->name.text : first.name.text;
    Name due = free_name(task + "_runs", first.name.at);
    names_.insert(due.key);
    made.variables.push_back(variable(due, {"BOOL", "bool", due.at}, Section::Input));
    return due;
  }
  void add_instance(const ConfiguredProgram& one, Pou& made, Body& calls) {
    made.variables.push_back(variable(one.name, one.type, Section::Static));
    made.variables.back().retain = one.retain;
    Expr call{Expr::Kind::Call, one.name.at};
    call.operand = name_of(one.name);
    call.arguments = one.connections;
    add_inputs(one, made, call);
    Statement runs{Statement::Kind::Call, one.name.at};
    runs.value = std::make_shared<const Expr>(std::move(call));
    calls.push_back(std::move(runs));
  }
  /// Inputs that nothing is connected to: `I_x` for `x` of the instance `I`.
  void add_inputs(const ConfiguredProgram& one, Pou& made, Expr& call) {
    for (const VarDecl& input : find_pou(unit_, one.type.key)->variables) {
      bool connected = std::any_of(one.connections.begin(), one.connections.end(),
                                   [&](const Argument& argument) {
                                     return argument.name && argument.name->key == input.name.key;
                                   });
      if (input.section != Section::Input || input.constant || connected || !input.address.empty())
        continue;
      VarDecl from = input;
      from.name = free_name(one.name.text + "_" + input.name.text, one.name.at);
      names_.insert(from.name.key);
      call.arguments.push_back({Argument::Kind::Input, input.name, false, name_of(from.name)});
      made.variables.push_back(std::move(from));
    }
  }
  static Statement when(const Name& due, Body body) {
    Statement out{Statement::Kind::If, due.at};
    out.branches.push_back({name_of(due), std::move(body)});
    return out;
  }

  Unit& unit_;
  std::vector<Group> groups_;
  std::set<std::string> taken_, names_;
};

}  // namespace

/// All that an instance of a program keeps is RETAIN, as in an instance of a block.
static void retain_all(Pou& program) {
  for (VarDecl& one : program.variables) {
    bool kept = one.section == Section::Static || one.section == Section::Output;
    if (kept && !one.constant) one.retain = true;
  }
}

/// What the program itself says about RETAIN, and who else uses it.
static Status check_program(const Unit& unit, const ConfiguredProgram& one, const Pou& program) {
  for (const VarDecl& each : program.variables)
    if (one.retain && each.non_retain)
      return Error{each.name.at, "NON_RETAIN in a program whose instance '" + one.name.text +
                                     "' is RETAIN is not supported"};
  if (is_used_by_name(unit, program))
    return Error{one.name.at, "the program '" + program.name.text + "' runs as '" + one.name.text +
                                  "' and is used by its name in another block, which would be an "
                                  "instance of its own; this is not supported"};
  return Ok{};
}

Status add_configuration(Unit& unit, std::vector<ConfiguredProgram> programs) {
  std::vector<Group> groups;
  for (ConfiguredProgram& one : programs) {
    const Pou* program = find_pou(unit, one.type.key);
    if (program == nullptr || program->kind == Pou::Kind::Function)
      return Error{one.type.at, "there is no program '" + one.type.text + "'"};
    LEM_TRY(check_program(unit, one, *program));
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& each) { return each.is_of(one); });
    if (group == groups.end())
      groups.push_back({{&one}});
    else
      group->instances.push_back(&one);
  }
  if (programs.empty()) return Ok{};
  if (programs.size() == 1 && programs[0].connections.empty()) {
    unit.instances = {{programs[0].name, programs[0].type}};
    for (Pou& one : unit.pous)
      if (programs[0].retain && one.name.key == programs[0].type.key) retain_all(one);
    return Ok{};
  }
  for (const ConfiguredProgram& one : programs)
    if (groups.size() > 1 && one.task && one.task->on_event)
      return Error{one.name.at, "a task with SINGLE beside others is not supported"};
  LEM_TRY(check_sharing(unit, groups));
  Main(unit, std::move(groups)).run();
  return Ok{};
}

}  // namespace lem::st
