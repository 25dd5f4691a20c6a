#include "frontend/c/initial_values.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include "base/try.h"
#include "frontend/c/undefined_bytes.h"

namespace lem::c {

static constexpr std::uint64_t kMostElements = 65'536;  // written one by one

/// The scalar at an offset of an initialiser; null when it is none of that kind.
static const llvm::Constant* scalar_at(const llvm::Constant* value, std::uint64_t offset,
                                       llvm::Type* type, const llvm::DataLayout& layout) {
  auto fits = [&](const llvm::Type* found) {
    return found == type || (found->isPointerTy() && type->isPointerTy());
  };
  while (!fits(value->getType())) {
    if (value->isNullValue()) {  // a part of it may be 0 and the rest not
      std::uint64_t wanted = layout.getTypeStoreSize(type).getFixedSize();
      std::uint64_t there = layout.getTypeAllocSize(value->getType()).getFixedSize();
      return offset + wanted <= there ? llvm::Constant::getNullValue(type) : nullptr;
    }
    unsigned element = 0;
    if (auto* fields = llvm::dyn_cast<llvm::StructType>(value->getType())) {
      const llvm::StructLayout* places = layout.getStructLayout(fields);
      element = places->getElementContainingOffset(offset);
      offset -= places->getElementOffset(element);
    } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(value->getType())) {
      std::uint64_t size = layout.getTypeAllocSize(array->getElementType()).getFixedSize();
      if (size == 0) return nullptr;
      element = static_cast<unsigned>(offset / size);
      offset %= size;
    } else {
      return nullptr;
    }
    value = value->getAggregateElement(element);
    if (value == nullptr) return nullptr;
  }
  return offset == 0 ? value : nullptr;
}

/// Of constants that clang makes the line is that of what uses them.
static SourcePos place_of_value(const Cell& cell, const llvm::Value* site,
                                const std::string& path) {
  if (cell.variable.line != 0 || site == nullptr) return {path, cell.variable.line, 0};
  std::vector<const llvm::User*> users(site->user_begin(), site->user_end());
  for (std::size_t i = 0; i < users.size(); ++i) {
    if (auto* user = llvm::dyn_cast<llvm::Instruction>(users[i])) return place_of(*user, path);
    users.insert(users.end(), users[i]->user_begin(), users[i]->user_end());
  }
  return {path};
}

Result<Term> InitialValues::scalar(const Cell& cell, unsigned part,
                                   const llvm::GlobalVariable& global, std::uint64_t offset) {
  const llvm::Constant& value = *global.getInitializer();
  const llvm::Value* site = points_to_[cell.object].site;
  std::string name = cell.variable.name.empty() ? site->getName().str() : cell.variable.name;
  Error none{place_of_value(cell, site, w_.path), "unsupported: initial value of '" + name + "'"};
  const llvm::DataLayout& layout = points_to_.layout();
  const llvm::Constant* found = scalar_at(&value, offset, cell.type, layout);
  if (found == nullptr && cell.type->isIntegerTy())  // of bytes; those in between are 0
    found = llvm::ConstantFoldLoadFromConst(const_cast<llvm::Constant*>(&value), cell.type,
                                            llvm::APInt(64, offset), layout);
  bool other = found == nullptr || (cell.type->isPointerTy() && !found->getType()->isPointerTy());
  if (other && encoding_.ideal()) return none;
  if (other)  // a number where the cell is an address, or the other way round
    return w_.automaton.internal(encoding_.sort(*cell.type, part));
  if (cell.type->isPointerTy()) {
    LEM_LET(Pointer target, operands_.pointer(*found, w_.main.getEntryBlock().front()));
    return part == 0 ? target.object : target.index;
  }
  // Bytes between the members of a constant that clang makes: any value, as variables start with.
  if (llvm::isa<llvm::UndefValue>(found) && !encoding_.ideal())
    return w_.automaton.internal(encoding_.sort(*cell.type, 0), scalar_bits(*cell.type));
  std::optional<Term> number = encoding_.constant(*found, cell.variable.sign);
  if (!number) return none;
  llvm::APInt open = undefined_bits(global, offset, w_.bytes(cell.type), layout);
  if (open.isZero()) return *number;
  if (encoding_.ideal()) return none;
  if (t_.kind(*number) != SortKind::BitVec)
    return w_.automaton.internal(encoding_.sort(*cell.type, 0), scalar_bits(*cell.type));
  return partly_known(*number, open.zextOrTrunc(t_.width(*number)));
}

/// The number where it is known, any value in the other bits.
Term InitialValues::partly_known(Term number, const llvm::APInt& open) {
  std::uint32_t width = t_.width(number);
  Term any = w_.automaton.internal(t_.sort(number), width);
  Term out{};
  for (std::uint32_t from = 0; from < width;) {
    std::uint32_t to = from;
    while (to < width && open[to] == open[from]) ++to;
    Term piece = t_.make_extract(open[from] ? any : number, to - 1, from);
    out = from == 0 ? piece : t_.make_concat(piece, out);
    from = to;
  }
  return out;
}

/// Where the constant is zero from an offset on, that many bytes; else 0.
static std::uint64_t zeros_at(const llvm::Constant* value, std::uint64_t offset,
                              const llvm::DataLayout& layout) {
  for (;;) {
    std::uint64_t size = layout.getTypeAllocSize(value->getType()).getFixedSize();
    if (offset >= size) return 0;
    if (value->isNullValue()) return size - offset;
    auto* fields = llvm::dyn_cast<llvm::StructType>(value->getType());
    if (fields == nullptr) return 0;
    const llvm::StructLayout* places = layout.getStructLayout(fields);
    unsigned element = places->getElementContainingOffset(offset);
    offset -= places->getElementOffset(element);
    value = value->getAggregateElement(element);
    if (value == nullptr) return 0;
  }
}

Result<Term> InitialValues::array(const Cell& cell, unsigned part,
                                  const llvm::GlobalVariable& global) {
  const llvm::Constant& value = *global.getInitializer();
  const llvm::DataLayout& layout = points_to_.layout();
  Sort sort = encoding_.sort(cell, part);
  Term zero = t_.default_value(t_.element_sort(sort));
  Term out = t_.make_const_array(sort, zero);
  std::uint64_t step = points_to_.stride(cell.object), written = 0;
  std::uint64_t size = layout.getTypeAllocSize(value.getType()).getFixedSize();
  std::uint64_t last = w_.bytes(cell.type);
  for (std::uint64_t at = cell.offset; at + last <= size; at += step) {
    if (std::uint64_t zeros = zeros_at(&value, at, layout); zeros >= step) {
      at += (zeros / step - 1) * step;
      continue;
    }
    LEM_LET(Term element, scalar(cell, part, global, at));
    if (++written > kMostElements)
      return Error{{w_.path, cell.variable.line, 0}, "unsupported: initial value of a large array"};
    if (element != zero)
      out = t_.make_store(out, encoding_.index_of(static_cast<std::int64_t>(at / step)), element);
  }
  return out;
}

Result<Term> InitialValues::of(const Cell& cell, unsigned part,
                               const llvm::GlobalVariable& global) {
  return cell.indexed ? array(cell, part, global) : scalar(cell, part, global, cell.offset);
}

}  // namespace lem::c
