// Equations solved for a variable.
#pragma once

#include <functional>
#include <optional>

#include "term/term_store.h"

namespace lem {

/// variable = value, the value without the variable.
struct Definition {
  Term variable;
  Term value;
};

/// Reads a formula as the definition of a wanted variable: v, not v, v = t, a linear equation with
/// a factor of v that can be divided by, a one-bit vector with a known bit.
///   ensure: the formula is equivalent to variable = value
std::optional<Definition> solve_for(TermStore& terms, Term formula,
                                    const std::function<bool(Term variable)>& wanted);

}  // namespace lem
