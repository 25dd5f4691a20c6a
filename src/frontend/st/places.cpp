// What variables, members, elements and bits stand for, read and written.
#include <algorithm>

#include "frontend/st/translate.h"

namespace lem::st {

static constexpr std::uint32_t kIndexBits = 32;
static constexpr std::size_t kMostAlternatives = 5000;

Place Translator::whole(const Storage& storage) {
  return {storage.type, {{Term{}, &storage, Term{}}}};
}

static const Storage* part_of(const Storage& storage, const std::string& key) {
  const std::vector<Part>& parts = storage.type->parts;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].name.key == key) return &storage.parts[i];
  return nullptr;
}

/// A variable of the instance that a method belongs to.
std::optional<Place> Translator::find_in_owner(const Frame& here, const std::string& key) {
  if (auto found = here.owner_references.find(key); found != here.owner_references.end())
    return found->second;
  if (here.owner == nullptr) return {};
  const Storage* found = part_of(*here.owner, key);
  return found == nullptr ? std::nullopt : std::optional(whole(*found));
}

/// A variable of the frame or a global one.
std::optional<Place> Translator::find_place(const Name& name) const {
  if (!frames_.empty()) {
    const Frame& here = frames_.back();
    if (auto found = here.references.find(name.key); found != here.references.end())
      return found->second;
    if (here.self != nullptr)
      if (const Storage* found = part_of(*here.self, name.key)) return whole(*found);
    if (std::optional<Place> found = find_in_owner(here, name.key)) return found;
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
  if (expr.operand->kind == Expr::Kind::Name && expr.operand->name->key == "this" &&
      !find_place(*expr.operand->name)) {
    std::optional<Place> found =
        frame().owner != nullptr ? find_in_owner(frame(), expr.name->key) : find_place(*expr.name);
    if (found) return *found;
    return Error{expr.at, "'" + expr.name->text + "' is not declared"};
  }
  Result<Place> outer = place(*expr.operand);
  if (!outer) return outer;
  Place out;
  out.may_miss = outer->may_miss;
  for (const Place::Alternative& each : outer->alternatives) {
    bool parts = each.storage->type->kind == Type::Kind::Structure ||
                 each.storage->type->kind == Type::Kind::Block;
    const Storage* found = parts && !outer->bits ? part_of(*each.storage, expr.name->key) : nullptr;
    if (found == nullptr)
      return Error{expr.at, outer->type->name + " has no part '" + expr.name->text + "'"};
    out.type = found->type;
    out.alternatives.push_back({each.guard, found, each.index});
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
  bool literal = true;  // not one that a turn of an unrolled loop makes a constant
  for (std::size_t i = 0; i < array.bounds.size(); ++i) {
    const Argument& argument = expr.arguments[i];
    if (argument.kind != Argument::Kind::Positional) return Error{expr.at, "an index has no name"};
    const ExprPtr& index = argument.value;
    Result<Value> value = eval(*index, elementary("dint"));
    if (!value) return value.error();
    auto [low, high] = array.bounds[i];
    mpz_class size = high - low + 1;
    Term wide;
    literal = literal && value->integer.has_value();
    if (value->integer) {
      wide = t_.bv(*value->integer, 64);
    } else {
      if (value->type == nullptr ||
          (!value->type->is_integer() && value->type->kind != Type::Kind::Enum) ||
          value->type->text)
        return Error{index->at, "an index is an integer"};
      wide = extended(value->term, *value->type, 64);
    }
    Term from_zero = t_.make_bv_sub(wide, t_.bv(low, 64));
    inside = t_.make_and(inside, t_.make(Op::BvUlt, {from_zero, t_.bv(size, 64)}));
    Term part = t_.make_extract(from_zero, kIndexBits - 1, 0);
    position = t_.make(Op::BvAdd, {t_.make(Op::BvMul, {position, t_.bv(size, kIndexBits)}), part});
  }
  if (t_.is_false(inside) && literal) return Error{expr.at, "the index is out of bounds"};
  check_that(StProperty::Kind::Bounds, expr.at, "the index is within " + array.name, inside);
  Place out{array.element, {}, outer->may_miss || !t_.is_true(inside)};
  for (const Place::Alternative& each : outer->alternatives) {
    if (t_.is_false(inside)) {  // no element: the guard never holds
      out.alternatives.push_back({inside, &each.storage->parts[0], each.index});
      if (each.storage->spread && !each.index) out.alternatives.back().index = position;
      continue;
    }
    if (each.storage->spread) {
      mpz_class count(std::to_string(array.elements()));
      Term index =
          each.index
              ? t_.make(Op::BvAdd,
                        {t_.make(Op::BvMul, {each.index, t_.bv(count, kIndexBits)}), position})
              : position;
      Term guard = each.guard ? t_.make_and(each.guard, inside) : inside;
      out.alternatives.push_back(
          {t_.is_true(guard) ? Term{} : guard, &each.storage->parts[0], index});
      continue;
    }
    for (std::size_t i = 0; i < each.storage->parts.size(); ++i) {
      Term here = t_.make_and(
          inside, t_.make_eq(position, t_.bv(mpz_class(std::to_string(i)), kIndexBits)));
      if (t_.is_false(here)) continue;
      Term guard = each.guard ? t_.make_and(each.guard, here) : here;
      out.alternatives.push_back(
          {t_.is_true(guard) ? Term{} : guard, &each.storage->parts[i], each.index});
      if (out.alternatives.size() > kMostAlternatives)
        return Error{expr.at, "too many elements that this access may mean"};
    }
  }
  if (out.alternatives.empty()) return Error{expr.at, "the index is out of bounds"};
  return out;
}

Term Translator::read_alternative(const Place::Alternative& each) {
  if (each.index) return t_.make_select(each.storage->leaf, each.index);
  auto known = fixed_.find(each.storage->leaf);
  return known != fixed_.end() ? known->second : each.storage->leaf;
}

/// Out of bounds, any value is read.
Result<Value> Translator::read(const Place& place, const SourcePos& at) {
  if (!place.type->is_scalar())
    return Error{at, "a value of type " + place.type->name + " cannot be used here"};
  const Type& stored = *place.alternatives[0].storage->type;
  Term value = place.may_miss ? any_value(sort_of(stored), at) : Term{};
  for (std::size_t i = place.alternatives.size(); i-- > 0;) {
    Term one = read_alternative(place.alternatives[i]);
    bool last = !value || !place.alternatives[i].guard;
    value = last ? one : t_.make_ite(place.alternatives[i].guard, one, value);
  }
  if (place.bits) {
    value = t_.make_extract(value, place.bits->first, place.bits->second);
    if (place.bits->first == place.bits->second) value = t_.make_eq(value, t_.bv(1, 1));
  }
  return Value{place.type, value};
}

void Translator::write_alternative(const Place::Alternative& each, Term value) {
  Term leaf = each.storage->leaf;
  fixed_.erase(leaf);
  Term now = each.index ? t_.make_store(leaf, each.index, value) : value;
  emit(Command::assign(leaf, each.guard ? t_.make_ite(each.guard, now, leaf) : now));
}

/// Out of bounds, nothing is written.
Status Translator::write(const Place& place, const Value& value, const SourcePos& at) {
  Result<Term> term = coerce(value, *place.type, at);
  if (!term) return term.error();
  Value kept{place.type, *term};
  std::vector<Place::Alternative> alternatives = place.alternatives;
  if (alternatives.size() > 1) {  // guards, indices and value are those before the first assignment
    keep(kept);
    for (Place::Alternative& each : alternatives)
      for (Term* one : {&each.guard, &each.index}) {
        if (!*one) continue;
        Value now{nullptr, *one};
        keep(now);
        *one = now.term;
      }
  }
  for (const Place::Alternative& each : alternatives) {
    Term written = kept.term;
    if (place.bits) {
      auto [high, low] = *place.bits;
      std::uint32_t width = each.storage->type->bits;
      Term old = read_alternative(each);
      if (high == low) written = t_.make_ite(written, t_.bv(1, 1), t_.bv(0, 1));
      if (low > 0) written = t_.make_concat(written, t_.make_extract(old, low - 1, 0));
      if (high + 1 < width)
        written = t_.make_concat(t_.make_extract(old, width - 1, high + 1), written);
    }
    write_alternative(each, written);
  }
  return Ok{};
}

/// Assignments of structures and arrays, part by part.
Status Translator::copy(const Place& to, const Place& from, const SourcePos& at) {
  if (to.alternatives.size() != 1 || from.alternatives.size() != 1)
    return Error{at, "copies of structures under a variable index are not supported"};
  const Storage& target = *to.alternatives[0].storage;
  const Storage& source = *from.alternatives[0].storage;
  bool alike = target.type->kind == source.type->kind &&
               target.parts.size() == source.parts.size() && target.spread == source.spread &&
               target.type->elements() == source.type->elements() &&
               !to.alternatives[0].index == !from.alternatives[0].index;
  if (!alike || target.type->kind == Type::Kind::Block)
    return Error{at, "cannot assign " + source.type->name + " to " + target.type->name};
  if (target.type->is_scalar()) {
    if (target.type->kind != source.type->kind || target.type->bits != source.type->bits ||
        (source.type->text && source.type->length > target.type->length))
      return Error{at, "cannot assign " + source.type->name + " to " + target.type->name};
    if (target.spread || source.spread || to.alternatives[0].index) {
      if (t_.sort(target.leaf) != t_.sort(source.leaf))
        return Error{at, "cannot assign " + source.type->name + " to " + target.type->name};
    }
    if (to.alternatives[0].index)
      write_alternative(to.alternatives[0], read_alternative(from.alternatives[0]));
    else
      emit(Command::assign(target.leaf, source.leaf));
    return Ok{};
  }
  for (std::size_t i = 0; i < target.parts.size(); ++i) {
    Place one = to, other = from;
    one.alternatives[0].storage = &target.parts[i];
    other.alternatives[0].storage = &source.parts[i];
    one.type = target.parts[i].type;
    other.type = source.parts[i].type;
    if (Status done = copy(one, other, at); !done) return done;
  }
  return Ok{};
}

}  // namespace lem::st
