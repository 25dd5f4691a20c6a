#include "frontend/c/names.h"

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <vector>

namespace lem::c {

Names::Names(const llvm::Function& main) : frames_(main) {
  for (const llvm::Instruction& instruction : llvm::instructions(main))
    if (auto* declare = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction))
      if (const llvm::Value* address = declare->getVariableLocationOp(0)) {
        declared_.insert({address, declare->getVariable()});
        if (const llvm::DILocation* at = declare->getDebugLoc().get())
          places_.insert({address, at});
      }
  for (const llvm::GlobalVariable& global : main.getParent()->globals()) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> found;
    global.getDebugInfo(found);
    if (!found.empty()) declared_.insert({&global, found.front()->getVariable()});
  }
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

namespace {

/// Walks from an object down to the scalar at a bit of it and records the path.
struct Descent {
  const llvm::DIType* type;
  std::uint64_t bit;
  std::uint64_t step;  // in bits
  std::string name;
  bool indexed = false;  // passed an array that the step walks over
  bool shifted = false;  // that did not begin where the object does

  void run();
  bool element(const llvm::DICompositeType& array);
  bool member(const llvm::DICompositeType& fields);
};

bool Descent::element(const llvm::DICompositeType& array) {
  const llvm::DIType* inner = without_qualifiers(array.getBaseType());
  std::size_t dimensions = array.getElements().size();
  std::vector<std::uint64_t> strides(dimensions, inner ? inner->getSizeInBits() : 0);
  for (std::size_t i = dimensions; i-- > 1;) strides[i - 1] = strides[i] * elements(array, i);
  for (std::uint64_t stride : strides) {
    if (stride == 0) return false;
    bool walked = step != 0 && stride >= step;
    name += walked ? "[]" : '[' + std::to_string(bit / stride) + ']';
    indexed = indexed || walked;
    bit %= stride;
  }
  type = inner;
  return true;
}

bool Descent::member(const llvm::DICompositeType& fields) {
  for (const llvm::DINode* node : fields.getElements()) {
    auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (member == nullptr || member->getOffsetInBits() > bit ||
        bit >= member->getOffsetInBits() + member->getSizeInBits())
      continue;
    bool through = llvm::StringRef(name).endswith("->");  // an object behind a pointer
    if (!member->getName().empty()) name += (through ? "" : ".") + member->getName().str();
    shifted = shifted || (!indexed && member->getOffsetInBits() != 0);
    bit -= member->getOffsetInBits();
    type = without_qualifiers(member->getBaseType());
    return true;
  }
  return false;
}

void Descent::run() {
  type = without_qualifiers(type);
  while (auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type)) {
    if (composite->getTag() == llvm::dwarf::DW_TAG_enumeration_type) return;
    bool array = composite->getTag() == llvm::dwarf::DW_TAG_array_type;
    if (!(array ? element(*composite) : member(*composite))) {
      type = nullptr;
      return;
    }
  }
}

}  // namespace

static bool is_unsigned(const llvm::DIType* type) {
  if (auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type))
    return is_unsigned(without_qualifiers(composite->getBaseType()));  // an enumeration
  auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type);
  if (basic == nullptr) return false;
  unsigned encoding = basic->getEncoding();
  return encoding == llvm::dwarf::DW_ATE_unsigned ||
         encoding == llvm::dwarf::DW_ATE_unsigned_char || encoding == llvm::dwarf::DW_ATE_boolean;
}

/// The names of an enumeration's values; null for other types.
static std::shared_ptr<const std::map<std::int64_t, std::string>> enumerators_of(
    const llvm::DIType* type) {
  auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (composite == nullptr || composite->getTag() != llvm::dwarf::DW_TAG_enumeration_type)
    return nullptr;
  auto out = std::make_shared<std::map<std::int64_t, std::string>>();
  for (const llvm::DINode* node : composite->getElements())
    if (auto* one = llvm::dyn_cast<llvm::DIEnumerator>(node);
        one && one->getValue().getMinSignedBits() <= 64)
      out->insert({one->getValue().getSExtValue(), one->getName().str()});
  return out;
}

static bool is_character(const llvm::DIType* type) {
  auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type);
  return basic != nullptr && basic->getName() == "char";
}

CVariable Names::describe(const llvm::Value* site, std::uint64_t offset, std::uint32_t bits,
                          std::uint64_t step) const {
  CVariable out;
  out.bits = bits;
  const llvm::DIVariable* variable = declared_.lookup(site);
  if (variable == nullptr) {
    if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(site);
        global && step == 0 && !global->hasPrivateLinkage()) {
      out.name = global->getName().str();
      out.origin = COrigin::User;
    }
    return out;
  }
  Descent way{variable->getType(), offset * 8, step * 8, variable->getName().str()};
  way.run();
  if (is_unsigned(way.type)) out.sign = CSign::Unsigned;
  out.enumerators = enumerators_of(way.type);
  out.character = is_character(way.type);
  if (step != 0 && (!way.indexed || way.shifted)) return out;
  out.name = way.name;
  out.line = variable->getLine();
  out.origin = COrigin::User;
  const llvm::DIScope* scope = variable->getScope();
  while (auto* block = llvm::dyn_cast_or_null<llvm::DILexicalBlockBase>(scope))
    scope = block->getScope();
  if (auto* function = llvm::dyn_cast_or_null<llvm::DISubprogram>(scope))
    out.function = function->getName().str();
  return out;
}

CDeclaration Names::declaration(const llvm::Value* site) const {
  const llvm::DILocation* at = places_.lookup(site);
  if (at == nullptr) return {};
  return {frames_.frame(*at), at->getColumn()};
}

}  // namespace lem::c
