// Terms as equivalent C expressions without undefined behaviour: bit-vectors are computed in
// unsigned types and cast to the type they are read as; what SMT-LIB defines and C does not
// (division by zero, shifts beyond the width) is written out with ?:. Whole numbers (--arith int)
// are written as if C had them. Tests: tests/unit/check/c/expression_test.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "model/c_source.h"

namespace lem::writer {

/// The name of a variable at the place of the expression.
struct CName {
  std::string text;  // x, s.a[3]
  std::uint32_t bits = 32;
  CSign sign = CSign::Signed;
};
using CNames = std::function<std::optional<CName>(Term)>;

/// nullopt if there is no such expression: a variable without a name there, more than 64 bits,
/// arrays, reals, or a text that is too long.
std::optional<std::string> c_expression(const TermStore& terms, Term term, const CNames& names);

}  // namespace lem::writer
