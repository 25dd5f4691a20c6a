// Interval facts, with constants as the case of one number [Lange18 5.1.2]: guards and parts of
// them that are decided by the intervals of their variables become true or false, terms with one
// value that value, and edges that cannot be taken go. Intervals grow through loops by the numbers
// that occur in the program, then to the ends.
#pragma once

#include "transform/cfa/reduction.h"

namespace lem::transform {

Reduction ranges(const Cfa& cfa);

}  // namespace lem::transform
