#include "frontend/st/translate/standard_functions.h"

#include <algorithm>
#include <array>

#include "base/try.h"
#include "frontend/st/standard_blocks.h"
#include "frontend/st/translate/calls.h"
#include "model/st/standard.h"

namespace lem::st {

static constexpr std::string_view kNondetPrefix = "nondeterministic_";

static Result<std::optional<Value>> some(Result<Value> value) {
  if (!value) return value.error();
  return std::optional<Value>(*std::move(value));
}

Result<std::vector<Value>> StandardFunctions::arguments(const Expr& call, std::size_t least,
                                                        std::size_t most, const Type* hint) {
  if (call.arguments.size() < least || call.arguments.size() > most)
    return Error{call.at, "wrong number of arguments for '" + call.operand->name->text + "'"};
  std::vector<Value> out;
  out.reserve(call.arguments.size());  // held terms stay where they are
  Held held(cfa_);
  for (const Argument& argument : call.arguments) {
    if (argument.kind == Argument::Kind::Output || argument.value == nullptr)
      return Error{call.at, "'" + call.operand->name->text + "' has inputs only"};
    LEM_LET(out.emplace_back(), expressions_.eval(*argument.value, hint));
    held.add(out.back().term);
  }
  return out;
}

/// All of one type, from `first` on.
Status StandardFunctions::make_same_type(std::vector<Value>& values, std::size_t first,
                                         const SourcePos& at) {
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = first + 1; i < values.size(); ++i)
      LEM_TRY(types_.unify(values[first], values[i], at));
  return Ok{};
}

Result<Value> StandardFunctions::least_or_most(const Expr& call, const std::string& key,
                                               const Type* hint) {
  bool limits = key == "limit";
  LEM_LET(std::vector<Value> values, arguments(call, limits ? 3 : 2, limits ? 3 : 64, hint));
  LEM_TRY(make_same_type(values, 0, call.at));
  Expr order{Expr::Kind::Binary, call.at};
  order.binary = BinaryOp::Less;
  auto smaller = [&](const Value& a, const Value& b, bool least) -> Result<Value> {
    LEM_LET(Value less, operators_.comparison(order, a, b));
    if (a.type == nullptr) return t_.is_true(less.term) == least ? a : b;
    return Value{a.type, least ? t_.make_ite(less.term, a.term, b.term)
                               : t_.make_ite(less.term, b.term, a.term)};
  };
  if (limits) {  // LIMIT(MN, IN, MX) = MIN(MAX(IN, MN), MX)
    LEM_LET(Value low, smaller(values[1], values[0], false));
    return smaller(low, values[2], true);
  }
  Value out = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) {
    LEM_LET(out, smaller(out, values[i], key == "min"));
  }
  return out;
}

/// NORM_X(MIN, VALUE, MAX) = (VALUE - MIN) / (MAX - MIN) and its inverse, SCALE_X, of SCL: computed
/// in LREAL where an argument or the result is one, in REAL otherwise.
Result<Value> StandardFunctions::scaled(const Expr& call, const std::string& key,
                                        const Type* hint) {
  LEM_LET(std::vector<Value> values, arguments(call, 3, 3, nullptr));
  bool wide = hint != nullptr && hint->kind == Type::Kind::Real && hint->bits == 64;
  for (const Value& one : values)
    wide =
        wide || (one.type != nullptr && one.type->kind == Type::Kind::Real && one.type->bits == 64);
  const Type& type = *context_.elementary(wide ? "lreal" : "real");
  const Type* bound = values[0].type;
  for (Value& one : values) {
    LEM_LET(Term term, types_.convert(one, type, call.at, Rounding::NearestEven));
    one = Value{&type, term};
  }
  const Value &low = values[0], &value = values[1], &high = values[2];
  auto with = [&](BinaryOp op, const Value& a, const Value& b) {
    Expr expr{Expr::Kind::Binary, call.at};
    expr.binary = op;
    return operators_.arithmetic(expr, a, b);
  };
  LEM_LET(Value span, with(BinaryOp::Subtract, high, low));
  if (key == "norm_x") {
    LEM_LET(Value above, with(BinaryOp::Subtract, value, low));
    return with(BinaryOp::Divide, above, span);
  }
  LEM_LET(Value product, with(BinaryOp::Times, value, span));
  LEM_LET(Value out, with(BinaryOp::Add, product, low));
  const Type* whole = hint != nullptr && hint->is_integer()                        ? hint
                      : hint == nullptr && bound != nullptr && bound->is_integer() ? bound
                                                                                   : nullptr;
  if (whole == nullptr) return out;
  LEM_LET(Term rounded, types_.convert(out, *whole, call.at, Rounding::NearestEven));
  return Value{whole, rounded};
}

/// SEL(G, IN0, IN1) and MUX(K, IN0, IN1, ...).
Result<Value> StandardFunctions::select(const Expr& call, const std::string& key, const Type*) {
  LEM_LET(std::vector<Value> values, arguments(call, 3, key == "sel" ? 3 : 64, nullptr));
  LEM_TRY(make_same_type(values, 1, call.at));
  bool fraction = std::any_of(values.begin() + 1, values.end(),
                              [](const Value& one) { return one.real.has_value(); });
  if (values[1].type == nullptr)
    for (std::size_t i = 1; i < values.size(); ++i)
      LEM_TRY(types_.make(values[i], *context_.elementary(fraction ? "real" : "dint"), call.at));
  Value& selector = values[0];
  if (key == "sel") {
    LEM_LET(Term which, types_.coerce(selector, *context_.elementary("bool"), call.at));
    return Value{values[1].type, t_.make_ite(which, values[2].term, values[1].term)};
  }
  if (!selector.integer && (selector.type == nullptr || !selector.type->is_integer()))
    return Error{call.at, "the first argument of MUX is an integer"};
  Term which = types_.widened(selector, 64);
  Term out = cfa_.any_value(types_.sort_of(*values[1].type), call.at);  // no such input
  for (std::size_t i = values.size(); i-- > 1;)
    out = t_.make_ite(t_.make_eq(which, t_.bv(mpz_class(std::to_string(i - 1)), 64)),
                      values[i].term, out);
  return Value{values[1].type, out};
}

/// Shifted out bits are gone; by the width or more, nothing is left.
Result<Value> StandardFunctions::shift(const Expr& call, const std::string& key, const Type* hint) {
  LEM_LET(std::vector<Value> values, arguments(call, 2, 2, nullptr));
  Value &word = values[0], &by = values[1];
  if (word.integer) {
    const Type* type = hint != nullptr && hint->is_integer() ? hint : context_.elementary("dword");
    LEM_TRY(types_.make(word, *type, call.at));
  }
  if (word.type == nullptr || !word.type->is_integer())
    return Error{call.at, "'" + call.operand->name->text + "' needs a bit string"};
  if (!by.integer && (by.type == nullptr || !by.type->is_integer()))
    return Error{call.at, "the number of bits is an integer"};
  std::uint32_t bits = word.type->bits;
  Term wide = types_.widened(by, 64);
  if (key == "shl" || key == "shr") {
    Term beyond = t_.make_not(t_.make(Op::BvUlt, {wide, t_.bv(bits, 64)}));
    Term amount = bits < 64 ? t_.make_extract(wide, bits - 1, 0) : wide;
    Term out = t_.make(key == "shl" ? Op::BvShl : Op::BvLshr, {word.term, amount});
    return Value{word.type, t_.make_ite(beyond, t_.bv(0, bits), out)};
  }
  // Rotation: a left and a right shift by the rest.
  Term count = t_.make(Op::BvUrem, {wide, t_.bv(bits, 64)});
  Term amount = bits < 64 ? t_.make_extract(count, bits - 1, 0) : count;
  Term rest = t_.make_bv_sub(t_.bv(bits, bits), amount);
  bool left = key == "rol";
  Term out = t_.make(Op::BvOr, {t_.make(left ? Op::BvShl : Op::BvLshr, {word.term, amount}),
                                t_.make(left ? Op::BvLshr : Op::BvShl, {word.term, rest})});
  return Value{word.type, t_.make_ite(t_.make_eq(amount, t_.bv(0, bits)), word.term, out)};
}

/// X_TO_Y, TO_Y, TRUNC_Y.
Result<Value> StandardFunctions::conversion(const Expr& call, const std::string& from,
                                            const std::string& to) {
  const Type* target = context_.scalar_type(to);
  if (target == nullptr) return Error{call.at, "conversions to " + to + " are not supported"};
  const Type* source = context_.scalar_type(from);
  if (source == nullptr && !from.empty())
    return Error{call.at, "conversions from " + from + " are not supported"};
  LEM_LET(std::vector<Value> values, arguments(call, 1, 1, source));
  if (source != nullptr) LEM_TRY(types_.make(values[0], *source, call.at));
  LEM_LET(Term term, types_.convert(values[0], *target, call.at, Rounding::NearestEven));
  return Value{target, term};
}

Result<Value> StandardFunctions::absolute(const Value& value, const SourcePos& at) {
  const Type& type = *value.type;
  if (type.kind == Type::Kind::Real) return Value{&type, t_.make(Op::FpAbs, {value.term})};
  if (!type.is_integer()) return Error{at, "ABS needs a number"};
  if (!type.is_signed()) return value;
  properties_.no_overflow(
      type, at,
      t_.make_not(t_.make_eq(value.term, t_.bv(mpz_class(1) << (type.bits - 1), type.bits))));
  Term negative = t_.make(Op::BvSlt, {value.term, t_.bv(0, type.bits)});
  return Value{&type, t_.make_ite(negative, t_.make(Op::BvNeg, {value.term}), value.term)};
}

/// ABS, MOVE, SQRT, TRUNC, ROUND.
Result<Value> StandardFunctions::one_argument(const Expr& call, const std::string& key,
                                              const Type* hint) {
  LEM_LET(std::vector<Value> values, arguments(call, 1, 1, hint));
  Value value = values[0];
  if (key == "move") return value;
  if (value.type == nullptr) {
    const char* type = value.real || key != "abs" ? "real" : "dint";
    LEM_TRY(types_.make(value, *context_.elementary(type), call.at));
  }
  if (key == "abs") return absolute(value, call.at);
  if (value.type->kind != Type::Kind::Real)
    return Error{call.at, "'" + call.operand->name->text + "' needs a REAL"};
  if (key == "sqrt")
    return Value{value.type, t_.make(Op::FpSqrt, {value.term},
                                     static_cast<std::uint32_t>(Rounding::NearestEven))};
  const Type* to = hint != nullptr && hint->is_integer() ? hint : context_.elementary("dint");
  Rounding rounding = key == "trunc" ? Rounding::Zero : Rounding::NearestEven;
  LEM_LET(Term term, types_.convert(value, *to, call.at, rounding));
  return Value{to, term};
}

/// prev, rose, fell: against the end of the cycle before.
Result<Value> StandardFunctions::edge(const Expr& call, const std::string& key, const Type*) {
  LEM_LET(Term before, previous_.previous(call));
  LEM_LET(Value now, expressions_.eval(*call.arguments[0].value, nullptr));
  if (key == "prev") return Value{now.type, before};
  if (now.type->kind != Type::Kind::Bool) return Error{call.at, key + " needs a BOOL"};
  return Value{now.type, key == "rose" ? t_.make_and(now.term, t_.make_not(before))
                                       : t_.make_and(t_.make_not(now.term), before)};
}

/// ADD, SUB and the others that are operators written as functions.
Result<Value> StandardFunctions::operator_function(const Expr& call, BinaryOp op,
                                                   const Type* hint) {
  bool plain = call.arguments.size() == 2 &&
               std::all_of(call.arguments.begin(), call.arguments.end(), [](const Argument& a) {
                 return a.kind != Argument::Kind::Output && a.value != nullptr;
               });
  if (!plain) return Error{call.at, "'" + call.operand->name->text + "' takes two arguments"};
  Expr binary{Expr::Kind::Binary, call.at};
  binary.binary = op;
  binary.operand = call.arguments[0].value;
  binary.right = call.arguments[1].value;
  return expressions_.eval(binary, hint);
}

/// Named inputs are put into the order of the function's own: a call that changes what another
/// input reads would come too early or too late.
Status StandardFunctions::keeps_order(const Expr& written, const Expr& sorted) const {
  bool calls =
      std::any_of(written.arguments.begin(), written.arguments.end(), [&](const Argument& one) {
        return one.value != nullptr && has_own_call(context_, *one.value);
      });
  if (!calls) return Ok{};
  for (std::size_t i = 0; i < written.arguments.size(); ++i)
    if (written.arguments[i].name && written.arguments[i].value != sorted.arguments[i].value)
      return Error{written.at, "inputs of '" + written.operand->name->text +
                                   "' in another order than its own, with a call among them, are "
                                   "not supported"};
  return Ok{};
}

Result<std::optional<Value>> StandardFunctions::call(const Expr& given, const Type* hint) {
  using S = StandardFunctions;
  static constexpr std::array<Row, 19> kFunctions = {{{"min", &S::least_or_most},
                                                      {"max", &S::least_or_most},
                                                      {"limit", &S::least_or_most},
                                                      {"shl", &S::shift},
                                                      {"shr", &S::shift},
                                                      {"rol", &S::shift},
                                                      {"ror", &S::shift},
                                                      {"sel", &S::select},
                                                      {"mux", &S::select},
                                                      {"prev", &S::edge},
                                                      {"rose", &S::edge},
                                                      {"fell", &S::edge},
                                                      {"norm_x", &S::scaled},
                                                      {"scale_x", &S::scaled},
                                                      {"abs", &S::one_argument},
                                                      {"move", &S::one_argument},
                                                      {"sqrt", &S::one_argument},
                                                      {"trunc", &S::one_argument},
                                                      {"round", &S::one_argument}}};
  static constexpr std::array<std::pair<const char*, BinaryOp>, 13> kOperators = {
      {{"add", BinaryOp::Add},
       {"sub", BinaryOp::Subtract},
       {"mul", BinaryOp::Times},
       {"div", BinaryOp::Divide},
       {"eq", BinaryOp::Equal},
       {"ne", BinaryOp::NotEqual},
       {"gt", BinaryOp::Greater},
       {"ge", BinaryOp::GreaterEqual},
       {"lt", BinaryOp::Less},
       {"le", BinaryOp::LessEqual},
       {"expt", BinaryOp::Power},
       {"add_time", BinaryOp::Add},
       {"sub_time", BinaryOp::Subtract}}};
  LEM_LET(Expr call, standard_call(given));
  LEM_TRY(keeps_order(given, call));
  const std::string& key = call.operand->name->key;
  for (const Row& row : kFunctions)
    if (key == row.key) return some((this->*row.function)(call, key, hint));
  for (const auto& [name, op] : kOperators)
    if (key == name) return some(operator_function(call, op, hint));
  if (key.starts_with(kNondetPrefix)) {
    const Type* type = context_.scalar_type(key.substr(kNondetPrefix.size()));
    if (type == nullptr || !call.arguments.empty()) return std::optional<Value>();
    return std::optional(Value{type, cfa_.any_value(types_.sort_of(*type), call.at)});
  }
  if (is_clock(key) && context_.clock && call.arguments.empty())
    return std::optional(
        Value{context_.elementary(key == "t_plc_ms" ? "dword" : "time"), context_.clock});
  if (std::size_t at = key.find("_to_"); at != key.npos && at > 0)
    return some(conversion(call, key.substr(0, at), key.substr(at + 4)));
  if (key.starts_with("to_")) return some(conversion(call, "", key.substr(3)));
  if (key.starts_with("trunc_")) return some(conversion(call, "", key.substr(6)));
  return std::optional<Value>();
}

}  // namespace lem::st
