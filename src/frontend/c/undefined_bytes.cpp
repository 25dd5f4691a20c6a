#include "frontend/c/undefined_bytes.h"

#include <llvm/IR/Constants.h>

#include <algorithm>

namespace lem::c {

namespace {

/// The bytes from `from` to `to`, and which of them have no value.
struct Window {
  std::uint64_t from, to;
  llvm::APInt open;

  void mark(std::uint64_t first, std::uint64_t behind) {
    first = std::max(first, from);
    behind = std::min(behind, to);
    if (first < behind)
      open.setBits(static_cast<unsigned>(8 * (first - from)),
                   static_cast<unsigned>(8 * (behind - from)));
  }
};

void look(const llvm::Constant& value, std::uint64_t at, Window& window,
          const llvm::DataLayout& layout) {
  std::uint64_t size = layout.getTypeAllocSize(value.getType()).getFixedSize();
  if (at >= window.to || at + size <= window.from || value.isNullValue()) return;
  if (llvm::isa<llvm::UndefValue>(value)) return window.mark(at, at + size);
  if (auto* fields = llvm::dyn_cast<llvm::StructType>(value.getType())) {
    const llvm::StructLayout* places = layout.getStructLayout(fields);
    std::uint64_t behind = at;
    for (unsigned i = 0; i < fields->getNumElements(); ++i) {
      std::uint64_t start = at + places->getElementOffset(i);
      window.mark(behind, start);
      if (const llvm::Constant* part = value.getAggregateElement(i))
        look(*part, start, window, layout);
      behind = start + layout.getTypeStoreSize(fields->getElementType(i)).getFixedSize();
    }
    return window.mark(behind, at + size);
  }
  auto* array = llvm::dyn_cast<llvm::ArrayType>(value.getType());
  if (array == nullptr || llvm::isa<llvm::ConstantDataSequential>(value)) return;
  std::uint64_t each = layout.getTypeAllocSize(array->getElementType()).getFixedSize();
  if (each == 0) return;
  std::uint64_t first = window.from > at ? (window.from - at) / each : 0;
  for (std::uint64_t i = first; i < array->getNumElements() && at + i * each < window.to; ++i)
    if (const llvm::Constant* part = value.getAggregateElement(static_cast<unsigned>(i)))
      look(*part, at + i * each, window, layout);
}

}  // namespace

llvm::APInt undefined_bits(const llvm::GlobalVariable& constant, std::uint64_t offset,
                           std::uint64_t bytes, const llvm::DataLayout& layout) {
  Window window{offset, offset + bytes, llvm::APInt(static_cast<unsigned>(8 * bytes), 0)};
  bool of_clang = constant.hasPrivateLinkage() && constant.hasGlobalUnnamedAddr();
  if (of_clang && constant.hasInitializer()) look(*constant.getInitializer(), 0, window, layout);
  return window.open;
}

}  // namespace lem::c
