// Declarations that a program does not write: variables at addresses that its statements name
// (%Q0.0 := TRUE), the instance of a PROGRAM that another one calls by its name, and whether an
// IEC_TIMER is a TON, a TOF or a TP.
#include "frontend/st/implied_declarations.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/try.h"
#include "frontend/st/lexer.h"
#include "frontend/st/visit_expressions.h"

namespace lem::st {

namespace {

bool declares(const std::vector<VarDecl>& list, const std::string& key) {
  return std::any_of(list.begin(), list.end(),
                     [&](const VarDecl& one) { return one.name.key == key; });
}

TypePtr named_type(const std::string& text, const SourcePos& at) {
  TypeExpr out{TypeExpr::Kind::Named, at};
  out.name = Name{text, lower(text), at};
  return std::make_shared<const TypeExpr>(std::move(out));
}

const char* type_at(const std::string& address) {
  switch (address[2]) {
    case 'b':
      return "BYTE";
    case 'w':
      return "WORD";
    case 'd':
      return "DWORD";
    case 'l':
      return "LWORD";
    default:
      return "BOOL";
  }
}

void add_addresses(Unit& unit) {
  std::map<std::string, Name> used;
  for (const Pou& pou : unit.pous)
    walk(pou, [&](const Expr& expr) {
      if (expr.kind == Expr::Kind::Name && expr.name->key.starts_with('%'))
        used.insert({expr.name->key, *expr.name});
    });
  for (const auto& [key, name] : used) {
    if (declares(unit.globals, key)) continue;
    VarDecl made;
    made.name = name;
    made.type = named_type(type_at(key), name.at);
    made.section = Section::Global;
    made.address = key;
    unit.globals.push_back(std::move(made));
  }
}

void add_programs(Unit& unit) {
  for (const Pou& program : unit.pous) {
    if (program.kind != Pou::Kind::Program || declares(unit.globals, program.name.key)) continue;
    if (!is_used_by_name(unit, program)) continue;
    VarDecl made;
    made.name = program.name;
    made.type = named_type(program.name.text, program.name.at);
    made.section = Section::Global;
    unit.globals.push_back(std::move(made));
  }
}

// Timers ------------------------------------------------------------------------------------------

using Uses =
    std::map<std::string, std::set<std::string>>;  // by the variable's key: how it is called

/// The name next to the method: `t` of t.TON(), s.t.TON() and t[1].TON().
void collect_uses(const Pou& pou, Uses& out) {
  walk(pou, [&](const Expr& expr) {
    const Expr* timer = instance_of_method(expr);
    if (timer == nullptr) return;
    const Expr* last = timer->kind == Expr::Kind::Index ? timer->operand.get() : timer;
    if (last->name) out[last->name->key].insert(expr.operand->name->key);
  });
}

bool is_open_type(const TypePtr& type) {
  if (type == nullptr) return false;
  if (type->kind == TypeExpr::Kind::Array) return is_open_type(type->element);
  return type->kind == TypeExpr::Kind::Named &&
         (type->name.key == "iec_timer" || type->name.key == "iec_counter");
}

TypePtr with_name(const TypePtr& type, const std::string& key) {
  TypeExpr out = *type;
  if (type->kind == TypeExpr::Kind::Array)
    out.element = with_name(type->element, key);
  else
    out.name.key = key;
  return std::make_shared<const TypeExpr>(std::move(out));
}

Status decide(const Name& name, TypePtr& type, const Uses& uses) {
  auto found = uses.find(name.key);
  if (!is_open_type(type) || found == uses.end()) return Ok{};
  if (found->second.size() > 1)
    return Error{name.at, "'" + name.text + "' is called as a timer or counter of several kinds"};
  type = with_name(type, *found->second.begin());
  return Ok{};
}

Status decide_timers(Unit& unit) {
  Uses all;
  for (const Pou& pou : unit.pous) collect_uses(pou, all);
  if (all.empty()) return Ok{};
  for (Pou& pou : unit.pous) {
    Uses own;
    collect_uses(pou, own);
    for (VarDecl& one : pou.variables) LEM_TRY(decide(one.name, one.type, own));
  }
  for (VarDecl& one : unit.globals) LEM_TRY(decide(one.name, one.type, all));
  for (TypeDecl& one : unit.types) {
    TypeExpr changed = *one.type;
    for (Field& field : changed.fields) LEM_TRY(decide(field.name, field.type, all));
    one.type = std::make_shared<const TypeExpr>(std::move(changed));
  }
  return Ok{};
}

}  // namespace

bool is_used_by_name(const Unit& unit, const Pou& program) {
  const std::string& key = program.name.key;
  bool used = false;
  auto note = [&](const Expr& expr) {
    bool through = expr.kind == Expr::Kind::Call || expr.kind == Expr::Kind::Member;
    used = used ||
           (through && expr.operand->kind == Expr::Kind::Name && expr.operand->name->key == key);
  };
  for (const Pou& user : unit.pous) {
    if (&user == &program || declares(user.variables, key)) continue;
    walk(user.body, note);
    for (const Action& one : user.actions) walk(one.body, note);
    for (const Pou& method : user.methods)
      if (!declares(method.variables, key)) walk(method.body, note);
  }
  return used;
}

Status add_implied(Unit& unit) {
  add_addresses(unit);
  add_programs(unit);
  return decide_timers(unit);
}

}  // namespace lem::st
