#include "frontend/st/translate/memory.h"

#include <algorithm>

#include "base/try.h"
#include "frontend/st/standard_blocks.h"

namespace lem::st {

/// Arrays up to this many elements are variables of their own, one per element.
static constexpr std::size_t kExpanded = 40;

static bool has_instance(const Type& type) {
  if (type.kind == Type::Kind::Block) return true;
  if (type.kind == Type::Kind::Array) return has_instance(*type.element);
  return std::any_of(type.parts.begin(), type.parts.end(),
                     [](const Part& part) { return has_instance(*part.type); });
}

static std::string element_name(const std::string& array, const Type& type, std::size_t at) {
  std::string indices;
  for (std::size_t i = type.bounds.size(); i-- > 0;) {
    auto [low, high] = type.bounds[i];
    auto size = static_cast<std::size_t>(high - low + 1);
    std::string one = std::to_string(low + static_cast<std::int64_t>(at % size));
    indices = indices.empty() ? one : one + "," + indices;
    at /= size;
  }
  return array + "[" + indices + "]";
}

Storage Memory::make(const std::string& name, const Type& type, StVariable::Role role,
                     std::size_t spread_elements) {
  Storage out{&type};
  if (type.is_scalar()) {
    Sort sort = types_.sort_of(type);
    if (spread_elements != 0) sort = t_.array_sort(t_.bv_sort(kIndexBits), sort);
    out.leaf = cfa_.variable(name, sort, {{}, name, &type, role});
    return out;
  }
  if (type.kind == Type::Kind::Array) {
    std::size_t count = type.elements();
    out.spread = spread_elements != 0 || (count > kExpanded && !has_instance(type));
    std::size_t within = out.spread ? std::max<std::size_t>(spread_elements, 1) * count : 0;
    for (std::size_t i = 0; i < (out.spread ? 1 : count); ++i) {
      std::string part = out.spread ? name + "[]" : element_name(name, type, i);
      out.parts.push_back(make(part, *type.element, role, within));
    }
    return out;
  }
  for (const Part& part : type.parts) {
    std::string path = name.empty() ? part.name.text : name + "." + part.name.text;
    bool age = type.block != nullptr && type.block->builtin && part.name.key == kAge;
    StVariable::Role own = age                            ? StVariable::Role::Time
                           : is_located_input(type, part) ? StVariable::Role::Input
                                                          : role;
    out.parts.push_back(make(path, *part.type, own, spread_elements));
    if (age) ages_.push_back(out.parts.back().leaf);
  }
  return out;
}

Term Memory::read_alternative(const Place::Alternative& each) {
  if (each.index) return t_.make_select(each.storage->leaf, each.index);
  return loops_.read(each.storage->leaf);
}

Result<Value> Memory::read(const Place& place, const SourcePos& at) {
  if (!place.type->is_scalar())
    return Error{at, "a value of type " + place.type->name + " cannot be used here"};
  const Type& stored = *place.alternatives[0].storage->type;
  Term value = place.may_miss ? cfa_.any_value(types_.sort_of(stored), at) : Term{};
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

void Memory::write(const Transfer& one) {
  const Place::Alternative& to = one.to;
  Term leaf = to.storage->leaf;
  loops_.forget(leaf);
  Term now = to.index ? t_.make_store(leaf, to.index, one.value) : one.value;
  cfa_.emit(Command::assign(leaf, to.guard ? t_.make_ite(to.guard, now, leaf) : now));
}

Status Memory::write(const Place& place, const Value& value, const SourcePos& at) {
  LEM_LET(Term term, types_.coerce(value, *place.type, at));
  Value kept{place.type, term};
  std::vector<Place::Alternative> alternatives = place.alternatives;
  if (alternatives.size() > 1) {  // guards, indices and value are those before the first assignment
    cfa_.keep(kept.term);
    for (Place::Alternative& each : alternatives) {
      cfa_.keep(each.guard);
      cfa_.keep(each.index);
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
    write({each, written});
  }
  return Ok{};
}

/// The i-th element of an array, counted from 0.
Place::Alternative Memory::element(const Place::Alternative& array, std::size_t i) {
  const Storage& storage = *array.storage;
  if (!storage.spread) return {array.guard, &storage.parts[i], array.index};
  Term index = t_.bv(mpz_class(std::to_string(i)), kIndexBits);
  if (array.index) {
    Term count = t_.bv(mpz_class(std::to_string(storage.type->elements())), kIndexBits);
    index = t_.make(Op::BvAdd, {t_.make(Op::BvMul, {array.index, count}), index});
  }
  return {array.guard, &storage.parts[0], index};
}

Status Memory::transfer_parts(const Place::Alternative& to, const Place::Alternative& from,
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
    LEM_TRY(transfer_parts(one, other, at, out));
  }
  return Ok{};
}

Result<std::vector<Transfer>> Memory::transfers(const Place& to, const Place& from,
                                                const SourcePos& at) {
  bool known = to.alternatives.size() == 1 && from.alternatives.size() == 1 && !from.may_miss &&
               !from.alternatives[0].guard;
  if (!known) return Error{at, "copies of structures under a variable index are not supported"};
  std::vector<Transfer> out;
  LEM_TRY(transfer_parts(to.alternatives[0], from.alternatives[0], at, out));
  return out;
}

Status Memory::copy(const Place& to, const Place& from, const SourcePos& at) {
  LEM_LET(std::vector<Transfer> all, transfers(to, from, at));
  for (const Transfer& one : all) write(one);
  return Ok{};
}

}  // namespace lem::st
