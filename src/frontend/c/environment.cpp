#include "frontend/c/environment.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <set>

#include "frontend/c/formats.h"
#include "frontend/c/library.h"
#include "frontend/c/place.h"

namespace lem::c {

namespace {

// Inputs ----------------------------------------------------------------------------------------

/// The name of the input function for values of a type; empty if there is none.
std::string input_name(const llvm::Type& type) {
  if (type.isFloatTy()) return "__VERIFIER_nondet_float";
  if (type.isDoubleTy()) return "__VERIFIER_nondet_double";
  if (!type.isIntegerTy()) return "";
  switch (type.getIntegerBitWidth()) {
    case 1:
      return "__VERIFIER_nondet_bool";
    case 8:
    case 16:
    case 32:
    case 64:
      return "__VERIFIER_nondet_u" + std::to_string(type.getIntegerBitWidth());
    default:
      return "";
  }
}

// Volatile memory and devices -------------------------------------------------------------------

/// A local that nothing but this function reads and writes.
bool is_private(const llvm::Value& pointer) {
  auto* local = llvm::dyn_cast<llvm::AllocaInst>(pointer.stripPointerCasts());
  if (local == nullptr) return false;
  std::vector<const llvm::Value*> names = {local};
  for (std::size_t i = 0; i < names.size(); ++i)
    for (const llvm::User* user : names[i]->users()) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      auto* mark = llvm::dyn_cast<llvm::IntrinsicInst>(user);
      if (llvm::isa<llvm::LoadInst>(user)) continue;
      if (store != nullptr && store->getValueOperand() != names[i]) continue;
      if (mark != nullptr && mark->isLifetimeStartOrEnd()) continue;
      if (!llvm::isa<llvm::BitCastInst, llvm::GetElementPtrInst>(user)) return false;
      names.push_back(user);
    }
  return true;
}

/// The number that is the address, or the beginning of what the address is in.
const llvm::ConstantInt* fixed_address(const llvm::Value* pointer) {
  for (;;) {
    auto* op = llvm::dyn_cast<llvm::Operator>(pointer);
    if (op == nullptr) return nullptr;
    bool way = llvm::isa<llvm::BitCastOperator, llvm::GEPOperator>(op);
    if (op->getOpcode() == llvm::Instruction::IntToPtr)
      return llvm::dyn_cast<llvm::ConstantInt>(op->getOperand(0));
    if (!way) return nullptr;
    pointer = op->getOperand(0);
  }
}

/// Registers of devices are memory: each 4 KB page is a variable.
class DeviceMemory {
 public:
  explicit DeviceMemory(llvm::Module& module) : module_(module) {}
  void run();

 private:
  static constexpr std::uint64_t kPage = 4096;
  llvm::Constant* place(std::uint64_t address, llvm::Type& type);

  llvm::Module& module_;
};

llvm::Constant* DeviceMemory::place(std::uint64_t address, llvm::Type& type) {
  auto* bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(module_.getContext()), kPage);
  std::string name = "device_0x" + llvm::utohexstr(address / kPage * kPage, true);
  llvm::GlobalVariable* page = module_.getNamedGlobal(name);
  if (page == nullptr)
    page = new llvm::GlobalVariable(module_, bytes, false, llvm::GlobalValue::InternalLinkage,
                                    llvm::ConstantAggregateZero::get(bytes), name);
  auto* index = llvm::Type::getInt64Ty(module_.getContext());
  llvm::Constant* way[] = {llvm::ConstantInt::get(index, 0),
                           llvm::ConstantInt::get(index, address % kPage)};
  return llvm::ConstantExpr::getBitCast(llvm::ConstantExpr::getGetElementPtr(bytes, page, way),
                                        &type);
}

void DeviceMemory::run() {
  for (llvm::Constant* one : fixed_addresses(module_)) {
    auto* number = llvm::cast<llvm::ConstantInt>(one->getOperand(0));
    if (number->isZero() || number->getValue().getActiveBits() > 63) continue;
    one->replaceAllUsesWith(place(number->getZExtValue(), *one->getType()));
  }
}

/// Reads of volatile memory and of fixed addresses are inputs; writes to fixed addresses go to
/// a variable that is never read.
Result<bool> open_reads(llvm::Module& module, const std::string& path) {
  std::vector<llvm::Instruction*> all;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) all.push_back(&instruction);
  bool changed = false;
  for (llvm::Instruction* instruction : all) {
    if (auto* moves = llvm::dyn_cast<llvm::MemIntrinsic>(instruction))
      if (moves->isVolatile()) return unsupported(*moves, path, "copy of volatile memory");
    auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
    auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction);
    if (load == nullptr && store == nullptr) continue;
    llvm::Value* pointer = load ? load->getPointerOperand() : store->getPointerOperand();
    const llvm::ConstantInt* device = fixed_address(pointer);
    bool fixed = device != nullptr && !device->isZero();
    if (store != nullptr && !fixed) store->setVolatile(false);
    if (store != nullptr && fixed) store->eraseFromParent();
    if (load != nullptr && load->isVolatile() && !fixed && is_private(*pointer)) {
      load->setVolatile(false);
      continue;
    }
    if (load == nullptr || !(fixed || load->isVolatile())) continue;
    if (input_name(*load->getType()).empty())
      return unsupported(*load, path, "volatile value of this type");
    llvm::IRBuilder<> build(load);
    load->replaceAllUsesWith(make_input(*load->getType(), build));
    load->eraseFromParent();
    changed = true;
  }
  return changed;
}

void close_reads(llvm::Module& module) {
  DeviceMemory(module).run();
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) load->setVolatile(false);
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) store->setVolatile(false);
      if (auto* moves = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
        moves->setVolatile(llvm::ConstantInt::getFalse(module.getContext()));
    }
}

// Functions without a body ----------------------------------------------------------------------

/// A body that returns any value.
bool define(llvm::Function& function) {
  llvm::Type& type = *function.getReturnType();
  if (!type.isVoidTy() && input_name(type).empty()) return false;
  function.setSubprogram(nullptr);  // that of a declaration
  llvm::IRBuilder<> build(llvm::BasicBlock::Create(function.getContext(), "", &function));
  if (type.isVoidTy())
    build.CreateRetVoid();
  else
    build.CreateRet(make_input(type, build));
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  return true;
}

}  // namespace

std::vector<llvm::Constant*> fixed_addresses(llvm::Module& module) {
  auto is_address = [](const llvm::Value* value) {
    auto* op = llvm::dyn_cast<llvm::Operator>(value);
    return op && op->getOpcode() == llvm::Instruction::IntToPtr &&
           llvm::isa<llvm::ConstantInt>(op->getOperand(0));
  };
  std::vector<llvm::Constant*> found;
  std::vector<llvm::User*> waiting;
  std::set<llvm::User*> seen;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      waiting.push_back(&instruction);
  for (llvm::GlobalVariable& global : module.globals()) waiting.push_back(&global);
  while (!waiting.empty()) {
    llvm::User* user = waiting.back();
    waiting.pop_back();
    if (!seen.insert(user).second) continue;
    for (llvm::Value* operand : user->operands()) {
      auto* constant = llvm::dyn_cast<llvm::Constant>(operand);
      if (constant == nullptr || llvm::isa<llvm::GlobalValue>(constant)) continue;
      if (is_address(constant) && seen.count(constant) == 0) found.push_back(constant);
      if (is_address(constant)) seen.insert(constant);
      waiting.push_back(constant);
    }
  }
  return found;
}

bool looks_at_memory(const std::set<CRule>& checks) {
  return checks.contains(CRule::Bounds) || checks.contains(CRule::Null) ||
         checks.contains(CRule::Uninitialised) || checks.contains(CRule::UseAfterFree);
}

llvm::Value* make_input(llvm::Type& type, llvm::IRBuilder<>& build) {
  if (input_name(type).empty()) return nullptr;
  llvm::Module& module = *build.GetInsertBlock()->getModule();
  return build.CreateCall(module.getOrInsertFunction(input_name(type), &type));
}

Result<bool> add_environment(llvm::Module& module, const std::string& path, const COptions& options,
                             std::vector<std::string>& undefined, const std::stop_token& stop) {
  bool expanded = expand_formats(module);
  Result<bool> linked = link_models(module, options, stop);
  if (!linked) return Error{{path}, linked.error().message, linked.error().kind};
  bool changed = *linked || expanded;
  if (options.undefined == COptions::Undefined::Nondet)
    for (llvm::Function* function : undefined_functions(module))
      if (!function->isVarArg() && define(*function)) {
        undefined.push_back(function->getName().str());
        changed = true;
      }
  if (options.devices == COptions::Devices::Memory) {
    close_reads(module);
    return true;
  }
  Result<bool> opened = open_reads(module, path);
  if (!opened) return opened;
  return changed || *opened;
}

}  // namespace lem::c
