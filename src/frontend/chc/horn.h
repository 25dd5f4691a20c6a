// Horn clauses as they are in the file: what the parser makes and the reduction takes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/horn.h"
#include "term/smtlib/sexpr.h"
#include "term/term_store.h"

namespace lem::chc {

using Atom = HornAtom;
using Clause = HornClause;

struct HornFile {
  HornSystem system;
  bool asserted = false;  // something is; clauses that are plainly true are left out
};

/// Error: not a Horn clause, a predicate below other structure than that of a clause, constants and
/// functions, anything that smtlib::TermParser refuses.
Result<HornFile> parse_horn(const smtlib::Document& document);

}  // namespace lem::chc
