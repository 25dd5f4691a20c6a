#include "frontend/c/entry.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "base/try.h"
#include "ctext/compiler.h"
#include "frontend/c/assumptions.h"
#include "frontend/c/entry_values.h"
#include "frontend/c/environment.h"
#include "frontend/c/place.h"

namespace lem::c {

static constexpr unsigned kStringSize = 16;        // of one string of argv
static constexpr std::uint64_t kLargeGlobal = 64;  // scalars; larger ones keep their initial value

namespace {

class Entry {
 public:
  Entry(llvm::Function& function, const std::string& path, const COptions& options)
      : function_(function),
        module_(*function.getParent()),
        path_(path),
        options_(options),
        build_(function.getContext()),
        values_(function, build_, path, options) {}
  Status make();
  Status make_program();
  const EntryValues& values() const { return values_; }

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
  Status choose_globals();
  Status assume(const std::vector<llvm::Value*>& arguments);
  void define_object_size();
  void give_place(llvm::Function& main);

  llvm::Function& function_;
  llvm::Module& module_;
  const std::string& path_;
  const COptions& options_;
  llvm::IRBuilder<> build_;
  EntryValues values_;
};

/// Where the function is.
void Entry::give_place(llvm::Function& main) {
  llvm::DISubprogram* known = function_.getSubprogram();
  if (known == nullptr) return;
  llvm::DIBuilder debug(module_, false, known->getUnit());
  llvm::DISubroutineType* type =
      debug.createSubroutineType(debug.getOrCreateTypeArray(llvm::ArrayRef<llvm::Metadata*>()));
  llvm::DISubprogram* made = debug.createFunction(
      known->getFile(), "main", "main", known->getFile(), known->getLine(), type, known->getLine(),
      llvm::DINode::FlagArtificial, llvm::DISubprogram::SPFlagDefinition);
  debug.finalize();
  main.setSubprogram(made);
  values_.name_in(*made);
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

Result<llvm::Value*> Entry::argument(llvm::Argument& parameter) {
  Described as = described(parameter);
  if (!parameter.hasByValAttr() && !parameter.hasStructRetAttr())
    return values_.any_argument(parameter, as);
  llvm::Type& whole = parameter.hasByValAttr() ? *parameter.getParamByValType()
                                               : *parameter.getParamStructRetType();
  llvm::Value* made = build_.CreateAlloca(&whole);
  LEM_TRY(values_.fill(made, whole, as, 0));
  return made;
}

Status Entry::make() {
  if (function_.isVarArg()) return refuse("variable arguments");
  begin();
  LEM_TRY(choose_globals());
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& parameter : function_.args()) {
    Result<llvm::Value*> value = argument(parameter);
    if (!value) return value.error();
    arguments.push_back(*value);
  }
  LEM_TRY(assume(arguments));
  values_.finish();
  call(arguments);
  return Ok{};
}

// Globals ---------------------------------------------------------------------------------------

/// What the program does with a global, or with a pointer that is calculated from it.
struct Uses {
  bool written = false;  // or may be
  bool pointed_to = false;
  void look(const llvm::Value& pointer);
};

void Uses::look(const llvm::Value& pointer) {
  for (const llvm::User* user : pointer.users()) {
    if (llvm::isa<llvm::LoadInst, llvm::CmpInst>(user)) continue;
    if (llvm::isa<llvm::BitCastOperator, llvm::GEPOperator>(user)) {
      look(*user);
      continue;
    }
    auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user);
    if (copy != nullptr && copy->getRawDest() != &pointer) continue;
    written = true;
    bool plain = (store != nullptr && store->getPointerOperand() == &pointer) ||
                 llvm::isa<llvm::MemIntrinsic>(user);
    pointed_to = pointed_to || !plain;
  }
}

std::uint64_t scalars(const llvm::Type& type) {
  if (type.isArrayTy()) return type.getArrayNumElements() * scalars(*type.getArrayElementType());
  if (!type.isStructTy()) return 1;
  std::uint64_t sum = 0;
  for (const llvm::Type* part : type.subtypes()) sum += scalars(*part);
  return sum;
}

/// What keeps its initial value for ever: constants, and what nothing writes. What other files may
/// write has an initial value of its own here, or is not known.
bool may_have_changed(const llvm::GlobalVariable& global, const Uses& uses) {
  if (global.isConstant() || !global.hasInitializer() || global.hasPrivateLinkage() ||
      global.isThreadLocal() || global.hasSection() || global.getName().startswith("llvm."))
    return false;
  return uses.written || (!global.hasLocalLinkage() && global.getInitializer()->isNullValue());
}

Status Entry::choose_globals() {
  std::vector<llvm::GlobalVariable*> changed;
  for (llvm::GlobalVariable& global : module_.globals()) {
    Uses uses;
    uses.look(global);
    if (global.hasInitializer() && !global.isConstant() && uses.pointed_to) values_.share(global);
    if (options_.globals == COptions::Globals::Any && may_have_changed(global, uses))
      changed.push_back(&global);
  }
  for (llvm::GlobalVariable* global : changed) {
    Described as = described(*global);
    if (scalars(*global->getValueType()) > kLargeGlobal) {
      values_.warn("'" + as.name + "' is large: it has its initial value when '" +
                   function_.getName().str() + "' is called");
      continue;
    }
    LEM_TRY(values_.fill(global, *global->getValueType(), as, 0));
  }
  return Ok{};
}

// Conditions of --assume ------------------------------------------------------------------------

Status Entry::assume(const std::vector<llvm::Value*>& arguments) {
  if (options_.assumptions.empty()) return Ok{};
  define_object_size();
  std::vector<llvm::Value*> given;
  for (llvm::Argument& parameter : function_.args())
    if (!parameter.hasStructRetAttr()) given.push_back(arguments[parameter.getArgNo()]);
  for (std::size_t i = 0; i < options_.assumptions.size(); ++i) {
    llvm::Function* condition = module_.getFunction(assumption_name(i));
    if (condition == nullptr || condition->arg_size() != given.size())
      return Error{{path_}, "--assume is for entries in C", ErrorKind::Usage};
    LEM_TRY(only_reads(*condition));
    llvm::CallInst* holds = build_.CreateCall(condition, given);
    holds->setAttributes(condition->getAttributes());
    assume_in(build_, build_.CreateIsNotNull(holds));
  }
  return Ok{};
}

/// The objects and their sizes are kept in variables, and compared.
void Entry::define_object_size() {
  llvm::Function* function = module_.getFunction(kObjectSize);
  if (function == nullptr || !function->isDeclaration()) return;
  llvm::IRBuilder<> inside(llvm::BasicBlock::Create(module_.getContext(), "", function));
  function->setSubprogram(nullptr);
  function->setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::Type* word = function->getReturnType();
  auto variable = [&](llvm::Value* value, llvm::Type* type) {
    auto* made = new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::PrivateLinkage,
                                          llvm::Constant::getNullValue(type), "lemmata_object");
    build_.CreateStore(value, made);
    return inside.CreateLoad(type, made);
  };
  llvm::Value* size = llvm::ConstantInt::get(word, 0);
  for (const EntryValues::Made& one : values_.objects()) {
    llvm::Type* pointer = function->getArg(0)->getType();
    llvm::Value* at = variable(build_.CreatePointerCast(one.at, pointer), pointer);
    llvm::Value* same = inside.CreateICmpEQ(function->getArg(0), at);
    size = inside.CreateSelect(same, variable(one.size, word), size);
  }
  inside.CreateRet(size);
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

Result<bool> begin_with(llvm::Module& module, const std::string& path, const COptions& options,
                        std::vector<std::string>& warnings) {
  if (options.entry.empty()) {
    llvm::Function* main = module.getFunction("main");
    if (main == nullptr || main->isDeclaration() || main->isVarArg()) return false;
    if (llvm::none_of(main->args(), is_read)) return false;
    LEM_TRY(Entry(*main, path, options).make_program());
    return true;
  }
  if (options.entry == "main" && !options.assumptions.empty())
    return Error{{path}, "--assume is about the call of a function, not of main", ErrorKind::Usage};
  if (options.entry == "main") return false;
  llvm::Function* function = module.getFunction(options.entry);
  if (function == nullptr || function->isDeclaration())
    return Error{{path}, "no function '" + options.entry + "' with a body (--entry)"};
  Entry entry(*function, path, options);
  LEM_TRY(entry.make());
  warnings = entry.values().warnings();
  return true;
}

}  // namespace lem::c
