#include "frontend/c/entry.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>

#include "ctext/compiler.h"
#include "frontend/c/complete.h"
#include "frontend/c/place.h"

namespace lem::c {

static constexpr std::uint64_t kMostInputs = 1024;  // of one argument
static constexpr unsigned kStringSize = 16;         // of one string of argv

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
  Status make_program();

 private:
  Error refuse(const std::string& what) const {
    return Error{place_of(function_, path_),
                 "unsupported: " + what + " of '" + function_.getName().str() + "' (--entry)"};
  }
  llvm::Function& begin();
  void call(const std::vector<llvm::Value*>& arguments);
  llvm::Value* input(const std::string& name, llvm::Type& type) {
    return build_.CreateCall(module_.getOrInsertFunction(name, &type));
  }
  llvm::Value* count_of_arguments();
  llvm::Value* strings(llvm::Value* count, llvm::Type& type);
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

/// A new `main`, which is open at the end.
llvm::Function& Entry::begin() {
  if (llvm::Function* before = module_.getFunction("main")) before->setName("main_of_the_program");
  auto* type = llvm::FunctionType::get(build_.getInt32Ty(), false);
  auto* main = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "main", module_);
  build_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "", main));
  give_place(*main);
  return *main;
}

void Entry::call(const std::vector<llvm::Value*>& arguments) {
  llvm::CallInst* call = build_.CreateCall(&function_, arguments);
  call->setAttributes(function_.getAttributes());
  build_.CreateRet(build_.getInt32(0));
}

Status Entry::make() {
  if (function_.isVarArg()) return refuse("variable arguments");
  begin();
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& parameter : function_.args()) {
    Result<llvm::Value*> value = argument(parameter);
    if (!value) return value.error();
    arguments.push_back(*value);
  }
  call(arguments);
  return Ok{};
}

// Arguments of a program ------------------------------------------------------------------------

/// Whether the body reads it: clang gives every parameter memory, read or not.
bool is_read(const llvm::Argument& parameter) {
  for (const llvm::User* user : parameter.users()) {
    auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    auto* own = store ? llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand()) : nullptr;
    if (own == nullptr) return true;
    for (const llvm::User* other : own->users()) {
      auto* writes = llvm::dyn_cast<llvm::StoreInst>(other);
      if (writes == nullptr || writes->getPointerOperand() != own) return true;
    }
  }
  return false;
}

/// At least the program's name. Any other number ends the run at once.
llvm::Value* Entry::count_of_arguments() {
  llvm::Function* main = build_.GetInsertBlock()->getParent();
  llvm::LLVMContext& context = module_.getContext();
  llvm::Value* count = input(ctext::kArgumentCount, *build_.getInt32Ty());
  llvm::Value* real = build_.CreateICmpSGT(count, build_.getInt32(0));
  if (looks_at_memory(options_.checks))
    real =
        build_.CreateAnd(real, build_.CreateICmpSLT(count, build_.getInt32(options_.pointer_size)));
  auto* ends = llvm::BasicBlock::Create(context, "", main);
  auto* goes_on = llvm::BasicBlock::Create(context, "", main);
  build_.CreateCondBr(real, goes_on, ends);
  build_.SetInsertPoint(ends);
  build_.CreateRet(build_.getInt32(0));
  build_.SetInsertPoint(goes_on);
  return count;
}

/// The first elements of argv and the first bytes of each string are inputs. What is beyond has no
/// memory here: reading it gives any value, so that proofs hold for all arguments.
llvm::Value* Entry::strings(llvm::Value* count, llvm::Type& type) {
  llvm::Type& string = *type.getPointerElementType();
  auto* all = llvm::ArrayType::get(&string, options_.pointer_size);
  auto* bytes = llvm::ArrayType::get(build_.getInt8Ty(), kStringSize);
  llvm::Value* made = build_.CreateAlloca(all);
  for (unsigned i = 0; i < options_.pointer_size; ++i) {
    std::string name = ctext::kArgumentBytes + std::to_string(i);
    llvm::Value* text = build_.CreateAlloca(bytes);
    for (unsigned k = 0; k < kStringSize; ++k) {
      bool last = k + 1 == kStringSize && looks_at_memory(options_.checks);
      llvm::Value* byte = last ? build_.getInt8(0) : input(name, *build_.getInt8Ty());
      build_.CreateStore(byte, build_.CreateConstInBoundsGEP2_32(bytes, text, 0, k));
    }
    llvm::Value* first = build_.CreateConstInBoundsGEP2_32(bytes, text, 0, 0);
    llvm::Value* given = build_.CreateICmpSLT(build_.getInt32(i), count);
    build_.CreateStore(build_.CreateSelect(given, first, llvm::Constant::getNullValue(&string)),
                       build_.CreateConstInBoundsGEP2_32(all, made, 0, i));
  }
  return build_.CreateConstInBoundsGEP2_32(all, made, 0, 0);
}

Status Entry::make_program() {
  std::vector<llvm::Argument*> parameters;
  for (llvm::Argument& parameter : function_.args()) parameters.push_back(&parameter);
  auto standard = [&](std::size_t i) {
    llvm::Type& type = *parameters[i]->getType();
    if (i == 0) return type.isIntegerTy(32);
    return i == 1 && type.isPointerTy() && type.getPointerElementType()->isPointerTy() &&
           type.getPointerElementType()->getPointerElementType()->isIntegerTy(8);
  };
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (is_read(*parameters[i]) && !standard(i))
      return Error{place_of(function_, path_),
                   "unsupported: parameter of main other than int argc, char **argv"};
  begin();
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument* parameter : parameters)  // those that are not read may be anything
    arguments.push_back(llvm::Constant::getNullValue(parameter->getType()));
  arguments[0] = count_of_arguments();
  if (parameters.size() > 1 && is_read(*parameters[1]))
    arguments[1] = strings(arguments[0], *parameters[1]->getType());
  call(arguments);
  return Ok{};
}

}  // namespace

Result<bool> begin_with(llvm::Module& module, const std::string& path, const COptions& options) {
  if (options.entry.empty()) {
    llvm::Function* main = module.getFunction("main");
    if (main == nullptr || main->isDeclaration() || main->isVarArg()) return false;
    if (llvm::none_of(main->args(), is_read)) return false;
    if (Status made = Entry(*main, path, options).make_program(); !made) return made.error();
    return true;
  }
  if (options.entry == "main") return false;
  llvm::Function* function = module.getFunction(options.entry);
  if (function == nullptr || function->isDeclaration())
    return Error{{path}, "no function '" + options.entry + "' with a body (--entry)"};
  if (Status made = Entry(*function, path, options).make(); !made) return made.error();
  return true;
}

}  // namespace lem::c
