#include "frontend/st/translate/statements.h"

#include "base/try.h"

namespace lem::st {

Status Statements::run(const Body& statements) {
  for (const Statement& one : statements) {
    if (cfa_.is_dead()) return Ok{};  // behind RETURN, EXIT or CONTINUE
    LEM_TRY(statement(one));
  }
  return Ok{};
}

Status Statements::statement(const Statement& one) {
  if (context_.in_user_code() && cfa_.line() != one.at.line) {
    cfa_.flush();  // a line is a step of runs that users see
    cfa_.set_line(one.at.line);
  }
  loops_.begin_expression();
  if (cfa_.edges() > 200'000)
    return Error{one.at, "the program has more than 200,000 steps in a cycle"};
  switch (one.kind) {
    case Statement::Kind::Assign:
      return assign(one);
    case Statement::Kind::Call:
      return calls_.call_statement(*one.value, one.at);
    case Statement::Kind::If:
      return if_statement(one);
    case Statement::Kind::Case:
      return case_statement(one);
    case Statement::Kind::For:
      return for_statement(one);
    case Statement::Kind::While:
      return while_statement(one);
    case Statement::Kind::Repeat:
      return repeat_statement(one);
    case Statement::Kind::Exit:
    case Statement::Kind::Continue: {
      if (context_.frame().loops.empty())
        return Error{one.at, "EXIT and CONTINUE stand in loops only"};
      Frame::Loop loop = context_.frame().loops.back();
      cfa_.go_to(one.kind == Statement::Kind::Exit ? loop.leave : loop.again);
      return Ok{};
    }
    case Statement::Kind::Return:
      cfa_.go_to(context_.frame().end);
      return Ok{};
    case Statement::Kind::Assert:
      return assertion(one);
    case Statement::Kind::Assume: {
      LEM_LET(Term holds, expressions_.boolean(*one.value));
      cfa_.restrict(holds);
      return Ok{};
    }
    case Statement::Kind::Havoc: {
      Result<Place> target = places_.place(*one.target);
      if (!target) return target.error();
      if (!target->type->is_scalar())
        return Error{one.at, "only single values can be made arbitrary"};
      return memory_.write(
          *target, {target->type, cfa_.any_value(types_.sort_of(*target->type), one.at)}, one.at);
    }
  }
  unreachable();
}

Status Statements::assign(const Statement& one) {
  if (one.target->kind == Expr::Kind::Call) return Error{one.at, "a call cannot be assigned to"};
  // ENO of SCL says whether the block worked; nothing here reads it.
  if (one.target->kind == Expr::Kind::Name && one.target->name->key == "eno" &&
      !places_.find(*one.target->name))
    return Ok{};
  std::size_t before = cfa_.mark();
  Result<Place> target = places_.place(*one.target);
  if (!target) {
    if (one.target->kind == Expr::Kind::Name && expressions_.eval(*one.target, nullptr).ok())
      return Error{one.at, "'" + one.target->name->text + "' is a constant"};
    return target.error();
  }
  std::size_t mark = cfa_.mark();
  Place where = *target;
  Held held(cfa_);
  held.add(*target);
  bool whole_value = !target->type->is_scalar();
  loops_.begin_expression();
  LEM_LET(Place source, whole_value ? places_.place(*one.value) : Result<Place>(Place{}));
  LEM_LET(Value value,
          whole_value ? Result<Value>(Value{}) : expressions_.eval(*one.value, target->type));
  // Some controllers evaluate the index first, some the value.
  bool reads = whole_value || has_own_call(context_, *one.value)
                   ? calls_.writes_outside(before, mark)
                   : cfa_.changed_since(before, value.term);
  if (cfa_.changed_since(mark, where) || (before != mark && reads))
    return Error{one.at,
                 "a call changes what the other side of this assignment reads; controllers differ "
                 "on which side comes first"};
  return whole_value ? memory_.copy(*target, source, one.at)
                     : memory_.write(*target, value, one.at);
}

Status Statements::if_statement(const Statement& one) {
  LocationId join = cfa_.new_location("fi");
  for (const Branch& branch : one.branches) {
    LEM_LET(Term condition, expressions_.boolean(*branch.condition));
    cfa_.flush();
    LocationId then = cfa_.new_location("then"), otherwise = cfa_.new_location("else");
    cfa_.branch(condition, then, otherwise);
    cfa_.continue_at(then);
    LEM_TRY(run(branch.body));
    cfa_.go_to(join);
    cfa_.continue_at(otherwise);
    cfa_.set_line(one.at.line);
  }
  LEM_TRY(run(one.body));
  cfa_.jump(join);
  return Ok{};
}

Result<Term> Statements::label_matches(const CaseLabel& label, const Value& selector) {
  auto compare = [&](BinaryOp op, const Expr& with) -> Result<Term> {
    LEM_LET(Value value, expressions_.eval(with, selector.type));
    if (value.type != nullptr && !t_.is_value(value.term))
      return Error{with.at, "a label of CASE is a constant"};
    bool counts = selector.type->is_integer() && (value.integer || value.type->is_integer());
    if (counts) {
      mpz_class number_of = value.integer             ? *value.integer
                            : value.type->is_signed() ? t_.signed_value(value.term)
                                                      : t_.integer_value(value.term);
      if (Result<Term> term = types_.fitting(number_of, *types_.unbounded(selector.type), with.at);
          !term)
        return term;
    }
    Expr order{Expr::Kind::Binary, with.at};
    order.binary = op;
    LEM_LET(Value holds, operators_.comparison(order, selector, value));
    return holds.term;
  };
  if (label.high == nullptr) return compare(BinaryOp::Equal, *label.low);
  LEM_LET(Term above, compare(BinaryOp::GreaterEqual, *label.low));
  LEM_LET(Term below, compare(BinaryOp::LessEqual, *label.high));
  return t_.make_and(above, below);
}

Status Statements::case_statement(const Statement& one) {
  LEM_LET(Value selector, expressions_.eval(*one.value, nullptr));
  if (selector.type == nullptr || !selector.type->is_scalar() ||
      selector.type->kind == Type::Kind::Real) {
    if (!selector.integer) return Error{one.at, "CASE needs an integer or an enumeration"};
    LEM_TRY(types_.make(selector, *context_.elementary("dint"), one.at));
  }
  LocationId from = cfa_.flush(), join = cfa_.new_location("esac");
  Term none = t_.boolean(true);  // no label before this one matches
  for (const CaseBranch& branch : one.cases) {
    Term here = t_.boolean(false);
    for (const CaseLabel& label : branch.labels) {
      LEM_LET(Term matches, label_matches(label, selector));
      here = t_.make_or(here, matches);
    }
    LocationId inside = cfa_.new_location("case");
    cfa_.continue_at(from);
    cfa_.edge(inside, {Command::assume(t_.make_and(none, here))});
    none = t_.make_and(none, t_.make_not(here));
    cfa_.continue_at(inside);
    LEM_TRY(run(branch.body));
    cfa_.go_to(join);
  }
  LocationId rest = cfa_.new_location("else");
  cfa_.continue_at(from);
  cfa_.edge(rest, {Command::assume(none)});
  cfa_.continue_at(rest);
  LEM_TRY(run(one.body));
  cfa_.jump(join);
  return Ok{};
}

Status Statements::loop_body(const Body& body, LocationId leave, LocationId again) {
  context_.frame().loops.push_back({leave, again});
  LEM_TRY(run(body));
  context_.frame().loops.pop_back();
  return Ok{};
}

static constexpr std::uint32_t kCounterBits = 66;  // of FOR loops: more than any variable has

/// A limit or the step of a FOR loop, as it is before the first turn.
Result<Term> Statements::limit(const Expr& expr, const Type& type, const Type& literals) {
  LEM_LET(Value value, expressions_.eval(expr, &type));
  if (value.integer) {
    LEM_TRY(types_.fitting(*value.integer, literals, expr.at));
  } else if (value.type == nullptr || !value.type->is_integer()) {
    return Error{expr.at, "the limits of FOR are integers"};
  }
  Term kept = types_.widened(value, kCounterBits);
  cfa_.keep(kept);
  return kept;
}

Status Statements::for_statement(const Statement& one) {
  LEM_LET(Place variable, places_.place(*one.target));
  const Type& type = *variable.type;
  if (!type.is_integer() || variable.bits)
    return Error{one.target->at, "the variable of FOR is an integer"};
  if (has_own_call(context_, *one.target))
    return Error{one.target->at, "a call in the variable of FOR"};
  LEM_LET(Value from, expressions_.eval(*one.value, &type));
  Held held(cfa_);
  held.add(from.term);
  LEM_LET(Term last, limit(*one.to, type, *types_.unbounded(&type)));
  Term step = t_.bv(1, kCounterBits);
  if (one.by != nullptr) {  // a step of any type may be negative
    LEM_LET(step, limit(*one.by, type, *context_.elementary("lint")));
  }
  if (t_.is_value(step) && t_.integer_value(step) == 0)
    return Error{one.by->at, "a FOR loop by 0 does not end"};
  LEM_LET(Term start, types_.coerce(from, type, one.at));
  if (auto values = loop_turns(t_, context_.frame(), one, type, start, last, step))
    return unrolled(one, variable, *values);
  LEM_TRY(memory_.write(variable, {&type, start}, one.at));
  return counted(one, type, last, step);
}

/// The step after the last turn is computed in more bits than the variable has, so that the loop
/// ends also at the end of the type's range.
Status Statements::counted(const Statement& one, const Type& type, Term last, Term step) {
  Term down = t_.make(Op::BvSlt, {step, t_.bv(0, kCounterBits)});
  auto goes_on = [&](Term position) {
    return t_.make_ite(down, t_.make_bv_sle(last, position), t_.make_bv_sle(position, last));
  };
  auto now = [&]() -> Result<Term> {
    LEM_LET(Place again, places_.place(*one.target));
    LEM_LET(Value value, memory_.read(again, one.at));
    return types_.extended(value.term, type, kCounterBits);
  };
  LEM_LET(Term first, now());
  cfa_.flush();
  LocationId turn = cfa_.new_location("for"), next = cfa_.new_location("next"),
             leave = cfa_.new_location("rof");
  cfa_.branch(goes_on(first), turn, leave);
  cfa_.continue_at(turn);
  LEM_TRY(loop_body(one.body, leave, next));
  cfa_.jump(next);
  cfa_.set_line(one.at.line);
  LEM_LET(Term position, now());
  Term following = t_.make(Op::BvAdd, {position, step});
  cfa_.keep(following);
  LEM_LET(Place target, places_.place(*one.target));
  Value narrowed{&type, t_.make_extract(following, type.bits - 1, 0)};
  LEM_TRY(memory_.write(target, narrowed, one.at));
  cfa_.branch(goes_on(following), turn, leave);
  cfa_.continue_at(leave);
  return Ok{};
}

Status Statements::unrolled(const Statement& one, const Place& variable,
                            const std::vector<mpz_class>& values) {
  Term leaf = variable.known()->leaf;
  const Type& type = *variable.type;
  LocationId leave = cfa_.new_location("rof");
  for (std::size_t i = 0; i < values.size(); ++i) {
    loops_.forget(leaf);
    cfa_.emit(Command::assign(leaf, types_.number(values[i], type)));
    if (i + 1 == values.size()) break;
    loops_.set(leaf, types_.number(values[i], type));
    LocationId next = cfa_.new_location("next");
    LEM_TRY(loop_body(one.body, leave, next));
    if (!loops_.knows(leaf)) return Error{one.at, "this loop changes its variable"};
    cfa_.jump(next);
    cfa_.set_line(one.at.line);
  }
  loops_.forget(leaf);
  cfa_.jump(leave);
  return Ok{};
}

Status Statements::while_statement(const Statement& one) {
  cfa_.flush();
  LocationId head = cfa_.new_location("while"), inside = cfa_.new_location("do"),
             leave = cfa_.new_location("od");
  cfa_.jump(head);
  LEM_LET(Term condition, expressions_.boolean(*one.value));
  cfa_.branch(condition, inside, leave);
  cfa_.continue_at(inside);
  LEM_TRY(loop_body(one.body, leave, head));
  cfa_.go_to(head);
  cfa_.continue_at(leave);
  return Ok{};
}

Status Statements::repeat_statement(const Statement& one) {
  cfa_.flush();
  LocationId head = cfa_.new_location("repeat"), until = cfa_.new_location("until"),
             leave = cfa_.new_location("done");
  cfa_.jump(head);
  LEM_TRY(loop_body(one.body, leave, until));
  cfa_.jump(until);
  cfa_.set_line(one.at.line);
  LEM_LET(Term condition, expressions_.boolean(*one.value));
  cfa_.branch(condition, leave, head);
  cfa_.continue_at(leave);
  return Ok{};
}

Status Statements::assertion(const Statement& one) {
  LEM_LET(Term holds, expressions_.boolean(*one.value));
  std::string name = one.name.empty() ? "assertion@" + std::to_string(one.at.line) : one.name;
  properties_.prove(properties_.add(name, StProperty::Kind::Assertion, one.at, one.text).error,
                    holds);
  return Ok{};
}

}  // namespace lem::st
