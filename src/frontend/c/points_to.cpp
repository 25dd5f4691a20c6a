#include "frontend/c/points_to.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <numeric>
#include <set>
#include <utility>

#include "frontend/c/place.h"

namespace lem::c {

static constexpr std::uint64_t kMostInitialPointers = 4096;  // of one object, each by itself

// Offsets and targets ---------------------------------------------------------------------------

static std::uint64_t distance(std::int64_t a, std::int64_t b) {
  return a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
               : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
}

/// As addresses do, it wraps around.
static std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// In [0, step) when there is a step.
static Offset normal(Offset offset) {
  if (offset.step == 0) return offset;
  if (offset.step > INT64_MAX) offset.step = 1;
  auto step = static_cast<std::int64_t>(offset.step);
  offset.rest %= step;
  if (offset.rest < 0) offset.rest += step;
  return offset;
}

Offset join(Offset a, Offset b) {
  std::uint64_t step = std::gcd(std::gcd(a.step, b.step), distance(a.rest, b.rest));
  return normal({a.rest, step});
}

bool may_meet(Offset a, Offset b) {
  std::uint64_t step = std::gcd(a.step, b.step), apart = distance(a.rest, b.rest);
  return step == 0 ? apart == 0 : apart % step == 0;
}

bool Targets::join(const Targets& other) {
  bool changed = (other.null && !null) || (other.wild && !wild) ||
                 (other.unknown != nullptr && unknown == nullptr);
  null = null || other.null;
  wild = wild || other.wild;
  if (unknown == nullptr) unknown = other.unknown;
  for (const auto& [object, offset] : other.objects) {
    auto [found, is_new] = objects.insert({object, offset});
    Offset both = is_new ? offset : c::join(found->second, offset);
    changed = changed || is_new || both != found->second;
    found->second = both;
  }
  return changed;
}

Targets Targets::shifted(std::int64_t by, std::uint64_t step) const {
  Targets out = *this;
  for (auto& [object, offset] : out.objects)
    offset = normal({plus(offset.rest, by), std::gcd(offset.step, step)});
  return out;
}

Displacement displacement(const llvm::GEPOperator& element, const llvm::DataLayout& layout) {
  unsigned width = layout.getIndexTypeSizeInBits(element.getType());
  llvm::MapVector<llvm::Value*, llvm::APInt> terms;
  llvm::APInt constant(width, 0);
  Displacement out;
  bool known = element.collectOffset(layout, width, terms, constant);
  assert(known && "vectors of unknown length come from no C program");
  (void)known;
  out.constant = constant.getSExtValue();
  for (const auto& [value, factor] : terms) out.terms.push_back({value, factor.getSExtValue()});
  return out;
}

// Objects ---------------------------------------------------------------------------------------

PointsTo::PointsTo(const llvm::Function& main)
    : main_(main), layout_(main.getParent()->getDataLayout()) {}

std::optional<ObjectId> PointsTo::object_of(const llvm::Value* site) const {
  auto found = by_site_.find(site);
  return found == by_site_.end() ? std::nullopt : std::optional(found->second);
}

void PointsTo::add_object(const llvm::Value* site, Object::Kind kind,
                          std::optional<std::uint64_t> size) {
  if (!by_site_.insert({site, ObjectId{static_cast<std::uint32_t>(objects_.size())}}).second)
    return;
  objects_.push_back({site, kind, size});
  sites_.push_back(site);
}

/// Globals and functions that these operands mention, in what they are made of, too.
void PointsTo::add_constants(const llvm::User& user) {
  for (const llvm::Value* operand : user.operands()) {
    if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(operand)) {
      if (by_site_.count(global) != 0) continue;
      llvm::Type* type = global->getValueType();
      std::optional<std::uint64_t> size;
      if (type->isSized()) size = layout_.getTypeAllocSize(type).getFixedSize();
      add_object(global, Object::Kind::Global, size);
      if (global->hasInitializer()) add_constants(*global);
    } else if (auto* function = llvm::dyn_cast<llvm::Function>(operand)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&user);
      if (call == nullptr || call->getCalledOperand() != function)
        add_object(function, Object::Kind::Function, 0);
    } else if (llvm::isa<llvm::Constant>(operand) && !llvm::isa<llvm::GlobalValue>(operand)) {
      add_constants(*llvm::cast<llvm::User>(operand));
    }
  }
}

static std::optional<std::uint64_t> number(const llvm::Value* value) {
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  if (constant == nullptr || constant->getValue().getActiveBits() > 62) return std::nullopt;
  return constant->getZExtValue();
}

static std::optional<std::uint64_t> size_of(const llvm::AllocaInst& local,
                                            const llvm::DataLayout& layout) {
  std::optional<std::uint64_t> count = number(local.getArraySize());
  std::uint64_t size = layout.getTypeAllocSize(local.getAllocatedType()).getFixedSize();
  return count ? std::optional(*count * size) : std::nullopt;
}

static std::optional<std::uint64_t> size_of(const llvm::CallBase& call) {
  std::optional<std::uint64_t> size = 1;
  for (const llvm::Value* argument : call.args()) {
    std::optional<std::uint64_t> factor = number(argument);
    size = size && factor ? std::optional(*size * *factor) : std::nullopt;
  }
  return size;
}

static bool allocates(const llvm::CallBase& call) {
  const llvm::Function* callee = called(call);
  if (callee == nullptr) return false;
  Callee kind = callee_of(*callee);
  return kind == Callee::Allocate || kind == Callee::AllocateZero || kind == Callee::Object;
}

void PointsTo::find_objects(const std::vector<const llvm::BasicBlock*>& blocks) {
  std::set<const llvm::BasicBlock*> cyclic;
  for (auto it = llvm::scc_begin(&main_); !it.isAtEnd(); ++it)
    if (it.hasCycle()) cyclic.insert(it->begin(), it->end());
  for (const llvm::BasicBlock* block : blocks)
    for (const llvm::Instruction& instruction : *block) {
      if (auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        add_object(local, Object::Kind::Local, size_of(*local, layout_));
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call != nullptr && allocates(*call)) {
        add_object(call, Object::Kind::Heap, size_of(*call));
        objects_.back().many = cyclic.count(block) != 0;
        instances_ = instances_ || objects_.back().many;
      }
      if (!llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) add_constants(instruction);
    }
}

/// Pointers in the initial value of a global, each at its place.
void PointsTo::initial_contents(ObjectId id, const llvm::Constant& value, std::int64_t at) {
  Contents& contents = contents_[index(id)];
  if (value.getType()->isPointerTy()) {
    contents.at[{at, 0}].join((*this)(value));
    return;
  }
  auto* fields = llvm::dyn_cast<llvm::StructType>(value.getType());
  auto* array = llvm::dyn_cast<llvm::ArrayType>(value.getType());
  if (fields == nullptr && array == nullptr) return;
  if (array != nullptr && llvm::isa<llvm::IntegerType>(array->getElementType())) return;
  std::uint64_t count = array ? array->getNumElements() : fields->getNumElements();
  if (value.isNullValue() || count > kMostInitialPointers) {
    contents.before.null = true;  // at some places perhaps
    if (value.isNullValue()) return;
  }
  for (unsigned i = 0; i < count; ++i) {
    std::uint64_t offset =
        array ? i * layout_.getTypeAllocSize(array->getElementType()).getFixedSize()
              : layout_.getStructLayout(fields)->getElementOffset(i);
    if (const llvm::Constant* element = value.getAggregateElement(i))
      initial_contents(id, *element, at + static_cast<std::int64_t>(offset));
  }
}

void PointsTo::initial_contents(const llvm::Value& site, ObjectId id) {
  Targets& before = contents_[index(id)].before;
  if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&site)) {
    if (global->hasInitializer())
      initial_contents(id, *global->getInitializer(), 0);
    else
      before.unknown = global;
  } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&site)) {
    bool open = callee_of(*called(*call)) == Callee::Allocate;
    (open ? before.wild : before.null) = true;
  } else {
    before.wild = true;
  }
}

// Inclusion -------------------------------------------------------------------------------------

Targets PointsTo::operator()(const llvm::Value& pointer) const {
  Targets out;
  if (auto site = object_of(&pointer)) {
    out.objects[*site] = {};
  } else if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(&pointer)) {
    out = values_.lookup(instruction);
  } else if (llvm::isa<llvm::ConstantPointerNull>(pointer)) {
    out.null = true;
  } else if (llvm::isa<llvm::UndefValue>(pointer)) {
    out.wild = true;
  } else if (auto* element = llvm::dyn_cast<llvm::GEPOperator>(&pointer)) {
    out =
        (*this)(*element->getPointerOperand()).shifted(displacement(*element, layout_).constant, 0);
  } else if (auto* same = llvm::dyn_cast<llvm::BitCastOperator>(&pointer)) {
    out = (*this)(*same->getOperand(0));
  } else {
    out.unknown = &pointer;
  }
  return out;
}

/// Whether what begins at these places can have bytes in common.
static bool may_overlap(Offset a, std::uint64_t size, Offset b, std::uint64_t other) {
  for (std::uint64_t i = 0; i < size; ++i)
    if (may_meet({plus(a.rest, static_cast<std::int64_t>(i)), a.step}, b)) return true;
  for (std::uint64_t i = 1; i < other; ++i)
    if (may_meet(a, {plus(b.rest, static_cast<std::int64_t>(i)), b.step})) return true;
  return false;
}

bool stores_null(const llvm::StoreInst& store, const llvm::DataLayout& layout) {
  auto* value = llvm::dyn_cast<llvm::ConstantInt>(store.getValueOperand());
  return value != nullptr && value->isZero() &&
         value->getBitWidth() >= layout.getPointerSizeInBits();
}

/// A pointer that is read there is any, or null.
bool PointsTo::store_number(const llvm::StoreInst& store) {
  Targets address = (*this)(*store.getPointerOperand());
  if (stores_null(store, layout_)) {
    Targets null;
    null.null = true;
    return this->store(address, null);
  }
  bool changed = false;
  std::uint64_t size = layout_.getTypeStoreSize(store.getValueOperand()->getType()).getFixedSize();
  for (const auto& [object, offset] : address.objects)
    changed = contents_[index(object)].numbers.insert({offset, size}).second || changed;
  return changed;
}

Targets PointsTo::load(const Targets& address) const {
  Targets out;
  for (const auto& [object, offset] : address.objects) {
    const Contents& contents = contents_[index(object)];
    out.join(contents.before);
    for (const auto& [at, targets] : contents.at)
      if (may_meet(at, offset)) out.join(targets);
    for (const auto& [at, size] : contents.numbers)
      out.wild = out.wild || may_overlap(at, size, offset, layout_.getPointerSize());
  }
  if (address.unknown != nullptr) out.unknown = address.unknown;
  bool nothing = out.objects.empty() && !out.null && !out.wild && out.unknown == nullptr;
  if (nothing && !address.objects.empty()) out.null = out.wild = true;  // where a number was
  return out;
}

bool PointsTo::store(const Targets& address, const Targets& value) {
  bool changed = false;
  for (const auto& [object, offset] : address.objects)
    changed = contents_[index(object)].at[offset].join(value) || changed;
  return changed;
}

bool PointsTo::copy(const Targets& to, const Targets& from) {
  bool changed = false;
  for (const auto& [source, first] : from.objects) {
    Contents moved = contents_[index(source)];
    moved.at[{0, 1}].join(moved.before);
    for (const auto& [at, targets] : moved.at) {
      std::uint64_t step = std::gcd(at.step, first.step);
      changed = store(to.shifted(at.rest - first.rest, step), targets) || changed;
    }
  }
  return changed;
}

Targets PointsTo::result(const llvm::Instruction& instruction) const {
  Targets out;
  if (auto* element = llvm::dyn_cast<llvm::GEPOperator>(&instruction)) {
    Displacement by = displacement(*element, layout_);
    std::uint64_t step = 0;
    for (const auto& [value, factor] : by.terms) step = std::gcd(step, distance(factor, 0));
    return (*this)(*element->getPointerOperand()).shifted(by.constant, step);
  }
  if (auto* load_here = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load((*this)(*load_here->getPointerOperand()));
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    for (const llvm::Value* value : phi->incoming_values()) out.join((*this)(*value));
    return out;
  }
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    out.join((*this)(*select->getTrueValue()));
    out.join((*this)(*select->getFalseValue()));
    return out;
  }
  if (llvm::isa<llvm::BitCastInst, llvm::FreezeInst>(instruction))
    return (*this)(*instruction.getOperand(0));
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const llvm::Function* callee = called(*call);
    if (callee == nullptr && !call->isInlineAsm()) return out;  // never returns, see indirect.h
    if (callee && callee_of(*callee) == Callee::First) return (*this)(*call->getArgOperand(0));
    if (callee && callee->getName().startswith(kOwnNondet)) {
      out.wild = true;
      return out;
    }
  }
  out.unknown = &instruction;
  return out;
}

bool PointsTo::transfer(const llvm::Instruction& instruction) {
  if (auto* store_here = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (!store_here->getValueOperand()->getType()->isPointerTy()) return store_number(*store_here);
    return store((*this)(*store_here->getPointerOperand()),
                 (*this)(*store_here->getValueOperand()));
  }
  if (auto* move = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
    return copy((*this)(*move->getRawDest()), (*this)(*move->getRawSource()));
  if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
    Targets value;
    std::optional<std::uint64_t> byte = number(fill->getValue());
    value.null = byte && *byte == 0;
    if (!value.null) value.unknown = fill;
    return store((*this)(*fill->getRawDest()).shifted(0, 1), value);
  }
  return values_[&instruction].join(result(instruction));
}

static bool moves_pointers(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::StoreInst>(instruction)) return true;
  if (llvm::isa<llvm::MemIntrinsic>(instruction)) return true;
  return instruction.getType()->isPointerTy() && !llvm::isa<llvm::AllocaInst>(instruction);
}

void PointsTo::include() {
  values_.clear();
  contents_.assign(objects_.size(), {});
  for (const llvm::Value* site : sites_) initial_contents(*site, by_site_.lookup(site));
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Instruction* instruction : order_) changed = transfer(*instruction) || changed;
  }
}

/// Merges objects if one pointer may point to instances of both: the number of an instance does not
/// say which object it is of.
bool PointsTo::merge_instances() {
  bool merged = false;
  for (const llvm::Instruction* instruction : order_) {
    std::optional<ObjectId> first;
    for (const auto& [object, offset] : values_.lookup(instruction).objects) {
      if (!(*this)[object].many) continue;
      if (!first) first = object;
      if (*first == object) continue;
      for (const llvm::Value* site : sites_)
        if (by_site_.lookup(site) == object) by_site_[site] = *first;
      Object& kept = objects_[index(*first)];
      if (kept.size != (*this)[object].size) kept.size = std::nullopt;
      merged = true;
    }
  }
  return merged;
}

void PointsTo::analyse(const std::vector<const llvm::BasicBlock*>& blocks) {
  find_objects(blocks);
  for (const llvm::BasicBlock* block : blocks)
    for (const llvm::Instruction& instruction : *block)
      if (moves_pointers(instruction) && !object_of(&instruction)) order_.push_back(&instruction);
  do include();
  while (merge_instances());
  forget_sizes(blocks);
  find_steps();
}

/// What may be resized has no fixed size.
void PointsTo::forget_sizes(const std::vector<const llvm::BasicBlock*>& blocks) {
  for (const llvm::BasicBlock* block : blocks)
    for (const llvm::Instruction& instruction : *block) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call == nullptr ? nullptr : called(*call);
      if (callee == nullptr || callee_of(*callee) != Callee::Resize) continue;
      for (const auto& [object, offset] : (*this)(*call->getArgOperand(0)).objects)
        if (Object& made = objects_[index(object)];
            made.kind == Object::Kind::Heap && !made.resized) {
          made.resized = true;
          made.made = std::exchange(made.size, std::nullopt);
        }
    }
}

// Steps -----------------------------------------------------------------------------------------

ObjectId PointsTo::find(ObjectId id) const {
  while (parents_[index(id)] != id) id = parents_[index(id)];
  return id;
}

/// A pointer has one index, whichever object it is of: they share a step, and their rests are one.
bool PointsTo::align(const Targets& targets) {
  bool indexed = false;
  for (const auto& [object, offset] : targets.objects)
    indexed = indexed || offset.step != 0 || step(object) != 0;
  if (!indexed) return false;
  ObjectId root = find(targets.objects.begin()->first);
  std::int64_t rest = targets.objects.begin()->second.rest;
  std::uint64_t common = steps_[index(root)];
  bool changed = false;
  for (const auto& [object, offset] : targets.objects) {
    ObjectId other = find(object);
    common = std::gcd(std::gcd(common, steps_[index(other)]), offset.step);
    common = std::gcd(common, distance(offset.rest, rest));
    changed = changed || other != root;
    parents_[index(other)] = root;
  }
  changed = changed || common != steps_[index(root)];
  steps_[index(root)] = common;
  return changed;
}

void PointsTo::find_steps() {
  for (std::uint32_t i = 0; i < objects_.size(); ++i) parents_.push_back(ObjectId{i});
  steps_.resize(objects_.size(), 0);
  strides_.resize(objects_.size(), 0);
  for (const llvm::Instruction* instruction : order_)
    if (instruction->getType()->isPointerTy())
      for (const auto& [object, offset] : values_.lookup(instruction).objects)
        strides_[index(object)] = std::gcd(strides_[index(object)], offset.step);
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Instruction* instruction : order_)
      if (instruction->getType()->isPointerTy())
        changed = align(values_.lookup(instruction)) || changed;
  }
}

}  // namespace lem::c
