// What variables, members, elements and bits stand for, read and written.
#include <algorithm>

#include "frontend/st/translate.h"

namespace lem::st {

static constexpr std::uint32_t kIndexBits = 32;
static constexpr std::size_t kMostWays = 5000;

Place Translator::whole(const Storage& storage) {
  return {storage.type, {{Term{}, &storage, Term{}}}};
}

static const Storage* part_of(const Storage& storage, const std::string& key) {
  const std::vector<Part>& parts = storage.type->parts;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].name.key == key) return &storage.parts[i];
  return nullptr;
}

/// A variable of the frame or a global one.
std::optional<Place> Translator::find_place(const Name& name) const {
  if (!frames_.empty()) {
    const Frame& here = frames_.back();
    if (auto found = here.references.find(name.key); found != here.references.end())
      return found->second;
    if (here.self != nullptr)
      if (const Storage* found = part_of(*here.self, name.key)) return whole(*found);
  }
  if (globals_.type != nullptr)
    if (const Storage* found = part_of(globals_, name.key)) return whole(*found);
  return numbered(name.key);
}

Result<Place> Translator::place(const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::Name: {
      if (std::optional<Place> found = find_place(*expr.name)) return *found;
      return Error{expr.at, "'" + expr.name->text + "' is not declared"};
    }
    case Expr::Kind::Member:
      return member_place(expr);
    case Expr::Kind::Index:
      return index_place(expr);
    case Expr::Kind::Bit:
    case Expr::Kind::Slice:
      return bit_place(expr);
    default:
      return Error{expr.at, "expected a variable"};
  }
}

Result<Place> Translator::member_place(const Expr& expr) {
  // A requirement may call the entry block `instance`; SCL names data by quoted names.
  if (expr.operand->kind == Expr::Kind::Name && expr.operand->name->key == "instance" &&
      !find_place(*expr.operand->name)) {
    if (std::optional<Place> found = find_place(*expr.name)) return *found;
    return Error{expr.at, "'" + expr.name->text + "' is not declared"};
  }
  Result<Place> outer = place(*expr.operand);
  if (!outer) return outer;
  Place out;
  out.may_miss = outer->may_miss;
  for (const Place::Way& way : outer->ways) {
    bool parts = way.storage->type->kind == Type::Kind::Structure ||
                 way.storage->type->kind == Type::Kind::Block;
    const Storage* found = parts && !outer->bits ? part_of(*way.storage, expr.name->key) : nullptr;
    if (found == nullptr)
      return Error{expr.at, outer->type->name + " has no part '" + expr.name->text + "'"};
    out.type = found->type;
    out.ways.push_back({way.guard, found, way.index});
  }
  return out;
}

/// A bit of a word or, in a structure whose members are numbers, nothing else.
Result<Place> Translator::bit_place(const Expr& expr) {
  Result<Place> out = place(*expr.operand);
  if (!out) return out;
  if (!out->type->is_integer() || out->bits)
    return Error{expr.at, "only bit strings and integers have bits, not " + out->type->name};
  std::uint32_t size = expr.kind == Expr::Kind::Bit ? 1
                       : expr.text == "b"           ? 8
                       : expr.text == "w"           ? 16
                                                    : 32;
  if (expr.number < 0 || (expr.number + 1) * size > out->type->bits)
    return Error{expr.at, out->type->name + " has no such bit"};
  auto low = static_cast<std::uint32_t>(expr.number.get_ui()) * size;
  out->bits = {low + size - 1, low};
  out->type = elementary(size == 1 ? "bool" : size == 8 ? "byte" : size == 16 ? "word" : "dword");
  return out;
}

Result<Place> Translator::index_place(const Expr& expr) {
  Result<Place> outer = place(*expr.operand);
  if (!outer) return outer;
  const Type& array = *outer->type;
  if (array.kind != Type::Kind::Array || outer->bits)
    return Error{expr.at, "only arrays have elements, not " + array.name};
  if (expr.arguments.size() != array.bounds.size())
    return Error{expr.at, "expected " + std::to_string(array.bounds.size()) +
                              (array.bounds.size() == 1 ? " index" : " indices")};
  // Counted through from 0; `inside`: within all bounds.
  Term position = t_.bv(0, kIndexBits), inside = t_.boolean(true);
  for (std::size_t i = 0; i < array.bounds.size(); ++i) {
    const Argument& argument = expr.arguments[i];
    if (argument.kind != Argument::Kind::Positional) return Error{expr.at, "an index has no name"};
    const ExprPtr& index = argument.value;
    Result<Value> value = eval(*index, elementary("dint"));
    if (!value) return value.error();
    auto [low, high] = array.bounds[i];
    mpz_class size = high - low + 1;
    Term wide;
    if (value->integer) {
      wide = t_.bv(*value->integer, 64);
    } else {
      if (value->type == nullptr ||
          (!value->type->is_integer() && value->type->kind != Type::Kind::Enum))
        return Error{index->at, "an index is an integer"};
      wide = extended(value->term, *value->type, 64);
    }
    Term from_zero = t_.make_bv_sub(wide, t_.bv(low, 64));
    inside = t_.make_and(inside, t_.make(Op::BvUlt, {from_zero, t_.bv(size, 64)}));
    Term part = t_.make_extract(from_zero, kIndexBits - 1, 0);
    position = t_.make(Op::BvAdd, {t_.make(Op::BvMul, {position, t_.bv(size, kIndexBits)}), part});
  }
  if (t_.is_false(inside)) return Error{expr.at, "the index is out of bounds"};
  check_that(StProperty::Kind::Bounds, expr.at, "the index is within " + array.name, inside);
  Place out{array.element, {}, outer->may_miss || !t_.is_true(inside)};
  for (const Place::Way& way : outer->ways) {
    if (way.storage->spread) {
      mpz_class count(std::to_string(array.elements()));
      Term index =
          way.index ? t_.make(Op::BvAdd,
                              {t_.make(Op::BvMul, {way.index, t_.bv(count, kIndexBits)}), position})
                    : position;
      Term guard = way.guard ? t_.make_and(way.guard, inside) : inside;
      out.ways.push_back({t_.is_true(guard) ? Term{} : guard, &way.storage->parts[0], index});
      continue;
    }
    for (std::size_t i = 0; i < way.storage->parts.size(); ++i) {
      Term here = t_.make_and(
          inside, t_.make_eq(position, t_.bv(mpz_class(std::to_string(i)), kIndexBits)));
      if (t_.is_false(here)) continue;
      Term guard = way.guard ? t_.make_and(way.guard, here) : here;
      out.ways.push_back({t_.is_true(guard) ? Term{} : guard, &way.storage->parts[i], way.index});
      if (out.ways.size() > kMostWays)
        return Error{expr.at, "too many elements that this access may mean"};
    }
  }
  if (out.ways.empty()) return Error{expr.at, "the index is out of bounds"};
  return out;
}

Term Translator::read_way(const Place::Way& way) {
  if (way.index) return t_.make_select(way.storage->leaf, way.index);
  auto known = fixed_.find(way.storage->leaf);
  return known != fixed_.end() ? known->second : way.storage->leaf;
}

/// Out of bounds, any value is read.
Result<Value> Translator::read(const Place& place, const SourcePos& at) {
  if (!place.type->is_scalar())
    return Error{at, "a value of type " + place.type->name + " cannot be used here"};
  const Type& stored = *place.ways[0].storage->type;
  Term value = place.may_miss ? any_value(sort_of(stored), at) : Term{};
  for (std::size_t i = place.ways.size(); i-- > 0;) {
    Term one = read_way(place.ways[i]);
    bool last = !value || !place.ways[i].guard;
    value = last ? one : t_.make_ite(place.ways[i].guard, one, value);
  }
  if (place.bits) {
    value = t_.make_extract(value, place.bits->first, place.bits->second);
    if (place.bits->first == place.bits->second) value = t_.make_eq(value, t_.bv(1, 1));
  }
  return Value{place.type, value};
}

void Translator::write_way(const Place::Way& way, Term value) {
  Term leaf = way.storage->leaf;
  fixed_.erase(leaf);
  Term now = way.index ? t_.make_store(leaf, way.index, value) : value;
  emit(Command::assign(leaf, way.guard ? t_.make_ite(way.guard, now, leaf) : now));
}

/// Out of bounds, nothing is written.
Status Translator::write(const Place& place, const Value& value, const SourcePos& at) {
  Result<Term> term = coerce(value, *place.type, at);
  if (!term) return term.error();
  Value kept{place.type, *term};
  std::vector<Place::Way> ways = place.ways;
  if (ways.size() > 1) {  // guards, indices and value are those before the first assignment
    keep(kept);
    for (Place::Way& way : ways)
      for (Term* one : {&way.guard, &way.index}) {
        if (!*one) continue;
        Value now{nullptr, *one};
        keep(now);
        *one = now.term;
      }
  }
  for (const Place::Way& way : ways) {
    Term written = kept.term;
    if (place.bits) {
      auto [high, low] = *place.bits;
      std::uint32_t width = way.storage->type->bits;
      Term old = read_way(way);
      if (high == low) written = t_.make_ite(written, t_.bv(1, 1), t_.bv(0, 1));
      if (low > 0) written = t_.make_concat(written, t_.make_extract(old, low - 1, 0));
      if (high + 1 < width)
        written = t_.make_concat(t_.make_extract(old, width - 1, high + 1), written);
    }
    write_way(way, written);
  }
  return Ok{};
}

/// Assignments of structures and arrays, part by part.
Status Translator::copy(const Place& to, const Place& from, const SourcePos& at) {
  if (to.ways.size() != 1 || from.ways.size() != 1)
    return Error{at, "copies of structures under a variable index are not supported"};
  const Storage& target = *to.ways[0].storage;
  const Storage& source = *from.ways[0].storage;
  bool alike = target.type->kind == source.type->kind &&
               target.parts.size() == source.parts.size() && target.spread == source.spread &&
               target.type->elements() == source.type->elements() &&
               !to.ways[0].index == !from.ways[0].index;
  if (!alike || target.type->kind == Type::Kind::Block)
    return Error{at, "cannot assign " + source.type->name + " to " + target.type->name};
  if (target.type->is_scalar()) {
    if (target.type->kind != source.type->kind || target.type->bits != source.type->bits)
      return Error{at, "cannot assign " + source.type->name + " to " + target.type->name};
    if (target.spread || source.spread || to.ways[0].index) {
      if (t_.sort(target.leaf) != t_.sort(source.leaf))
        return Error{at, "cannot assign " + source.type->name + " to " + target.type->name};
    }
    if (to.ways[0].index)
      write_way(to.ways[0], read_way(from.ways[0]));
    else
      emit(Command::assign(target.leaf, source.leaf));
    return Ok{};
  }
  for (std::size_t i = 0; i < target.parts.size(); ++i) {
    Place one = to, other = from;
    one.ways[0].storage = &target.parts[i];
    other.ways[0].storage = &source.parts[i];
    one.type = target.parts[i].type;
    other.type = source.parts[i].type;
    if (Status done = copy(one, other, at); !done) return done;
  }
  return Ok{};
}

}  // namespace lem::st
