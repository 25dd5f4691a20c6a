#include <algorithm>
#include <optional>

#include "frontend/lustre/elaborator.h"

namespace lem::lustre {

namespace {

// Expressions, calls and arguments within one another; the stack holds several times as many.
constexpr std::uint32_t kMaxDepth = 4000;

}  // namespace

Result<Elaborator::Leaves> Elaborator::eval(InstanceId at, ExprId id, std::uint32_t part) {
  if (depth_ >= kMaxDepth) return error_at(p_[id].at, "definitions are nested too deeply");
  ++depth_;
  auto out = eval_kind(at, id, part);
  --depth_;
  return out;
}

Result<Elaborator::Leaves> Elaborator::eval_kind(InstanceId at, ExprId id, std::uint32_t part) {
  const Expr& e = p_[id];
  switch (e.kind) {
    case ExprKind::Name:
      return eval_name(at, e);
    case ExprKind::Bool:
      return Leaves{t_.boolean(e.name == "true")};
    case ExprKind::Number:
      return Leaves{t_.number(p_.numbers[e.number], sort_of(e.types.front()))};
    case ExprKind::Unary:
      return eval_unary(at, id, part);
    case ExprKind::Binary:
      return eval_binary(at, e, part);
    case ExprKind::Ite:
      return eval_ite(at, e, part);
    case ExprKind::Tuple:
      return eval_tuple(at, e, part);
    case ExprKind::Call:
      return eval_call(at, id, part, Term());
    case ExprKind::Field:
      return eval_field(at, e);
    case ExprKind::Record:
      return eval_record(at, e);
    case ExprKind::Cast:
      return eval_cast(at, e);
    case ExprKind::When:
      return eval(at, e.args.front(), part);
    case ExprKind::Merge:
      return eval_merge(at, e, part);
    case ExprKind::ModeRef:
      return eval_mode_ref(at, e);
  }
  unreachable();
}

Result<Term> Elaborator::eval_one(InstanceId at, ExprId id) {
  auto leaves = eval(at, id, 0);
  if (!leaves) return leaves.error();
  assert(leaves->size() == 1 && "the checker wants one value here");
  return leaves->front();
}

Result<Elaborator::Leaves> Elaborator::eval_name(InstanceId at, const Expr& e) {
  switch (e.ref.kind) {
    case Reference::Kind::Local:
      return value(at, VarId{e.ref.index});
    case Reference::Kind::Global:
      return value(InstanceId{0}, VarId{e.ref.index});
    case Reference::Kind::Enumerator:
      return Leaves{t_.integer(e.ref.index)};
    case Reference::Kind::None:
      break;
  }
  unreachable();
}

Result<Elaborator::Leaves> Elaborator::eval_unary(InstanceId at, ExprId id, std::uint32_t part) {
  const Expr& e = p_[id];
  if (e.op == Operator::Pre) return eval_pre(at, id, part);
  auto operand = eval_one(at, e.args.front());
  if (!operand) return operand.error();
  if (e.op == Operator::Not) return Leaves{t_.make_not(*operand)};
  if (t_.kind(*operand) == SortKind::BitVec) return Leaves{t_.make(Op::BvNeg, {*operand})};
  return Leaves{t_.make_neg(*operand)};
}

/// Without a guard each occurrence in each instance has a first value of its own.
Result<Elaborator::Leaves> Elaborator::eval_pre(InstanceId at, ExprId id, std::uint32_t part) {
  const Expr& e = p_[id];
  if (e.guard == Guard::Arrow) return memory(at, e.args.front(), part);
  std::pair key{id, part};
  auto known = (*this)[at].unguarded.find(key);
  if (known != (*this)[at].unguarded.end()) return known->second;
  if (warned_.insert(id).second)
    out_.warnings.emplace_back(
        e.at,
        "'pre' without '->': its value at the first instant is arbitrary, and another one "
        "for each occurrence");
  return (*this)[at].unguarded.emplace(key, unguarded(at, e, part)).first->second;
}

/// The first occurrence may read the memory itself, whose first value is arbitrary; others, and all
/// that a restart brings back to the first instant, get an input for it.
Elaborator::Leaves Elaborator::unguarded(InstanceId at, const Expr& e, std::uint32_t part) {
  const Leaves held = memory(at, e.args.front(), part);
  const Clock clock = (*this)[at].clock;
  std::size_t place = 0;
  while (!held.empty() && out_.memories[place].state != held.front()) ++place;
  bool taken = !held.empty() && out_.memories[place].first;
  if (clock.restarts == Restarts::No && !taken) {
    for (std::size_t i = 0; i < held.size(); ++i) out_.memories[place + i].first = clock.first;
    return held;
  }
  std::string name =
      (*this)[at].prefix + "%nil." + std::to_string(e.at.line) + "_" + std::to_string(e.at.column);
  return choose(clock.first, fresh_inputs(name, e.types[part]), held);
}

Elaborator::Leaves Elaborator::choose(Term condition, const Leaves& yes, const Leaves& no) {
  assert(yes.size() == no.size() && "branches must have the same leaves");
  Leaves out;
  for (std::size_t i = 0; i < yes.size(); ++i) out.push_back(t_.make_ite(condition, yes[i], no[i]));
  return out;
}

Result<Elaborator::Leaves> Elaborator::eval_binary(InstanceId at, const Expr& e,
                                                   std::uint32_t part) {
  std::uint32_t arg_part = e.op == Operator::Arrow ? part : 0;
  auto left = eval(at, e.args[0], arg_part);
  if (!left) return left;
  auto right = eval(at, e.args[1], arg_part);
  if (!right) return right;
  Term a = left->empty() ? Term() : left->front();
  Term b = right->empty() ? Term() : right->front();
  switch (e.op) {
    case Operator::Arrow:
      return choose((*this)[at].clock.first, *left, *right);
    case Operator::Implies:
      return Leaves{t_.make_implies(a, b)};
    case Operator::Or:
      return Leaves{t_.make_or(a, b)};
    case Operator::Xor:
      return Leaves{t_.make_xor(a, b)};
    case Operator::And:
      return Leaves{t_.make_and(a, b)};
    case Operator::Eq:
    case Operator::Ne:
    case Operator::Lt:
    case Operator::Le:
    case Operator::Gt:
    case Operator::Ge:
      return Leaves{comparison(e, *left, *right)};
    default:
      break;
  }
  auto result = arithmetic(e, a, b);
  if (!result) return result.error();
  return Leaves{*result};
}

Term Elaborator::comparison(const Expr& e, const Leaves& a, const Leaves& b) {
  if (e.op == Operator::Eq || e.op == Operator::Ne) {
    Term equal = t_.boolean(true);
    for (std::size_t i = 0; i < a.size(); ++i) equal = t_.make_and(equal, t_.make_eq(a[i], b[i]));
    return e.op == Operator::Eq ? equal : t_.make_not(equal);
  }
  // a < b, with sides and sign as the operator wants them
  bool swap = e.op == Operator::Gt || e.op == Operator::Le;
  bool negate = e.op == Operator::Le || e.op == Operator::Ge;
  Term x = swap ? b.front() : a.front();
  Term y = swap ? a.front() : b.front();
  const Type& type = p_.types[p_[e.args[0]].types.front()];
  Term less = t_.kind(x) != SortKind::BitVec    ? t_.make_lt(x, y)
              : type.sign == Signedness::Signed ? t_.make(Op::BvSlt, {x, y})
                                                : t_.make(Op::BvUlt, {x, y});
  return negate ? t_.make_not(less) : less;
}

Result<Term> Elaborator::arithmetic(const Expr& e, Term a, Term b) {
  bool bits = t_.kind(a) == SortKind::BitVec;
  switch (e.op) {
    case Operator::Add:
      return bits ? t_.make(Op::BvAdd, {a, b}) : t_.make_add(a, b);
    case Operator::Sub:
      return bits ? t_.make_bv_sub(a, b) : t_.make_sub(a, b);
    case Operator::Mul:
      return bits ? t_.make(Op::BvMul, {a, b}) : t_.make_mul(a, b);
    case Operator::Slash:
    case Operator::Div:
    case Operator::Mod:
      return division(e, a, b);
    default:
      break;
  }
  unreachable();
}

Result<Term> Elaborator::division(const Expr& e, Term a, Term b) {
  if (t_.kind(a) == SortKind::BitVec) {
    bool is_signed = p_.types[e.types.front()].sign == Signedness::Signed;
    if (e.op == Operator::Div) return t_.make(is_signed ? Op::BvSdiv : Op::BvUdiv, {a, b});
    return t_.make(is_signed ? Op::BvSrem : Op::BvUrem, {a, b});
  }
  if (!t_.is_value(b))
    return error_at(
        e.at, "unsupported: '" + std::string(text(e.op)) + "' by something that is not constant");
  mpq_class divisor = t_.number_value(b);
  if (divisor == 0) return error_at(e.at, "division by zero");
  if (e.op == Operator::Slash) return t_.make_mul(a, t_.real(1 / divisor));
  return t_.make(e.op == Operator::Div ? Op::IntDiv : Op::IntMod, {a, b});
}

Result<Elaborator::Leaves> Elaborator::eval_ite(InstanceId at, const Expr& e, std::uint32_t part) {
  auto condition = eval_one(at, e.args[0]);
  if (!condition) return condition.error();
  auto yes = eval(at, e.args[1], part);
  if (!yes) return yes;
  auto no = eval(at, e.args[2], part);
  if (!no) return no;
  return choose(*condition, *yes, *no);
}

Result<Elaborator::Leaves> Elaborator::eval_tuple(InstanceId at, const Expr& e,
                                                  std::uint32_t part) {
  for (ExprId arg : e.args) {
    auto count = static_cast<std::uint32_t>(p_[arg].types.size());
    if (part < count) return eval(at, arg, part);
    part -= count;
  }
  unreachable();
}

Result<Elaborator::Leaves> Elaborator::eval_record(InstanceId at, const Expr& e) {
  Leaves out;
  for (ExprId arg : e.args) {
    auto leaves = eval(at, arg, 0);
    if (!leaves) return leaves;
    out.insert(out.end(), leaves->begin(), leaves->end());
  }
  return out;
}

Result<Elaborator::Leaves> Elaborator::eval_field(InstanceId at, const Expr& e) {
  auto record = eval(at, e.args.front(), 0);
  if (!record) return record;
  std::size_t offset = p_.types.field_offset(p_[e.args.front()].types.front(), e.ordinal);
  std::size_t count = p_.types.leaf_count(e.types.front());
  auto begin = record->begin() + static_cast<std::ptrdiff_t>(offset);
  return Leaves(begin, begin + static_cast<std::ptrdiff_t>(count));
}

/// `int32 e` of an int is for constants: there is no such operator on terms.
Result<Elaborator::Leaves> Elaborator::eval_cast(InstanceId at, const Expr& e) {
  auto operand = eval_one(at, e.args.front());
  if (!operand) return operand.error();
  const Type& from = p_.types[p_.types.base(p_[e.args.front()].types.front())];
  const Type& to = p_.types[e.cast];
  if (from.kind == to.kind && from.width == to.width) return Leaves{*operand};
  if (from.kind == TypeKind::Int && to.kind == TypeKind::Real)
    return Leaves{t_.make_to_real(*operand)};
  if (from.kind == TypeKind::Real && to.kind == TypeKind::Int)
    return Leaves{t_.make(Op::ToInt, {*operand})};
  if (from.kind == TypeKind::Machine && to.kind == TypeKind::Machine) {
    if (to.width < from.width) return Leaves{t_.make_extract(*operand, to.width - 1, 0)};
    Op extend = from.sign == Signedness::Signed ? Op::BvSignExtend : Op::BvZeroExtend;
    return Leaves{t_.make(extend, {*operand}, to.width - from.width)};
  }
  if (from.kind == TypeKind::Int && to.kind == TypeKind::Machine && t_.is_value(*operand))
    return Leaves{t_.bv(t_.integer_value(*operand), to.width)};
  if (from.kind == TypeKind::Machine && to.kind == TypeKind::Int && t_.is_value(*operand))
    return Leaves{t_.integer(from.sign == Signedness::Signed ? t_.signed_value(*operand)
                                                             : t_.integer_value(*operand))};
  return error_at(e.at, "unsupported: conversion of " + from.name + " to " + to.name +
                            (t_.is_value(*operand) ? "" : " of something that is not constant"));
}

Result<Elaborator::Leaves> Elaborator::eval_merge(InstanceId at, const Expr& e,
                                                  std::uint32_t part) {
  auto clock = eval_one(at, e.args.front());
  if (!clock) return clock.error();
  bool is_bool = t_.kind(*clock) == SortKind::Bool;
  std::optional<Leaves> out;
  for (std::size_t i = e.args.size() - 1; i > 0; --i) {  // the last branch is the default
    Term tick = !is_bool ? t_.make_eq(*clock, t_.integer(static_cast<unsigned long>(i - 1)))
                : i == 1 ? *clock
                         : t_.make_not(*clock);
    const Expr& branch = p_[e.args[i]];
    bool clocked = branch.kind == ExprKind::Call &&
                   (branch.clocking == Clocking::Base || branch.clocking == Clocking::Activate);
    auto leaves = clocked ? eval_call(at, e.args[i], part, tick) : eval(at, e.args[i], part);
    if (!leaves) return leaves;
    out = out ? choose(tick, *leaves, *out) : *std::move(leaves);
  }
  return *std::move(out);
}

Result<Elaborator::Leaves> Elaborator::eval_mode_ref(InstanceId at, const Expr& e) {
  for (std::size_t i = 0; i + 1 < e.labels.size(); ++i) {
    const std::vector<Import>& imports = unit(at).imports;
    auto found = std::find_if(imports.begin(), imports.end(),
                              [&](const Import& import) { return import.name == e.labels[i]; });
    assert(found != imports.end() && "the checker has found the contract");
    at = import_instance(at, static_cast<std::size_t>(found - imports.begin()));
  }
  const std::vector<Mode>& modes = unit(at).modes;
  auto mode = std::find_if(modes.begin(), modes.end(),
                           [&](const Mode& m) { return m.name == e.labels.back(); });
  assert(mode != modes.end() && "the checker has found the mode");
  auto active = conjunction(at, mode->requires_);
  if (!active) return active.error();
  return Leaves{*active};
}

// Calls -------------------------------------------------------------------------------------------

VarId Elaborator::output(UnitId unit, std::uint32_t part) const {
  const std::vector<Variable>& vars = p_[unit].vars;
  for (std::uint32_t i = 0; i < vars.size(); ++i) {
    if (vars[i].role != Role::Output) continue;
    if (part == 0) return VarId{i};
    --part;
  }
  unreachable();
}

Result<Elaborator::Leaves> Elaborator::eval_call(InstanceId at, ExprId id, std::uint32_t part,
                                                 Term branch) {
  auto made = child(at, id, branch);
  if (!made) return made.error();
  const Expr& e = p_[id];
  if (e.clocking == Clocking::Condact) return eval_condact(at, e, **made, part);
  return value((*made)->id, output(e.callee, part));
}

/// While the call does not tick, its outputs are the defaults until it has run, then what they
/// were.
Result<Elaborator::Leaves> Elaborator::eval_condact(InstanceId at, const Expr& e, Child& child,
                                                    std::uint32_t part) {
  if (auto known = child.held.find(part); known != child.held.end()) return known->second;
  VarId var = output(e.callee, part);
  auto running = value(child.id, var);
  if (!running) return running;
  auto initial = default_of(at, e, part);
  if (!initial) return initial;
  const Variable& variable = p_[e.callee].vars[index(var)];
  const std::string prefix = (*this)[child.id].prefix + "%held." + variable.name;
  Leaves held;
  std::size_t first = out_.memories.size();
  for (const Leaf& leaf : p_.types.leaves(variable.type))
    held.push_back(add_memory(prefix + leaf.path, leaf.type));
  const Clock clock = (*this)[child.id].clock;
  Leaves out = choose(child.tick, *running, choose(clock.first, *initial, held));
  for (std::size_t i = 0; i < out.size(); ++i) {
    Memory& memory = out_.memories[first + i];
    memory.update = t_.make_ite((*this)[at].clock.active, out[i], memory.state);
  }
  return child.held.emplace(part, std::move(out)).first->second;
}

Result<Elaborator::Leaves> Elaborator::default_of(InstanceId at, const Expr& call,
                                                  std::uint32_t part) {
  for (const Binding& binding : bind(call.defaults)) {
    if (part == 0) return eval(at, binding.expr, binding.part);
    --part;
  }
  unreachable();
}

}  // namespace lem::lustre
