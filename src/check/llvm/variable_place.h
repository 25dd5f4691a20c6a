// Where the parts of a variable are, by its debug information: `s.a[3]` is so many bytes behind the
// start of `s`.
#pragma once

#include <gmpxx.h>
#include <llvm/ADT/APInt.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace lem::check {

struct VariablePlace {
  std::uint64_t offset = 0;  // bytes
  std::uint64_t step = 0;    // between elements, where the name has [] for an index
};

/// Nothing when `name` is no part of the variable.
std::optional<VariablePlace> find_place(const llvm::DIVariable& variable, std::string_view name);

/// The number modulo 2^width.
llvm::APInt bits_of(const mpz_class& number, unsigned width);

}  // namespace lem::check
