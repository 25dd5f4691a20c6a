// What variables, members, elements and bits stand for, read and written.
#include <algorithm>

#include "frontend/st/lexer.h"
#include "frontend/st/translate.h"

namespace lem::st {

static constexpr std::uint32_t kIndexBits = 32;
static constexpr std::size_t kMostAlternatives = 5000;

Place Translator::whole(const Storage& storage) {
  return {storage.type, {{Term{}, &storage, Term{}}}};
}

const Storage* Translator::part_of(const Storage& storage, const std::string& key) {
  const std::vector<Part>& parts = storage.type->parts;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].name.key == key) return &storage.parts[i];
  return nullptr;
}

/// A variable of the instance that a method belongs to.
std::optional<Place> Translator::find_in_owner(const Frame& here, const std::string& key) const {
  if (auto found = here.owner_references.find(key); found != here.owner_references.end())
    return found->second;
  if (here.owner == nullptr) return {};
  const Storage* found = part_of(*here.owner, key);
  return found == nullptr ? std::nullopt : std::optional(whole(*found));
}

/// A variable of VAR_STAT: a global one that has the name of its POU before its own. GLOBAL.n is
/// the global variable where the entry block has an n as well.
std::optional<Place> Translator::find_shared(const std::string& pou, const std::string& key) const {
  if (globals_.type == nullptr || pou.empty()) return {};
  const Storage* found = part_of(globals_, pou == "global" ? key : lower(pou) + "." + key);
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
      std::optional<Place> found = find_place(*expr.name);
      bool entry = found && found->type->block == entry_ && expr.name->key == entry_->pou->name.key;
      if (entry && entry_->pou->kind == Pou::Kind::Program)
        return Error{expr.at,
                     "'" + expr.name->text +
                         "' is the program that runs: its variables under its name are not "
                         "supported"};
      if (found) return *found;
      return Error{expr.at, "'" + expr.name->text + "' is not declared"};
    }
    case Expr::Kind::Member:
      return member_place(expr);
    case Expr::Kind::Index:
      return index_place(expr);
    case Expr::Kind::Bit:
    case Expr::Kind::Slice:
      return bit_place(expr);
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

Result<Place> Translator::member_place(const Expr& expr) {
  // A requirement may call the entry block `instance`; SCL names data by quoted names.
  if (expr.operand->kind == Expr::Kind::Name && expr.operand->name->key == "instance" &&
      !find_place(*expr.operand->name)) {
    if (std::optional<Place> found = find_place(*expr.name)) return *found;
    return Error{expr.at, "'" + expr.name->text + "' is not declared"};
  }
  if (expr.operand->kind == Expr::Kind::Name && expr.operand->name->key == "this" &&
      !find_place(*expr.operand->name)) {
    const PouInfo* owner = frame().pou->owner;
    std::optional<Place> found =
        owner != nullptr ? find_in_owner(frame(), expr.name->key) : find_place(*expr.name);
    if (!found)
      found = find_shared((owner != nullptr ? owner : frame().pou)->pou->name.text, expr.name->key);
    if (found) return *found;
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
  Held held(held_);
  held.add(*outer);
  const Type& array = *outer->type;
  if (array.kind != Type::Kind::Array || outer->bits)
    return Error{expr.at, "only arrays have elements, not " + array.name};
  if (expr.arguments.size() != array.bounds.size())
    return Error{expr.at, "expected " + std::to_string(array.bounds.size()) +
                              (array.bounds.size() == 1 ? " index" : " indices")};
  // Counted through from 0; `inside`: within all bounds.
  Term position = t_.bv(0, kIndexBits), inside = t_.boolean(true);
  held.add(position);
  held.add(inside);
  for (std::size_t i = 0; i < array.bounds.size(); ++i) {
    const Argument& argument = expr.arguments[i];
    if (argument.kind != Argument::Kind::Positional) return Error{expr.at, "an index has no name"};
    const ExprPtr& index = argument.value;
    Result<Value> value = eval(*index, elementary("dint"));
    if (!value) return value.error();
    auto [low, high] = array.bounds[i];
    mpz_class size = high - low + 1;
    Term wide;
    std::uint32_t bits = 64;
    if (value->integer) {
      if (*value->integer < low || *value->integer > high)
        return Error{expr.at, "the index is out of bounds"};
      wide = t_.bv(*value->integer, bits);
    } else {
      if (value->type == nullptr ||
          (!value->type->is_integer() && value->type->kind != Type::Kind::Enum) ||
          value->type->text)
        return Error{index->at, "an index is an integer"};
      bits = value->type->bits < 64 ? 64 : 66;  // has all values of ULINT and of a negative bound
      wide = extended(value->term, *value->type, bits);
    }
    Term from_zero = t_.make_bv_sub(wide, t_.bv(low, bits));
    inside = t_.make_and(inside, t_.make(Op::BvUlt, {from_zero, t_.bv(size, bits)}));
    Term part = t_.make_extract(from_zero, kIndexBits - 1, 0);
    position = t_.make(Op::BvAdd, {t_.make(Op::BvMul, {position, t_.bv(size, kIndexBits)}), part});
  }
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
  if (known == fixed_.end()) return each.storage->leaf;
  ++turns_read_;
  return known->second;
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
    keep(kept.term);
    for (Place::Alternative& each : alternatives) {
      keep(each.guard);
      keep(each.index);
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

/// The i-th element of an array, counted from 0.
Place::Alternative Translator::element(const Place::Alternative& array, std::size_t i) {
  const Storage& storage = *array.storage;
  if (!storage.spread) return {array.guard, &storage.parts[i], array.index};
  Term index = t_.bv(mpz_class(std::to_string(i)), kIndexBits);
  if (array.index) {
    Term count = t_.bv(mpz_class(std::to_string(storage.type->elements())), kIndexBits);
    index = t_.make(Op::BvAdd, {t_.make(Op::BvMul, {array.index, count}), index});
  }
  return {array.guard, &storage.parts[0], index};
}

Status Translator::transfer_parts(const Place::Alternative& to, const Place::Alternative& from,
                                  const SourcePos& at, std::vector<Transfer>& out) {
  const Storage &target = *to.storage, &source = *from.storage;
  const Type &type = *target.type, &given = *source.type;
  bool alike = type.kind == given.kind && type.kind != Type::Kind::Block &&
               type.parts.size() == given.parts.size() && type.elements() == given.elements();
  bool same = !type.is_scalar() ||
              (type.bits == given.bits && (!given.text || given.length <= type.length));
  if (!alike || !same) return Error{at, "cannot assign " + given.name + " to " + type.name};
  if (type.is_scalar()) {
    out.push_back({to, read_alternative(from)});
    return Ok{};
  }
  // Two large arrays are copied as wholes.
  bool wholes = target.spread && source.spread && !to.index && !from.index;
  bool elements = type.kind == Type::Kind::Array && !wholes;
  std::size_t count = elements ? type.elements() : target.parts.size();
  for (std::size_t i = 0; i < count; ++i) {
    Place::Alternative one{to.guard, &target.parts[elements ? 0 : i], to.index};
    Place::Alternative other{from.guard, &source.parts[elements ? 0 : i], from.index};
    if (elements) {
      one = element(to, i);
      other = element(from, i);
    }
    if (Status done = transfer_parts(one, other, at, out); !done) return done;
  }
  return Ok{};
}

/// A structure or an array as it is now, scalar by scalar.
Result<std::vector<Transfer>> Translator::transfers(const Place& to, const Place& from,
                                                    const SourcePos& at) {
  bool known = to.alternatives.size() == 1 && from.alternatives.size() == 1 && !from.may_miss &&
               !from.alternatives[0].guard;
  if (!known) return Error{at, "copies of structures under a variable index are not supported"};
  std::vector<Transfer> out;
  if (Status done = transfer_parts(to.alternatives[0], from.alternatives[0], at, out); !done)
    return done.error();
  return out;
}

/// Assignments of structures and arrays, part by part.
Status Translator::copy(const Place& to, const Place& from, const SourcePos& at) {
  Result<std::vector<Transfer>> all = transfers(to, from, at);
  if (!all) return all.error();
  for (const Transfer& one : *all) write_alternative(one.to, one.value);
  return Ok{};
}

}  // namespace lem::st
