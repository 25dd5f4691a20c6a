// Expressions of the interpreter.
#include <algorithm>
#include <array>

#include "base/assert.h"
#include "check/st/machine.h"
#include "model/st/standard.h"

namespace lem::check::plc {

using st::Argument;
using st::BinaryOp;
using st::Expr;
using st::PouInfo;
using st::Type;
using st::UnaryOp;
using st::Variable;
using Kind = st::Type::Kind;

Value Machine::coerced(const Value& value, const Type& type) {
  if (value.type != nullptr && value.type->kind == Kind::Enum && type.kind == Kind::Enum)
    return {&type, value.number};
  std::optional<Value> out = as_type(value, type);
  return out ? *out : fail("a value of another type than " + type.name);
}

Value Machine::literal(const Expr& expr, Value value) {
  if (expr.type.empty()) return value;
  std::string key = expr.type == "w"    ? "word"
                    : expr.type == "dw" ? "dword"
                    : expr.type == "b"  ? "byte"
                    : expr.type == "l"  ? "dint"
                                        : expr.type;
  auto found = source_.program->named_types.find(key);
  if (found == source_.program->named_types.end()) return fail("there is no type " + expr.type);
  return coerced(value, *found->second);
}

Value Machine::enumerator(const st::Name& name, const Type* hint, const std::string& type) {
  auto [from, to] = source_.program->enumerators.equal_range(name.key);
  const std::pair<const Type*, mpz_class>* first = nullptr;
  for (auto one = from; one != to; ++one) {
    if (one->second.first == hint) return {hint, one->second.second};
    std::string key = one->second.first->name;
    for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (first == nullptr && (type.empty() || key == type)) first = &one->second;
  }
  if (first == nullptr) return fail("'" + name.text + "' is not declared");
  return {first->first, first->second};
}

Value Machine::named(const Expr& expr, const Type* hint) {
  const st::Name& name = *expr.name;
  if (std::optional<Ref> found = find(name)) return load(*found, expr.at);
  const PouInfo* scope = frames_.empty() ? nullptr : frame().pou;
  auto constant = [&](const std::vector<Variable>& list) -> const Variable* {
    for (const Variable& one : list)
      if (one.name.key == name.key && one.constant) return &one;
    return nullptr;
  };
  const Variable* found = scope == nullptr ? nullptr : constant(scope->variables);
  if (found == nullptr && scope != nullptr && scope->owner != nullptr)
    found = constant(scope->owner->variables);
  if (found == nullptr) found = constant(source_.program->globals);
  if (found != nullptr) {
    const Expr* from =
        found->initial != nullptr ? found->initial.get() : found->type->initial.get();
    return from == nullptr ? default_value(*found->type)
                           : initial_scalar(*found->type, *from, scope);
  }
  if (name.key == "eno" || name.key == "en") return truth(true);
  return enumerator(name, hint, "");
}

Value Machine::eval(const Expr& expr, const Type* hint) {
  if (stopped()) return truth(false);
  switch (expr.kind) {
    case Expr::Kind::Integer:
      return literal(expr, {nullptr, expr.number});
    case Expr::Kind::Real:
      return literal(expr, {nullptr, 0, {}, expr.rational});
    case Expr::Kind::Boolean:
      return truth(expr.number != 0);
    case Expr::Kind::Time: {
      mpz_class milliseconds = expr.number / 1'000'000;
      return {elementary("time"), milliseconds};
    }
    case Expr::Kind::String: {
      const Type* type = elementary("string");
      std::optional<mpz_class> number = st::text_number(*type, st::text_of(expr.text));
      return number ? Value{type, *number} : fail("an unknown text");
    }
    case Expr::Kind::Name:
      return named(expr, hint);
    case Expr::Kind::Qualified:
      return enumerator(*expr.name, hint, expr.type);
    case Expr::Kind::Member:
      if (expr.operand->kind == Expr::Kind::Name && !find(*expr.operand->name)) {
        auto type = source_.program->named_types.find(expr.operand->name->key);
        if (type != source_.program->named_types.end() && type->second->kind == Kind::Enum)
          return enumerator(*expr.name, type->second, "");
      }
      return load(refer(expr), expr.at);
    case Expr::Kind::Index:
    case Expr::Kind::Bit:
    case Expr::Kind::Slice:
      return load(refer(expr), expr.at);
    case Expr::Kind::Unary:
      return unary(expr, hint);
    case Expr::Kind::Binary:
      return binary(expr, hint);
    case Expr::Kind::Call:
      return call(expr, hint);
    default:
      return fail("no value");
  }
}

Value Machine::unary(const Expr& expr, const Type* hint) {
  Value value = eval(*expr.operand, hint);
  if (expr.unary == UnaryOp::Plus) return value;
  if (expr.unary == UnaryOp::Not) {
    if (value.type == nullptr && hint != nullptr) value = coerced(value, *hint);
    if (value.type == nullptr) return fail("NOT of a number");
    if (value.type->kind == Kind::Bool) return truth(value.number == 0);
    return {value.type, wrapped(-value.number - 1, *value.type)};
  }
  if (value.exact) return {nullptr, 0, {}, mpq_class(-*value.exact)};
  if (value.real) return {value.type, 0, value.real->negated()};
  mpz_class negated = -value.number;
  if (value.type == nullptr) return {nullptr, negated};
  check(StProperty::Kind::Overflow, expr.at, in_range(negated, *value.type));
  return {value.type, wrapped(negated, *value.type)};
}

/// The smallest type that has both; both are of it afterwards.
const Type* Machine::meet(Value& a, Value& b) {
  if (a.type == nullptr && b.type == nullptr) return nullptr;
  const Type* type = nullptr;
  if (a.type == nullptr || b.type == nullptr) {
    const Value& number = a.type == nullptr ? a : b;
    type = a.type == nullptr ? b.type : a.type;
    if (number.exact && type->is_integer()) type = elementary("real");
    if (!number.exact && type->is_integer() && !in_range(number.number, *type))
      for (const char* wider : {"int", "dint", "lint"})
        if (elementary(wider)->bits > type->bits && in_range(number.number, *elementary(wider))) {
          type = elementary(wider);
          break;
        }
  } else if (a.type->kind == b.type->kind) {
    type = a.type->bits >= b.type->bits ? a.type : b.type;
  } else if (a.type->kind == Kind::Real || b.type->kind == Kind::Real) {
    type = a.type->kind == Kind::Real ? a.type : b.type;
  } else if (!a.type->is_signed() && !b.type->is_signed()) {
    type = a.type->bits >= b.type->bits ? a.type : b.type;
    if (type->kind == Kind::Enum) type = elementary(type->bits <= 16 ? "uint" : "ulint");
  } else if (a.type->kind == Kind::Time || b.type->kind == Kind::Time) {
    fail("TIME and another type");
    return nullptr;
  } else {
    std::uint32_t bits = std::max(a.type->bits + (a.type->is_signed() ? 0U : 1U),
                                  b.type->bits + (b.type->is_signed() ? 0U : 1U));
    type = elementary(bits <= 8 ? "sint" : bits <= 16 ? "int" : bits <= 32 ? "dint" : "lint");
  }
  a = coerced(a, *type);
  b = coerced(b, *type);
  return type;
}

Value Machine::compare(BinaryOp op, const Value& left, const Value& right) {
  Value a = left, b = right;
  meet(a, b);
  std::optional<int> how = order(a, b);
  switch (op) {
    case BinaryOp::Less:
      return truth(how && *how < 0);
    case BinaryOp::LessEqual:
      return truth(how && *how <= 0);
    case BinaryOp::Greater:
      return truth(how && *how > 0);
    case BinaryOp::GreaterEqual:
      return truth(how && *how >= 0);
    case BinaryOp::Equal:
      return truth(how && *how == 0);
    default:
      return truth(!how || *how != 0);
  }
}

Value Machine::untyped(const Expr& expr, const Value& a, const Value& b) {
  if (!a.exact && !b.exact) {
    bool divides = expr.binary == BinaryOp::Divide || expr.binary == BinaryOp::Modulo;
    if (divides && b.number == 0) return fail("division by zero");
    switch (expr.binary) {
      case BinaryOp::Add:
        return {nullptr, a.number + b.number};
      case BinaryOp::Subtract:
        return {nullptr, a.number - b.number};
      case BinaryOp::Times:
        return {nullptr, a.number * b.number};
      case BinaryOp::Divide:
        return {nullptr, a.number / b.number};
      default:
        return {nullptr, a.number % b.number};
    }
  }
  mpq_class x = a.exact ? *a.exact : mpq_class(a.number);
  mpq_class y = b.exact ? *b.exact : mpq_class(b.number);
  if (expr.binary == BinaryOp::Divide && y == 0) return fail("division by zero");
  mpq_class out = expr.binary == BinaryOp::Add        ? mpq_class(x + y)
                  : expr.binary == BinaryOp::Subtract ? mpq_class(x - y)
                  : expr.binary == BinaryOp::Times    ? mpq_class(x * y)
                                                      : mpq_class(x / y);
  return {nullptr, 0, {}, out};
}

Value Machine::reals(const Expr& expr, const Type& type, const Value& a, const Value& b) {
  constexpr Rounding kNearest = Rounding::NearestEven;
  switch (expr.binary) {
    case BinaryOp::Add:
      return {&type, 0, a.real->plus(*b.real, kNearest)};
    case BinaryOp::Subtract:
      return {&type, 0, a.real->plus(b.real->negated(), kNearest)};
    case BinaryOp::Times:
      return {&type, 0, a.real->times(*b.real, kNearest)};
    default:
      check(StProperty::Kind::Division, expr.at, !b.real->is_zero());
      return {&type, 0, a.real->divided_by(*b.real, kNearest)};
  }
}

Value Machine::integers(const Expr& expr, const Type& type, const Value& a, const Value& b) {
  bool divides = expr.binary == BinaryOp::Divide || expr.binary == BinaryOp::Modulo;
  if (divides) {
    ++opened_[{expr.at.line, expr.at.column}];
    check(StProperty::Kind::Division, expr.at, b.number != 0);
    if (b.number == 0) return open(expr.at, type);
  }
  mpz_class exact = expr.binary == BinaryOp::Add        ? mpz_class(a.number + b.number)
                    : expr.binary == BinaryOp::Subtract ? mpz_class(a.number - b.number)
                    : expr.binary == BinaryOp::Times    ? mpz_class(a.number * b.number)
                    : expr.binary == BinaryOp::Divide   ? mpz_class(a.number / b.number)
                                                        : mpz_class(a.number % b.number);
  if (type.kind != Kind::Bits) check(StProperty::Kind::Overflow, expr.at, in_range(exact, type));
  return {&type, wrapped(exact, type)};
}

/// Both operands are evaluated.
Value Machine::apply(const Expr& expr, Value a, Value b) {
  if (expr.binary >= BinaryOp::Less && expr.binary <= BinaryOp::NotEqual)
    return compare(expr.binary, a, b);
  bool logic = expr.binary >= BinaryOp::And;
  if (expr.binary == BinaryOp::Power) {
    Expr product = expr;
    product.binary = BinaryOp::Times;
    Value out{nullptr, 1};
    if (a.type != nullptr) out = coerced(out, *a.type);
    for (mpz_class i = 0; i < b.number; ++i) out = apply(product, out, a);
    return out;
  }
  if (a.type == nullptr && b.type == nullptr && !logic) return untyped(expr, a, b);
  if (!logic) {
    auto is_time = [](const Value& value) {
      return value.type != nullptr && value.type->kind == Kind::Time;
    };
    bool scales = expr.binary == BinaryOp::Times || expr.binary == BinaryOp::Divide;
    if (scales && is_time(a) != is_time(b))  // the factor may be larger than TIME
      return integers(expr, is_time(a) ? *a.type : *b.type, a, b);
    for (Value* one : {&a, &b})
      if (one->type != nullptr && one->type->kind == Kind::Bool)
        *one = {elementary("int"), one->number};
  }
  const Type* type = meet(a, b);
  if (type == nullptr) return fail("an operator without typed operands");
  if (!logic) {
    if (type->kind == Kind::Real) return reals(expr, *type, a, b);
    return integers(expr, *type, a, b);
  }
  mpz_class span = type->kind == Kind::Bool ? mpz_class(2) : mpz_class(1) << type->bits;
  mpz_class x = (a.number % span + span) % span, y = (b.number % span + span) % span;
  mpz_class out = expr.binary == BinaryOp::And   ? mpz_class(x & y)
                  : expr.binary == BinaryOp::Or  ? mpz_class(x | y)
                  : expr.binary == BinaryOp::Xor ? mpz_class(x ^ y)
                                                 : mpz_class((1 - x) | y);
  if (type->kind == Kind::Bool) return truth(out != 0);
  return {type, wrapped(out, *type)};
}

Value Machine::binary(const Expr& expr, const Type* hint) {
  bool compares = expr.binary >= BinaryOp::Less && expr.binary <= BinaryOp::NotEqual;
  const Type* left_hint = compares ? nullptr : hint;
  bool literal_first = compares && expr.operand->kind == Expr::Kind::Name &&
                       !find(*expr.operand->name) &&
                       source_.program->enumerators.contains(expr.operand->name->key);
  if (literal_first) {  // of the type of the other side
    Value other = eval(*expr.right, nullptr);
    if (stopped()) return truth(false);
    return apply(expr, eval(*expr.operand, other.type), other);
  }
  Value a = eval(*expr.operand, left_hint);
  if (expr.lazy && !frames_.empty() && frame().runs &&
      (a.number != 0) == (expr.binary == BinaryOp::Or))
    return a;
  Value b = eval(*expr.right, compares ? a.type : hint);
  if (stopped()) return truth(false);
  return apply(expr, std::move(a), std::move(b));
}

// Functions ---------------------------------------------------------------------------------------

Value Machine::call(const Expr& expr, const Type* hint) {
  if (std::optional<Value> value = call_method(expr)) return *value;
  const std::string& key = expr.operand->name->key;
  const PouInfo* function = source_.program->find_pou(key);
  if (function != nullptr && function->pou->kind == st::Pou::Kind::Function) {
    std::string prefix = function->pou->name.text + "().";  // no variable is called so
    invoke(*function, {function, prefix}, expr);
    if (function->result == nullptr || !problem_.empty()) return truth(false);
    return load({prefix + function->pou->name.text, function->result}, {});
  }
  return standard(expr, hint);
}

/// SHL, SHR, ROL, ROR on the bits of the number.
Value Machine::shifted(const Expr& /*expr*/, const std::string& key, std::vector<Value> values,
                       const Type* hint) {
  Value word = values[0];
  if (word.type == nullptr)
    word = coerced(word, hint != nullptr && hint->is_integer() ? *hint : *elementary("dword"));
  std::uint32_t bits = word.type->bits;
  mpz_class span = mpz_class(1) << bits, pattern = (word.number % span + span) % span;
  mpz_class by = values[1].number;
  if (values[1].type != nullptr || by < 0) by = by < 0 ? by + (mpz_class(1) << 64) : by;
  if (key == "shl" || key == "shr") {
    if (by >= bits) return {word.type, 0};
    auto count = static_cast<mp_bitcnt_t>(by.get_ui());
    mpz_class out = key == "shl" ? mpz_class(pattern << count) : mpz_class(pattern >> count);
    return {word.type, wrapped(out, *word.type)};
  }
  by %= bits;
  auto count = static_cast<mp_bitcnt_t>(by.get_ui());
  if (count == 0) return word;
  mp_bitcnt_t left = key == "rol" ? count : bits - count;
  mpz_class out = (pattern << left) | (pattern >> (bits - left));
  return {word.type, wrapped(out, *word.type)};
}

/// ABS, SQRT, TRUNC, ROUND, MOVE and conversions; nothing for another name.
std::optional<Value> Machine::one_argument(const Expr& expr, Value value, const Type* source,
                                           const Type* hint) {
  const std::string& key = expr.operand->name->key;
  std::size_t to = key.find("_to_");

  if (key == "move") return value;
  if (key == "abs" || key == "sqrt" || key == "trunc" || key == "round") {
    if (value.type == nullptr)
      value = coerced(value, *elementary(value.exact || key != "abs" ? "real" : "dint"));
    if (key == "abs") {
      if (value.real) return Value{value.type, 0, value.real->absolute()};
      check(StProperty::Kind::Overflow, expr.at, in_range(abs(value.number), *value.type));
      return Value{value.type, wrapped(abs(value.number), *value.type)};
    }
    if (!value.real) return fail(key + " of what is no REAL");
    if (key == "sqrt") return Value{value.type, 0, value.real->square_root(Rounding::NearestEven)};
    const Type* target = hint != nullptr && hint->is_integer() ? hint : elementary("dint");
    std::optional<Value> out =
        converted(value, *target, key == "trunc" ? Rounding::Zero : Rounding::NearestEven);
    check(StProperty::Kind::Overflow, expr.at, out.has_value());
    return out ? *out : open(expr.at, *target);
  }
  std::string target = to != key.npos && to > 0    ? key.substr(to + 4)
                       : key.starts_with("to_")    ? key.substr(3)
                       : key.starts_with("trunc_") ? key.substr(6)
                                                   : "";
  auto type = source_.program->named_types.find(target);
  if (type != source_.program->named_types.end()) {
    if (source != nullptr) value = assigned(value, *source, expr.at);
    std::optional<Value> out = converted(value, *type->second, Rounding::NearestEven);
    check(StProperty::Kind::Overflow, expr.at, out && keeps_value(value, *type->second));
    return out ? *out : open(expr.at, *type->second);
  }
  return {};
}

/// MIN, MAX, LIMIT, SEL, MUX.
Value Machine::selected(const Expr& expr, std::vector<Value> values) {
  const std::string& key = expr.operand->name->key;
  bool choice = key == "sel" || key == "mux";

  std::size_t first = choice ? 1 : 0;
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = first + 1; i < values.size(); ++i) meet(values[first], values[i]);
  bool fraction = std::any_of(values.begin() + static_cast<std::ptrdiff_t>(first), values.end(),
                              [](const Value& one) { return one.exact.has_value(); });
  if (choice && values[1].type == nullptr)
    for (std::size_t i = 1; i < values.size(); ++i)
      values[i] = coerced(values[i], *elementary(fraction ? "real" : "dint"));
  if (choice) {
    mpz_class which = values[0].number + 1;
    if (which < 1 || which >= values.size()) return open(expr.at, *values[1].type);
    return values[which.get_ui()];
  }
  auto less = [&](const Value& a, const Value& b) {
    return compare(BinaryOp::Less, a, b).number == 1;
  };
  if (key == "limit") {
    Value low = less(values[1], values[0]) ? values[0] : values[1];
    return less(low, values[2]) ? low : values[2];
  }
  Value out = values[0];
  for (std::size_t i = 1; i < values.size(); ++i)
    out = less(out, values[i]) == (key == "min") ? out : values[i];
  return out;
}

/// NORM_X and SCALE_X of SCL.
Value Machine::scaled(const Expr& expr, const std::vector<Value>& values, const Type* hint) {
  bool wide = hint != nullptr && hint->kind == Kind::Real && hint->bits == 64;
  for (const Value& one : values) wide = wide || (one.real && one.type->bits == 64);
  const Type& type = *elementary(wide ? "lreal" : "real");
  auto as = [&](const Value& one) {
    std::optional<Value> out = converted(one, type, Rounding::NearestEven);
    return out ? *out : fail("no number");
  };
  Value low = as(values[0]), value = as(values[1]), high = as(values[2]);
  if (!problem_.empty()) return low;
  auto with = [&](BinaryOp op, const Value& a, const Value& b) {
    Expr made{Expr::Kind::Binary, expr.at};
    made.binary = op;
    return reals(made, type, a, b);
  };
  Value span = with(BinaryOp::Subtract, high, low);
  if (expr.operand->name->key == "norm_x")
    return with(BinaryOp::Divide, with(BinaryOp::Subtract, value, low), span);
  Value out = with(BinaryOp::Add, with(BinaryOp::Times, value, span), low);
  const Type* bound = hint == nullptr ? values[0].type : hint;
  if (bound == nullptr || !bound->is_integer()) return out;
  std::optional<Value> whole = converted(out, *bound, Rounding::NearestEven);
  check(StProperty::Kind::Overflow, expr.at, whole.has_value());
  return whole ? *whole : open(expr.at, *bound);
}

Value Machine::standard(const Expr& given, const Type* hint) {
  Result<Expr> plain = st::standard_call(given);
  if (!plain) return fail(plain.error().message);
  const Expr& expr = *plain;
  const std::string& key = expr.operand->name->key;
  if ((key == "prev" || key == "rose" || key == "fell") && expr.arguments.size() == 1) {
    std::swap(memory_, previous_);
    Value before = eval(*expr.arguments[0].value, nullptr);
    std::swap(memory_, previous_);
    if (key == "prev") return before;
    Value now = eval(*expr.arguments[0].value, nullptr);
    bool up = key == "rose";
    return truth((now.number != 0) == up && (before.number != 0) != up);
  }
  bool choice = key == "sel" || key == "mux";
  bool scales = key == "norm_x" || key == "scale_x";
  bool word = key == "shl" || key == "shr" || key == "rol" || key == "ror";
  std::size_t to = key.find("_to_");
  const Type* argument_hint = choice || word || scales ? nullptr : hint;
  const Type* source = nullptr;
  if (to != key.npos && to > 0) {
    auto found = source_.program->named_types.find(key.substr(0, to));
    if (found != source_.program->named_types.end()) argument_hint = source = found->second;
  }
  ++opened_[{expr.at.line, expr.at.column}];
  std::vector<Value> values;
  for (const Argument& one : expr.arguments)
    if (one.value != nullptr) values.push_back(eval(*one.value, argument_hint));
  if (stopped()) return truth(false);
  if (scales && values.size() == 3) return scaled(expr, values, hint);
  if (word && values.size() == 2) return shifted(expr, key, values, hint);
  if ((key == "min" || key == "max" || key == "limit" || choice) && values.size() >= 2)
    return selected(expr, std::move(values));
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
  for (const auto& [name, op] : kOperators)
    if (key == name && values.size() == 2) {
      Expr made{Expr::Kind::Binary, expr.at};
      made.binary = op;
      return apply(made, values[0], values[1]);
    }
  if (values.size() == 1)
    if (std::optional<Value> out = one_argument(expr, values[0], source, hint)) return *out;
  if (values.empty()) {
    if (key == "time" || key == "time_tck") return {elementary("time"), clock_};
    if (key == "t_plc_ms") return {elementary("dword"), wrapped(clock_, *elementary("dword"))};
    constexpr std::string_view kNondet = "nondeterministic_";
    if (key.starts_with(kNondet)) {
      auto type = source_.program->named_types.find(key.substr(kNondet.size()));
      if (type != source_.program->named_types.end()) return open(expr.at, *type->second);
    }
  }
  return fail("there is no function '" + expr.operand->name->text + "'");
}

}  // namespace lem::check::plc
