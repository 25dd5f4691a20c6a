// Reaching definitions and forward propagation [Lange18 5.1.2]: where one definition x := e
// reaches, and nothing in e was written since, e stands for x in guards and values. Constants are
// the case without variables; guards x = c define as well. What turns out false is never executed.
#pragma once

#include "transform/cfa/reduction.h"

namespace lem::transform {

/// No expression of more than `limit` subterms is propagated.
Reduction propagate(const Cfa& cfa, std::size_t limit = 32);

}  // namespace lem::transform
