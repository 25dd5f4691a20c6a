#include <algorithm>
#include <utility>

#include "frontend/lustre/checker.h"

namespace lem::lustre {

namespace {

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

bool is_number(TypeKind kind) {
  return kind == TypeKind::Int || kind == TypeKind::Real || kind == TypeKind::Machine;
}

}  // namespace

// Types of expressions ----------------------------------------------------------------------------

std::string Checker::text(const Types& types) const {
  if (types.size() == 1) return text(types.front());
  std::string out = "(";
  for (TypeId type : types) out += (out.size() > 1 ? ", " : "") + text(type);
  return out + ")";
}

bool Checker::same(const Types& a, const Types& b) const {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](TypeId x, TypeId y) { return same(x, y); });
}

Checker::Types Checker::types_of(UnitId id, Role role) const {
  Types out;
  for (const Variable& variable : p_[id].vars)
    if (variable.role == role) out.push_back(variable.type);
  return out;
}

/// Checks the expression; it must have one part.
Result<TypeId> Checker::one_type(ExprId id, std::string_view what) {
  if (Status status = expr(id); !status) return status.error();
  const Expr& e = p_[id];
  if (e.types.size() != 1)
    return error_at(e.at, std::string(what) + " must be one value, found " + text(e.types));
  return e.types.front();
}

/// require: checked already
Status Checker::single(ExprId id, TypeId wanted, std::string_view what) {
  const Expr& e = p_[id];
  if (e.types.size() == 1 && same(e.types.front(), wanted)) return Ok{};
  return error_at(e.at,
                  std::string(what) + " must be " + text(wanted) + ", found " + text(e.types));
}

/// The parts of all expressions together are of the wanted types.  require: checked already
Status Checker::match(std::span<const ExprId> ids, const Types& wanted, Place at,
                      const std::string& what) const {
  std::size_t next = 0;
  for (ExprId id : ids) {
    for (TypeId type : p_[id].types) {
      if (next < wanted.size() && !same(type, wanted[next]))
        return error_at(p_[id].at,
                        what + " needs " + text(wanted[next]) + " here, found " + text(type));
      ++next;
    }
  }
  if (next == wanted.size()) return Ok{};
  return error_at(at, what + " needs " + std::to_string(wanted.size()) + " values, found " +
                          std::to_string(next));
}

Status Checker::expr(ExprId id, Site site) {
  Expr& e = p_[id];
  switch (e.kind) {
    case ExprKind::Name:
      return name(e);
    case ExprKind::Bool:
      e.types = {kBool};
      return Ok{};
    case ExprKind::Number:
      return Ok{};
    case ExprKind::Unary:
      return unary(e);
    case ExprKind::Binary:
      return binary(e);
    case ExprKind::Ite:
      return ite(e);
    case ExprKind::Tuple:
      return tuple(e);
    case ExprKind::Call:
      return call(e, site);
    case ExprKind::Field:
      return field(e);
    case ExprKind::Record:
      return record_literal(e);
    case ExprKind::Cast:
      return cast(e);
    case ExprKind::When:
      return when(e, site);
    case ExprKind::Merge:
      return merge(e);
    case ExprKind::ModeRef:
      return mode_ref(e);
  }
  unreachable();
}

Status Checker::name(Expr& e) {
  auto use = [&](UnitId id, Reference::Kind kind) -> Status {
    Unit& unit = p_[id];
    VarId var = unit.names.find(e.name)->second;
    Variable& variable = unit.vars[index(var)];
    UnitId before = std::exchange(unit_, id);
    Status typed = variable_type(variable);
    unit_ = before;
    if (!typed) return typed;
    e.types = {variable.type};
    e.ref = {kind, static_cast<std::uint32_t>(index(var))};
    return Ok{};
  };
  if (here().names.contains(e.name)) return use(unit_, Reference::Kind::Local);
  if (auto found = enumerators_.find(e.name); found != enumerators_.end()) {
    e.types = {found->second.type};
    e.ref = {Reference::Kind::Enumerator, found->second.number};
    return Ok{};
  }
  if (p_[kGlobals].names.contains(e.name)) return use(kGlobals, Reference::Kind::Global);
  return error_at(e.at, "unknown name " + quoted(e.name));
}

/// `what` has a memory, which functions, their contracts and constants have not.
Status Checker::stateful(Place at, std::string_view what) {
  here().stateful = true;
  if (here().kind == UnitKind::Globals)
    return error_at(at, "a constant cannot use " + std::string(what));
  if (here().kind == UnitKind::Function)
    return error_at(at, "function " + quoted(here().name) + " cannot use " + std::string(what));
  if (!here().function.empty())
    return error_at(at, "the contract of function " + quoted(here().function) + " cannot use " +
                            std::string(what));
  return Ok{};
}

Status Checker::unary(Expr& e) {
  ExprId operand = e.args.front();
  if (Status status = expr(operand); !status) return status;
  const Types& types = p_[operand].types;
  if (e.op == Operator::Pre) {
    if (Status status = stateful(e.at, "'pre'"); !status) return status;
    e.types = types;
    return Ok{};
  }
  if (e.op == Operator::Not) {
    e.types = {kBool};
    return single(operand, kBool, "the operand of 'not'");
  }
  if (types.size() != 1 || !is_number(p_.types[p_.types.base(types.front())].kind))
    return error_at(e.at, "the operand of '-' must be a number, found " + text(types));
  e.types = {p_.types.base(types.front())};
  return Ok{};
}

Status Checker::binary(Expr& e) {
  for (ExprId arg : e.args)
    if (Status status = expr(arg); !status) return status;
  const Types& left = p_[e.args[0]].types;
  const Types& right = p_[e.args[1]].types;
  switch (e.op) {
    case Operator::Arrow:
      if (Status status = stateful(e.at, "'->'"); !status) return status;
      if (!same(left, right))
        return error_at(e.at,
                        "the sides of '->' differ in type: " + text(left) + " and " + text(right));
      for (TypeId type : left) e.types.push_back(p_.types.base(type));
      return Ok{};
    case Operator::Implies:
    case Operator::Or:
    case Operator::Xor:
    case Operator::And:
      e.types = {kBool};
      for (ExprId arg : e.args) {
        Status status = single(arg, kBool, "the operand of " + quoted(lustre::text(e.op)));
        if (!status) return status;
      }
      return Ok{};
    case Operator::Eq:
    case Operator::Ne:
    case Operator::Lt:
    case Operator::Le:
    case Operator::Gt:
    case Operator::Ge:
      return comparison(e);
    case Operator::Add:
    case Operator::Sub:
    case Operator::Mul:
    case Operator::Slash:
    case Operator::Div:
    case Operator::Mod:
      return arithmetic(e);
    case Operator::Not:
    case Operator::Neg:
    case Operator::Pre:
      break;
  }
  unreachable();
}

Status Checker::comparison(Expr& e) {
  const Types& left = p_[e.args[0]].types;
  const Types& right = p_[e.args[1]].types;
  bool order = e.op != Operator::Eq && e.op != Operator::Ne;
  if (left.size() != 1 || right.size() != 1)
    return error_at(e.at, "unsupported: comparison of tuples");
  if (!same(left, right))
    return error_at(
        e.at, quoted(lustre::text(e.op)) + " compares " + text(left) + " with " + text(right));
  if (order && !is_number(p_.types[p_.types.base(left.front())].kind))
    return error_at(e.at, quoted(lustre::text(e.op)) + " compares numbers, found " + text(left));
  e.types = {kBool};
  return Ok{};
}

Status Checker::arithmetic(Expr& e) {
  const Types& left = p_[e.args[0]].types;
  const Types& right = p_[e.args[1]].types;
  if (left.size() != 1 || right.size() != 1 || !same(left, right))
    return error_at(e.at, "the operands of " + quoted(lustre::text(e.op)) +
                              " differ in type: " + text(left) + " and " + text(right));
  TypeId type = p_.types.base(left.front());
  TypeKind kind = p_.types[type].kind;
  bool fits = is_number(kind);
  if (e.op == Operator::Slash) fits = kind == TypeKind::Real;
  if (e.op == Operator::Div || e.op == Operator::Mod) fits = fits && kind != TypeKind::Real;
  if (!fits) return error_at(e.at, quoted(lustre::text(e.op)) + " is not defined on " + text(type));
  e.types = {type};
  return Ok{};
}

Status Checker::ite(Expr& e) {
  for (ExprId arg : e.args)
    if (Status status = expr(arg); !status) return status;
  if (Status status = single(e.args[0], kBool, "the condition"); !status) return status;
  const Types& yes = p_[e.args[1]].types;
  const Types& no = p_[e.args[2]].types;
  if (!same(yes, no))
    return error_at(e.at, "the branches of 'if' differ in type: " + text(yes) + " and " + text(no));
  for (TypeId type : yes) e.types.push_back(p_.types.base(type));
  return Ok{};
}

Status Checker::tuple(Expr& e) {
  for (ExprId arg : e.args) {
    if (Status status = expr(arg); !status) return status;
    e.types.insert(e.types.end(), p_[arg].types.begin(), p_[arg].types.end());
  }
  return Ok{};
}

Status Checker::call(Expr& e, Site site) {
  auto found = nodes_.find(e.name);
  if (found == nodes_.end()) {
    bool floors = e.name == "floor" && e.args.size() == 1 && e.clocking == Clocking::Base;
    if (!floors) return error_at(e.at, "unknown node " + quoted(e.name));
    e.kind = ExprKind::Cast;
    e.cast = kInt;
    return cast(e);
  }
  e.callee = found->second;
  bool pure = p_[e.callee].kind == UnitKind::Function && e.clocking == Clocking::Base;
  if (here().kind == UnitKind::Globals)
    return error_at(e.at, "unsupported: call in the value of a constant");
  if (!pure)
    if (Status status = stateful(e.at, "the node " + quoted(e.name)); !status) return status;
  for (ExprId arg : e.args)
    if (Status status = expr(arg); !status) return status;
  Status fits = match(e.args, types_of(e.callee, Role::Input), e.at, "node " + quoted(e.name));
  if (!fits) return fits;
  if (Status status = constant_inputs(e); !status) return status;
  e.types = types_of(e.callee, Role::Output);
  e.ordinal = ++here().calls[e.callee];
  return call_clock(e, site);
}

/// An input declared `const` is given a constant.
Status Checker::constant_inputs(const Expr& call) {
  const std::vector<Variable>& vars = p_[call.callee].vars;
  std::size_t var = 0;  // inputs come first
  for (ExprId arg : call.args) {
    for (std::uint32_t part = 0; part < p_[arg].types.size(); ++part, ++var) {
      if (!vars[var].constant) continue;
      if (Status status = constant_value(arg, part, vars[var].name); !status) return status;
    }
  }
  return Ok{};
}

Status Checker::call_clock(Expr& e, Site site) {
  if (e.clocking == Clocking::Base) return Ok{};
  if (e.clocking == Clocking::Activate && site != Site::Branch)
    return error_at(e.at, "unsupported: activate without default outside a branch of merge");
  if (e.clocking == Clocking::Restart && site == Site::Branch)
    return error_at(e.at, "unsupported: restart as a branch of merge");
  if (Status status = expr(e.clock); !status) return status;
  if (Status status = single(e.clock, kBool, "the condition of the call"); !status) return status;
  for (ExprId value : e.defaults)
    if (Status status = expr(value); !status) return status;
  if (e.clocking != Clocking::Condact) return Ok{};
  return match(e.defaults, e.types, e.at, "the default of node " + quoted(e.name));
}

Status Checker::field(Expr& e) {
  auto type = one_type(e.args.front(), "a record");
  if (!type) return type.error();
  const std::vector<Field>& fields = p_.types[*type].fields;
  auto found = std::find_if(fields.begin(), fields.end(),
                            [&](const Field& field) { return field.name == e.name; });
  if (found == fields.end())
    return error_at(e.at, "type " + text(*type) + " has no field " + quoted(e.name));
  e.ordinal = static_cast<std::uint32_t>(found - fields.begin());
  e.types = {found->type};
  return Ok{};
}

Status Checker::record_literal(Expr& e) {
  auto type = named(e.name, e.at);
  if (!type) return type.error();
  if (p_.types[*type].kind != TypeKind::Record)
    return error_at(e.at, "type " + text(*type) + " is no record");
  std::vector<Field> fields = p_.types[*type].fields;
  std::vector<ExprId> ordered(fields.size(), kNoExpr);
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    auto found = std::find_if(fields.begin(), fields.end(),
                              [&](const Field& field) { return field.name == e.labels[i]; });
    if (found == fields.end())
      return error_at(p_[e.args[i]].at,
                      "type " + text(*type) + " has no field " + quoted(e.labels[i]));
    ExprId& slot = ordered[static_cast<std::size_t>(found - fields.begin())];
    if (slot != kNoExpr)
      return error_at(p_[e.args[i]].at, "field " + quoted(e.labels[i]) + " is given twice");
    slot = e.args[i];
    if (Status status = expr(slot); !status) return status;
    if (Status status = single(slot, found->type, "field " + quoted(e.labels[i])); !status)
      return status;
  }
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (ordered[i] == kNoExpr)
      return error_at(e.at, "field " + quoted(fields[i].name) + " is missing");
  e.args = std::move(ordered);
  e.labels.clear();
  e.types = {*type};
  return Ok{};
}

Status Checker::cast(Expr& e) {
  auto from = one_type(e.args.front(), "the operand of a conversion");
  if (!from) return from.error();
  const Type& source = p_.types[p_.types.base(*from)];
  const Type& target = p_.types[e.cast];
  e.types = {e.cast};
  if (!is_number(source.kind))
    return error_at(e.at, "cannot convert " + text(*from) + " to " + text(e.cast));
  if (source.kind != TypeKind::Machine || target.kind != TypeKind::Machine) return Ok{};
  if (source.sign != target.sign)
    return error_at(e.at, "unsupported: conversion of " + text(*from) + " to " + text(e.cast));
  return Ok{};
}

// Clocks ------------------------------------------------------------------------------------------

Status Checker::when(Expr& e, Site site) {
  if (site != Site::Branch) return error_at(e.at, "unsupported: 'when' outside a branch of merge");
  if (Status status = expr(e.args.front()); !status) return status;
  e.types = p_[e.args.front()].types;
  return Ok{};
}

Status Checker::merge(Expr& e) {
  ExprId clock = e.args.front();
  if (Status status = expr(clock); !status) return status;
  const Type& type = p_.types[p_[clock].types.front()];
  std::vector<std::string> values = {"true", "false"};
  if (type.kind == TypeKind::Enum) values = type.enumerators;
  if (type.kind != TypeKind::Enum && type.kind != TypeKind::Bool)
    return error_at(p_[clock].at,
                    "the clock of merge must be bool or an enumeration, found " + type.name);
  if (Status status = merge_labels(e, values); !status) return status;
  for (std::size_t i = 1; i < e.args.size(); ++i) {
    const Expr& branch = p_[e.args[i]];
    if (Status status = expr(e.args[i], Site::Branch); !status) return status;
    bool sampled = branch.kind == ExprKind::When;
    if (sampled && (branch.name != p_[clock].name || branch.labels.front() != values[i - 1]))
      return error_at(branch.at,
                      "the branch for " + quoted(values[i - 1]) + " is sampled on another clock");
    if (branch.kind == ExprKind::Call && branch.clocking == Clocking::Activate)
      if (Status status = merge_activation(branch, p_[clock], values[i - 1]); !status)
        return status;
    if (i > 1 && !same(branch.types, p_[e.args[1]].types))
      return error_at(branch.at, "the branches of 'merge' differ in type: " +
                                     text(p_[e.args[1]].types) + " and " + text(branch.types));
  }
  for (TypeId part : p_[e.args[1]].types) e.types.push_back(p_.types.base(part));
  return Ok{};
}

/// The condition of a call in a branch is the branch's own clock, written as `c`, `not c` or
/// `c = value`; that another condition means the same is not looked into.
Status Checker::merge_activation(const Expr& branch, const Expr& clock, const std::string& value) {
  const Expr& e = p_[branch.clock];
  auto is = [&](ExprId id, const std::string& name) {
    return p_[id].kind == ExprKind::Name && p_[id].name == name;
  };
  bool fits = false;
  if (value == "true") fits = is(branch.clock, clock.name);
  if (value == "false")
    fits = e.kind == ExprKind::Unary && e.op == Operator::Not && is(e.args[0], clock.name);
  if (e.kind == ExprKind::Binary && e.op == Operator::Eq)
    fits = is(e.args[0], clock.name) && is(e.args[1], value);
  if (fits) return Ok{};
  return error_at(
      branch.at,
      "unsupported: the node is activated on another condition than its branch of merge");
}

/// Brings the branches into the order of the values.
Status Checker::merge_labels(Expr& e, std::span<const std::string> values) {
  std::vector<ExprId> branches(e.args.begin() + 1, e.args.end());
  if (e.labels.empty() && values.size() == 2 && values[0] == "true") {
    e.labels.assign(values.begin(), values.end());
  } else if (e.labels.empty()) {
    for (ExprId& branch : branches) {  // A -> e [when A(c)]
      ExprId& arrow = p_[branch].kind == ExprKind::When ? p_[branch].args.front() : branch;
      const Expr& inner = p_[arrow];
      bool labelled = inner.kind == ExprKind::Binary && inner.op == Operator::Arrow &&
                      p_[inner.args[0]].kind == ExprKind::Name;
      if (!labelled) return error_at(inner.at, "expected 'value -> expression' in a merge");
      e.labels.push_back(p_[inner.args[0]].name);
      arrow = inner.args[1];
    }
  }
  if (branches.size() != values.size() || e.labels.size() != values.size())
    return error_at(e.at, "merge needs " + std::to_string(values.size()) + " branches, found " +
                              std::to_string(branches.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto found = std::find(e.labels.begin(), e.labels.end(), values[i]);
    if (found == e.labels.end())
      return error_at(e.at, "merge has no branch for " + quoted(values[i]));
    e.args[i + 1] = branches[static_cast<std::size_t>(found - e.labels.begin())];
  }
  e.labels.assign(values.begin(), values.end());
  return Ok{};
}

Status Checker::mode_ref(Expr& e) {
  e.types = {kBool};
  UnitId at = unit_;
  for (std::size_t i = 0; i + 1 < e.labels.size(); ++i) {
    const std::vector<Import>& imports = p_[at].imports;
    auto found = std::find_if(imports.begin(), imports.end(),
                              [&](const Import& import) { return import.name == e.labels[i]; });
    auto unit = contracts_.find(e.labels[i]);
    if (found == imports.end() || unit == contracts_.end())
      return error_at(e.at, "contract " + quoted(e.labels[i]) + " is not imported here");
    at = unit->second;
  }
  const std::vector<Mode>& modes = p_[at].modes;
  bool known = std::any_of(modes.begin(), modes.end(),
                           [&](const Mode& mode) { return mode.name == e.labels.back(); });
  if (!known) return error_at(e.at, "unknown mode " + quoted(e.labels.back()));
  return Ok{};
}

// What holds in the same instant ------------------------------------------------------------------

/// Whether an output of what a contract is about occurs in it.
bool Checker::mentions_output(ExprId id) const {
  const Expr& e = p_[id];
  if (e.kind == ExprKind::Name && e.ref.kind == Reference::Kind::Local)
    return here().vars[e.ref.index].produced;
  return std::any_of(e.args.begin(), e.args.end(),
                     [&](ExprId arg) { return mentions_output(arg); });
}

void Checker::mark_guards(ExprId id, Guard guard) {
  Expr& e = p_[id];
  bool opens = e.kind == ExprKind::Call;
  if (e.kind == ExprKind::Unary && e.op == Operator::Pre) {
    e.guard = guard;
    opens = true;
    bool claimed = here().kind == UnitKind::Contract && !importing_;
    if (guard == Guard::Open && !(claimed && mentions_output(e.args.front())))
      unguarded_.try_emplace(unit_, e.at);
  }
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    bool behind = e.kind == ExprKind::Binary && e.op == Operator::Arrow && i == 1;
    mark_guards(e.args[i], opens ? Guard::Open : behind ? Guard::Arrow : guard);
  }
  for (ExprId value : e.defaults) mark_guards(value, Guard::Open);
  if (e.clock != kNoExpr) mark_guards(e.clock, Guard::Open);
}

/// Variables of this unit that a part of the expression depends on at once. Arguments of calls are
/// left out: an output need not depend on every input.
void Checker::collect_needs(ExprId id, std::uint32_t part, std::vector<VarId>& out) const {
  const Expr& e = p_[id];
  bool memory = e.kind == ExprKind::Unary && e.op == Operator::Pre;
  if (e.kind == ExprKind::Call || memory) return;
  if (e.kind == ExprKind::Name) {
    if (e.ref.kind == Reference::Kind::Local) out.push_back(VarId{e.ref.index});
    return;
  }
  if (e.kind == ExprKind::Tuple) {
    for (ExprId arg : e.args) {
      auto count = static_cast<std::uint32_t>(p_[arg].types.size());
      if (part < count) return collect_needs(arg, part, out);
      part -= count;
    }
    return;
  }
  bool first_apart = e.kind == ExprKind::Ite || e.kind == ExprKind::Merge;
  bool parts = first_apart || e.kind == ExprKind::When ||
               (e.kind == ExprKind::Binary && e.op == Operator::Arrow);
  for (std::size_t i = 0; i < e.args.size(); ++i)
    collect_needs(e.args[i], parts && !(first_apart && i == 0) ? part : 0, out);
}

}  // namespace lem::lustre
