#include "frontend/c/pointer_operations.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include "base/try.h"
#include "frontend/c/literals.h"

namespace lem::c {

Result<Pointer> PointerOperations::result(const llvm::Instruction& instruction) {
  if (auto* loads = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return memory_.load_pointer(*loads);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    LEM_LET(Term condition, operands_.value(*select->getCondition(), instruction));
    LEM_LET(Pointer yes, operands_.pointer(*select->getTrueValue(), instruction));
    LEM_LET(Pointer no, operands_.pointer(*select->getFalseValue(), instruction));
    return Pointer{t_.make_ite(condition, yes.object, no.object),
                   t_.make_ite(condition, yes.index, no.index)};
  }
  if (llvm::isa<llvm::FreezeInst>(instruction))
    return operands_.pointer(*instruction.getOperand(0), instruction);
  if (llvm::isa<llvm::CallBase>(instruction)) return operands_.any_pointer(instruction);
  return operands_.pointer(instruction, instruction);
}

Status PointerOperations::define(const llvm::Instruction& instruction) {
  bool checked = llvm::isa<llvm::LoadInst>(instruction) && !w_.options.checks.empty();
  if (w_.chains.last_use(instruction) == 0 && !checked) return Ok{};  // not used
  LEM_LET(Pointer found, result(instruction));
  if (std::optional<ObjectId> only = encoding_.only(points_to_(instruction)))
    found.object = encoding_.object(*only);
  w_.values.define(instruction, found);
  return Ok{};
}

// Equality --------------------------------------------------------------------------------------

Result<Term> PointerOperations::compare(const llvm::ICmpInst& compare) {
  LEM_LET(Pointer a, operands_.pointer(*compare.getOperand(0), compare));
  LEM_LET(Pointer b, operands_.pointer(*compare.getOperand(1), compare));
  if (!compare.isEquality()) return less(compare, a, b);
  Term same = equal(compare, a, b);
  return compare.getPredicate() == llvm::CmpInst::ICMP_EQ ? same : t_.make_not(same);
}

/// Whether the pointer is behind the last byte of this object, or before the first. Of an object
/// without a known size: wherever it is not at the start.
Term PointerOperations::ends(ObjectId object, const Offset& offset, const Pointer& pointer) {
  bool known = points_to_[object].size || w_.checks(CRule::Bounds);
  return t_.make_not(known ? objects_.is_inside(object, offset, 1, pointer)
                           : objects_.is_start(object, offset, pointer));
}

/// Functions, labels and small numbers as pointers have no place beside other objects.
static bool has_neighbours(const Object& object) {
  return object.kind != Object::Kind::Function && object.site->getName() != kOwnNumbers &&
         !object.site->getName().startswith(kOwnLabel);
}

/// One pointer is behind its object and the other at the start of another object, which may lie
/// there [C 6.5.9p6].
Term PointerOperations::may_touch(const Targets& left, const Targets& right, const Pointer& a,
                                  const Pointer& b) {
  struct Ways {
    Term start, end;
  };
  auto ways = [&](const Targets& targets, const Pointer& pointer) {
    std::vector<Term> start, end;
    for (const auto& [object, offset] : targets.objects) {
      if (!has_neighbours(points_to_[object])) continue;
      Term here = encoding_.is_into(targets, object, pointer);
      start.push_back(t_.make_and(here, objects_.is_start(object, offset, pointer)));
      end.push_back(t_.make_and(here, ends(object, offset, pointer)));
    }
    return Ways{t_.make_or(start), t_.make_or(end)};
  };
  Ways first = ways(left, a), second = ways(right, b);
  Term touch =
      t_.make_or(t_.make_and(first.end, second.start), t_.make_and(first.start, second.end));
  return t_.make_and(touch, t_.make_not(t_.make_eq(a.object, b.object)));
}

Term PointerOperations::may_be_one_literal(const Targets& left, const Targets& right,
                                           const Pointer& a, const Pointer& b) {
  std::vector<Term> out;
  for (const auto& [object, offset] : left.objects) {
    if (!is_literal(*points_to_[object].site)) continue;
    for (const auto& [other, place] : right.objects) {
      if (other == object || !is_literal(*points_to_[other].site)) continue;
      bool fixed = points_to_.step(object) == 0 && points_to_.step(other) == 0;
      if (fixed &&
          !may_overlap(*llvm::cast<llvm::GlobalVariable>(points_to_[object].site), offset.rest,
                       *llvm::cast<llvm::GlobalVariable>(points_to_[other].site), place.rest))
        continue;
      out.push_back(
          t_.make_and(encoding_.is_into(left, object, a), encoding_.is_into(right, other, b)));
    }
  }
  return t_.make_or(out);
}

/// The same object and, if it is one that both may point to, the same place in it.
Term PointerOperations::equal(const llvm::ICmpInst& compare, const Pointer& a, const Pointer& b) {
  Targets left = points_to_(*compare.getOperand(0)), right = points_to_(*compare.getOperand(1));
  auto open = [](const Targets& targets) { return targets.wild || targets.unknown != nullptr; };
  bool possible = open(left) || open(right) || (left.null && right.null);
  for (const auto& [object, offset] : left.objects)
    possible = possible || right.objects.count(object) != 0;
  Term either = t_.make_or(may_touch(left, right, a, b), may_be_one_literal(left, right, a, b));
  if (!t_.is_false(either)) either = t_.make_and(either, w_.automaton.any(t_.bool_sort(), compare));
  if (!possible) return either;
  std::vector<Term> all = {t_.make_eq(a.object, b.object)};
  for (const auto& [object, offset] : left.objects) {
    auto other = right.objects.find(object);
    if (other == right.objects.end()) continue;
    std::uint64_t step = points_to_.step(object);
    Term same = t_.boolean(rest_of(offset, step) == rest_of(other->second, step));
    if (step != 0) same = t_.make_and(same, t_.make_eq(a.index, b.index));
    if (t_.is_true(same)) continue;
    Term here = t_.make_eq(a.object, encoding_.object(object));
    if (points_to_[object].many) {
      Term last = encoding_.object(points_to_.objects().size());
      here = encoding_.ideal() ? t_.make_lt(last, a.object) : t_.make(Op::BvUlt, {last, a.object});
    }
    if (left.single()) here = t_.boolean(true);
    all.push_back(t_.make_implies(here, same));
  }
  return t_.make_or(t_.make_and(all), either);
}

// Order -----------------------------------------------------------------------------------------

Result<PointerOperations::Apart> PointerOperations::apart(const llvm::Instruction& at,
                                                          const llvm::Value& left,
                                                          const llvm::Value& right,
                                                          const Pointer& a, const Pointer& b) {
  Targets first = points_to_(left), second = points_to_(right);
  if (first.objects.empty() || second.objects.empty()) return Apart{t_.boolean(false), 1, 0, 0};
  std::uint64_t step = points_to_.step(first.objects.begin()->first);
  bool one = first.objects.size() == 1 && second.objects.size() == 1;
  if (step == 0 && !one) return w_.refuse(at, "order of pointers to one of several objects");
  if (step != points_to_.step(second.objects.begin()->first))
    return Apart{t_.boolean(false), 1, 0, 0};  // no object in common
  return Apart{t_.make_eq(a.object, b.object), step, rest_of(first.objects.begin()->second, step),
               rest_of(second.objects.begin()->second, step)};
}

Result<Term> PointerOperations::less(const llvm::ICmpInst& compare, const Pointer& a,
                                     const Pointer& b) {
  LEM_LET(Apart found, apart(compare, *compare.getOperand(0), *compare.getOperand(1), a, b));
  llvm::CmpInst::Predicate predicate = compare.getSignedPredicate();
  if (compare.isSigned()) predicate = compare.getPredicate();
  auto rests = llvm::APInt(64, static_cast<std::uint64_t>(found.left), true);
  auto other = llvm::APInt(64, static_cast<std::uint64_t>(found.right), true);
  Term at_one_index = t_.boolean(llvm::ICmpInst::compare(rests, other, predicate));
  Term before =
      encoding_.arithmetic.compare(llvm::CmpInst::getStrictPredicate(predicate), a.index, b.index);
  Term ordered = found.step == 0 ? at_one_index
                                 : t_.make_ite(t_.make_eq(a.index, b.index), at_one_index, before);
  if (t_.is_true(found.same_object)) return ordered;
  return t_.make_ite(found.same_object, ordered, w_.automaton.any(t_.bool_sort(), compare));
}

/// Nothing if what `op` divides by does not divide the step.
std::optional<Result<Term>> PointerOperations::difference(const llvm::BinaryOperator& op) {
  const llvm::BinaryOperator* minus = &op;
  std::int64_t divisor = 1;
  if (op.getOpcode() == llvm::Instruction::SDiv) {
    minus = llvm::dyn_cast<llvm::BinaryOperator>(op.getOperand(0));
    auto* by = llvm::dyn_cast<llvm::ConstantInt>(op.getOperand(1));
    if (by == nullptr || !by->getValue().isStrictlyPositive()) return std::nullopt;
    divisor = by->getSExtValue();
  }
  if (minus == nullptr || !is_difference(*minus)) return std::nullopt;
  if (op.getType()->getIntegerBitWidth() != points_to_.layout().getIndexSizeInBits(0))
    return w_.refuse(op, "address as a number");
  auto pointer_of = [&](unsigned side) -> const llvm::Value& {
    return *llvm::cast<llvm::PtrToIntOperator>(minus->getOperand(side))->getPointerOperand();
  };
  LEM_LET(Pointer a, operands_.pointer(pointer_of(0), op));
  LEM_LET(Pointer b, operands_.pointer(pointer_of(1), op));
  LEM_LET(Apart found, apart(op, pointer_of(0), pointer_of(1), a, b));
  std::int64_t step = static_cast<std::int64_t>(found.step), rests = found.left - found.right;
  if (step % divisor != 0 || rests % divisor != 0) return std::nullopt;  // divided as numbers are
  Term term = encoding_.index_of(rests / divisor);
  Term factor = encoding_.index_of(step / divisor);
  Term indices =
      encoding_.ideal() ? t_.make_sub(a.index, b.index) : t_.make_bv_sub(a.index, b.index);
  term = encoding_.add(term, encoding_.multiply(factor, indices));
  if (t_.is_true(found.same_object)) return Result<Term>(term);
  return Result<Term>(
      t_.make_ite(found.same_object, term, w_.automaton.any(encoding_.index_sort(), op)));
}

}  // namespace lem::c
