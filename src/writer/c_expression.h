// Terms as C expressions that mean exactly the same, without undefined behaviour: bit-vectors are
// computed in unsigned types and cast to what they are read as; what the solvers define and C does
// not (division by zero, shifts beyond the width) is spelled out with ?:. Whole numbers (--arith
// int) are written as if C had them. Tests: tests/unit/check/c/expression_test.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "model/c_source.h"

namespace lem::writer {

/// What a variable is in the program at the place where the expression stands.
struct CName {
  std::string text;  // x, s.a[3]
  std::uint32_t bits = 32;
  CSign sign = CSign::Signed;
};
using CNames = std::function<std::optional<CName>(Term)>;

/// Nothing when it cannot be said: a variable without a name there, more than 64 bits, arrays,
/// reals, or more text than anyone reads.
std::optional<std::string> c_expression(const TermStore& terms, Term term, const CNames& names);

}  // namespace lem::writer
