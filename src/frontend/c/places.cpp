#include "frontend/c/places.h"

#include <algorithm>

namespace lem::c {

Term Places::is_of(const Access& access, const Place& place, const Pointer& pointer) const {
  bool alone = access.places.size() == 1 && !access.elsewhere;
  if (alone || points_to_[place.object].many) return t_.boolean(true);
  return t_.make_eq(pointer.object, encoding_.object(place.object));
}

Term Places::is_at(const Place& place, std::size_t i, const Pointer& pointer) const {
  if (points_to_.stride(place.object) == 0) return t_.boolean(true);
  std::uint64_t step = points_to_.step(place.object);
  return t_.make_eq(pointer.index,
                    encoding_.index_of(static_cast<std::int64_t>(place.offsets[i] / step)));
}

Term Places::is_at(const Cell& cell, const Place& place, std::size_t i,
                   const Pointer& pointer) const {
  return cell.indexed ? t_.boolean(true) : is_at(place, i, pointer);
}

/// The element of an array that the pointer points to. Pointers count steps that may be shorter
/// than the distance of elements; it is known that the place is a multiple of that distance.
Term Places::element(const Place& place, const Pointer& pointer) const {
  auto step = static_cast<std::int64_t>(points_to_.step(place.object));
  std::int64_t apart = static_cast<std::int64_t>(points_to_.stride(place.object)) / step;
  if (apart == 1) return pointer.index;
  Term first = encoding_.index_of(static_cast<std::int64_t>(place.offsets[0]) / step);
  if (encoding_.ideal())
    return t_.make(Op::IntDiv, {t_.make_sub(pointer.index, first), encoding_.index_of(apart)});
  Term steps = t_.make_bv_sub(pointer.index, first);
  if ((apart & (apart - 1)) != 0) return t_.make(Op::BvSdiv, {steps, encoding_.index_of(apart)});
  std::int64_t shift = 0;
  while ((std::int64_t{1} << shift) < apart) ++shift;
  return t_.make(Op::BvAshr, {steps, encoding_.index_of(shift)});
}

Spot Places::spot(const Cell& cell, const Place& place, const Pointer& pointer) const {
  return {cell, pointer, cell.indexed ? element(place, pointer) : Term{}};
}

Term Places::get(Term variable, const Spot& spot) const {
  Term row = encoding_.of_instance(spot.cell.object, variable, spot.pointer);
  return spot.cell.indexed ? t_.make_select(row, spot.element) : row;
}

Term Places::set(Term variable, const Spot& spot, Term scalar) const {
  Term row = encoding_.of_instance(spot.cell.object, variable, spot.pointer);
  if (spot.cell.indexed) scalar = t_.make_store(row, spot.element, scalar);
  return encoding_.with_instance(spot.cell.object, variable, spot.pointer, scalar);
}

void Updates::update(Term variable, const Spot& spot, Term condition,
                     const std::function<Term(Term)>& fresh) {
  auto known = std::find_if(writes_.begin(), writes_.end(),
                            [&](const Write& write) { return write.variable == variable; });
  Term before = known == writes_.end() ? variable : known->value;
  Term old = places_.get(before, spot);
  Term after = places_.set(before, spot, t_.make_ite(condition, fresh(old), old));
  if (after == before) return;
  if (known != writes_.end())
    known->value = after;
  else
    writes_.push_back({variable, after});
}

Term with_bits(TermStore& t, Term whole, Term bits, std::uint32_t shift) {
  std::uint32_t end = shift + t.width(bits);
  if (end < t.width(whole))
    bits = t.make_concat(t.make_extract(whole, t.width(whole) - 1, end), bits);
  return shift == 0 ? bits : t.make_concat(bits, t.make_extract(whole, shift - 1, 0));
}

}  // namespace lem::c
