// Statements as locations and edges.
#include "frontend/st/translate.h"

namespace lem::st {

Status Translator::body(const Body& statements) {
  for (const Statement& one : statements) {
    if (dead_) return Ok{};  // behind RETURN, EXIT or CONTINUE
    if (Status done = statement(one); !done) return done;
  }
  return Ok{};
}

Status Translator::statement(const Statement& one) {
  if (in_user_code() && line_ != one.at.line) {
    flush();  // a line is a step of runs that users see
    line_ = one.at.line;
  }
  turns_before_ = turns_read_;
  if (edges_ > 200'000) return Error{one.at, "the program has more than 200,000 steps in a cycle"};
  switch (one.kind) {
    case Statement::Kind::Assign:
      return assign(one);
    case Statement::Kind::Call:
      return call_statement(*one.value, one.at);
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
      if (frame().loops.empty()) return Error{one.at, "EXIT and CONTINUE stand in loops only"};
      Loop loop = frame().loops.back();
      go_to(one.kind == Statement::Kind::Exit ? loop.leave : loop.again);
      return Ok{};
    }
    case Statement::Kind::Return:
      go_to(frame().end);
      return Ok{};
    case Statement::Kind::Assert:
      return assertion(one);
    case Statement::Kind::Assume: {
      Result<Term> holds = boolean(*one.value);
      if (!holds) return holds.error();
      emit(Command::assume(*holds));
      assumes_ = true;
      return Ok{};
    }
    case Statement::Kind::Havoc: {
      Result<Place> target = place(*one.target);
      if (!target) return target.error();
      if (!target->type->is_scalar())
        return Error{one.at, "only single values can be made arbitrary"};
      return write(*target, {target->type, any_value(sort_of(*target->type), one.at)}, one.at);
    }
  }
  unreachable();
}

Status Translator::assign(const Statement& one) {
  if (one.target->kind == Expr::Kind::Call) return Error{one.at, "a call cannot be assigned to"};
  // ENO of SCL says whether the block worked; nothing here reads it.
  if (one.target->kind == Expr::Kind::Name && one.target->name->key == "eno" &&
      !find_place(*one.target->name))
    return Ok{};
  std::size_t before = written_.size();
  Result<Place> target = place(*one.target);
  if (!target) {
    if (one.target->kind == Expr::Kind::Name && eval_name(*one.target, nullptr).ok())
      return Error{one.at, "'" + one.target->name->text + "' is a constant"};
    return target.error();
  }
  std::size_t mark = written_.size();
  Place where = *target;
  Held held(held_);
  held.add(*target);
  bool whole_value = !target->type->is_scalar();
  turns_before_ = turns_read_;
  Result<Place> source = whole_value ? place(*one.value) : Result<Place>(Place{});
  if (!source) return source.error();
  Result<Value> value = whole_value ? Result<Value>(Value{}) : eval(*one.value, target->type);
  if (!value) return value.error();
  // Some controllers evaluate the index first, some the value.
  bool reads = whole_value || has_own_call(*one.value) ? writes_outside(before, mark)
                                                       : changed_since(before, value->term);
  if (changed_since(mark, where) || (before != mark && reads))
    return Error{one.at,
                 "a call changes what the other side of this assignment reads; controllers differ "
                 "on which side comes first"};
  return whole_value ? copy(*target, *source, one.at) : write(*target, *value, one.at);
}

Status Translator::if_statement(const Statement& one) {
  LocationId join = new_location("fi");
  for (const Branch& branch : one.branches) {
    Result<Term> condition = boolean(*branch.condition);
    if (!condition) return condition.error();
    LocationId from = flush();
    LocationId then = new_location("then"), otherwise = new_location("else");
    edge(then, {Command::assume(*condition)});
    at_ = from;
    edge(otherwise, {Command::assume(t_.make_not(*condition))});
    continue_at(then);
    if (Status done = body(branch.body); !done) return done;
    go_to(join);
    continue_at(otherwise);
    line_ = one.at.line;
  }
  if (Status done = body(one.body); !done) return done;
  go_to(join);
  continue_at(join);
  return Ok{};
}

Result<Term> Translator::label_matches(const CaseLabel& label, const Value& selector) {
  auto compare = [&](BinaryOp op, const Expr& with) -> Result<Term> {
    Result<Value> value = eval(with, selector.type);
    if (!value) return value.error();
    if (value->type != nullptr && !t_.is_value(value->term))
      return Error{with.at, "a label of CASE is a constant"};
    bool counts = selector.type->is_integer() && (value->integer || value->type->is_integer());
    if (counts) {
      mpz_class number_of = value->integer             ? *value->integer
                            : value->type->is_signed() ? t_.signed_value(value->term)
                                                       : t_.integer_value(value->term);
      if (Result<Term> term = fitting(number_of, *unbounded(selector.type), with.at); !term)
        return term;
    }
    Expr order{Expr::Kind::Binary, with.at};
    order.binary = op;
    Result<Value> holds = comparison(order, selector, *value);
    if (!holds) return holds.error();
    return holds->term;
  };
  if (label.high == nullptr) return compare(BinaryOp::Equal, *label.low);
  Result<Term> above = compare(BinaryOp::GreaterEqual, *label.low);
  if (!above) return above;
  Result<Term> below = compare(BinaryOp::LessEqual, *label.high);
  if (!below) return below;
  return t_.make_and(*above, *below);
}

Status Translator::case_statement(const Statement& one) {
  Result<Value> selector = eval(*one.value, nullptr);
  if (!selector) return selector.error();
  if (selector->type == nullptr || !selector->type->is_scalar() ||
      selector->type->kind == Type::Kind::Real) {
    if (!selector->integer) return Error{one.at, "CASE needs an integer or an enumeration"};
    Result<Term> term = coerce(*selector, *elementary("dint"), one.at);
    if (!term) return term.error();
    selector = Value{elementary("dint"), *term};
  }
  LocationId from = flush(), join = new_location("esac");
  Term none = t_.boolean(true);  // no label before this one matches
  for (const CaseBranch& branch : one.cases) {
    Term here = t_.boolean(false);
    for (const CaseLabel& label : branch.labels) {
      Result<Term> matches = label_matches(label, *selector);
      if (!matches) return matches.error();
      here = t_.make_or(here, *matches);
    }
    LocationId inside = new_location("case");
    at_ = from;
    dead_ = false;
    edge(inside, {Command::assume(t_.make_and(none, here))});
    none = t_.make_and(none, t_.make_not(here));
    continue_at(inside);
    if (Status done = body(branch.body); !done) return done;
    go_to(join);
  }
  LocationId rest = new_location("else");
  at_ = from;
  dead_ = false;
  edge(rest, {Command::assume(none)});
  continue_at(rest);
  if (Status done = body(one.body); !done) return done;
  go_to(join);
  continue_at(join);
  return Ok{};
}

/// The limits are those before the first turn. The step after the last turn is computed in more
/// bits than the variable has, so that the loop ends also at the end of the type's range.
Status Translator::for_statement(const Statement& one) {
  Result<Place> variable_of = place(*one.target);
  if (!variable_of) return variable_of.error();
  const Type& type = *variable_of->type;
  if (!type.is_integer() || variable_of->bits)
    return Error{one.target->at, "the variable of FOR is an integer"};
  auto wide = [&](const Expr& expr) -> Result<Term> {
    Result<Value> value = eval(expr, &type);
    if (!value) return value.error();
    if (value->integer) {  // a step of any type may be negative
      const Type& least = &expr == one.by.get() ? *elementary("lint") : *unbounded(&type);
      if (Result<Term> term = fitting(*value->integer, least, expr.at); !term) return term;
      return t_.bv(*value->integer, 66);
    }
    if (value->type == nullptr || !value->type->is_integer())
      return Error{expr.at, "the limits of FOR are integers"};
    Term kept = extended(value->term, *value->type, 66);
    keep(kept);
    return kept;
  };
  if (has_own_call(*one.target)) return Error{one.target->at, "a call in the variable of FOR"};
  Result<Value> from = eval(*one.value, &type);
  if (!from) return from.error();
  Held held(held_);
  held.add(from->term);
  Result<Term> last = wide(*one.to);
  if (!last) return last.error();
  Result<Term> step = one.by == nullptr ? Result<Term>(t_.bv(1, 66)) : wide(*one.by);
  if (!step) return step.error();
  if (t_.is_value(*step) && t_.integer_value(*step) == 0)
    return Error{one.by->at, "a FOR loop by 0 does not end"};
  Result<Term> start = coerce(*from, type, one.at);
  if (!start) return start.error();
  if (auto values = turns(one, type, *start, *last, *step))
    return unrolled(one, *variable_of, *values);
  if (Status done = write(*variable_of, {&type, *start}, one.at); !done) return done;
  Term down = t_.make(Op::BvSlt, {*step, t_.bv(0, 66)});
  auto goes_on = [&](Term position) {
    return t_.make_ite(down, t_.make_bv_sle(*last, position), t_.make_bv_sle(position, *last));
  };
  auto now = [&]() -> Result<Term> {
    Result<Place> again = place(*one.target);
    if (!again) return again.error();
    Result<Value> value = read(*again, one.at);
    if (!value) return value.error();
    return extended(value->term, type, 66);
  };
  Result<Term> first = now();
  if (!first) return first.error();
  LocationId before = flush();
  LocationId turn = new_location("for"), next = new_location("next"), leave = new_location("rof");
  edge(turn, {Command::assume(goes_on(*first))});
  at_ = before;
  edge(leave, {Command::assume(t_.make_not(goes_on(*first)))});
  continue_at(turn);
  frame().loops.push_back({leave, next});
  if (Status done = body(one.body); !done) return done;
  frame().loops.pop_back();
  go_to(next);
  continue_at(next);
  line_ = one.at.line;
  Result<Term> position = now();
  if (!position) return position.error();
  Term following = t_.make(Op::BvAdd, {*position, *step});
  keep(following);
  Result<Place> target = place(*one.target);
  if (!target) return target.error();
  Value narrowed{&type, t_.make_extract(following, type.bits - 1, 0)};
  if (Status done = write(*target, narrowed, one.at); !done) return done;
  LocationId after = flush();
  edge(turn, {Command::assume(goes_on(following))});
  at_ = after;
  edge(leave, {Command::assume(t_.make_not(goes_on(following)))});
  continue_at(leave);
  return Ok{};
}

Status Translator::while_statement(const Statement& one) {
  flush();
  LocationId head = new_location("while"), inside = new_location("do"), leave = new_location("od");
  go_to(head);
  continue_at(head);
  Result<Term> condition = boolean(*one.value);
  if (!condition) return condition.error();
  LocationId test = flush();
  edge(inside, {Command::assume(*condition)});
  at_ = test;
  edge(leave, {Command::assume(t_.make_not(*condition))});
  continue_at(inside);
  frame().loops.push_back({leave, head});
  if (Status done = body(one.body); !done) return done;
  frame().loops.pop_back();
  go_to(head);
  continue_at(leave);
  return Ok{};
}

Status Translator::repeat_statement(const Statement& one) {
  flush();
  LocationId head = new_location("repeat"), until = new_location("until"),
             leave = new_location("done");
  go_to(head);
  continue_at(head);
  frame().loops.push_back({leave, until});
  if (Status done = body(one.body); !done) return done;
  frame().loops.pop_back();
  go_to(until);
  continue_at(until);
  line_ = one.at.line;
  Result<Term> condition = boolean(*one.value);
  if (!condition) return condition.error();
  LocationId test = flush();
  edge(leave, {Command::assume(*condition)});
  at_ = test;
  edge(head, {Command::assume(t_.make_not(*condition))});
  continue_at(leave);
  return Ok{};
}

Status Translator::assertion(const Statement& one) {
  Result<Term> holds = boolean(*one.value);
  if (!holds) return holds.error();
  std::string name = one.name.empty() ? "assertion@" + std::to_string(one.at.line) : one.name;
  prove(property(name, StProperty::Kind::Assertion, one.at, one.text), *holds);
  return Ok{};
}

}  // namespace lem::st
