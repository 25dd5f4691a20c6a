// Which variables of a program matter for claims about it.
// Tests: tests/unit/model/read_variables_test.cpp.
#pragma once

#include <set>
#include <vector>

#include "model/cfa.h"

namespace lem {

/// Variables that a guard, a claim or a value of such a variable mentions. Others can be left out
/// of questions: their values may be hard to compute (a quotient of reals) and do not matter.
std::set<Term> read_variables(const Cfa& cfa, std::vector<Term> claims);

}  // namespace lem
