// Transition systems as VMT-LIB text, for `lemmata convert`.
// Tests: tests/unit/writer/vmt_chc_test.cpp.
#pragma once

#include <string>

#include "model/problem.h"

namespace lem::writer {

/// The system with all its properties. VMT has no constraints: what they exclude is left out of the
/// transition relation, and the properties hold where a constraint fails.
///   require: the model is a transition system
std::string write_vmt(const Problem& problem);

}  // namespace lem::writer
