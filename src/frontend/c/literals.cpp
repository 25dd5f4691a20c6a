#include "frontend/c/literals.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <set>
#include <string>
#include <vector>

#include "frontend/c/place.h"

namespace lem::c {

bool is_literal(const llvm::Value& object) {
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&object);
  return global != nullptr && global->hasPrivateLinkage() && global->hasGlobalUnnamedAddr() &&
         global->isConstant() && global->hasInitializer() && global->getName().startswith(".str") &&
         global->getValueType()->isArrayTy();
}

static std::string bytes_of(const llvm::GlobalVariable& literal) {
  auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(literal.getInitializer());
  if (data != nullptr) return data->getRawDataValues().str();
  const llvm::DataLayout& layout = literal.getParent()->getDataLayout();
  return std::string(layout.getTypeAllocSize(literal.getValueType()).getFixedSize(), '\0');
}

bool may_overlap(const llvm::GlobalVariable& a, std::int64_t at, const llvm::GlobalVariable& b,
                 std::int64_t at_b) {
  std::string left = bytes_of(a), right = bytes_of(b);
  std::int64_t apart = at_b - at;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(left.size()); ++i) {
    std::int64_t other = i + apart;
    bool both = other >= 0 && other < static_cast<std::int64_t>(right.size());
    if (both && left[static_cast<std::size_t>(i)] != right[static_cast<std::size_t>(other)])
      return false;
  }
  return true;
}

/// Whether two pointers are tested for equality somewhere, not one and null.
static bool compares_pointers(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* test = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
      if (test == nullptr || !test->getOperand(0)->getType()->isPointerTy()) continue;
      if (!llvm::isa<llvm::ConstantPointerNull>(test->getOperand(0)) &&
          !llvm::isa<llvm::ConstantPointerNull>(test->getOperand(1)))
        return true;
    }
  return false;
}

namespace {

class Separation {
 public:
  explicit Separation(llvm::Module& module) : module_(module) {}
  void run();

 private:
  llvm::Constant* renewed(llvm::Constant& value);

  llvm::Module& module_;
  std::set<const llvm::GlobalVariable*> taken_;  // the first use has the literal itself
};

/// The value with a copy of each literal in it that another place has already.
llvm::Constant* Separation::renewed(llvm::Constant& value) {
  if (auto* literal = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
    if (!is_literal(*literal) || taken_.insert(literal).second) return &value;
    auto* copy = new llvm::GlobalVariable(
        module_, literal->getValueType(), true, llvm::GlobalValue::PrivateLinkage,
        literal->getInitializer(), literal->getName(), nullptr, llvm::GlobalValue::NotThreadLocal,
        literal->getAddressSpace());
    copy->copyAttributesFrom(literal);
    taken_.insert(copy);
    return copy;
  }
  bool made = llvm::isa<llvm::ConstantExpr, llvm::ConstantAggregate>(value);
  if (!made || llvm::isa<llvm::GlobalValue>(value)) return &value;
  std::vector<llvm::Constant*> parts;
  bool changed = false;
  for (llvm::Use& use : value.operands()) {
    auto* part = llvm::cast<llvm::Constant>(use.get());
    parts.push_back(renewed(*part));
    changed = changed || parts.back() != part;
  }
  if (!changed) return &value;
  if (auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&value))
    return expression->getWithOperands(parts);
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(value.getType()))
    return llvm::ConstantArray::get(array, parts);
  if (auto* fields = llvm::dyn_cast<llvm::StructType>(value.getType()))
    return llvm::ConstantStruct::get(fields, parts);
  return &value;
}

/// Functions without a body compare no pointers.
static bool only_hands_on(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call == nullptr ? nullptr : called(*call);
  return callee != nullptr && callee->isDeclaration();
}

void Separation::run() {
  std::vector<llvm::GlobalVariable*> globals;
  for (llvm::GlobalVariable& global : module_.globals())
    if (global.hasInitializer() && !is_literal(global)) globals.push_back(&global);
  for (llvm::GlobalVariable* global : globals)
    global->setInitializer(renewed(*global->getInitializer()));
  for (llvm::Function& function : module_)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (only_hands_on(instruction)) continue;
      for (llvm::Use& use : instruction.operands())
        if (auto* value = llvm::dyn_cast<llvm::Constant>(use.get()))
          if (value->getType()->isPointerTy()) use.set(renewed(*value));
    }
}

}  // namespace

void separate_literals(llvm::Module& module) {
  if (compares_pointers(module)) Separation(module).run();
}

}  // namespace lem::c
