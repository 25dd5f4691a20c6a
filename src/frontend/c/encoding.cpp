#include "frontend/c/encoding.h"

#include <llvm/IR/Constants.h>

namespace lem::c {

std::int64_t rest_of(const Offset& offset, std::uint64_t step) {
  auto by = static_cast<std::int64_t>(step);
  return step == 0 ? offset.rest : ((offset.rest % by) + by) % by;
}

// Sorts and constants ---------------------------------------------------------------------------

/// As narrow as the number of objects allows, unless instances are counted.
Sort Encoding::object_sort() const {
  if (ideal()) return t_.int_sort();
  if (points_to_.any_instances()) return t_.bv_sort(32);
  std::uint32_t width = 1;
  while ((std::size_t{1} << width) <= points_to_.objects().size() + 1) ++width;
  return t_.bv_sort(width);  // with a number that is no object's
}

Sort Encoding::index_sort() const {
  return ideal() ? t_.int_sort() : t_.bv_sort(points_to_.layout().getIndexSizeInBits(0));
}

Sort Encoding::sort(const llvm::Type& type, unsigned part) const {
  if (type.isPointerTy()) return part == 0 ? object_sort() : index_sort();
  if (type.isFloatingPointTy()) return floats.sort(type);
  return arithmetic.sort(llvm::cast<llvm::IntegerType>(type));
}

Sort Encoding::in_cell(const Cell& cell, Sort each) const {
  return per_instance(cell.object, cell.indexed ? t_.array_sort(index_sort(), each) : each);
}

std::optional<Term> Encoding::constant(const llvm::Value& value, CSign sign) const {
  if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return arithmetic.constant(number->getValue(), sign);
  if (auto* number = llvm::dyn_cast<llvm::ConstantFP>(&value))
    return floats.constant(number->getValueAPF());
  return std::nullopt;
}

Term Encoding::object(std::uint64_t number) const {
  return t_.number(mpq_class(static_cast<unsigned long>(number)), object_sort());
}

Term Encoding::index_of(std::int64_t number) const {
  return t_.number(mpq_class(static_cast<long>(number)), index_sort());
}

Term Encoding::add(Term a, Term b) const {
  return ideal() ? t_.make_add(a, b) : t_.make(Op::BvAdd, {a, b});
}

Term Encoding::multiply(Term a, Term b) const {
  return ideal() ? t_.make_mul(a, b) : t_.make(Op::BvMul, {a, b});
}

// Objects ---------------------------------------------------------------------------------------

bool Encoding::indexed(const Targets& targets) const {
  for (const auto& [object, offset] : targets.objects)
    if (points_to_.step(object) != 0) return true;
  return false;
}

std::optional<ObjectId> Encoding::only(const Targets& targets) const {
  if (!targets.single()) return std::nullopt;
  ObjectId object = targets.objects.begin()->first;
  return points_to_[object].many ? std::nullopt : std::optional(object);
}

Term Encoding::is_into(const Targets& targets, ObjectId id, const Pointer& pointer) const {
  if (targets.single()) return t_.boolean(true);
  if (!points_to_[id].many) return t_.make_eq(pointer.object, object(id));
  std::vector<Term> others;
  if (targets.null || targets.wild) others.push_back(t_.make_not(is_null(pointer)));
  for (const auto& [other, offset] : targets.objects)
    if (other != id) others.push_back(t_.make_not(t_.make_eq(pointer.object, object(other))));
  return t_.make_and(others);
}

Sort Encoding::per_instance(ObjectId object, Sort each) const {
  return points_to_[object].many ? t_.array_sort(object_sort(), each) : each;
}

Term Encoding::of_instance(ObjectId object, Term all, const Pointer& pointer) const {
  return points_to_[object].many ? t_.make_select(all, pointer.object) : all;
}

Term Encoding::with_instance(ObjectId object, Term all, const Pointer& pointer, Term part) const {
  return points_to_[object].many ? t_.make_store(all, pointer.object, part) : part;
}

}  // namespace lem::c
