#include "frontend/c/entry_values.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "base/try.h"
#include "ctext/entry_calls.h"
#include "frontend/c/place.h"

namespace lem::c {

static constexpr std::uint64_t kMostInputs = 2048;  // of one entry
static constexpr std::size_t kMostObjects = 48;
static constexpr std::size_t kMostShared = 8;  // that one pointer may point to instead of a new one

// Types of the source ---------------------------------------------------------------------------

/// Without names and qualifiers.
static const llvm::DIType* plain(const llvm::DIType* type) {
  while (auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type) return derived;
    type = derived->getBaseType();
  }
  return type;
}

static const llvm::DIType* pointed_to(const llvm::DIType* type) {
  auto* pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(plain(type));
  return pointer == nullptr ? nullptr : plain(pointer->getBaseType());
}

static bool has_encoding(const llvm::DIType* type, std::initializer_list<unsigned> encodings) {
  auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(plain(type));
  return basic != nullptr &&
         std::find(encodings.begin(), encodings.end(), basic->getEncoding()) != encodings.end();
}

/// The member that begins at this byte; of a union, the first one that does.
static Described member(const Described& whole, std::uint64_t offset) {
  auto* fields = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain(whole.type));
  if (fields == nullptr) return {nullptr, whole.name};
  for (const llvm::DINode* node : fields->getElements()) {
    auto* one = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (one == nullptr || one->getOffsetInBits() != offset * 8) continue;
    bool through = llvm::StringRef(whole.name).endswith("->");
    std::string name = one->getName().str();
    if (!name.empty() && !through) name.insert(0, ".");
    return {one->getBaseType(), whole.name + name};
  }
  return {nullptr, whole.name};
}

static Described element_of(const Described& array, std::uint64_t i, bool innermost) {
  auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain(array.type));
  bool known = composite && composite->getTag() == llvm::dwarf::DW_TAG_array_type;
  const llvm::DIType* type = !known ? nullptr : innermost ? composite->getBaseType() : composite;
  return {type, array.name + '[' + std::to_string(i) + ']'};
}

Described described(llvm::Argument& parameter) {
  std::set<const llvm::Value*> places = {&parameter};
  for (const llvm::User* user : parameter.users())
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      places.insert(store->getPointerOperand());
  for (const llvm::Instruction& instruction : llvm::instructions(*parameter.getParent()))
    if (auto* declare = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction))
      if (places.count(declare->getVariableLocationOp(0)) != 0 &&
          declare->getVariable()->getArg() != 0)
        return {declare->getVariable()->getType(), declare->getVariable()->getName().str()};
  return {nullptr, "argument " + std::to_string(parameter.getArgNo() + 1)};
}

Described described(llvm::GlobalVariable& global) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> found;
  global.getDebugInfo(found);
  if (found.empty()) return {nullptr, global.getName().str()};
  const llvm::DIGlobalVariable* variable = found.front()->getVariable();
  return {variable->getType(), variable->getName().str()};
}

// Making ----------------------------------------------------------------------------------------

EntryValues::EntryValues(llvm::Function& entry, llvm::IRBuilder<>& build, const std::string& path,
                         const COptions& options)
    : entry_(entry),
      module_(*entry.getParent()),
      build_(build),
      path_(path),
      options_(options),
      inputs_left_(kMostInputs) {}

void EntryValues::name_in(llvm::DISubprogram& scope) {
  scope_ = &scope;
  debug_ = std::make_unique<llvm::DIBuilder>(module_, false, scope.getUnit());
}

void EntryValues::finish() {
  if (debug_) debug_->finalize();
}

Error EntryValues::refuse(const std::string& what) const {
  return Error{place_of(entry_, path_),
               "unsupported: " + what + " of '" + entry_.getName().str() + "' (--entry)"};
}

/// The object has this name in traces.
void EntryValues::declare(llvm::Value* object, const llvm::DIType* type, const std::string& name) {
  if (!debug_ || type == nullptr || !build_.getCurrentDebugLocation()) return;
  llvm::DILocalVariable* variable = debug_->createAutoVariable(
      scope_, name, scope_->getFile(), scope_->getLine(), const_cast<llvm::DIType*>(type), true);
  debug_->insertDeclare(object, variable, debug_->createExpression(),
                        build_.getCurrentDebugLocation().get(), build_.GetInsertBlock());
}

Result<llvm::Value*> EntryValues::number(llvm::Type& type, const Described& as) {
  if (inputs_left_ == 0) return refuse("argument that points to much memory");
  --inputs_left_;
  auto input = [&](const std::string& name, llvm::Type* of) {
    return build_.CreateCall(
        module_.getOrInsertFunction(kNondet.str() + name + ctext::kEntryInput, of));
  };
  if (type.isFloatTy()) return input("float", &type);
  if (type.isDoubleTy()) return input("double", &type);
  if (!type.isIntegerTy() || type.getIntegerBitWidth() > 64) return refuse("value of this type");
  using namespace llvm::dwarf;
  unsigned width = type.getIntegerBitWidth();
  if (width == 1 || has_encoding(as.type, {DW_ATE_boolean}))
    return build_.CreateZExt(input("u1", build_.getInt1Ty()), &type);
  unsigned whole = width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
  bool is_signed = has_encoding(as.type, {DW_ATE_signed, DW_ATE_signed_char});
  std::string name = (is_signed ? "i" : "u") + std::to_string(whole);
  return build_.CreateTrunc(input(name, build_.getIntNTy(whole)), &type);
}

/// Any number below that of the words, under the name of the pointer that it decides.
llvm::Value* EntryValues::choice_input(const Described& as, const std::vector<std::string>& words) {
  llvm::Type* type = build_.getInt16Ty();
  if (words.size() == 1) return llvm::ConstantInt::get(type, 0);
  llvm::Value* chosen = build_.CreateAlloca(type);
  if (debug_) {
    std::vector<llvm::Metadata*> all;
    for (std::size_t i = 0; i < words.size(); ++i)
      all.push_back(debug_->createEnumerator(words[i], static_cast<std::int64_t>(i), true));
    auto* base = debug_->createBasicType("unsigned short", 16, llvm::dwarf::DW_ATE_unsigned);
    declare(chosen,
            debug_->createEnumerationType(scope_, "", scope_->getFile(), scope_->getLine(), 16, 16,
                                          debug_->getOrCreateArray(all), base),
            as.name);
  }
  build_.CreateStore(build_.CreateCall(module_.getOrInsertFunction(
                         kNondet.str() + "u16" + ctext::kEntryInput, type)),
                     chosen);
  llvm::Value* number = build_.CreateLoad(type, chosen);  // the input has the variable's name
  assume_in(build_, build_.CreateICmpULT(number, llvm::ConstantInt::get(type, words.size())));
  return number;
}

llvm::Value* EntryValues::choose(const Choice& choice, llvm::Value* number) {
  llvm::Value* out = choice.values[0];
  for (std::size_t i = 1; i < choice.values.size(); ++i) {
    if (choice.values[i] == choice.values[i - 1]) continue;  // a new object of another size
    std::size_t last = i;
    while (last + 1 < choice.values.size() && choice.values[last + 1] == choice.values[i]) ++last;
    llvm::Value* from = build_.CreateSub(number, llvm::ConstantInt::get(number->getType(), i));
    llvm::Value* here =
        build_.CreateICmpULE(from, llvm::ConstantInt::get(number->getType(), last - i));
    out = build_.CreateSelect(here, choice.values[i], out);
  }
  return out;
}

void assume_in(llvm::IRBuilder<>& build, llvm::Value* condition) {
  llvm::Module& module = *build.GetInsertBlock()->getModule();
  llvm::Type* type = build.getInt32Ty();
  if (llvm::Function* known = module.getFunction("__VERIFIER_assume"))  // as the program has it
    if (known->arg_size() == 1 && known->getArg(0)->getType()->isIntegerTy())
      type = known->getArg(0)->getType();
  build.CreateCall(module.getOrInsertFunction("__VERIFIER_assume", build.getVoidTy(), type),
                   {build.CreateZExt(condition, type)});
}

// Objects ---------------------------------------------------------------------------------------

void EntryValues::share(llvm::GlobalVariable& global) {
  llvm::Type* element = global.getValueType();
  llvm::Value* at = &global;
  if (element->isArrayTy()) {
    at = build_.CreateConstInBoundsGEP2_32(element, at, 0, 0);
    element = element->getArrayElementType();
  }
  const llvm::DataLayout& layout = module_.getDataLayout();
  std::uint64_t size = layout.getTypeAllocSize(global.getValueType()).getFixedSize();
  llvm::Value* bytes = llvm::ConstantInt::get(layout.getIntPtrType(module_.getContext()), size);
  made_.push_back({element, at, bytes, '&' + described(global).name, true});
}

static bool has_pointers(const llvm::Type& type) {
  if (type.isPointerTy()) return true;
  if (type.isArrayTy()) return has_pointers(*type.getArrayElementType());
  return type.isStructTy() &&
         llvm::any_of(type.subtypes(), [](const llvm::Type* part) { return has_pointers(*part); });
}

/// The elements of a flexible array member at the end of a struct; null if there is none.
static llvm::Type* flexible_tail(llvm::Type& type) {
  auto* fields = llvm::dyn_cast<llvm::StructType>(&type);
  if (fields == nullptr || fields->getNumElements() == 0) return nullptr;
  auto* last = llvm::dyn_cast<llvm::ArrayType>(fields->elements().back());
  return last != nullptr && last->getNumElements() == 0 ? last->getElementType() : nullptr;
}

/// Finds out which types the program walks over, to other elements than the first, and which
/// structs it looks into.
void EntryValues::find_uses() {
  uses_ = std::make_unique<TypeUses>();
  for (llvm::Function& function : module_)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
        auto* first = llvm::dyn_cast<llvm::ConstantInt>(element->idx_begin()->get());
        uses_->inside.insert(element->getSourceElementType());
        if (first == nullptr || !first->isZero())
          uses_->walked.insert(element->getSourceElementType());
      }
      auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction);
      if (cast != nullptr && cast->getSrcTy()->isPointerTy())
        uses_->inside.insert(cast->getSrcTy()->getPointerElementType());
    }
}

EntryValues::Shape EntryValues::shape_of(llvm::Type& element) {
  if (!uses_) find_uses();
  // What nothing looks into, as FILE, has no contents.
  bool closed = element.isStructTy() && uses_->inside.count(&element) == 0;
  if (!element.isSized() || closed) return {nullptr, 1, 0, 1};
  const llvm::DataLayout& layout = module_.getDataLayout();
  std::uint64_t size = layout.getTypeAllocSize(&element).getFixedSize();
  if (llvm::Type* tail = flexible_tail(element))
    return {&element, size, layout.getTypeAllocSize(tail).getFixedSize(), options_.pointer_size + 1,
            tail};
  bool single = has_pointers(element) && uses_->walked.count(&element) == 0;
  return {&element, size, size, single ? 1 : options_.pointer_size};
}

static std::string words_for(unsigned number, bool single, bool flexible) {
  if (single) return "a new object";
  if (flexible) return "a new object with " + std::to_string(number - 1) + " behind it";
  return number == 1 ? "1 new element" : std::to_string(number) + " new elements";
}

/// Members of the only struct that a pointer points to are behind an arrow.
static std::string object_name(const std::string& pointer, const llvm::Type& element,
                               unsigned choices, bool flexible) {
  return element.isStructTy() && (choices == 1 || flexible) ? pointer + "->" : pointer;
}

Status EntryValues::fill_object(llvm::Value* at, const Shape& shape, const Described& as,
                                unsigned level) {
  if (shape.element == nullptr) return Ok{};
  if (shape.tail == nullptr) {
    for (unsigned i = 0; i < shape.choices; ++i) {
      Described one{as.type, as.name};
      if (!llvm::StringRef(as.name).endswith("->")) one.name += '[' + std::to_string(i) + ']';
      if (Status done =
              fill(build_.CreateConstGEP1_32(shape.element, at, i), *shape.element, one, level);
          !done)
        return done;
    }
    return Ok{};
  }
  LEM_TRY(fill(at, *shape.element, as, level));
  auto* fields = llvm::cast<llvm::StructType>(shape.element);
  unsigned last = fields->getNumElements() - 1;
  std::uint64_t offset = module_.getDataLayout().getStructLayout(fields)->getElementOffset(last);
  for (unsigned i = 0; i + 1 < shape.choices; ++i) {
    llvm::Value* way[] = {build_.getInt32(0), build_.getInt32(last), build_.getInt32(i)};
    llvm::Value* place = build_.CreateGEP(fields, at, way);
    Described one = element_of(member(as, offset), i, !shape.tail->isArrayTy());
    LEM_TRY(fill(place, *shape.tail, one, level));
  }
  return Ok{};
}

Result<llvm::Value*> EntryValues::pointer(llvm::PointerType& type, llvm::Type& element,
                                          const Described& as, unsigned level, Sharing sharing) {
  Shape shape = shape_of(element);
  bool makes = level < options_.pointer_depth && made_.size() < kMostObjects;
  bool flexible = shape.tail != nullptr;
  Choice choice{{llvm::Constant::getNullValue(&type)}, {"null"}};
  for (unsigned v = 1; makes && v <= shape.choices; ++v)
    choice.words.push_back(words_for(v, shape.choices == 1, flexible));
  std::vector<llvm::Value*> others;
  for (const Made& one : made_) {
    if (sharing == Sharing::Excluded || !one.shared || one.element != &element) continue;
    if (others.size() == kMostShared) break;
    others.push_back(build_.CreatePointerCast(one.at, &type));
    choice.words.push_back("the same as " + one.name);
  }
  llvm::Value* number = choice_input(as, choice.words);
  if (makes) {
    llvm::Type* word = module_.getDataLayout().getIntPtrType(module_.getContext());
    auto bytes = [&](std::uint64_t count) { return llvm::ConstantInt::get(word, count); };
    std::uint64_t most = shape.first + (shape.choices - 1) * shape.step;
    llvm::Value* object = build_.CreateCall(
        module_.getOrInsertFunction(ctext::kEntryObject, build_.getInt8PtrTy(), word),
        {bytes(most)});
    std::string name = object_name(as.name, element, shape.choices, flexible);
    const llvm::DIType* behind = pointed_to(as.type);
    if (debug_ && behind != nullptr && shape.element != nullptr && name == as.name)
      behind = debug_->createArrayType(
          most * 8, 0, const_cast<llvm::DIType*>(behind),
          debug_->getOrCreateArray({debug_->getOrCreateSubrange(0, shape.choices)}));
    declare(object, behind, name);
    llvm::Value* at = build_.CreatePointerCast(object, element.getPointerTo());
    // Unless the number is that of a new object, no pointer to this one is used.
    llvm::Value* chosen = build_.CreateZExt(number, word);
    llvm::Value* is_new =
        build_.CreateICmpULE(build_.CreateSub(chosen, bytes(1)), bytes(shape.choices - 1));
    llvm::Value* more = build_.CreateMul(build_.CreateSub(chosen, bytes(1)), bytes(shape.step));
    llvm::Value* size =
        shape.choices == 1
            ? static_cast<llvm::Value*>(bytes(most))
            : build_.CreateSelect(is_new, build_.CreateAdd(more, bytes(shape.first)), bytes(most));
    made_.push_back({&element, at, size, as.name, sharing == Sharing::Allowed});
    LEM_TRY(fill_object(at, shape, {pointed_to(as.type), name}, level + 1));
    if (shape.choices > 1)
      build_.CreateCall(module_.getOrInsertFunction(ctext::kEntryShrink, build_.getVoidTy(),
                                                    build_.getInt8PtrTy(), word),
                        {object, size});
    choice.values.insert(choice.values.end(), shape.choices, build_.CreatePointerCast(at, &type));
  }
  choice.values.insert(choice.values.end(), others.begin(), others.end());
  return choose(choice, number);
}

// Pointers to functions -------------------------------------------------------------------------

bool EntryValues::leads_to_entry(llvm::Function& function) const {
  std::vector<llvm::Function*> waiting = {&function};
  std::set<llvm::Function*> seen = {&function};
  while (!waiting.empty()) {
    llvm::Function* one = waiting.back();
    waiting.pop_back();
    if (one == &entry_) return true;
    for (llvm::Instruction& instruction : llvm::instructions(*one))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (llvm::Function* callee = called(*call); callee && seen.insert(callee).second)
          waiting.push_back(callee);
  }
  return false;
}

Result<llvm::Value*> EntryValues::function(llvm::PointerType& type, const Described& as,
                                           unsigned level) {
  Choice choice{{llvm::Constant::getNullValue(&type)}, {"null"}};
  for (llvm::Function& one : module_) {
    bool fits = !one.isDeclaration() && one.getType() == &type && !one.isVarArg() &&
                callee_of(one) == Callee::Defined && !leads_to_entry(one) &&
                one.getName() != "main_of_the_program" && !one.getName().startswith("lemmata_");
    if (!fits) continue;
    choice.values.push_back(&one);
    choice.words.push_back(one.getName().str());
  }
  if (choice.values.size() == 1 && level == 0)
    return refuse("pointer to a function, and no function of its type, as an argument");
  if (choice.values.size() == 1)
    warnings_.push_back("'" + as.name + "' is null in every run: there is no function of its type");
  return choose(choice, choice_input(as, choice.words));
}

// Values ----------------------------------------------------------------------------------------

Result<llvm::Value*> EntryValues::any(llvm::Type& type, const Described& as, unsigned level) {
  auto* pointer_type = llvm::dyn_cast<llvm::PointerType>(&type);
  if (pointer_type == nullptr) return number(type, as);
  llvm::Type& element = *type.getPointerElementType();
  if (element.isFunctionTy()) return function(*pointer_type, as, level);
  return pointer(*pointer_type, element, as, level, Sharing::Allowed);
}

/// What the body takes a pointer to bytes for: the largest type that it is converted to.
llvm::Type* EntryValues::cast_target(llvm::Argument& parameter) const {
  llvm::Type* found = nullptr;
  const llvm::DataLayout& layout = module_.getDataLayout();
  auto look = [&](const llvm::Value& value) {
    for (const llvm::User* user : value.users()) {
      auto* cast = llvm::dyn_cast<llvm::BitCastInst>(user);
      llvm::Type* to = cast && cast->getType()->isPointerTy()
                           ? cast->getType()->getPointerElementType()
                           : nullptr;
      if (to == nullptr || !to->isSized()) continue;
      if (found == nullptr || layout.getTypeAllocSize(to) > layout.getTypeAllocSize(found))
        found = to;
    }
  };
  look(parameter);
  for (const llvm::User* user : parameter.users())
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      for (const llvm::User* other : store->getPointerOperand()->users())
        if (llvm::isa<llvm::LoadInst>(other)) look(*other);
  return found;
}

/// The type of the source that LLVM calls struct.NAME.
const llvm::DIType* EntryValues::struct_named(llvm::StringRef name) {
  if (!name.consume_front("struct.")) return nullptr;
  name = name.take_front(name.find('.'));  // LLVM numbers types of the same name
  llvm::DebugInfoFinder finder;
  finder.processModule(module_);
  for (const llvm::DIType* type : finder.types())
    if (type->getName() == name && llvm::isa_and_nonnull<llvm::DICompositeType>(plain(type)))
      return plain(type);
  return nullptr;
}

Result<llvm::Value*> EntryValues::any_argument(llvm::Argument& parameter, const Described& as) {
  auto* type = llvm::dyn_cast<llvm::PointerType>(parameter.getType());
  llvm::Type* element = type == nullptr ? nullptr : type->getPointerElementType();
  if (element == nullptr || element->isFunctionTy()) return any(*parameter.getType(), as, 0);
  Sharing sharing = parameter.hasNoAliasAttr() ? Sharing::Excluded : Sharing::Allowed;
  llvm::Type* meant = element->isIntegerTy(8) ? cast_target(parameter) : nullptr;
  if (meant == nullptr) return pointer(*type, *element, as, 0, sharing);
  Described better{nullptr, as.name};
  if (auto* fields = llvm::dyn_cast<llvm::StructType>(meant); fields && debug_ && fields->hasName())
    if (const llvm::DIType* known = struct_named(fields->getName()))
      better.type = debug_->createPointerType(const_cast<llvm::DIType*>(known),
                                              module_.getDataLayout().getPointerSizeInBits());
  return pointer(*type, *meant, better, 0, sharing);
}

Status EntryValues::fill_struct(llvm::Value* place, llvm::StructType& type, const Described& as,
                                unsigned level) {
  const llvm::StructLayout& layout = *module_.getDataLayout().getStructLayout(&type);
  for (unsigned i = 0; i < type.getNumElements(); ++i) {
    Described part = member(as, layout.getElementOffset(i));
    if (Status done =
            fill(build_.CreateStructGEP(&type, place, i), *type.getElementType(i), part, level);
        !done)
      return done;
  }
  return Ok{};
}

Status EntryValues::fill(llvm::Value* place, llvm::Type& type, const Described& as,
                         unsigned level) {
  if (auto* fields = llvm::dyn_cast<llvm::StructType>(&type))
    return fill_struct(place, *fields, as, level);
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    llvm::Type& part = *array->getElementType();
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
      llvm::Value* at =
          build_.CreateConstInBoundsGEP2_32(&type, place, 0, static_cast<unsigned>(i));
      LEM_TRY(fill(at, part, element_of(as, i, !part.isArrayTy()), level));
    }
    return Ok{};
  }
  Result<llvm::Value*> value = any(type, as, level);
  if (!value) return value.error();
  build_.CreateStore(*value, place);
  return Ok{};
}

}  // namespace lem::c
