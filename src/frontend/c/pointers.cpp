// Pointers as values: which object, and how many steps from its beginning.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include "base/assert.h"
#include "frontend/c/literals.h"
#include "frontend/c/place.h"
#include "frontend/c/translate.h"

namespace lem::c {

// Sorts and constants ---------------------------------------------------------------------------

/// As narrow as the number of objects allows, unless instances are counted.
Sort Translator::object_sort() {
  if (arithmetic_.ideal()) return t_.int_sort();
  if (points_to_.any_instances()) return t_.bv_sort(32);
  std::uint32_t width = 1;
  while ((std::size_t{1} << width) <= points_to_.objects().size() + 1) ++width;
  return t_.bv_sort(width);  // with a number that is no object's
}

Sort Translator::index_sort() {
  if (arithmetic_.ideal()) return t_.int_sort();
  return t_.bv_sort(points_to_.layout().getIndexSizeInBits(0));
}

Term Translator::object_constant(std::uint64_t number) {
  return t_.number(mpq_class(static_cast<unsigned long>(number)), object_sort());
}

Term Translator::object_number(ObjectId object) {
  return object_constant(std::uint64_t{index(object)} + 1);
}

Term Translator::index_constant(std::int64_t number) {
  return t_.number(mpq_class(static_cast<long>(number)), index_sort());
}

bool Translator::indexed(const Targets& targets) const {
  for (const auto& [object, offset] : targets.objects)
    if (points_to_.step(object) != 0) return true;
  return false;
}

Term Translator::any(Sort sort, const llvm::Instruction& at) {
  Term variable = internal(sort, 0);
  emit(Command::havoc(variable), line_of(at));
  return variable;
}

/// Any object will do: reading through the pointer would be undefined.
Pointer Translator::any_pointer(const llvm::Instruction& at) {
  return {any(object_sort(), at), index_constant(0)};
}

// Values ----------------------------------------------------------------------------------------

Result<Pointer> Translator::pointer(const llvm::Value& value, const llvm::Instruction& user) {
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) return phi_variables(*phi);
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value)) {
    auto object = values_.find(instruction), position = indices_.find(instruction);
    if (object != values_.end() && position != indices_.end())
      return Pointer{object->second, position->second};
  }
  if (auto site = points_to_.object_of(&value); site && !llvm::isa<llvm::CallBase>(value))
    return Pointer{object_number(*site), index_constant(0)};
  if (llvm::isa<llvm::ConstantPointerNull>(value))
    return Pointer{object_constant(0), index_constant(0)};
  if (auto* access = llvm::dyn_cast<llvm::GEPOperator>(&value)) return element(*access, user);
  if (auto* same = llvm::dyn_cast<llvm::BitCastOperator>(&value))
    return pointer(*same->getOperand(0), user);
  if (llvm::isa<llvm::UndefValue, llvm::Argument>(value)) return any_pointer(user);
  return refuse(user, "pointer made from a number");
}

static std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// The rest of what it points to, which is the same for all objects when they have a step.
static std::int64_t rest_of(const Targets& targets, std::uint64_t step) {
  std::int64_t rest = targets.objects.begin()->second.rest;
  auto by = static_cast<std::int64_t>(step);
  return step == 0 ? rest : rest - floor_div(rest, by) * by;
}

Result<Pointer> Translator::element(const llvm::GEPOperator& element,
                                    const llvm::Instruction& user) {
  Result<Pointer> base = pointer(*element.getPointerOperand(), user);
  if (!base) return base;
  Targets targets = points_to_(*element.getPointerOperand());
  if (!indexed(targets)) return base;
  Displacement by = displacement(element, points_to_.layout());
  auto step = static_cast<std::int64_t>(points_to_.step(targets.objects.begin()->first));
  auto width = points_to_.layout().getIndexSizeInBits(0);
  // (rest + constant) / step without overflow of the sum
  std::int64_t rest = rest_of(targets, static_cast<std::uint64_t>(step));
  std::int64_t whole = floor_div(by.constant, step);
  std::int64_t left = by.constant - whole * step;
  if (rest >= step - left) ++whole;
  auto add = [&](Term a, Term b) {
    return arithmetic_.ideal() ? t_.make_add(a, b) : t_.make(Op::BvAdd, {a, b});
  };
  Term sum = add(base->index, index_constant(whole));
  for (const auto& [value, factor] : by.terms) {
    Result<Term> term = this->value(*value, user);
    if (!term) return term.error();
    Term count = *term;
    if (t_.kind(count) == SortKind::BitVec && t_.width(count) < width)
      count = t_.make(Op::BvSignExtend, {count}, width - t_.width(count));
    if (t_.kind(count) == SortKind::BitVec && t_.width(count) > width)
      count = t_.make_extract(count, width - 1, 0);
    if (t_.kind(count) == SortKind::Bool) return refuse(user, "truth value as an index");
    Term steps = index_constant(factor / step);
    count = arithmetic_.ideal() ? t_.make_mul(steps, count) : t_.make(Op::BvMul, {steps, count});
    sum = add(sum, count);
  }
  return Pointer{base->object, sum};
}

Status Translator::define_pointer(const llvm::Instruction& instruction) {
  bool checked = llvm::isa<llvm::LoadInst>(instruction) && !checks_.empty();  // used or not
  if (last_use_.lookup(&instruction) == 0 && !checked) return Ok{};
  Targets targets = points_to_(instruction);
  Result<Pointer> result = Error{};
  if (auto* loads = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    Result<Term> object = load(*loads, 0);
    if (!object) return object.error();
    Result<Term> position = load(*loads, 1);
    if (!position) return position.error();
    result = Pointer{*object, *position};
  } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    Result<Term> condition = value(*select->getCondition(), instruction);
    if (!condition) return condition.error();
    Result<Pointer> yes = pointer(*select->getTrueValue(), instruction);
    if (!yes) return yes.error();
    Result<Pointer> no = pointer(*select->getFalseValue(), instruction);
    if (!no) return no.error();
    result = Pointer{t_.make_ite(*condition, yes->object, no->object),
                     t_.make_ite(*condition, yes->index, no->index)};
  } else if (llvm::isa<llvm::FreezeInst>(instruction)) {
    result = pointer(*instruction.getOperand(0), instruction);
  } else if (llvm::isa<llvm::GEPOperator, llvm::BitCastOperator>(instruction)) {
    result = pointer(instruction, instruction);
  } else if (llvm::isa<llvm::CallBase>(instruction)) {
    result = any_pointer(instruction);
  } else {
    result = pointer(instruction, instruction);
  }
  if (!result) return result.error();
  if (targets.single() && !points_to_[targets.objects.begin()->first].many)
    result->object = object_number(targets.objects.begin()->first);
  define(instruction, result->object, values_);
  define(instruction, result->index, indices_);
  return Ok{};
}

// Comparison ------------------------------------------------------------------------------------

Result<Term> Translator::compare_pointers(const llvm::ICmpInst& compare) {
  Result<Pointer> a = pointer(*compare.getOperand(0), compare);
  if (!a) return a.error();
  Result<Pointer> b = pointer(*compare.getOperand(1), compare);
  if (!b) return b.error();
  switch (compare.getPredicate()) {
    case llvm::CmpInst::ICMP_EQ:
      return equal(compare, *a, *b);
    case llvm::CmpInst::ICMP_NE: {
      Result<Term> same = equal(compare, *a, *b);
      return same ? Result<Term>(t_.make_not(*same)) : same;
    }
    default:
      return less(compare, *a, *b);
  }
}

/// Whether the pointer is at the start of this object.
Term Translator::begins(ObjectId object, const Offset& offset, const Pointer& pointer) {
  std::uint64_t step = points_to_.step(object);
  Targets one;
  one.objects[object] = offset;
  if (rest_of(one, step) != 0) return t_.boolean(false);
  return step == 0 ? t_.boolean(true) : t_.make_eq(pointer.index, index_constant(0));
}

/// Whether the pointer is behind the last byte of this object, or before the first. Of an object
/// whose size nobody keeps: wherever it is not at the start.
Term Translator::ends(ObjectId object, const Offset& offset, const Pointer& pointer) {
  bool known = points_to_[object].size || checks_.contains(CRule::Bounds);
  if (!known) return t_.make_not(begins(object, offset, pointer));
  return t_.make_not(is_inside(object, offset, 1, pointer));
}

/// Functions, labels and small numbers as pointers have no place beside other objects.
static bool has_neighbours(const Object& object) {
  return object.kind != Object::Kind::Function && object.site->getName() != kOwnNumbers &&
         !object.site->getName().startswith(kOwnLabel);
}

/// One pointer is behind its object and the other at the start of another object, which may lie
/// there [C 6.5.9p6].
Term Translator::may_touch(const Targets& left, const Targets& right, const Pointer& a,
                           const Pointer& b) {
  struct Ways {
    Term start, end;
  };
  auto ways = [&](const Targets& targets, const Pointer& pointer) {
    std::vector<Term> start, end;
    for (const auto& [object, offset] : targets.objects) {
      if (!has_neighbours(points_to_[object])) continue;
      Term here = is_into(targets, object, pointer);
      start.push_back(t_.make_and(here, begins(object, offset, pointer)));
      end.push_back(t_.make_and(here, ends(object, offset, pointer)));
    }
    return Ways{t_.make_or(start), t_.make_or(end)};
  };
  Ways first = ways(left, a), second = ways(right, b);
  Term touch =
      t_.make_or(t_.make_and(first.end, second.start), t_.make_and(first.start, second.end));
  return t_.make_and(touch, t_.make_not(t_.make_eq(a.object, b.object)));
}

Term Translator::may_be_one_literal(const Targets& left, const Targets& right, const Pointer& a,
                                    const Pointer& b) {
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
      out.push_back(t_.make_and(is_into(left, object, a), is_into(right, other, b)));
    }
  }
  return t_.make_or(out);
}

/// The same object and, if it is one that both may point to, the same place in it. Pointers to
/// different objects may be equal where C lets them.
Result<Term> Translator::equal(const llvm::ICmpInst& compare, const Pointer& a, const Pointer& b) {
  Targets left = points_to_(*compare.getOperand(0)), right = points_to_(*compare.getOperand(1));
  auto open = [](const Targets& targets) { return targets.wild || targets.unknown != nullptr; };
  bool possible = open(left) || open(right) || (left.null && right.null);
  for (const auto& [object, offset] : left.objects)
    possible = possible || right.objects.count(object) != 0;
  Term either = t_.make_or(may_touch(left, right, a, b), may_be_one_literal(left, right, a, b));
  if (!t_.is_false(either)) either = t_.make_and(either, any(t_.bool_sort(), compare));
  if (!possible) return either;
  std::vector<Term> all = {t_.make_eq(a.object, b.object)};
  for (const auto& [object, offset] : left.objects) {
    auto other = right.objects.find(object);
    if (other == right.objects.end()) continue;
    std::uint64_t step = points_to_.step(object);
    Targets first, second;
    first.objects[object] = offset;
    second.objects[object] = other->second;
    Term same = t_.boolean(rest_of(first, step) == rest_of(second, step));
    if (step != 0) same = t_.make_and(same, t_.make_eq(a.index, b.index));
    if (t_.is_true(same)) continue;
    Term here = t_.make_eq(a.object, object_number(object));
    if (points_to_[object].many) {
      Term last = object_constant(points_to_.objects().size());
      here =
          arithmetic_.ideal() ? t_.make_lt(last, a.object) : t_.make(Op::BvUlt, {last, a.object});
    }
    if (left.single()) here = t_.boolean(true);
    all.push_back(t_.make_implies(here, same));
  }
  return t_.make_or(t_.make_and(all), either);
}

Result<Translator::Apart> Translator::apart(const llvm::Instruction& at, const llvm::Value& left,
                                            const llvm::Value& right, const Pointer& a,
                                            const Pointer& b) {
  Targets first = points_to_(left), second = points_to_(right);
  if (first.objects.empty() || second.objects.empty()) return Apart{t_.boolean(false), 1, 0, 0};
  std::uint64_t step = points_to_.step(first.objects.begin()->first);
  bool one = first.objects.size() == 1 && second.objects.size() == 1;
  if (step == 0 && !one) return refuse(at, "order of pointers to one of several objects");
  if (step != points_to_.step(second.objects.begin()->first))
    return Apart{t_.boolean(false), 1, 0, 0};  // no object in common
  return Apart{t_.make_eq(a.object, b.object), step, rest_of(first, step), rest_of(second, step)};
}

/// Of pointers to different objects, C does not say which is less: either may be.
Result<Term> Translator::less(const llvm::ICmpInst& compare, const Pointer& a, const Pointer& b) {
  Result<Apart> found = apart(compare, *compare.getOperand(0), *compare.getOperand(1), a, b);
  if (!found) return found.error();
  llvm::CmpInst::Predicate predicate = compare.getSignedPredicate();
  if (compare.isSigned()) predicate = compare.getPredicate();
  auto rests = llvm::APInt(64, static_cast<std::uint64_t>(found->left), true);
  auto other = llvm::APInt(64, static_cast<std::uint64_t>(found->right), true);
  Term at_one_index = t_.boolean(llvm::ICmpInst::compare(rests, other, predicate));
  Term before = arithmetic_.compare(llvm::CmpInst::getStrictPredicate(predicate), a.index, b.index);
  Term ordered = found->step == 0 ? at_one_index
                                  : t_.make_ite(t_.make_eq(a.index, b.index), at_one_index, before);
  if (t_.is_true(found->same_object)) return ordered;
  return t_.make_ite(found->same_object, ordered, any(t_.bool_sort(), compare));
}

/// p - q, which is an instruction on addresses and perhaps a division behind it.
std::optional<Result<Term>> Translator::difference(const llvm::BinaryOperator& op) {
  const llvm::BinaryOperator* minus = &op;
  std::int64_t divisor = 1;
  if (op.getOpcode() == llvm::Instruction::SDiv) {
    minus = llvm::dyn_cast<llvm::BinaryOperator>(op.getOperand(0));
    auto* by = llvm::dyn_cast<llvm::ConstantInt>(op.getOperand(1));
    if (by == nullptr || !by->getValue().isStrictlyPositive()) return std::nullopt;
    divisor = by->getSExtValue();
  }
  if (minus == nullptr || minus->getOpcode() != llvm::Instruction::Sub) return std::nullopt;
  auto* left = llvm::dyn_cast<llvm::PtrToIntOperator>(minus->getOperand(0));
  auto* right = llvm::dyn_cast<llvm::PtrToIntOperator>(minus->getOperand(1));
  if (left == nullptr || right == nullptr) return std::nullopt;
  if (op.getType()->getIntegerBitWidth() != points_to_.layout().getIndexSizeInBits(0))
    return refuse(op, "address as a number");
  Result<Pointer> a = pointer(*left->getPointerOperand(), op);
  if (!a) return a.error();
  Result<Pointer> b = pointer(*right->getPointerOperand(), op);
  if (!b) return b.error();
  Result<Apart> found = apart(op, *left->getPointerOperand(), *right->getPointerOperand(), *a, *b);
  if (!found) return found.error();
  std::int64_t step = static_cast<std::int64_t>(found->step), rests = found->left - found->right;
  if (step % divisor != 0 || rests % divisor != 0) return std::nullopt;  // divided as numbers are
  Term term = index_constant(rests / divisor);
  Term factor = index_constant(step / divisor);
  if (arithmetic_.ideal())
    term = t_.make_add(term, t_.make_mul(factor, t_.make_sub(a->index, b->index)));
  else
    term = t_.make(Op::BvAdd,
                   {term, t_.make(Op::BvMul, {factor, t_.make_bv_sub(a->index, b->index)})});
  if (t_.is_true(found->same_object)) return Result<Term>(term);
  return Result<Term>(t_.make_ite(found->same_object, term, any(index_sort(), op)));
}

}  // namespace lem::c
