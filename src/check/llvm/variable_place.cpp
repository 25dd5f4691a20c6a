#include "check/llvm/variable_place.h"

#include <llvm/BinaryFormat/Dwarf.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace lem::check {

static constexpr unsigned kDeepest = 64;  // debug information may run in circles

/// Through typedefs and qualifiers.
static const llvm::DIType* plain(const llvm::DIType* type) {
  for (unsigned depth = 0; depth < kDeepest; ++depth) {
    auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
    if (derived == nullptr) return type;
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_typedef:
      case llvm::dwarf::DW_TAG_const_type:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_restrict_type:
      case llvm::dwarf::DW_TAG_atomic_type:
        type = derived->getBaseType();
        break;
      default:
        return type;
    }
  }
  return type;
}

/// The distances between elements, outermost dimension first; none when a bound is unknown.
static std::vector<std::uint64_t> strides(const llvm::DICompositeType& array) {
  const llvm::DIType* inner = plain(array.getBaseType());
  std::vector<std::uint64_t> out;
  std::uint64_t bits = inner == nullptr ? 0 : inner->getSizeInBits();
  llvm::DINodeArray dimensions = array.getElements();
  for (unsigned i = dimensions.size(); i-- > 0;) {
    out.insert(out.begin(), bits);
    auto* range = llvm::dyn_cast_or_null<llvm::DISubrange>(dimensions[i]);
    auto* count = range == nullptr ? nullptr : range->getCount().dyn_cast<llvm::ConstantInt*>();
    if (i > 0 && count == nullptr) return {};
    if (count != nullptr) bits *= count->getZExtValue();
  }
  return out;
}

namespace {

struct Walk {
  const llvm::DIType* type;
  std::string_view rest;
  std::uint64_t bit = 0;
  std::uint64_t step = 0;
  unsigned depth = 0;

  bool array();
  bool member();
};

bool Walk::array() {
  auto* array = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (array == nullptr || array->getTag() != llvm::dwarf::DW_TAG_array_type) return false;
  std::vector<std::uint64_t> steps = strides(*array);
  for (std::uint64_t stride : steps) {
    std::size_t end = rest.find(']');
    if (rest.empty() || rest[0] != '[' || end == std::string_view::npos) return false;
    std::uint64_t index = 0;
    if (end == 1) {
      step = stride;
    } else {
      auto [stop, failed] = std::from_chars(rest.data() + 1, rest.data() + end, index);
      if (failed != std::errc{} || stop != rest.data() + end) return false;
    }
    bit += index * stride;
    rest.remove_prefix(end + 1);
  }
  type = plain(array->getBaseType());
  return !steps.empty();
}

/// Members without a name are not written: their members are.
bool Walk::member() {
  auto* fields = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (fields == nullptr || rest.empty() || rest[0] != '.' || depth > kDeepest) return false;
  std::string_view name = rest.substr(1, rest.find_first_of(".[", 1) - 1);
  for (const llvm::DINode* node : fields->getElements()) {
    auto* field = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (field == nullptr) continue;
    Walk inside{plain(field->getBaseType()), rest, bit + field->getOffsetInBits(), step, depth + 1};
    if (field->getName().empty()) {
      if (!inside.member()) continue;
    } else if (field->getName() == llvm::StringRef(name.data(), name.size())) {
      inside.rest.remove_prefix(name.size() + 1);
    } else {
      continue;
    }
    *this = inside;
    return true;
  }
  return false;
}

}  // namespace

std::optional<VariablePlace> find_place(const llvm::DIVariable& variable, std::string_view name) {
  std::string_view own(variable.getName().data(), variable.getName().size());
  std::size_t end = std::min(name.find_first_of(".["), name.size());
  if (name.substr(0, end) != own) return {};
  Walk walk{plain(variable.getType()), name.substr(end)};
  while (!walk.rest.empty())
    if (!(walk.rest[0] == '[' ? walk.array() : walk.member())) return {};
  return VariablePlace{walk.bit / 8, walk.step / 8};
}

llvm::APInt bits_of(const mpz_class& number, unsigned width) {
  mpz_class reduced;
  mpz_fdiv_r_2exp(reduced.get_mpz_t(), number.get_mpz_t(), width);
  std::vector<std::uint64_t> words((width + 63) / 64, 0);
  mpz_export(words.data(), nullptr, -1, sizeof(std::uint64_t), 0, 0, reduced.get_mpz_t());
  return llvm::APInt(width, words);
}

}  // namespace lem::check
