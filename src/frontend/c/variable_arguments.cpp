// Limits: arguments of long double, of vectors and of more than the usual alignment are refused.
// Tests: tests/unit/frontend/c/variable_arguments_test.cpp
#include "frontend/c/variable_arguments.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

#include "base/try.h"
#include "frontend/c/place.h"

namespace lem::c {

namespace {

/// What va_list is on x86-64; on i386 it is the pointer to the next argument.
constexpr unsigned kOverflowArea = 2, kSaveArea = 3;
constexpr std::uint32_t kNoIntegers = 48, kNoFloats = 176;  // offsets behind the last register

class Lowering {
 public:
  Lowering(llvm::Module& module, const std::string& path)
      : module_(module),
        path_(path),
        layout_(module.getDataLayout()),
        bytes_(llvm::Type::getInt8PtrTy(module.getContext())) {}
  Status run();

 private:
  struct Slot {
    std::uint64_t at;
    llvm::Type* copied;  // of an argument that is passed by value: what the pointer points to
  };
  bool wide() const { return layout_.getPointerSize() == 8; }
  Status lower(llvm::Function& function);
  Result<std::uint64_t> lay_out(const llvm::CallBase& call, std::vector<Slot>& slots) const;
  Status pass(llvm::CallBase& call, llvm::Function& lowered);
  void start_list(llvm::IntrinsicInst& start, llvm::Value& arguments);
  void copy_list(llvm::IntrinsicInst& copy);
  Status aligned_reads(const llvm::Function& function) const;

  llvm::Module& module_;
  const std::string& path_;
  const llvm::DataLayout& layout_;
  llvm::Type* bytes_;
};

std::vector<llvm::IntrinsicInst*> of_kind(llvm::Function& function, llvm::Intrinsic::ID id) {
  std::vector<llvm::IntrinsicInst*> out;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      if (call->getIntrinsicID() == id) out.push_back(call);
  return out;
}

/// Where each argument behind the named ones is; the result is the size of all.
Result<std::uint64_t> Lowering::lay_out(const llvm::CallBase& call,
                                        std::vector<Slot>& slots) const {
  std::uint64_t size = 0, word = layout_.getPointerSize();
  for (unsigned i = call.getFunctionType()->getNumParams(); i < call.arg_size(); ++i) {
    llvm::Type* type = call.getArgOperand(i)->getType();
    llvm::Type* copied = call.isByValArgument(i) ? call.getParamByValType(i) : nullptr;
    bool plain =
        type->isIntegerTy() || type->isPointerTy() || type->isFloatTy() || type->isDoubleTy();
    if (!plain || call.getParamAlign(i).valueOrOne().value() > word)
      return unsupported(call, path_, "variable argument of this type");
    slots.push_back({size, copied});
    size += llvm::alignTo(layout_.getTypeAllocSize(copied ? copied : type).getFixedSize(), word);
  }
  return size;
}

/// The arguments are written anew before each call, so that one object for each place is enough.
Status Lowering::pass(llvm::CallBase& call, llvm::Function& lowered) {
  std::vector<Slot> slots;
  Result<std::uint64_t> size = lay_out(call, slots);
  if (!size) return size.error();
  llvm::IRBuilder<> begin(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  std::uint64_t word = layout_.getPointerSize();
  auto* memory = llvm::ArrayType::get(begin.getInt8Ty(), std::max(*size, word));
  llvm::AllocaInst* object = begin.CreateAlloca(memory);
  object->setAlignment(llvm::Align(word));
  llvm::IRBuilder<> build(&call);
  llvm::Value* first = build.CreateConstInBoundsGEP2_32(memory, object, 0, 0);
  unsigned named = call.getFunctionType()->getNumParams();
  for (unsigned i = 0; i < slots.size(); ++i) {
    llvm::Value* argument = call.getArgOperand(named + i);
    llvm::Value* at = build.CreateConstInBoundsGEP2_64(memory, object, 0, slots[i].at);
    if (slots[i].copied != nullptr) {
      llvm::Align word_align(word);
      build.CreateMemCpy(at, word_align, argument, call.getParamAlign(named + i),
                         layout_.getTypeAllocSize(slots[i].copied).getFixedSize());
      continue;
    }
    build.CreateStore(argument, build.CreateBitCast(at, argument->getType()->getPointerTo()));
  }
  std::vector<llvm::Value*> args(call.arg_begin(), call.arg_begin() + named);
  args.push_back(first);
  llvm::CallInst* made = build.CreateCall(&lowered, args);
  std::vector<llvm::AttributeSet> attributes;
  for (unsigned i = 0; i < named; ++i) attributes.push_back(call.getAttributes().getParamAttrs(i));
  made->setAttributes(llvm::AttributeList::get(module_.getContext(), {},
                                               call.getAttributes().getRetAttrs(), attributes));
  made->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
  return Ok{};
}

void Lowering::start_list(llvm::IntrinsicInst& start, llvm::Value& arguments) {
  llvm::IRBuilder<> build(&start);
  llvm::Value* list = start.getArgOperand(0);
  if (!wide()) {
    build.CreateStore(&arguments, build.CreateBitCast(list, bytes_->getPointerTo()));
  } else {
    auto* number = build.getInt32Ty();
    auto* type = llvm::StructType::get(module_.getContext(), {number, number, bytes_, bytes_});
    llvm::Value* parts = build.CreateBitCast(list, type->getPointerTo());
    auto set = [&](unsigned part, llvm::Value* value) {
      build.CreateStore(value, build.CreateStructGEP(type, parts, part));
    };
    set(0, build.getInt32(kNoIntegers));
    set(1, build.getInt32(kNoFloats));
    set(kOverflowArea, &arguments);
    set(kSaveArea, llvm::Constant::getNullValue(bytes_));
  }
  start.eraseFromParent();
}

void Lowering::copy_list(llvm::IntrinsicInst& copy) {
  llvm::IRBuilder<> build(&copy);
  llvm::Align word(layout_.getPointerSize());
  build.CreateMemCpy(copy.getArgOperand(0), word, copy.getArgOperand(1), word, wide() ? 24 : 4);
  copy.eraseFromParent();
}

/// On x86-64 va_arg of a type with more alignment skips to the next multiple of it, which depends
/// on where the caller's arguments are.
Status Lowering::aligned_reads(const llvm::Function& function) const {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    auto* way = load ? llvm::dyn_cast<llvm::GEPOperator>(load->getPointerOperand()) : nullptr;
    auto* type = way ? llvm::dyn_cast<llvm::StructType>(way->getSourceElementType()) : nullptr;
    if (type == nullptr || !type->hasName() || type->getName() != "struct.__va_list_tag") continue;
    for (const llvm::User* user : load->users())
      if (llvm::isa<llvm::PtrToIntInst>(user))
        return unsupported(instruction, path_, "variable argument of this type");
  }
  return Ok{};
}

Status Lowering::lower(llvm::Function& function) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Use& use : function.uses()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    if (call == nullptr || !call->isCallee(&use)) return Ok{};
    calls.push_back(call);
  }
  llvm::FunctionType* before = function.getFunctionType();
  std::vector<llvm::Type*> params(before->param_begin(), before->param_end());
  params.push_back(bytes_);
  auto* type = llvm::FunctionType::get(before->getReturnType(), params, false);
  auto* lowered = llvm::Function::Create(type, function.getLinkage(), "", module_);
  lowered->copyAttributesFrom(&function);
  lowered->setComdat(function.getComdat());
  lowered->setSubprogram(function.getSubprogram());
  function.setSubprogram(nullptr);
  lowered->getBasicBlockList().splice(lowered->begin(), function.getBasicBlockList());
  for (llvm::Argument& argument : function.args()) {
    argument.replaceAllUsesWith(lowered->getArg(argument.getArgNo()));
    lowered->getArg(argument.getArgNo())->takeName(&argument);
  }
  lowered->takeName(&function);
  for (llvm::IntrinsicInst* start : of_kind(*lowered, llvm::Intrinsic::vastart))
    start_list(*start, *lowered->getArg(type->getNumParams() - 1));
  for (llvm::CallBase* call : calls) LEM_TRY(pass(*call, *lowered));
  function.eraseFromParent();
  return Ok{};
}

Status Lowering::run() {
  std::vector<llvm::Function*> found;
  for (llvm::Function& function : module_)
    if (function.isVarArg() && !function.isDeclaration() && function.getName() != "main" &&
        callee_of(function) == Callee::Defined)
      found.push_back(&function);
  for (llvm::Function& function : module_) {
    if (wide()) LEM_TRY(aligned_reads(function));
    for (llvm::IntrinsicInst* end : of_kind(function, llvm::Intrinsic::vaend))
      end->eraseFromParent();
    for (llvm::IntrinsicInst* copy : of_kind(function, llvm::Intrinsic::vacopy)) copy_list(*copy);
  }
  for (llvm::Function* function : found) LEM_TRY(lower(*function));
  return Ok{};
}

}  // namespace

Status lower_variable_arguments(llvm::Module& module, const std::string& path) {
  return Lowering(module, path).run();
}

}  // namespace lem::c
