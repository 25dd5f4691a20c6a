// How calls of standard functions may be written: with named inputs, in any order, and under a name
// that says the type (LIMIT_REAL).
#pragma once

#include "base/result.h"
#include "model/st/syntax.h"

namespace lem::st {

/// The call with the plain name of the function and with positional arguments, in the order of its
/// inputs. A call of another function is returned as it is.
Result<Expr> standard_call(const Expr& call);

}  // namespace lem::st
