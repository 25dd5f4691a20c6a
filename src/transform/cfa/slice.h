// Needed variables and slicing to the property [Lange18 5.1.2]. A variable that is not live
// (LiveVariables) may get any value: that is what its assignment becomes, so that nothing is needed
// for it. Then variables that no guard depends on go, with all that writes them.
//   require: every location leads to the error location (prune), else guards of dead ends count
#pragma once

#include "transform/cfa/reduction.h"

namespace lem::transform {

Reduction slice(const Cfa& cfa);

}  // namespace lem::transform
