#include "frontend/st/translate/expressions.h"

#include "base/try.h"
#include "frontend/st/lexer.h"

namespace lem::st {

/// `type` is the key of a prefix, or empty.
Result<Value> Expressions::enumerator(const Name& name, const Type* hint, const std::string& type) {
  auto [from, to] = context_.program.enumerators.equal_range(name.key);
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
  return Value{found->first, types.number(found->second, *found->first)};
}

/// In the block, in the one that a method belongs to, then among the global ones.
const Variable* Expressions::find_constant(const Name& name) const {
  const PouInfo* scope = context_.frames.empty() ? nullptr : context_.frame().pou;
  const std::vector<Variable>* lists[] = {
      scope == nullptr ? nullptr : &scope->variables,
      scope == nullptr || scope->owner == nullptr ? nullptr : &scope->owner->variables,
      &context_.program.globals};
  for (const std::vector<Variable>* list : lists) {
    if (list == nullptr) continue;
    for (const Variable& one : *list)
      if (one.name.key == name.key && one.constant) return &one;
  }
  return nullptr;
}

Result<Value> Expressions::name(const Expr& expr, const Type* hint) {
  const Name& name = *expr.name;
  if (std::optional<Place> found = places.find(name)) return memory.read(*found, expr.at);
  if (const Variable* constant = find_constant(name)) {
    if (!constant->type->is_scalar())
      return Error{expr.at, "constant arrays and structures are not supported"};
    const PouInfo* scope = context_.frames.empty() ? nullptr : context_.frame().pou;
    LEM_LET(Term value, initial.scalar(*constant->type, constant->initial, scope));
    return Value{constant->type, value};
  }
  if (name.key == "eno" || name.key == "en")
    return Value{context_.elementary("bool"), t_.boolean(true)};
  return enumerator(name, hint, "");
}

Result<Value> Expressions::typed_literal(const Expr& expr, Value value) {
  if (expr.type.empty()) return value;
  std::string key = expr.type;
  // W#16#8000, DW#, B#, L# of SCL.
  if (key == "w") key = "word";
  if (key == "dw") key = "dword";
  if (key == "b") key = "byte";
  if (key == "l") key = "dint";
  const Type* type = context_.scalar_type(key);
  if (type == nullptr) return Error{expr.at, "there is no type '" + expr.type + "'"};
  LEM_TRY(types.make(value, *type, expr.at));
  return value;
}

Result<Value> Expressions::time(const Expr& expr) {
  const Type* type = context_.elementary("time");
  mpz_class milliseconds = expr.number / 1'000'000;
  if (milliseconds * 1'000'000 != expr.number)
    return Error{expr.at, "TIME counts milliseconds: this time is between two of them"};
  if (!fits(milliseconds, *type)) return Error{expr.at, "this time is longer than TIME holds"};
  return Value{type, types.number(milliseconds, *type)};
}

Result<Value> Expressions::text(const Expr& expr) {
  const Type* type = context_.elementary("string");
  std::optional<mpz_class> number = text_number(*type, text_of(expr.text));
  if (!number) return Error{expr.at, "the program has no text '" + expr.text + "'"};
  return Value{type, types.number(*number, *type)};
}

Result<Value> Expressions::eval(const Expr& expr, const Type* hint) {
  switch (expr.kind) {
    case Expr::Kind::Integer:
      return typed_literal(expr, {nullptr, {}, expr.number});
    case Expr::Kind::Real:
      return typed_literal(expr, {nullptr, {}, {}, expr.rational});
    case Expr::Kind::Boolean:
      return Value{context_.elementary("bool"), t_.boolean(expr.number != 0)};
    case Expr::Kind::Time:
      return time(expr);
    case Expr::Kind::String:
      return text(expr);
    case Expr::Kind::Name:
      return name(expr, hint);
    case Expr::Kind::Qualified:
      return enumerator(*expr.name, hint, expr.type);
    case Expr::Kind::Member:
      // Type.Literal, as CODESYS writes enumerations
      if (expr.operand->kind == Expr::Kind::Name && !places.find(*expr.operand->name))
        if (auto found = context_.program.named_types.find(expr.operand->name->key);
            found != context_.program.named_types.end() && found->second->kind == Type::Kind::Enum)
          return enumerator(*expr.name, found->second, expr.operand->name->key);
      [[fallthrough]];
    case Expr::Kind::Index:
    case Expr::Kind::Bit:
    case Expr::Kind::Slice: {
      LEM_LET(Place where, places.place(expr));
      return memory.read(where, expr.at);
    }
    case Expr::Kind::Unary: {
      LEM_LET(Value value, eval(*expr.operand, hint));
      return operators.unary(expr, value, hint);
    }
    case Expr::Kind::Binary:
      return binary(expr, hint);
    case Expr::Kind::Call:
      assert(calls_ != nullptr && "calls need a caller");
      return calls_->call(expr, hint);
    case Expr::Kind::Aggregate:
    case Expr::Kind::Repeat:
      return Error{expr.at, "lists of values are for initial values"};
  }
  unreachable();
}

/// Whether evaluating it only gives a value: it fails no check, leaves nothing open, calls nothing.
static bool is_plain(const Expr& expr) {
  if (expr.kind == Expr::Kind::Index || expr.kind == Expr::Kind::Call) return false;
  if (expr.kind == Expr::Kind::Unary && expr.unary == UnaryOp::Minus) return false;
  if (expr.kind == Expr::Kind::Binary && expr.binary < BinaryOp::Less) return false;
  return (expr.operand == nullptr || is_plain(*expr.operand)) &&
         (expr.right == nullptr || is_plain(*expr.right));
}

/// AND_THEN and OR_ELSE: the right side is evaluated behind a branch.
Result<Value> Expressions::lazily(const Expr& expr) {
  LEM_LET(Term left, boolean(*expr.operand));
  cfa_.keep_held();  // a call on the right side would do so on one way only
  Term out = cfa_.temporary(t_.bool_sort());
  cfa_.emit(Command::assign(out, left));
  cfa_.flush();
  LocationId inside = cfa_.new_location("right"), join = cfa_.new_location("left");
  cfa_.branch(expr.binary == BinaryOp::And ? out : t_.make_not(out), inside, join);
  cfa_.continue_at(inside);
  LEM_LET(Term right, boolean(*expr.right));
  cfa_.emit(Command::assign(out, right));
  cfa_.jump(join);
  return Value{context_.elementary("bool"), out};
}

Result<Value> Expressions::binary(const Expr& expr, const Type* hint) {
  if (expr.lazy && !context_.frames.empty() && context_.frame().runs && !is_plain(*expr.right))
    return lazily(expr);
  bool compares = expr.binary >= BinaryOp::Less && expr.binary <= BinaryOp::NotEqual;
  // A bare literal of an enumeration takes its type from the other side, which is evaluated first:
  // a literal depends on nothing.
  bool literal = compares && expr.operand->kind == Expr::Kind::Name &&
                 !places.find(*expr.operand->name) &&
                 context_.program.enumerators.contains(expr.operand->name->key);
  Value left;
  if (!literal) {
    LEM_LET(left, eval(*expr.operand, compares ? nullptr : hint));
  }
  Held held(cfa_);
  held.add(left.term);
  LEM_LET(Value right, eval(*expr.right, compares ? left.type : hint));
  if (literal) {
    LEM_LET(left, eval(*expr.operand, right.type));
  }
  return operators.binary(expr, std::move(left), std::move(right));
}

Result<Term> Expressions::boolean(const Expr& expr) {
  const Type* truth = context_.elementary("bool");
  LEM_LET(Value value, eval(expr, truth));
  return types.coerce(value, *truth, expr.at);
}

}  // namespace lem::st
