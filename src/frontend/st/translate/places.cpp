#include "frontend/st/translate/places.h"

#include "base/try.h"
#include "frontend/st/lexer.h"

namespace lem::st {

static constexpr std::size_t kMostAlternatives = 5000;

void Places::add_global(const Part& part, Storage storage) {
  globals_type_.parts.push_back(part);
  globals_.parts.push_back(std::move(storage));
}

void Places::add_numbered(std::size_t number, Storage storage) {
  numbered_.emplace("__" + std::to_string(number), std::move(storage));
}

/// A variable of the instance that a method belongs to.
std::optional<Place> Places::find_in_owner(const Frame& here, const std::string& key) const {
  if (auto found = here.owner_references.find(key); found != here.owner_references.end())
    return found->second;
  if (here.owner == nullptr) return {};
  const Storage* found = part_of(*here.owner, key);
  return found == nullptr ? std::nullopt : std::optional(whole(*found));
}

/// A variable of VAR_STAT: a global one that has the name of its POU before its own. GLOBAL.n is
/// the global variable where the entry block has an n as well.
std::optional<Place> Places::find_shared(const std::string& pou, const std::string& key) const {
  if (pou.empty()) return {};
  const Storage* found = part_of(globals_, pou == "global" ? key : lower(pou) + "." + key);
  return found == nullptr ? std::nullopt : std::optional(whole(*found));
}

std::optional<Place> Places::find(const Name& name) const {
  if (!context_.frames.empty()) {
    const Frame& here = context_.frames.back();
    if (auto found = here.references.find(name.key); found != here.references.end())
      return found->second;
    if (here.self != nullptr)
      if (const Storage* found = part_of(*here.self, name.key)) return whole(*found);
    if (std::optional<Place> found = find_in_owner(here, name.key)) return found;
  }
  if (const Storage* found = part_of(globals_, name.key)) return whole(*found);
  auto found = numbered_.find(name.key);
  return found == numbered_.end() ? std::nullopt : std::optional(whole(found->second));
}

Result<Place> Places::place(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::Name: {
      std::optional<Place> found = find(*expr.name);
      const PouInfo* block = found ? found->type->block : nullptr;
      bool entry =
          block != nullptr && block == context_.entry && block->pou->kind == Pou::Kind::Program;
      if (entry && expr.name->key == block->pou->name.key)
        return Error{expr.at,
                     "'" + expr.name->text +
                         "' is the program that runs: its variables under its name are not "
                         "supported"};
      if (found) return *found;
      return Error{expr.at, "'" + expr.name->text + "' is not declared"};
    }
    case Expr::Kind::Member:
      return member(expr);
    case Expr::Kind::Index:
      return element(expr);
    case Expr::Kind::Bit:
    case Expr::Kind::Slice:
      return bits(expr);
    case Expr::Kind::Call:
      return Error{expr.at,
                   "expected a variable, found a call; functions that return structures or arrays "
                   "are not supported"};
    default:
      return Error{expr.at, "expected a variable"};
  }
}

/// F, Block.Method: names with dots between; empty for another expression.
static std::string written_name(const Expr& expr) {
  if (expr.kind == Expr::Kind::Name) return expr.name->key;
  std::string outer = expr.kind == Expr::Kind::Member ? written_name(*expr.operand) : "";
  return outer.empty() ? outer : outer + "." + expr.name->key;
}

/// The instance that runs: `this`, and `instance` in requirements.
std::optional<Place> Places::find_self(const Expr& expr) {
  if (expr.operand->name->key == "instance") return find(*expr.name);
  const PouInfo& pou = *context_.frame().pou;
  std::optional<Place> found =
      pou.owner != nullptr ? find_in_owner(context_.frame(), expr.name->key) : find(*expr.name);
  if (found) return found;
  return find_shared((pou.owner != nullptr ? *pou.owner : pou).pou->name.text, expr.name->key);
}

Result<Place> Places::member(const Expr& expr) {
  if (expr.operand->kind == Expr::Kind::Name &&
      (expr.operand->name->key == "instance" || expr.operand->name->key == "this") &&
      !find(*expr.operand->name)) {
    if (std::optional<Place> found = find_self(expr)) return *found;
    return Error{expr.at, "'" + expr.name->text + "' is not declared"};
  }
  std::optional<Place> by_name = find_shared(written_name(*expr.operand), expr.name->key);  // F.n
  Result<Place> outer = place(*expr.operand);
  if (!outer) return by_name ? Result<Place>(*by_name) : outer;
  if (outer->type->kind == Type::Kind::Block)
    if (std::optional<Place> found = find_shared(outer->type->name, expr.name->key)) return *found;
  Place out;
  out.may_miss = outer->may_miss;
  for (const Place::Alternative& each : outer->alternatives) {
    bool parts = each.storage->type->kind == Type::Kind::Structure ||
                 each.storage->type->kind == Type::Kind::Block;
    const Storage* found = parts && !outer->bits ? part_of(*each.storage, expr.name->key) : nullptr;
    if (found == nullptr && by_name) return *by_name;
    if (found == nullptr)
      return Error{expr.at, outer->type->name + " has no part '" + expr.name->text + "'"};
    out.type = found->type;
    out.alternatives.push_back({each.guard, found, each.index});
  }
  return out;
}

/// A bit of a word or, in a structure whose members are numbers, nothing else.
Result<Place> Places::bits(const Expr& expr) {
  LEM_LET(Place out, place(*expr.operand));
  if (!out.type->is_integer() || out.bits)
    return Error{expr.at, "only bit strings and integers have bits, not " + out.type->name};
  std::uint32_t size = expr.kind == Expr::Kind::Bit ? 1
                       : expr.text == "b"           ? 8
                       : expr.text == "w"           ? 16
                                                    : 32;
  if (expr.number < 0 || (expr.number + 1) * size > out.type->bits)
    return Error{expr.at, out.type->name + " has no such bit"};
  auto low = static_cast<std::uint32_t>(expr.number.get_ui()) * size;
  out.bits = {low + size - 1, low};
  out.type = context_.elementary(size == 1    ? "bool"
                                 : size == 8  ? "byte"
                                 : size == 16 ? "word"
                                              : "dword");
  return out;
}

/// Counts one more dimension through.
Status Places::add_index(const Expr& access, std::size_t dimension, const Type& array,
                         Position& position) {
  const Argument& argument = access.arguments[dimension];
  if (argument.kind != Argument::Kind::Positional) return Error{access.at, "an index has no name"};
  LEM_LET(Value value, evaluator_.eval(*argument.value, context_.elementary("dint")));
  auto [low, high] = array.bounds[dimension];
  mpz_class size = high - low + 1;
  std::uint32_t bits = 64;
  if (value.integer) {
    if (*value.integer < low || *value.integer > high)
      return Error{access.at, "the index is out of bounds"};
  } else {
    if (value.type == nullptr || value.type->text ||
        (!value.type->is_integer() && value.type->kind != Type::Kind::Enum))
      return Error{argument.value->at, "an index is an integer"};
    bits = value.type->bits < 64 ? 64 : 66;  // has all values of ULINT and of a negative bound
  }
  Term wide = types_.widened(value, bits);
  Term from_zero = t_.make_bv_sub(wide, t_.bv(low, bits));
  position.inside =
      t_.make_and(position.inside, t_.make(Op::BvUlt, {from_zero, t_.bv(size, bits)}));
  Term part = t_.make_extract(from_zero, kIndexBits - 1, 0);
  position.number =
      t_.make(Op::BvAdd, {t_.make(Op::BvMul, {position.number, t_.bv(size, kIndexBits)}), part});
  return Ok{};
}

/// What the element may be of what the array may be.
///   require: the position may be inside
void Places::add_elements(const Place::Alternative& array, const Position& position, Place& out) {
  const Storage& storage = *array.storage;
  auto add = [&](Term here, const Storage& element, Term index) {
    Term guard = array.guard ? t_.make_and(array.guard, here) : here;
    out.alternatives.push_back({t_.is_true(guard) ? Term{} : guard, &element, index});
  };
  if (storage.spread) {
    Term index = position.number;
    if (array.index) {
      Term count = t_.bv(mpz_class(std::to_string(storage.type->elements())), kIndexBits);
      index = t_.make(Op::BvAdd, {t_.make(Op::BvMul, {array.index, count}), index});
    }
    add(position.inside, storage.parts[0], index);
    return;
  }
  for (std::size_t i = 0; i < storage.parts.size(); ++i) {
    Term number = t_.bv(mpz_class(std::to_string(i)), kIndexBits);
    Term here = t_.make_and(position.inside, t_.make_eq(position.number, number));
    if (!t_.is_false(here)) add(here, storage.parts[i], array.index);
  }
}

Result<Place> Places::element(const Expr& expr) {
  LEM_LET(Place outer, place(*expr.operand));
  Held held(cfa_);
  held.add(outer);
  const Type& array = *outer.type;
  if (array.kind != Type::Kind::Array || outer.bits)
    return Error{expr.at, "only arrays have elements, not " + array.name};
  if (expr.arguments.size() != array.bounds.size())
    return Error{expr.at, "expected " + std::to_string(array.bounds.size()) +
                              (array.bounds.size() == 1 ? " index" : " indices")};
  Position position{t_.bv(0, kIndexBits), t_.boolean(true)};
  held.add(position.number);
  held.add(position.inside);
  for (std::size_t i = 0; i < array.bounds.size(); ++i)
    LEM_TRY(add_index(expr, i, array, position));
  Term inside = position.inside;
  properties_.check(StProperty::Kind::Bounds, expr.at, "the index is within " + array.name, inside);
  Place out{array.element, {}, outer.may_miss || !t_.is_true(inside)};
  for (const Place::Alternative& each : outer.alternatives) {
    if (t_.is_false(inside)) {  // no element: the guard never holds
      Term index = each.storage->spread && !each.index ? position.number : each.index;
      out.alternatives.push_back({inside, &each.storage->parts[0], index});
    } else {
      add_elements(each, position, out);
    }
    if (out.alternatives.size() > kMostAlternatives)
      return Error{expr.at, "too many elements that this access may mean"};
  }
  if (out.alternatives.empty()) return Error{expr.at, "the index is out of bounds"};
  return out;
}

}  // namespace lem::st
