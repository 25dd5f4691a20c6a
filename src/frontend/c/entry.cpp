#include "frontend/c/entry.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include "frontend/c/complete.h"
#include "frontend/c/place.h"

namespace lem::c {

static constexpr std::uint64_t kMostInputs = 1024;  // of one argument

namespace {

class Entry {
 public:
  Entry(llvm::Function& function, const std::string& path, const COptions& options)
      : function_(function),
        module_(*function.getParent()),
        path_(path),
        options_(options),
        build_(function.getContext()) {}
  Status make();

 private:
  Error refuse(const std::string& what) const {
    return Error{place_of(function_, path_),
                 "unsupported: " + what + " of '" + function_.getName().str() + "' (--entry)"};
  }
  Result<llvm::Value*> argument(llvm::Argument& parameter);
  Result<llvm::Value*> object(llvm::Type& element);
  bool fill(llvm::Value* place, llvm::Type& type, std::uint64_t& left);
  void give_place(llvm::Function& main);

  llvm::Function& function_;
  llvm::Module& module_;
  const std::string& path_;
  const COptions& options_;
  llvm::IRBuilder<> build_;
};

/// Its numbers are inputs, its pointers null. False: too many, or of a type that has no inputs.
bool Entry::fill(llvm::Value* place, llvm::Type& type, std::uint64_t& left) {
  if (left == 0) return false;
  if (type.isPointerTy()) {
    build_.CreateStore(llvm::Constant::getNullValue(&type), place);
    return true;
  }
  if (type.isStructTy() || type.isArrayTy()) {
    std::uint64_t count =
        type.isStructTy() ? type.getStructNumElements() : type.getArrayNumElements();
    for (std::uint64_t i = 0; i < count; ++i) {
      llvm::Type* part = type.isStructTy() ? type.getStructElementType(static_cast<unsigned>(i))
                                           : type.getArrayElementType();
      llvm::Value* at =
          build_.CreateConstInBoundsGEP2_32(&type, place, 0, static_cast<unsigned>(i));
      if (!fill(at, *part, left)) return false;
    }
    return true;
  }
  llvm::Value* value = make_input(type, build_);
  if (value == nullptr) return false;
  --left;
  build_.CreateStore(value, place);
  return true;
}

Result<llvm::Value*> Entry::object(llvm::Type& element) {
  if (!element.isSized()) return refuse("pointer to an incomplete type as an argument");
  auto* all = llvm::ArrayType::get(&element, options_.pointer_size);
  llvm::Value* made = build_.CreateAlloca(all);
  std::uint64_t left = kMostInputs;
  if (!fill(made, *all, left)) return refuse("argument that points to much memory");
  return build_.CreateConstInBoundsGEP2_32(all, made, 0, 0);
}

Result<llvm::Value*> Entry::argument(llvm::Argument& parameter) {
  llvm::Type& type = *parameter.getType();
  if (parameter.hasByValAttr()) {
    llvm::Type& whole = *parameter.getParamByValType();
    llvm::Value* made = build_.CreateAlloca(&whole);
    std::uint64_t left = kMostInputs;
    if (!fill(made, whole, left)) return refuse("large argument");
    return made;
  }
  if (!type.isPointerTy()) {
    llvm::Value* value = make_input(type, build_);
    if (value == nullptr) return refuse("argument of this type");
    return value;
  }
  llvm::Type& element = *type.getPointerElementType();
  if (element.isFunctionTy()) return refuse("pointer to a function as an argument");
  Result<llvm::Value*> made = object(element);
  if (!made || parameter.hasStructRetAttr()) return made;
  llvm::Value* null = make_input(*build_.getInt1Ty(), build_);
  return build_.CreateSelect(null, llvm::Constant::getNullValue(&type), *made);
}

/// Where the function is.
void Entry::give_place(llvm::Function& main) {
  llvm::DISubprogram* known = function_.getSubprogram();
  if (known == nullptr) return;
  llvm::DIBuilder debug(module_, false, known->getUnit());
  llvm::DISubroutineType* type =
      debug.createSubroutineType(debug.getOrCreateTypeArray(llvm::ArrayRef<llvm::Metadata*>()));
  llvm::DISubprogram* made = debug.createFunction(
      known->getFile(), "main", "main", known->getFile(), known->getLine(), type, known->getLine(),
      llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
  debug.finalize();
  main.setSubprogram(made);
  build_.SetCurrentDebugLocation(
      llvm::DILocation::get(module_.getContext(), known->getLine(), 0, made));
}

Status Entry::make() {
  if (function_.isVarArg()) return refuse("variable arguments");
  if (llvm::Function* before = module_.getFunction("main")) before->setName("main_of_the_program");
  auto* type = llvm::FunctionType::get(build_.getInt32Ty(), false);
  auto* main = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "main", module_);
  build_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", main));
  give_place(*main);
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& parameter : function_.args()) {
    Result<llvm::Value*> value = argument(parameter);
    if (!value) return value.error();
    arguments.push_back(*value);
  }
  llvm::CallInst* call = build_.CreateCall(&function_, arguments);
  call->setAttributes(function_.getAttributes());
  build_.CreateRet(build_.getInt32(0));
  return Ok{};
}

}  // namespace

Status begin_with(llvm::Module& module, const std::string& path, const COptions& options) {
  if (options.entry == "main") return Ok{};
  llvm::Function* function = module.getFunction(options.entry);
  if (function == nullptr || function->isDeclaration())
    return Error{{path}, "no function '" + options.entry + "' with a body (--entry)"};
  return Entry(*function, path, options).make();
}

}  // namespace lem::c
