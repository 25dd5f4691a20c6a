#include "frontend/c/aggregates.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <vector>

#include "frontend/c/place.h"

namespace lem::c {

static constexpr std::uint64_t kMostScalars = 64;

namespace {

struct Leaf {
  llvm::Type* type;
  std::uint64_t offset;  // in memory
};

bool is_aggregate(const llvm::Type& type) {
  return type.isStructTy() || type.isArrayTy() || llvm::isa<llvm::FixedVectorType>(type);
}

/// The type of an element, and where it is.
Leaf element(llvm::Type& type, std::uint64_t i, const llvm::DataLayout& layout) {
  if (auto* fields = llvm::dyn_cast<llvm::StructType>(&type))
    return {fields->getElementType(static_cast<unsigned>(i)),
            layout.getStructLayout(fields)->getElementOffset(static_cast<unsigned>(i))};
  llvm::Type* each = type.isArrayTy() ? type.getArrayElementType()
                                      : llvm::cast<llvm::FixedVectorType>(type).getElementType();
  return {each, i * layout.getTypeAllocSize(each).getFixedSize()};
}

std::uint64_t count(llvm::Type& type) {
  if (type.isStructTy()) return type.getStructNumElements();
  if (type.isArrayTy()) return type.getArrayNumElements();
  return llvm::cast<llvm::FixedVectorType>(type).getNumElements();
}

/// False: there are too many.
bool add_leaves(llvm::Type& type, std::uint64_t offset, const llvm::DataLayout& layout,
                std::vector<Leaf>& out) {
  if (!is_aggregate(type)) {
    out.push_back({&type, offset});
    return out.size() <= kMostScalars;
  }
  if (count(type) > kMostScalars) return false;
  for (std::uint64_t i = 0; i < count(type); ++i) {
    Leaf inside = element(type, i, layout);
    if (!add_leaves(*inside.type, offset + inside.offset, layout, out)) return false;
  }
  return true;
}

class Scalars {
 public:
  explicit Scalars(llvm::Function& function)
      : function_(function), layout_(function.getParent()->getDataLayout()) {}
  void run();

 private:
  using Parts = std::vector<llvm::Value*>;
  std::optional<std::vector<Leaf>> leaves(llvm::Type& type) const;
  std::optional<Parts> parts(llvm::Value& whole);
  std::optional<Parts> compute(llvm::Instruction& instruction);
  std::optional<Parts> constant(llvm::Constant& whole);
  std::optional<Parts> inserted(llvm::Instruction& insert, llvm::Value& part,
                                const std::vector<unsigned>& way);
  Parts overflow(llvm::WithOverflowInst& call);
  std::size_t first_leaf(llvm::Type& type, const std::vector<unsigned>& way) const;
  bool store(llvm::StoreInst& store);
  bool extract(llvm::Instruction& extract);
  llvm::Value* place(llvm::IRBuilder<>& build, llvm::Value* pointer, const Leaf& leaf) const;

  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  std::map<llvm::Value*, std::optional<Parts>> known_;
};

std::optional<std::vector<Leaf>> Scalars::leaves(llvm::Type& type) const {
  std::vector<Leaf> out;
  if (!type.isSized() || !add_leaves(type, 0, layout_, out)) return std::nullopt;
  return out;
}

llvm::Value* Scalars::place(llvm::IRBuilder<>& build, llvm::Value* pointer,
                            const Leaf& leaf) const {
  llvm::Value* bytes = build.CreatePointerCast(pointer, build.getInt8PtrTy());
  llvm::Value* at = build.CreateConstGEP1_64(build.getInt8Ty(), bytes, leaf.offset);
  return build.CreatePointerCast(at, leaf.type->getPointerTo());
}

/// The number of scalars before the part that is reached on this way.
std::size_t Scalars::first_leaf(llvm::Type& type, const std::vector<unsigned>& way) const {
  std::size_t out = 0;
  llvm::Type* at = &type;
  for (unsigned step : way) {
    for (unsigned i = 0; i < step; ++i) {
      std::vector<Leaf> skipped;
      add_leaves(*element(*at, i, layout_).type, 0, layout_, skipped);
      out += skipped.size();
    }
    at = element(*at, step, layout_).type;
  }
  return out;
}

std::optional<Scalars::Parts> Scalars::parts(llvm::Value& whole) {
  if (!is_aggregate(*whole.getType())) return Parts{&whole};
  auto found = known_.find(&whole);
  if (found != known_.end()) return found->second;
  std::optional<Parts> out;
  if (auto* value = llvm::dyn_cast<llvm::Constant>(&whole)) out = constant(*value);
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(&whole)) out = compute(*instruction);
  known_[&whole] = out;
  return out;
}

std::optional<Scalars::Parts> Scalars::constant(llvm::Constant& whole) {
  if (!leaves(*whole.getType())) return std::nullopt;
  Parts out;
  for (unsigned i = 0; i < count(*whole.getType()); ++i) {
    llvm::Constant* part = whole.getAggregateElement(i);
    std::optional<Parts> inside = part ? parts(*part) : std::nullopt;
    if (!inside) return std::nullopt;
    out.insert(out.end(), inside->begin(), inside->end());
  }
  return out;
}

/// The result, and whether it is another one with twice the bits.
Scalars::Parts Scalars::overflow(llvm::WithOverflowInst& call) {
  llvm::IRBuilder<> build(&call);
  unsigned width = call.getLHS()->getType()->getIntegerBitWidth();
  llvm::Type* wide = build.getIntNTy(2 * width);
  auto extend = [&](llvm::Value* value) {
    return call.isSigned() ? build.CreateSExt(value, wide) : build.CreateZExt(value, wide);
  };
  llvm::Value* exact =
      build.CreateBinOp(call.getBinaryOp(), extend(call.getLHS()), extend(call.getRHS()));
  llvm::Value* result = build.CreateTrunc(exact, call.getLHS()->getType());
  return {result, build.CreateICmpNE(exact, extend(result))};
}

std::optional<Scalars::Parts> Scalars::inserted(llvm::Instruction& insert, llvm::Value& part,
                                                const std::vector<unsigned>& way) {
  std::optional<Parts> out = parts(*insert.getOperand(0)), inside = parts(part);
  if (!out || !inside) return std::nullopt;
  std::size_t from = first_leaf(*insert.getType(), way);
  std::copy(inside->begin(), inside->end(), out->begin() + static_cast<std::ptrdiff_t>(from));
  return out;
}

std::optional<Scalars::Parts> Scalars::compute(llvm::Instruction& instruction) {
  std::optional<std::vector<Leaf>> all = leaves(*instruction.getType());
  if (!all) return std::nullopt;
  Parts out;
  llvm::IRBuilder<> build(&instruction);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (load->isVolatile() || load->isAtomic()) return std::nullopt;
    for (const Leaf& leaf : *all)
      out.push_back(build.CreateLoad(leaf.type, place(build, load->getPointerOperand(), leaf)));
    return out;
  }
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    for (const Leaf& leaf : *all)
      out.push_back(build.CreatePHI(leaf.type, phi->getNumIncomingValues()));
    known_[phi] = out;  // it may be used on the way to itself
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      std::optional<Parts> incoming = parts(*phi->getIncomingValue(i));
      for (std::size_t k = 0; k < out.size(); ++k)
        llvm::cast<llvm::PHINode>(out[k])->addIncoming(
            incoming ? (*incoming)[k] : llvm::UndefValue::get(out[k]->getType()),
            phi->getIncomingBlock(i));
      if (!incoming) return std::nullopt;
    }
    return out;
  }
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    std::optional<Parts> yes = parts(*select->getTrueValue());
    std::optional<Parts> no = parts(*select->getFalseValue());
    if (!yes || !no || select->getCondition()->getType()->isVectorTy()) return std::nullopt;
    for (std::size_t i = 0; i < all->size(); ++i)
      out.push_back(build.CreateSelect(select->getCondition(), (*yes)[i], (*no)[i]));
    return out;
  }
  if (auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction))
    return inserted(*insert, *insert->getInsertedValueOperand(),
                    {insert->idx_begin(), insert->idx_end()});
  if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
    auto* at = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    if (at == nullptr || at->getValue().uge(all->size())) return std::nullopt;
    return inserted(*insert, *insert->getOperand(1), {static_cast<unsigned>(at->getZExtValue())});
  }
  if (auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    std::optional<Parts> whole = parts(*extract->getAggregateOperand());
    if (!whole) return std::nullopt;
    auto from = whole->begin() +
                static_cast<std::ptrdiff_t>(first_leaf(*extract->getAggregateOperand()->getType(),
                                                       {extract->idx_begin(), extract->idx_end()}));
    return Parts(from, from + static_cast<std::ptrdiff_t>(all->size()));
  }
  if (auto* call = llvm::dyn_cast<llvm::WithOverflowInst>(&instruction))
    if (call->getLHS()->getType()->isIntegerTy()) return overflow(*call);
  return std::nullopt;
}

bool Scalars::store(llvm::StoreInst& store) {
  std::optional<Parts> values = parts(*store.getValueOperand());
  std::optional<std::vector<Leaf>> all = leaves(*store.getValueOperand()->getType());
  if (!values || !all || store.isVolatile() || store.isAtomic()) return false;
  llvm::IRBuilder<> build(&store);
  for (std::size_t i = 0; i < all->size(); ++i)
    build.CreateStore((*values)[i], place(build, store.getPointerOperand(), (*all)[i]));
  return true;
}

/// A scalar of a struct or vector.
bool Scalars::extract(llvm::Instruction& extract) {
  std::vector<unsigned> way;
  if (auto* of_struct = llvm::dyn_cast<llvm::ExtractValueInst>(&extract)) {
    way.assign(of_struct->idx_begin(), of_struct->idx_end());
  } else {
    auto* at = llvm::dyn_cast<llvm::ConstantInt>(extract.getOperand(1));
    if (at == nullptr || at->getValue().uge(count(*extract.getOperand(0)->getType()))) return false;
    way = {static_cast<unsigned>(at->getZExtValue())};
  }
  std::optional<Parts> whole = parts(*extract.getOperand(0));
  if (!whole) return false;
  extract.replaceAllUsesWith((*whole)[first_leaf(*extract.getOperand(0)->getType(), way)]);
  return true;
}

void Scalars::run() {
  std::vector<llvm::Instruction*> uses, wholes;
  for (llvm::BasicBlock* block : reachable(function_))
    for (llvm::Instruction& instruction : *block) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      bool stores = store != nullptr && is_aggregate(*store->getValueOperand()->getType());
      bool extracts = llvm::isa<llvm::ExtractValueInst, llvm::ExtractElementInst>(instruction) &&
                      !is_aggregate(*instruction.getType());
      if (stores || extracts) uses.push_back(&instruction);
      if (is_aggregate(*instruction.getType())) wholes.push_back(&instruction);
    }
  for (llvm::Instruction* use : uses) {
    auto* stores = llvm::dyn_cast<llvm::StoreInst>(use);
    if (stores != nullptr ? store(*stores) : extract(*use)) use->eraseFromParent();
  }
  for (bool changed = true; changed;) {  // what nothing uses any more
    changed = false;
    for (llvm::Instruction*& whole : wholes) {
      if (whole == nullptr || !known_.count(whole) || !known_[whole]) continue;
      auto* phi = llvm::dyn_cast<llvm::PHINode>(whole);
      bool unused =
          whole->use_empty() || (phi && whole->hasOneUse() && whole->user_back() == whole);
      if (!unused) continue;
      whole->replaceAllUsesWith(llvm::UndefValue::get(whole->getType()));
      whole->eraseFromParent();
      whole = nullptr;
      changed = true;
    }
  }
}

}  // namespace

void take_aggregates_apart(llvm::Function& function) {
  Scalars(function).run();
}

}  // namespace lem::c
