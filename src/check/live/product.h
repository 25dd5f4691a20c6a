// The safety problem whose proof is a proof of a justice property, built by the definition in
// model/evidence/live.h and by nothing else: the checker's own, not the one that was searched.
#pragma once

#include "base/result.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::check {

/// The product of the one property.  require: it is a justice property
///   ensure: an error (without position) if the shape does not fit the model
Result<Problem> product_of(const Problem& original, const ProductShape& shape);

}  // namespace lem::check
