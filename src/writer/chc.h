// Transition systems as constrained Horn clauses, for `lemmata convert`.
// Tests: tests/unit/writer/vmt_chc_test.cpp.
#pragma once

#include <string>

#include "model/problem.h"

namespace lem::writer {

/// One predicate over the states; its clauses are initiation, consecution and one query for each
/// property (together: no property is ever violated). Satisfiable iff all properties hold.
///   require: the model is a transition system
std::string write_chc(const Problem& problem);

}  // namespace lem::writer
