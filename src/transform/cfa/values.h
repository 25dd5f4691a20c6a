// Merges values that a program cannot distinguish. Many variables of control code (states, flags,
// modes, return codes) are only copied, set to constants and compared with constants. The constants
// cut the values into intervals whose members behave alike: the variable becomes the number of its
// interval, a few bits instead of a word. The reduced automaton is bisimilar to the old one.
//
// Variables that meet by copies form a class and have the same intervals. A class is left alone if
// one of its members is computed with, or compared with another variable.
#pragma once

#include "transform/cfa/reduction.h"

namespace lem::transform {

Reduction values(const Cfa& cfa);

}  // namespace lem::transform
