// Addresses as numbers. Each object whose address is used as a number begins at some number, which
// is a variable of the automaton: any that suits the alignment of its type, is not null, leaves
// room for the object and overlaps with no global one. The rest is left open, so that a proof holds
// wherever a compiler puts the object; a run is confirmed by the compiled program as any other.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include "frontend/c/place.h"
#include "frontend/c/translate.h"

namespace lem::c {

/// p - q is calculated without numbers for both.
static bool in_difference(const llvm::Instruction& user) {
  return user.getOpcode() == llvm::Instruction::Sub &&
         llvm::isa<llvm::PtrToIntOperator>(user.getOperand(0)) &&
         llvm::isa<llvm::PtrToIntOperator>(user.getOperand(1));
}

void Translator::find_addresses() {
  auto add = [&](const llvm::Value& pointer) {
    for (const auto& [object, offset] : points_to_(pointer).objects) bases_[object] = Term();
  };
  for (const llvm::BasicBlock* block : blocks_)
    for (const llvm::Instruction& instruction : *block) {
      for (const llvm::Value* operand : instruction.operands())
        if (auto* number = llvm::dyn_cast<llvm::PtrToIntOperator>(operand);
            number && !in_difference(instruction))
          add(*number->getPointerOperand());
    }
}

/// The alignment that every compiler gives it: that of the type, whatever clang makes of it.
std::uint64_t Translator::alignment(ObjectId id) const {
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
Term Translator::base_of(ObjectId object, const Pointer& pointer) {
  if (points_to_[object].site->getName() == kOwnNumbers) return index_constant(0);
  Term& base = bases_[object];
  bool many = points_to_[object].many;
  if (!base) base = internal(many ? t_.array_sort(object_sort(), index_sort()) : index_sort(), 0);
  return many ? t_.make_select(base, pointer.object) : base;
}

/// What is known of the number.
Term Translator::suits(ObjectId id, Term base) {
  const Object& object = points_to_[id];
  if (object.site->getName() == kOwnNumbers) return t_.boolean(true);
  auto size = [&](const Object& of) {
    return index_constant(static_cast<std::int64_t>(of.size.value_or(1)));
  };
  auto below = [&](Term a, Term b) { return t_.make_not(t_.make(Op::BvUlt, {b, a})); };
  Term none = index_constant(0);
  Term end = t_.make(Op::BvAdd, {base, size(object)});
  Term rest =
      t_.make(Op::BvAnd, {base, index_constant(static_cast<std::int64_t>(alignment(id)) - 1)});
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

Result<Term> Translator::address(const llvm::Value& value, const llvm::Type& type,
                                 const llvm::Instruction& user) {
  if (arithmetic_.ideal()) return refuse(user, "address as a number over integers (--arith int)");
  Result<Pointer> at = pointer(value, user);
  if (!at) return at.error();
  Targets targets = points_to_(value);
  bool open = targets.wild || targets.unknown != nullptr;
  Term number = open ? any(index_sort(), user) : index_constant(0);
  std::vector<ObjectId> objects;  // instances last, as they are told from the others
  for (bool many : {true, false})
    for (const auto& [object, offset] : targets.objects)
      if (points_to_[object].many == many) objects.push_back(object);
  for (ObjectId object : objects) {
    Term base = base_of(object, *at);
    std::uint64_t step = points_to_.step(object);
    auto by = static_cast<std::int64_t>(step == 0 ? 1 : step);
    std::int64_t rest = targets.objects.at(object).rest;
    if (step != 0) rest = (rest % by + by) % by;
    Term here = t_.make(Op::BvAdd, {base, index_constant(rest)});
    if (step != 0)
      here = t_.make(Op::BvAdd, {here, t_.make(Op::BvMul, {index_constant(by), at->index})});
    bool many = points_to_[object].many;
    Term is = many ? t_.make_not(t_.make_eq(at->object, object_constant(0)))
                   : t_.make_eq(at->object, object_number(object));
    if (targets.single()) is = t_.boolean(true);
    emit(Command::assume(t_.make_implies(is, suits(object, base))), line_of(user));
    number = t_.make_ite(is, here, number);
  }
  std::uint32_t width = t_.width(index_sort()), wanted = type.getIntegerBitWidth();
  if (wanted < width) return t_.make_extract(number, wanted - 1, 0);
  if (wanted > width) return t_.make(Op::BvZeroExtend, {number}, wanted - width);
  return number;
}

/// A local that starts to exist may be elsewhere than before.
void Translator::move_elsewhere(ObjectId object, const llvm::Instruction& at) {
  auto found = bases_.find(object);
  if (found == bases_.end()) return;
  Term base = base_of(object, {});
  if (points_to_[object].many) return;  // a new number has a new place
  keep_before_write(base, at);
  emit(Command::havoc(base), line_of(at));
}

}  // namespace lem::c
