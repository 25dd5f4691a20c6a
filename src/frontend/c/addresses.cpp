#include "frontend/c/addresses.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Operator.h>

namespace lem::c {

bool is_difference(const llvm::User& user) {
  auto* minus = llvm::dyn_cast<llvm::BinaryOperator>(&user);
  return minus != nullptr && minus->getOpcode() == llvm::Instruction::Sub &&
         llvm::isa<llvm::PtrToIntOperator>(user.getOperand(0)) &&
         llvm::isa<llvm::PtrToIntOperator>(user.getOperand(1));
}

void Addresses::find() {
  for (const llvm::Instruction* instruction : w_.chains.instructions())
    for (const llvm::Value* operand : instruction->operands())
      if (auto* number = llvm::dyn_cast<llvm::PtrToIntOperator>(operand);
          number && !is_difference(*instruction))
        for (const auto& [object, offset] : points_to_(*number->getPointerOperand()).objects)
          bases_[object] = Term();
}

/// The alignment that every compiler gives it: that of the type, whatever clang makes of it.
std::uint64_t Addresses::alignment(ObjectId id) const {
  const Object& object = points_to_[id];
  const llvm::DataLayout& layout = points_to_.layout();
  if (object.kind == Object::Kind::Heap) return 2 * layout.getPointerSize();
  llvm::Type* type = nullptr;
  if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object.site))
    type = global->getValueType();
  if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(object.site)) type = local->getAllocatedType();
  return type != nullptr && type->isSized() ? layout.getABITypeAlign(type).value() : 1;
}

/// Where the object begins that the pointer points to.
Term Addresses::base_of(ObjectId object, const Pointer& pointer) {
  if (points_to_[object].site->getName() == kOwnNumbers) return encoding_.index_of(0);
  Term& base = bases_[object];
  if (!base) base = w_.automaton.internal(encoding_.per_instance(object, encoding_.index_sort()));
  return encoding_.of_instance(object, base, pointer);
}

/// What is known of the number.
Term Addresses::suits(ObjectId id, Term base) {
  const Object& object = points_to_[id];
  if (object.site->getName() == kOwnNumbers) return t_.boolean(true);
  auto size = [&](const Object& of) {
    return encoding_.index_of(static_cast<std::int64_t>(of.size.value_or(1)));
  };
  auto below = [&](Term a, Term b) { return t_.make_not(t_.make(Op::BvUlt, {b, a})); };
  Term none = encoding_.index_of(0);
  Term end = t_.make(Op::BvAdd, {base, size(object)});
  Term rest =
      t_.make(Op::BvAnd, {base, encoding_.index_of(static_cast<std::int64_t>(alignment(id)) - 1)});
  std::vector<Term> all = {t_.make_not(t_.make_eq(base, none)), t_.make_eq(rest, none),
                           below(base, end)};
  for (const auto& [other, start] : bases_) {
    bool known = other != id && start && points_to_[other].kind == Object::Kind::Global;
    if (!known || object.kind == Object::Kind::Heap) continue;
    Term behind = t_.make(Op::BvAdd, {start, size(points_to_[other])});
    all.push_back(t_.make_or(below(end, start), below(behind, base)));
  }
  return t_.make_and(all);
}

Term Addresses::number(const llvm::Value& value, const Pointer& at, const llvm::Type& type,
                       const llvm::Instruction& user) {
  Targets targets = points_to_(value);
  bool open = targets.wild || targets.unknown != nullptr;
  Term number = open ? w_.automaton.any(encoding_.index_sort(), user) : encoding_.index_of(0);
  std::vector<ObjectId> objects;  // those with one instance last: they are tested by number
  for (bool many : {true, false})
    for (const auto& [object, offset] : targets.objects)
      if (points_to_[object].many == many) objects.push_back(object);
  for (ObjectId object : objects) {
    Term base = base_of(object, at);
    std::uint64_t step = points_to_.step(object);
    std::int64_t rest = rest_of(targets.objects.at(object), step);
    Term here = t_.make(Op::BvAdd, {base, encoding_.index_of(rest)});
    if (step != 0)
      here = t_.make(Op::BvAdd,
                     {here, t_.make(Op::BvMul, {encoding_.index_of(static_cast<std::int64_t>(step)),
                                                at.index})});
    Term is = points_to_[object].many ? t_.make_not(encoding_.is_null(at))
                                      : t_.make_eq(at.object, encoding_.object(object));
    if (targets.single()) is = t_.boolean(true);
    w_.automaton.emit(Command::assume(t_.make_implies(is, suits(object, base))), user);
    number = t_.make_ite(is, here, number);
  }
  std::uint32_t width = t_.width(encoding_.index_sort()), wanted = type.getIntegerBitWidth();
  if (wanted < width) return t_.make_extract(number, wanted - 1, 0);
  if (wanted > width) return t_.make(Op::BvZeroExtend, {number}, wanted - width);
  return number;
}

void Addresses::move(ObjectId object, const llvm::Instruction& at) {
  bool stays = !bases_.contains(object) || points_to_[object].many;  // a new number is elsewhere
  if (!stays) w_.values.havoc(base_of(object, {}), at);
}

}  // namespace lem::c
