// Expressions as terms over the automaton's variables. Numbers without a type take that of what
// they meet; operands of different types meet in the smallest type that has both.
#include <algorithm>

#include "frontend/st/lexer.h"
#include "frontend/st/translate.h"
#include "frontend/st/walk.h"
#include "term/floats.h"

namespace lem::st {

const Type* Translator::elementary(const char* key) const {
  return program_->named_types.at(key);
}

static bool is_untyped(const Value& value) {
  return value.type == nullptr;
}

// Leaves ------------------------------------------------------------------------------------------

/// `type` is the key of a prefix, or empty.
Result<Value> Translator::enumerator(const Name& name, const Type* hint, const std::string& type) {
  auto [from, to] = program_->enumerators.equal_range(name.key);
  const std::pair<const Type*, mpz_class>* found = nullptr;
  bool ambiguous = false;
  for (auto one = from; one != to; ++one) {
    if (one->second.first == hint) {
      found = &one->second;
      ambiguous = false;
      break;
    }
    if (!type.empty() && lower(one->second.first->name) != type) continue;
    ambiguous = found != nullptr && found->second != one->second.second;
    if (found == nullptr) found = &one->second;
  }
  if (found == nullptr) return Error{name.at, "'" + name.text + "' is not declared"};
  if (ambiguous)
    return Error{
        name.at,
        "'" + name.text + "' is a literal of several enumerations; write it as TYPE#" + name.text};
  return Value{found->first, number(found->second, *found->first)};
}

Result<Value> Translator::eval_name(const Expr& expr, const Type* hint) {
  const Name& name = *expr.name;
  if (std::optional<Place> found = find_place(name)) return read(*found, expr.at);
  auto constant_in = [&](const std::vector<Variable>& list) -> const Variable* {
    for (const Variable& one : list)
      if (one.name.key == name.key && one.constant) return &one;
    return nullptr;
  };
  const PouInfo* scope = frames_.empty() ? nullptr : frame().pou;
  const Variable* constant = scope == nullptr ? nullptr : constant_in(scope->variables);
  if (constant == nullptr && scope != nullptr && scope->owner != nullptr)
    constant = constant_in(scope->owner->variables);
  if (constant == nullptr) constant = constant_in(program_->globals);
  if (constant != nullptr) {
    if (!constant->type->is_scalar())
      return Error{expr.at, "constant arrays and structures are not supported"};
    Result<Term> value = initial_scalar(*constant->type, constant->initial, scope);
    if (!value) return value.error();
    return Value{constant->type, *value};
  }
  if (name.key == "eno" || name.key == "en") return Value{elementary("bool"), t_.boolean(true)};
  return enumerator(name, hint, "");
}

Result<Value> Translator::typed_literal(const Expr& expr, Value value) {
  if (expr.type.empty()) return value;
  std::string key = expr.type;
  // W#16#8000, DW#, B#, L# of SCL.
  if (key == "w") key = "word";
  if (key == "dw") key = "dword";
  if (key == "b") key = "byte";
  if (key == "l") key = "dint";
  auto found = program_->named_types.find(key);
  if (found == program_->named_types.end() || !found->second->is_scalar())
    return Error{expr.at, "there is no type '" + expr.type + "'"};
  Result<Term> term = coerce(value, *found->second, expr.at);
  if (!term) return term.error();
  return Value{found->second, *term};
}

Result<Value> Translator::eval(const Expr& expr, const Type* hint) {
  switch (expr.kind) {
    case Expr::Kind::Integer:
      return typed_literal(expr, {nullptr, {}, expr.number});
    case Expr::Kind::Real:
      return typed_literal(expr, {nullptr, {}, {}, expr.rational});
    case Expr::Kind::Boolean:
      return Value{elementary("bool"), t_.boolean(expr.number != 0)};
    case Expr::Kind::Time: {
      const Type* type = elementary("time");
      mpz_class milliseconds = expr.number / 1'000'000;
      if (milliseconds * 1'000'000 != expr.number)
        return Error{expr.at, "TIME counts milliseconds: this time is between two of them"};
      if (!fits(milliseconds, *type)) return Error{expr.at, "this time is longer than TIME holds"};
      return Value{type, number(milliseconds, *type)};
    }
    case Expr::Kind::String: {
      const Type* type = elementary("string");
      std::optional<mpz_class> number_of = text_number(*type, text_of(expr.text));
      if (!number_of) return Error{expr.at, "the program has no text '" + expr.text + "'"};
      return Value{type, number(*number_of, *type)};
    }
    case Expr::Kind::Name:
      return eval_name(expr, hint);
    case Expr::Kind::Qualified:
      return enumerator(*expr.name, hint, expr.type);
    case Expr::Kind::Member:
      // Type.Literal, as CODESYS writes enumerations
      if (expr.operand->kind == Expr::Kind::Name && !find_place(*expr.operand->name))
        if (auto found = program_->named_types.find(expr.operand->name->key);
            found != program_->named_types.end() && found->second->kind == Type::Kind::Enum)
          return enumerator(*expr.name, found->second, expr.operand->name->key);
      [[fallthrough]];
    case Expr::Kind::Index:
    case Expr::Kind::Bit:
    case Expr::Kind::Slice: {
      Result<Place> where = place(expr);
      if (!where) return where.error();
      return read(*where, expr.at);
    }
    case Expr::Kind::Unary:
      return eval_unary(expr, hint);
    case Expr::Kind::Binary:
      return eval_binary(expr, hint);
    case Expr::Kind::Call:
      return eval_call(expr, hint);
    case Expr::Kind::Aggregate:
    case Expr::Kind::Repeat:
      return Error{expr.at, "lists of values are for initial values"};
  }
  unreachable();
}

// Operators ---------------------------------------------------------------------------------------

Result<Value> Translator::eval_unary(const Expr& expr, const Type* hint) {
  Result<Value> value = eval(*expr.operand, hint);
  if (!value) return value;
  if (expr.unary == UnaryOp::Plus) return value;
  if (expr.unary == UnaryOp::Minus) {
    if (value->integer) return Value{nullptr, {}, mpz_class(-*value->integer)};
    if (value->real) return Value{nullptr, {}, {}, mpq_class(-*value->real)};
    const Type& type = *value->type;
    if (type.kind == Type::Kind::Real) return Value{&type, t_.make(Op::FpNeg, {value->term})};
    if (type.kind != Type::Kind::Signed && type.kind != Type::Kind::Time &&
        type.kind != Type::Kind::Unsigned)
      return Error{expr.at, "'-' needs a number, not " + type.name};
    Term zero = t_.bv(0, type.bits);
    Term result = t_.make(Op::BvNeg, {value->term});
    Expr as_difference = expr;
    as_difference.binary = BinaryOp::Subtract;
    overflow_check(as_difference, type, zero, value->term, result);
    return Value{&type, result};
  }
  if (is_untyped(*value)) {
    if (hint != nullptr && hint->is_integer() && value->integer) {
      Result<Term> term = coerce(*value, *hint, expr.at);
      if (!term) return term.error();
      return Value{hint, t_.make(Op::BvNot, {*term})};
    }
    return Error{expr.at, "NOT needs BOOL or a bit string"};
  }
  if (value->type->kind == Type::Kind::Bool) return Value{value->type, t_.make_not(value->term)};
  if (value->type->kind == Type::Kind::Bits)
    return Value{value->type, t_.make(Op::BvNot, {value->term})};
  return Error{expr.at, "NOT needs BOOL or a bit string, not " + value->type->name +
                            " (NOT binds more tightly than comparisons)"};
}

bool Translator::has_call(const Expr& expr) const {
  if (expr.kind == Expr::Kind::Call) return true;
  if (expr.operand != nullptr && has_call(*expr.operand)) return true;
  if (expr.right != nullptr && has_call(*expr.right)) return true;
  return std::any_of(expr.arguments.begin(), expr.arguments.end(), [&](const Argument& one) {
    return one.value != nullptr && has_call(*one.value);
  });
}

bool Translator::has_own_call(const Expr& expr) const {
  bool found = false;
  walk(&expr, [&](const Expr& one) {
    if (one.kind != Expr::Kind::Call) return;
    const Expr& callee = *one.operand;
    const PouInfo* block = frames_.empty() ? nullptr : frame().pou;
    if (block != nullptr && block->owner != nullptr) block = block->owner;
    found = found || callee.kind != Expr::Kind::Name ||
            program_->find_pou(callee.name->key) != nullptr ||
            (block != nullptr && block->find_method(callee.name->key) != nullptr);
  });
  return found;
}

static bool is_bare_name(const Expr& expr) {
  return expr.kind == Expr::Kind::Name;
}

/// Whether evaluating it can do more than give a value: fail a check, leave a value open, call.
static bool is_plain(const Expr& expr) {
  if (expr.kind == Expr::Kind::Index || expr.kind == Expr::Kind::Call) return false;
  if (expr.kind == Expr::Kind::Unary && expr.unary == UnaryOp::Minus) return false;
  if (expr.kind == Expr::Kind::Binary && expr.binary < BinaryOp::Less) return false;
  return (expr.operand == nullptr || is_plain(*expr.operand)) &&
         (expr.right == nullptr || is_plain(*expr.right));
}

/// AND_THEN and OR_ELSE: the right side is evaluated behind a branch.
Result<Value> Translator::lazily(const Expr& expr) {
  Result<Term> left = boolean(*expr.operand);
  if (!left) return left.error();
  keep_held();  // a call on the right side would do so on one way only
  const Type* truth = elementary("bool");
  Term out = temporary(t_.bool_sort());
  emit(Command::assign(out, *left));
  LocationId from = flush(), inside = new_location("right"), join = new_location("left");
  Term decides = expr.binary == BinaryOp::And ? out : t_.make_not(out);
  edge(inside, {Command::assume(decides)});
  at_ = from;
  edge(join, {Command::assume(t_.make_not(decides))});
  bool dead = dead_;
  continue_at(inside);
  dead_ = dead;
  Result<Term> right = boolean(*expr.right);
  if (!right) return right.error();
  emit(Command::assign(out, *right));
  edge(join, {});
  continue_at(join);
  dead_ = dead;
  return Value{truth, out};
}

Result<Value> Translator::eval_binary(const Expr& expr, const Type* hint) {
  if (expr.lazy && !frames_.empty() && frame().runs && !is_plain(*expr.right)) return lazily(expr);
  bool compares = expr.binary >= BinaryOp::Less && expr.binary <= BinaryOp::NotEqual;
  const Type* left_hint = compares ? nullptr : hint;
  // A bare literal of an enumeration takes its type from the other side, which is evaluated first:
  // a literal depends on nothing.
  bool literal = compares && is_bare_name(*expr.operand) && !find_place(*expr.operand->name) &&
                 program_->enumerators.contains(expr.operand->name->key);
  Result<Value> left = literal ? Value{} : eval(*expr.operand, left_hint);
  if (!left) return left;
  Held held(held_);
  held.add(left->term);
  Result<Value> right = eval(*expr.right, compares ? left->type : hint);
  if (!right) return right;
  if (literal) left = eval(*expr.operand, right->type);
  if (!left) return left;
  switch (expr.binary) {
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
    case BinaryOp::Implies:
      return logic(expr, *std::move(left), *std::move(right));
    case BinaryOp::Less:
    case BinaryOp::LessEqual:
    case BinaryOp::Greater:
    case BinaryOp::GreaterEqual:
    case BinaryOp::Equal:
    case BinaryOp::NotEqual:
      return comparison(expr, *std::move(left), *std::move(right));
    case BinaryOp::Power:
      return power(expr, *left, *right);
    case BinaryOp::Times:
    case BinaryOp::Divide:
    case BinaryOp::Modulo:
    case BinaryOp::Add:
    case BinaryOp::Subtract:
      return arithmetic(expr, *std::move(left), *std::move(right));
  }
  unreachable();
}

Result<Value> Translator::logic(const Expr& expr, Value left, Value right) {
  Result<const Type*> type = unify(left, right, expr.at);
  if (!type) return type.error();
  if (*type != nullptr && (*type)->kind == Type::Kind::Bool) {
    Term a = left.term, b = right.term;
    Term out = expr.binary == BinaryOp::And   ? t_.make_and(a, b)
               : expr.binary == BinaryOp::Or  ? t_.make_or(a, b)
               : expr.binary == BinaryOp::Xor ? t_.make_xor(a, b)
                                              : t_.make_implies(a, b);
    return Value{*type, out};
  }
  if (*type == nullptr || !(*type)->is_integer() || expr.binary == BinaryOp::Implies)
    return Error{expr.at, "this operator needs BOOL or bit strings" +
                              (*type == nullptr ? "" : ", not " + (*type)->name)};
  if ((*type)->kind != Type::Kind::Bits)
    warn(expr.at, "an operator of bit strings is used on " + (*type)->name);
  Op op = expr.binary == BinaryOp::And  ? Op::BvAnd
          : expr.binary == BinaryOp::Or ? Op::BvOr
                                        : Op::BvXor;
  return Value{*type, t_.make(op, {left.term, right.term})};
}

Result<Value> Translator::comparison(const Expr& expr, Value left, Value right) {
  const Type* truth = elementary("bool");
  Result<const Type*> type = unify(left, right, expr.at);
  if (!type) return type.error();
  if (*type == nullptr) {
    mpq_class a = left.real ? *left.real : mpq_class(*left.integer);
    mpq_class b = right.real ? *right.real : mpq_class(*right.integer);
    int order = cmp(a, b);
    bool holds = expr.binary == BinaryOp::Less           ? order < 0
                 : expr.binary == BinaryOp::LessEqual    ? order <= 0
                 : expr.binary == BinaryOp::Greater      ? order > 0
                 : expr.binary == BinaryOp::GreaterEqual ? order >= 0
                 : expr.binary == BinaryOp::Equal        ? order == 0
                                                         : order != 0;
    return Value{truth, t_.boolean(holds)};
  }
  if ((*type)->text && expr.binary != BinaryOp::Equal && expr.binary != BinaryOp::NotEqual)
    return Error{expr.at, "texts are compared by '=' and '<>' only"};
  Term a = left.term, b = right.term;
  bool swaps = expr.binary == BinaryOp::Greater || expr.binary == BinaryOp::GreaterEqual;
  if (swaps) std::swap(a, b);
  bool real = (*type)->kind == Type::Kind::Real;
  bool boolean_type = (*type)->kind == Type::Kind::Bool;
  switch (expr.binary) {
    case BinaryOp::Equal:
    case BinaryOp::NotEqual: {
      Term same = real ? t_.make(Op::FpEq, {a, b}) : t_.make_eq(a, b);
      return Value{truth, expr.binary == BinaryOp::Equal ? same : t_.make_not(same)};
    }
    case BinaryOp::Less:
    case BinaryOp::Greater:
      if (boolean_type) return Value{truth, t_.make_and(t_.make_not(a), b)};
      if (real) return Value{truth, t_.make(Op::FpLt, {a, b})};
      return Value{truth, t_.make((*type)->is_signed() ? Op::BvSlt : Op::BvUlt, {a, b})};
    default:
      if (boolean_type) return Value{truth, t_.make_implies(a, b)};
      if (real) return Value{truth, t_.make(Op::FpLe, {a, b})};
      return Value{truth, (*type)->is_signed() ? t_.make_bv_sle(a, b) : t_.make_bv_ule(a, b)};
  }
}

Result<Value> Translator::untyped_arithmetic(const Expr& expr, const Value& left,
                                             const Value& right) {
  if (left.integer && right.integer) {
    const mpz_class &a = *left.integer, &b = *right.integer;
    bool divides = expr.binary == BinaryOp::Divide || expr.binary == BinaryOp::Modulo;
    if (divides && b == 0) return Error{expr.at, "division by zero"};
    mpz_class out = expr.binary == BinaryOp::Add        ? mpz_class(a + b)
                    : expr.binary == BinaryOp::Subtract ? mpz_class(a - b)
                    : expr.binary == BinaryOp::Times    ? mpz_class(a * b)
                    : expr.binary == BinaryOp::Divide   ? mpz_class(a / b)
                                                        : mpz_class(a % b);
    if (mpz_sizeinbase(out.get_mpz_t(), 2) > 4096)
      return Error{expr.at, "this number is too large"};
    return Value{nullptr, {}, out};
  }
  mpq_class a = left.real ? *left.real : mpq_class(*left.integer);
  mpq_class b = right.real ? *right.real : mpq_class(*right.integer);
  if (expr.binary == BinaryOp::Modulo) return Error{expr.at, "MOD needs integers"};
  if (expr.binary == BinaryOp::Divide && b == 0) return Error{expr.at, "division by zero"};
  mpq_class out = expr.binary == BinaryOp::Add        ? mpq_class(a + b)
                  : expr.binary == BinaryOp::Subtract ? mpq_class(a - b)
                  : expr.binary == BinaryOp::Times    ? mpq_class(a * b)
                                                      : mpq_class(a / b);
  return Value{nullptr, {}, {}, out};
}

Result<Value> Translator::arithmetic(const Expr& expr, Value left, Value right) {
  for (const Value* one : {&left, &right})
    if (one->type != nullptr && one->type->text)
      return Error{expr.at, "texts can only be assigned and compared"};
  if (is_untyped(left) && is_untyped(right)) return untyped_arithmetic(expr, left, right);
  auto is_time = [](const Value& value) {
    return value.type != nullptr && value.type->kind == Type::Kind::Time;
  };
  bool scales =
      expr.binary == BinaryOp::Times || (expr.binary == BinaryOp::Divide && !is_time(right));
  if (scales && is_time(left) != is_time(right))
    return is_time(left) ? scaled_time(expr, left, right) : scaled_time(expr, right, left);
  for (Value* one : {&left, &right})  // TRUE counts as 1
    if (one->type != nullptr && one->type->kind == Type::Kind::Bool) {
      warn(expr.at, "arithmetic on BOOL; TRUE counts as 1");
      *one = Value{elementary("int"), extended(one->term, *one->type, 16)};
    }
  Result<const Type*> type = unify(left, right, expr.at);
  if (!type) return type.error();
  if ((*type)->kind == Type::Kind::Real)
    return real_arithmetic(expr, **type, left.term, right.term);
  bool number_type = (*type)->is_integer() || (*type)->kind == Type::Kind::Time;
  if (!number_type) return Error{expr.at, "arithmetic on " + (*type)->name};
  return integer_arithmetic(expr, **type, left.term, right.term);
}

/// TIME times or by an integer of any type, which may be larger than TIME.
Result<Value> Translator::scaled_time(const Expr& expr, const Value& time, const Value& factor) {
  const Type& type = *time.type;
  if (factor.real || (factor.type != nullptr && !factor.type->is_integer()))
    return Error{expr.at, "TIME is multiplied and divided by integers only"};
  bool small = factor.integer ? fits(*factor.integer, type)
                              : factor.type->bits < type.bits ||
                                    (factor.type->bits == type.bits && factor.type->is_signed());
  if (small) {
    Term by = factor.integer ? number(*factor.integer, type)
                             : extended(factor.term, *factor.type, type.bits);
    return integer_arithmetic(expr, type, time.term, by);
  }
  constexpr std::uint32_t kFactor = 66, kProduct = 132;
  if (factor.integer && !fits(*factor.integer, *elementary("lint")))
    return Error{expr.at, factor.integer->get_str() + " is no value of LINT"};
  Term by = factor.integer ? t_.bv(*factor.integer, kFactor)
                           : extended(factor.term, *factor.type, kFactor);
  if (expr.binary == BinaryOp::Times) {
    Term out = t_.make(Op::BvMul, {time.term, t_.make_extract(by, type.bits - 1, 0)});
    Term exact = t_.make(Op::BvMul, {extended(time.term, type, kProduct),
                                     t_.make(Op::BvSignExtend, {by}, kProduct - kFactor)});
    check_that(StProperty::Kind::Overflow, expr.at, "no overflow of " + type.name,
               t_.make_eq(exact, extended(out, type, kProduct)));
    return Value{&type, out};
  }
  Term nonzero = t_.make_not(t_.make_eq(by, t_.bv(0, kFactor)));
  check_that(StProperty::Kind::Division, expr.at, "the divisor is not zero", nonzero);
  Term exact = t_.make(Op::BvSdiv, {extended(time.term, type, kFactor), by});
  Term out = t_.make_extract(exact, type.bits - 1, 0);
  if (!t_.is_true(nonzero)) {
    check_that(StProperty::Kind::Overflow, expr.at, "no overflow of " + type.name,
               t_.make_or(t_.make_not(nonzero), t_.make_eq(exact, extended(out, type, kFactor))));
    out = t_.make_ite(nonzero, out, any_value(sort_of(type), expr.at));
  }
  return Value{&type, out};
}

Result<Value> Translator::real_arithmetic(const Expr& expr, const Type& type, Term a, Term b) {
  auto nearest = static_cast<std::uint32_t>(Rounding::NearestEven);
  switch (expr.binary) {
    case BinaryOp::Add:
      return Value{&type, t_.make(Op::FpAdd, {a, b}, nearest)};
    case BinaryOp::Subtract:
      return Value{&type, make_fp_sub(t_, a, b, Rounding::NearestEven)};
    case BinaryOp::Times:
      return Value{&type, t_.make(Op::FpMul, {a, b}, nearest)};
    case BinaryOp::Divide:
      check_that(StProperty::Kind::Division, expr.at, "the divisor is not zero",
                 t_.make_not(make_fp_is_zero(t_, b)));
      return Value{&type, t_.make(Op::FpDiv, {a, b}, nearest)};
    default:
      return Error{expr.at, "MOD needs integers"};
  }
}

/// The same computed in more bits than the type has must be the same number.
void Translator::overflow_check(const Expr& expr, const Type& type, Term a, Term b, Term result) {
  if (!options_.checks.overflow || type.kind == Type::Kind::Bits) return;
  std::uint32_t wide = 2 * type.bits + 1;
  Term x = extended(a, type, wide), y = extended(b, type, wide);
  Term exact = expr.binary == BinaryOp::Add        ? t_.make(Op::BvAdd, {x, y})
               : expr.binary == BinaryOp::Subtract ? t_.make_bv_sub(x, y)
               : expr.binary == BinaryOp::Times    ? t_.make(Op::BvMul, {x, y})
                                                   : t_.make(Op::BvSdiv, {x, y});
  check_that(StProperty::Kind::Overflow, expr.at, "no overflow of " + type.name,
             t_.make_eq(exact, extended(result, type, wide)));
}

/// Results wrap around. Divided by zero gives any value: vendors differ, and none is relied on.
Result<Value> Translator::integer_arithmetic(const Expr& expr, const Type& type, Term a, Term b) {
  bool sign = type.is_signed();
  switch (expr.binary) {
    case BinaryOp::Add:
    case BinaryOp::Subtract:
    case BinaryOp::Times: {
      Term out = expr.binary == BinaryOp::Add        ? t_.make(Op::BvAdd, {a, b})
                 : expr.binary == BinaryOp::Subtract ? t_.make_bv_sub(a, b)
                                                     : t_.make(Op::BvMul, {a, b});
      overflow_check(expr, type, a, b, out);
      return Value{&type, out};
    }
    default:
      break;
  }
  bool quotient = expr.binary == BinaryOp::Divide;
  Term nonzero = t_.make_not(t_.make_eq(b, t_.bv(0, type.bits)));
  check_that(StProperty::Kind::Division, expr.at, "the divisor is not zero", nonzero);
  Op op = quotient ? (sign ? Op::BvSdiv : Op::BvUdiv) : (sign ? Op::BvSrem : Op::BvUrem);
  Term out = t_.make(op, {a, b});
  if (quotient && sign && options_.checks.overflow)
    check_that(
        StProperty::Kind::Overflow, expr.at, "no overflow of " + type.name,
        t_.make_not(t_.make_and(t_.make_eq(a, t_.bv(mpz_class(1) << (type.bits - 1), type.bits)),
                                t_.make_eq(b, t_.bv(-1, type.bits)))));
  if (!t_.is_true(nonzero)) out = t_.make_ite(nonzero, out, any_value(sort_of(type), expr.at));
  return Value{&type, out};
}

/// By a small constant: a product. Other powers are refused.
Result<Value> Translator::power(const Expr& expr, const Value& base, const Value& exponent) {
  if (!exponent.integer || *exponent.integer < 0 || *exponent.integer > 16)
    return Error{expr.at, "'**' is supported for exponents from 0 to 16"};
  if (base.integer || base.real) {
    mpq_class out = 1, factor = base.real ? *base.real : mpq_class(*base.integer);
    for (mpz_class i = 0; i < *exponent.integer; ++i) out *= factor;
    if (base.integer) return Value{nullptr, {}, out.get_num()};
    return Value{nullptr, {}, {}, out};
  }
  if (!base.type->is_integer() && base.type->kind != Type::Kind::Real)
    return Error{expr.at, "'**' needs a number"};
  Expr product = expr;
  product.binary = BinaryOp::Times;
  Value out{base.type, number(1, *base.type)};
  for (mpz_class i = 0; i < *exponent.integer; ++i) {
    Result<Value> next = arithmetic(product, out, base);
    if (!next) return next;
    out = *std::move(next);
  }
  return out;
}

Result<Term> Translator::boolean(const Expr& expr) {
  Result<Value> value = eval(expr, elementary("bool"));
  if (!value) return value.error();
  return coerce(*value, *elementary("bool"), expr.at);
}

}  // namespace lem::st
