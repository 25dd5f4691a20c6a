// The standard functions. A function of the same name in the user's file is taken instead.
#include <algorithm>

#include "frontend/st/builtins.h"
#include "frontend/st/translate.h"
#include "model/st/standard.h"
#include "term/floats.h"

namespace lem::st {

static constexpr const char* kNondetPrefix = "nondeterministic_";

Result<std::vector<Value>> Translator::plain_arguments(const Expr& call, std::size_t least,
                                                       std::size_t most, const Type* hint) {
  if (call.arguments.size() < least || call.arguments.size() > most)
    return Error{call.at, "wrong number of arguments for '" + call.operand->name->text + "'"};
  std::vector<Value> out;
  out.reserve(call.arguments.size());  // held terms stay where they are
  Held held(held_);
  for (const Argument& argument : call.arguments) {
    if (argument.kind == Argument::Kind::Output || argument.value == nullptr)
      return Error{call.at, "'" + call.operand->name->text + "' has inputs only"};
    Result<Value> value = eval(*argument.value, hint);
    if (!value) return value.error();
    out.push_back(*std::move(value));
    held.add(out.back().term);
  }
  return out;
}

/// All of one type, from `first` on.
static Status same_type(std::vector<Value>& values, std::size_t first, auto&& unify) {
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = first + 1; i < values.size(); ++i)
      if (Result<const Type*> type = unify(values[first], values[i]); !type) return type.error();
  return Ok{};
}

Result<Value> Translator::least_or_most(const Expr& call, const std::string& key,
                                        const Type* hint) {
  bool limits = key == "limit";
  Result<std::vector<Value>> values = plain_arguments(call, limits ? 3 : 2, limits ? 3 : 64, hint);
  if (!values) return values.error();
  auto with = [&](Value& a, Value& b) { return unify(a, b, call.at); };
  if (Status same = same_type(*values, 0, with); !same) return same.error();
  Expr order{Expr::Kind::Binary, call.at};
  order.binary = BinaryOp::Less;
  auto smaller = [&](const Value& a, const Value& b, bool least) -> Result<Value> {
    Result<Value> less = comparison(order, a, b);
    if (!less) return less;
    if (a.type == nullptr) return t_.is_true(less->term) == least ? a : b;
    return Value{a.type, least ? t_.make_ite(less->term, a.term, b.term)
                               : t_.make_ite(less->term, b.term, a.term)};
  };
  if (limits) {  // LIMIT(MN, IN, MX) = MIN(MAX(IN, MN), MX)
    Result<Value> low = smaller((*values)[1], (*values)[0], false);
    if (!low) return low;
    return smaller(*low, (*values)[2], true);
  }
  Value out = (*values)[0];
  for (std::size_t i = 1; i < values->size(); ++i) {
    Result<Value> next = smaller(out, (*values)[i], key == "min");
    if (!next) return next;
    out = *std::move(next);
  }
  return out;
}

/// NORM_X(MIN, VALUE, MAX) = (VALUE - MIN) / (MAX - MIN) and its inverse, SCALE_X, of SCL: computed
/// in LREAL where an argument or the result is one, in REAL otherwise.
Result<Value> Translator::scaled(const Expr& call, const std::string& key, const Type* hint) {
  Result<std::vector<Value>> values = plain_arguments(call, 3, 3, nullptr);
  if (!values) return values.error();
  bool wide = hint != nullptr && hint->kind == Type::Kind::Real && hint->bits == 64;
  for (const Value& one : *values)
    wide =
        wide || (one.type != nullptr && one.type->kind == Type::Kind::Real && one.type->bits == 64);
  const Type& type = *elementary(wide ? "lreal" : "real");
  const Type* bound = (*values)[0].type;
  for (Value& one : *values) {
    Result<Term> term = convert(one, type, call.at, Rounding::NearestEven);
    if (!term) return term.error();
    one = Value{&type, *term};
  }
  const Value &low = (*values)[0], &value = (*values)[1], &high = (*values)[2];
  auto with = [&](BinaryOp op, const Value& a, const Value& b) {
    Expr expr{Expr::Kind::Binary, call.at};
    expr.binary = op;
    return arithmetic(expr, a, b);
  };
  Result<Value> span = with(BinaryOp::Subtract, high, low);
  if (!span) return span;
  if (key == "norm_x") {
    Result<Value> above = with(BinaryOp::Subtract, value, low);
    return above ? with(BinaryOp::Divide, *above, *span) : above;
  }
  Result<Value> product = with(BinaryOp::Times, value, *span);
  if (!product) return product;
  Result<Value> out = with(BinaryOp::Add, *product, low);
  const Type* whole = hint != nullptr && hint->is_integer()                        ? hint
                      : hint == nullptr && bound != nullptr && bound->is_integer() ? bound
                                                                                   : nullptr;
  if (!out || whole == nullptr) return out;
  Result<Term> rounded = convert(*out, *whole, call.at, Rounding::NearestEven);
  if (!rounded) return rounded.error();
  return Value{whole, *rounded};
}

/// SEL(G, IN0, IN1) and MUX(K, IN0, IN1, ...).
Result<Value> Translator::select_among(const Expr& call, std::vector<Value> values,
                                       std::size_t first) {
  auto with = [&](Value& a, Value& b) { return unify(a, b, call.at); };
  if (Status same = same_type(values, first, with); !same) return same.error();
  bool fraction = std::any_of(values.begin() + static_cast<std::ptrdiff_t>(first), values.end(),
                              [](const Value& one) { return one.real.has_value(); });
  if (values[first].type == nullptr)
    for (std::size_t i = first; i < values.size(); ++i) {
      const Type* type = elementary(fraction ? "real" : "dint");
      Result<Term> term = coerce(values[i], *type, call.at);
      if (!term) return term.error();
      values[i] = Value{type, *term};
    }
  Value& selector = values[0];
  if (call.operand->name->key == "sel") {
    Result<Term> which = coerce(selector, *elementary("bool"), call.at);
    if (!which) return which.error();
    return Value{values[1].type, t_.make_ite(*which, values[2].term, values[1].term)};
  }
  if (!selector.integer && (selector.type == nullptr || !selector.type->is_integer()))
    return Error{call.at, "the first argument of MUX is an integer"};
  Term which =
      selector.integer ? t_.bv(*selector.integer, 64) : extended(selector.term, *selector.type, 64);
  Term out = any_value(sort_of(*values[1].type), call.at);  // no such input
  for (std::size_t i = values.size(); i-- > 1;)
    out = t_.make_ite(t_.make_eq(which, t_.bv(mpz_class(std::to_string(i - 1)), 64)),
                      values[i].term, out);
  return Value{values[1].type, out};
}

/// Shifted out bits are gone; by the width or more, nothing is left.
Result<Value> Translator::shift(const Expr& call, const std::string& key, const Type* hint) {
  Result<std::vector<Value>> values = plain_arguments(call, 2, 2, nullptr);
  if (!values) return values.error();
  Value &word = (*values)[0], &by = (*values)[1];
  if (word.integer) {
    const Type* type = hint != nullptr && hint->is_integer() ? hint : elementary("dword");
    Result<Term> term = coerce(word, *type, call.at);
    if (!term) return term.error();
    word = Value{type, *term};
  }
  if (word.type == nullptr || !word.type->is_integer())
    return Error{call.at, "'" + call.operand->name->text + "' needs a bit string"};
  if (!by.integer && (by.type == nullptr || !by.type->is_integer()))
    return Error{call.at, "the number of bits is an integer"};
  std::uint32_t bits = word.type->bits;
  Term wide = by.integer ? t_.bv(*by.integer, 64) : extended(by.term, *by.type, 64);
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

Result<Value> Translator::conversion(const Expr& call, const std::string& from,
                                     const std::string& to) {
  auto target = program_->named_types.find(to);
  if (target == program_->named_types.end() || !target->second->is_scalar())
    return Error{call.at, "conversions to " + to + " are not supported"};
  const Type* source = nullptr;
  if (!from.empty()) {
    auto found = program_->named_types.find(from);
    if (found == program_->named_types.end() || !found->second->is_scalar())
      return Error{call.at, "conversions from " + from + " are not supported"};
    source = found->second;
  }
  Result<std::vector<Value>> values = plain_arguments(call, 1, 1, source);
  if (!values) return values.error();
  Value value = (*values)[0];
  if (source != nullptr) {
    Result<Term> term = coerce(value, *source, call.at);
    if (!term) return term.error();
    value = Value{source, *term};
  }
  Result<Term> term = convert(value, *target->second, call.at, Rounding::NearestEven);
  if (!term) return term.error();
  return Value{target->second, *term};
}

/// ABS, MOVE, SQRT, TRUNC, ROUND.
Result<Value> Translator::one_argument(const Expr& call, const std::string& key, const Type* hint) {
  Result<std::vector<Value>> values = plain_arguments(call, 1, 1, hint);
  if (!values) return values.error();
  Value value = (*values)[0];
  if (key == "move") return value;
  if (value.type == nullptr) {
    const Type* type = value.real || key != "abs" ? elementary("real") : elementary("dint");
    Result<Term> term = coerce(value, *type, call.at);
    if (!term) return term.error();
    value = Value{type, *term};
  }
  bool real = value.type->kind == Type::Kind::Real;
  if (key == "abs") {
    if (real) return Value{value.type, t_.make(Op::FpAbs, {value.term})};
    if (!value.type->is_integer()) return Error{call.at, "ABS needs a number"};
    if (!value.type->is_signed()) return value;
    std::uint32_t bits = value.type->bits;
    check_that(StProperty::Kind::Overflow, call.at, "no overflow of " + value.type->name,
               t_.make_not(t_.make_eq(value.term, t_.bv(mpz_class(1) << (bits - 1), bits))));
    Term negative = t_.make(Op::BvSlt, {value.term, t_.bv(0, bits)});
    return Value{value.type, t_.make_ite(negative, t_.make(Op::BvNeg, {value.term}), value.term)};
  }
  if (!real) return Error{call.at, "'" + call.operand->name->text + "' needs a REAL"};
  if (key == "sqrt")
    return Value{value.type, t_.make(Op::FpSqrt, {value.term},
                                     static_cast<std::uint32_t>(Rounding::NearestEven))};
  const Type* to = hint != nullptr && hint->is_integer() ? hint : elementary("dint");
  Result<Term> term =
      convert(value, *to, call.at, key == "trunc" ? Rounding::Zero : Rounding::NearestEven);
  if (!term) return term.error();
  return Value{to, *term};
}

/// ADD, SUB and the others that are written as functions.
Result<std::optional<Value>> Translator::operator_function(const Expr& call, const Type* hint) {
  const std::string& key = call.operand->name->key;
  struct Named {
    const char* key;
    BinaryOp op;
  };
  static constexpr std::array<Named, 13> kOperators = {{{"add", BinaryOp::Add},
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
  for (const Named& one : kOperators) {
    if (key != one.key) continue;
    bool plain = call.arguments.size() == 2 &&
                 std::all_of(call.arguments.begin(), call.arguments.end(), [](const Argument& a) {
                   return a.kind != Argument::Kind::Output && a.value != nullptr;
                 });
    if (!plain) return Error{call.at, "'" + call.operand->name->text + "' takes two arguments"};
    Expr binary{Expr::Kind::Binary, call.at};
    binary.binary = one.op;
    binary.operand = call.arguments[0].value;
    binary.right = call.arguments[1].value;
    Result<Value> value = eval_binary(binary, hint);
    if (!value) return value.error();
    return std::optional<Value>(*std::move(value));
  }
  return std::optional<Value>();
}

/// Named inputs are put into the order of the function's own: a call that changes what another
/// input reads would come too early or too late.
Status Translator::keeps_order(const Expr& written, const Expr& sorted) const {
  bool calls = std::any_of(
      written.arguments.begin(), written.arguments.end(),
      [&](const Argument& one) { return one.value != nullptr && has_own_call(*one.value); });
  if (!calls) return Ok{};
  for (std::size_t i = 0; i < written.arguments.size(); ++i)
    if (written.arguments[i].name && written.arguments[i].value != sorted.arguments[i].value)
      return Error{written.at, "inputs of '" + written.operand->name->text +
                                   "' in another order than its own, with a call among them, are "
                                   "not supported"};
  return Ok{};
}

Result<std::optional<Value>> Translator::standard_function(const Expr& given, const Type* hint) {
  Result<Expr> plain = standard_call(given);
  if (!plain) return plain.error();
  const Expr& call = *plain;
  if (Status done = keeps_order(given, call); !done) return done.error();
  const std::string& key = call.operand->name->key;
  auto some = [](Result<Value> value) -> Result<std::optional<Value>> {
    if (!value) return value.error();
    return std::optional<Value>(*std::move(value));
  };
  if (key == "min" || key == "max" || key == "limit") return some(least_or_most(call, key, hint));
  if (key == "shl" || key == "shr" || key == "rol" || key == "ror")
    return some(shift(call, key, hint));
  if (key == "sel" || key == "mux") {
    Result<std::vector<Value>> values = plain_arguments(call, 3, key == "sel" ? 3 : 64, nullptr);
    if (!values) return values.error();
    return some(select_among(call, *std::move(values), 1));
  }
  if (key == "prev" || key == "rose" || key == "fell") {
    Result<Term> value = previous(call);
    if (!value) return value.error();
    Result<Value> now = eval(*call.arguments[0].value, nullptr);
    if (!now) return now.error();
    if (key == "prev") return std::optional<Value>(Value{now->type, *value});
    if (now->type->kind != Type::Kind::Bool) return Error{call.at, key + " needs a BOOL"};
    Term edge_of = key == "rose" ? t_.make_and(now->term, t_.make_not(*value))
                                 : t_.make_and(t_.make_not(now->term), *value);
    return std::optional<Value>(Value{now->type, edge_of});
  }
  if (key == "norm_x" || key == "scale_x") return some(scaled(call, key, hint));
  if (key == "abs" || key == "move" || key == "sqrt" || key == "trunc" || key == "round")
    return some(one_argument(call, key, hint));
  if (key.starts_with(kNondetPrefix)) {
    auto type =
        program_->named_types.find(key.substr(std::char_traits<char>::length(kNondetPrefix)));
    if (type == program_->named_types.end() || !type->second->is_scalar() ||
        !call.arguments.empty())
      return std::optional<Value>();
    return std::optional<Value>(Value{type->second, any_value(sort_of(*type->second), call.at)});
  }
  if (is_clock(key) && clock_ && call.arguments.empty())
    return std::optional<Value>(Value{elementary(key == "t_plc_ms" ? "dword" : "time"), clock_});
  if (Result<std::optional<Value>> found = operator_function(call, hint); !found || *found)
    return found;
  if (std::size_t at = key.find("_to_"); at != key.npos && at > 0)
    return some(conversion(call, key.substr(0, at), key.substr(at + 4)));
  if (key.starts_with("to_")) return some(conversion(call, "", key.substr(3)));
  if (key.starts_with("trunc_")) return some(conversion(call, "", key.substr(6)));
  return std::optional<Value>();
}

}  // namespace lem::st
