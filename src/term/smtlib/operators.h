// The operators of the SMT-LIB theories Core, Ints, Reals, Reals_Ints, FixedSizeBitVectors,
// FloatingPoint and ArraysEx, with the extensions all solvers know, by name. Sorts are checked
// here, so that user input never meets an assertion of TermStore. Tests:
// tests/unit/term/smtlib_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "term/term_store.h"

namespace lem::smtlib {

/// Wider bit-vectors are refused: a short text could ask for any memory.
constexpr std::uint32_t kMaxWidth = 1U << 20;

bool is_operator(std::string_view name);

/// RNE, roundNearestTiesToEven, ...
std::optional<Rounding> rounding_of(std::string_view name);

/// `(name args...)`; Int arguments become Real where others are. Errors have no position. A
/// rounding mode that comes first is given apart: there is no term for it.
Result<Term> apply_operator(TermStore& terms, std::string_view name, std::span<const Term> args,
                            std::optional<Rounding> rounding = {});

/// `((_ name indices...) args...)`
Result<Term> apply_indexed(TermStore& terms, std::string_view name,
                           std::span<const std::uint32_t> indices, std::span<const Term> args,
                           std::optional<Rounding> rounding = {});

/// `term` as a term of that sort: itself, or to_real of it; no term if neither fits.
Term coerce(TermStore& terms, Term term, Sort sort);

}  // namespace lem::smtlib
