// Floats as constraints in C. Tests: tests/unit/check/c/expression_test.cpp.
#pragma once

#include <string>

#include "term/float_value.h"

namespace lem::writer {

/// An expression of C about the variable `name` that holds for this value alone (of 0, for -0 too):
///   x == 2.5f                      numbers; hexadecimal where a decimal would be rounded
///   x == 0.0f && 1.0f / x < 0.0f   -0
///   x > 0x1.fffffep+127f           what is greater than all numbers: infinity has no literal
///   x != x                         NaN
/// Only operators: a witness may not call a function, and isnan is one.
std::string c_float_constraint(const std::string& name, const FloatValue& value);

}  // namespace lem::writer
