// The operators of the SMT-LIB theory FloatingPoint, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "term/term_store.h"

namespace lem::smtlib {

/// With and without indices.
bool is_float_operator(std::string_view name);

struct FloatCall {
  std::string_view name;
  std::span<const std::uint32_t> indices;
  std::optional<Rounding> rounding;
  std::span<const Term> args;
};
/// Errors have no position.  require: is_float_operator(call.name)
Result<Term> apply_float(TermStore& terms, const FloatCall& call);

}  // namespace lem::smtlib
