// C expressions without side effects to terms, with the types and conversions of C: numbers, names,
// casts, and the operators on integers and floats. Over bit-vectors signed arithmetic wraps around;
// floats round to nearest, each operation to the format of its type; over whole numbers (--arith
// int) there are neither casts nor operators on bits nor floats. Tests:
// tests/unit/check/c/expression_test.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/c_source.h"

namespace lem::check {

/// The variable that a name (x, s.a[3], \result) means where the expression stands. An element of
/// an array that is one variable is asked for by the name of the array, a[] or s[].n.
using CScope = std::function<const CVariable*(std::string_view)>;

enum class CNumbers : std::uint8_t { Bits, Whole };

/// Of a[3]: a[] and 3. nullopt for names without an index and with several.
struct CElement {
  std::string array;
  mpz_class index;
};
std::optional<CElement> element_of(std::string_view name);

/// Whether the expression is not zero: a Bool.
Result<Term> parse_condition(TermStore& terms, std::string_view text, const CScope& scope,
                             std::uint32_t pointer_bits, CNumbers numbers);

/// The number that an expression without names is, by its type.
Result<mpz_class> parse_number(TermStore& terms, std::string_view text, std::uint32_t pointer_bits,
                               CNumbers numbers);

}  // namespace lem::check
