#include "frontend/c/cells.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include "frontend/c/place.h"

namespace lem::c {

Cells::Cells(const llvm::Function& main, const std::string& path)
    : layout_(main.getParent()->getDataLayout()), path_(path) {
  for (const llvm::Instruction& instruction : llvm::instructions(main))
    if (auto* declare = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction))
      if (const llvm::Value* address = declare->getVariableLocationOp(0))
        declared_.insert({address, declare->getVariable()});
  for (const llvm::GlobalVariable& global : main.getParent()->globals()) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> found;
    global.getDebugInfo(found);
    if (!found.empty()) declared_.insert({&global, found.front()->getVariable()});
  }
}

/// What a pointer is that is no fixed place, in the user's words.
std::string Cells::why_not(const llvm::Value* base) const {
  if (auto* element = llvm::dyn_cast<llvm::GEPOperator>(base)) {
    const llvm::Value* object = element->getPointerOperand()->stripPointerCasts();
    const llvm::DIVariable* variable = declared_.lookup(object);
    if (variable == nullptr) return "array under a variable index";
    return "array '" + variable->getName().str() + "' under a variable index";
  }
  if (llvm::isa<llvm::ConstantPointerNull>(base)) return "access through a null pointer";
  if (llvm::isa<llvm::LoadInst>(base)) return "pointer that lives in memory";
  if (llvm::isa<llvm::PHINode, llvm::SelectInst>(base)) return "pointer to one of several objects";
  if (llvm::isa<llvm::Argument>(base)) return "arguments of main";
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(base)) {
    const llvm::Function* callee = called(*call);
    if (callee == nullptr) return "indirect call";
    if (callee->getName().startswith(kOwnNondet)) return "uninitialised pointer";
    return "call of '" + callee->getName().str() + "'";
  }
  if (llvm::isa<llvm::IntToPtrInst>(base)) return "pointer made from a number";
  return "pointer";
}

Result<Cells::Address> Cells::resolve(const llvm::Instruction& access,
                                      const llvm::Value* pointer) const {
  llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value* base =
      pointer->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true);
  llvm::Type* type = nullptr;
  if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(base)) {
    if (!llvm::isa<llvm::ConstantInt>(local->getArraySize()))
      return unsupported(access, path_, "array of variable length");
    type = local->getAllocatedType();
    if (local->isArrayAllocation()) return unsupported(access, path_, "array on the stack");
  } else if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base)) {
    if (global->isThreadLocal()) return unsupported(access, path_, "thread-local variable");
    type = global->getValueType();
  } else {
    return unsupported(access, path_, why_not(base));
  }
  if (!type->isSized()) return unsupported(access, path_, "object of unknown size");
  std::uint64_t size = layout_.getTypeAllocSize(type).getFixedSize();
  if (offset.isNegative() || offset.getZExtValue() >= size)
    return unsupported(access, path_, "access outside of its object");
  return Address{base, offset.getZExtValue()};
}

Status Cells::disjoint(const llvm::Instruction& access, const Cell& cell) const {
  const auto& others = by_object_.find(cell.object)->second;
  auto next = others.upper_bound(cell.offset);
  std::uint64_t size = layout_.getTypeStoreSize(cell.type).getFixedSize();
  bool clash = next != others.end() && cell.offset + size > next->first;
  auto same = others.find(cell.offset);
  clash = clash || (same != others.end() && (*this)[same->second].type != cell.type);
  auto before = others.lower_bound(cell.offset);
  if (before != others.begin()) {
    const Cell& other = (*this)[std::prev(before)->second];
    clash =
        clash || other.offset + layout_.getTypeStoreSize(other.type).getFixedSize() > cell.offset;
  }
  if (clash) return unsupported(access, path_, "memory read or written with several types");
  return Ok{};
}

Status Cells::add(const llvm::Instruction& access, const llvm::Value* pointer, llvm::Type* type) {
  if (type->isFloatingPointTy()) return unsupported(access, path_, "floating-point number");
  if (type->isPointerTy()) return unsupported(access, path_, "pointer that lives in memory");
  if (!type->isIntegerTy()) return unsupported(access, path_, "struct as a value");
  Result<Address> address = resolve(access, pointer);
  if (!address) return address.error();
  Cell cell{address->object, address->offset, llvm::cast<llvm::IntegerType>(type), {}};
  auto& cells = by_object_[cell.object];
  if (Status fits = disjoint(access, cell); !fits) return fits;
  std::uint64_t size = layout_.getTypeStoreSize(type).getFixedSize();
  auto* local = llvm::dyn_cast<llvm::AllocaInst>(cell.object);
  llvm::Type* whole = local ? local->getAllocatedType()
                            : llvm::cast<llvm::GlobalVariable>(cell.object)->getValueType();
  if (cell.offset + size > layout_.getTypeAllocSize(whole).getFixedSize())
    return unsupported(access, path_, "access outside of its object");
  CellId next{static_cast<std::uint32_t>(cells_.size())};
  auto [found, is_new] = cells.insert({cell.offset, next});
  if (is_new) {
    cell.variable = describe(cell);
    cells_.push_back(std::move(cell));
  }
  accesses_[&access] = found->second;
  if (llvm::isa<llvm::LoadInst>(access)) cells_[index(found->second)].read = true;
  return Ok{};
}

Status Cells::collect(const std::vector<const llvm::BasicBlock*>& blocks) {
  for (const llvm::BasicBlock* block : blocks)
    for (const llvm::Instruction& instruction : *block) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (load == nullptr && store == nullptr) continue;
      bool is_volatile = load ? load->isVolatile() : store->isVolatile();
      bool is_atomic = load ? load->isAtomic() : store->isAtomic();
      if (is_volatile) return unsupported(instruction, path_, "volatile");
      if (is_atomic) return unsupported(instruction, path_, "atomic access");
      Status added =
          load ? add(*load, load->getPointerOperand(), load->getType())
               : add(*store, store->getPointerOperand(), store->getValueOperand()->getType());
      if (!added) return added;
    }
  return Ok{};
}

std::vector<CellId> Cells::in(const llvm::Value* object) const {
  std::vector<CellId> out;
  auto found = by_object_.find(object);
  if (found == by_object_.end()) return out;
  for (const auto& [offset, cell] : found->second) out.push_back(cell);
  return out;
}

static const llvm::DIType* without_qualifiers(const llvm::DIType* type) {
  while (auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type) return derived;
    type = derived->getBaseType();
  }
  return type;
}

static std::uint64_t elements(const llvm::DICompositeType& array, std::size_t dimension) {
  auto* range =
      llvm::dyn_cast<llvm::DISubrange>(array.getElements()[static_cast<unsigned>(dimension)]);
  auto* count = range ? range->getCount().dyn_cast<llvm::ConstantInt*>() : nullptr;
  return count == nullptr ? 0 : count->getZExtValue();
}

/// Appends `.member` and `[i]` down to the scalar at that bit; returns its type.
static const llvm::DIType* descend(const llvm::DIType* type, std::uint64_t bit, std::string& name) {
  type = without_qualifiers(type);
  while (auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type)) {
    if (composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type) break;
    const llvm::DIType* inner = nullptr;
    if (composite->getTag() == llvm::dwarf::DW_TAG_array_type) {
      inner = without_qualifiers(composite->getBaseType());
      std::uint64_t step = inner ? inner->getSizeInBits() : 0;
      std::size_t dimensions = composite->getElements().size();
      std::vector<std::uint64_t> strides(dimensions, step);
      for (std::size_t i = dimensions; i-- > 1;)
        strides[i - 1] = strides[i] * elements(*composite, i);
      for (std::uint64_t stride : strides) {
        if (stride == 0) return nullptr;
        name += '[' + std::to_string(bit / stride) + ']';
        bit %= stride;
      }
    } else {
      for (const llvm::DINode* node : composite->getElements()) {
        auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
        if (member == nullptr || member->getOffsetInBits() > bit ||
            bit >= member->getOffsetInBits() + member->getSizeInBits())
          continue;
        if (!member->getName().empty()) name += '.' + member->getName().str();
        inner = without_qualifiers(member->getBaseType());
        bit -= member->getOffsetInBits();
        break;
      }
    }
    if (inner == nullptr) return nullptr;
    type = inner;
  }
  return type;
}

static bool is_unsigned(const llvm::DIType* type) {
  if (auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type))
    return is_unsigned(without_qualifiers(composite->getBaseType()));  // an enumeration
  auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type);
  if (basic == nullptr) return false;
  unsigned encoding = basic->getEncoding();
  return encoding == llvm::dwarf::DW_ATE_unsigned ||
         encoding == llvm::dwarf::DW_ATE_unsigned_char || encoding == llvm::dwarf::DW_ATE_boolean;
}

CVariable Cells::describe(const Cell& cell) const {
  CVariable out;
  out.bits = cell.type->getBitWidth();
  const llvm::DIVariable* variable = declared_.lookup(cell.object);
  if (variable == nullptr) {
    if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(cell.object)) {
      out.name = global->getName().str();
      out.origin = COrigin::User;
    }
    return out;
  }
  out.name = variable->getName().str();
  out.line = variable->getLine();
  out.origin = COrigin::User;
  const llvm::DIType* type = descend(variable->getType(), cell.offset * 8, out.name);
  if (is_unsigned(type)) out.sign = CSign::Unsigned;
  const llvm::DIScope* scope = variable->getScope();
  while (auto* block = llvm::dyn_cast_or_null<llvm::DILexicalBlockBase>(scope))
    scope = block->getScope();
  if (auto* function = llvm::dyn_cast_or_null<llvm::DISubprogram>(scope))
    out.function = function->getName().str();
  return out;
}

}  // namespace lem::c
