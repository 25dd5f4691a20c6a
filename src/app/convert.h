// `lemmata convert FILE -o OUT`.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/frontend.h"
#include "model/remarks.h"

namespace lem::app {

/// Rewrites a model in the format that the extension of `out` names: .aag, .aig, .btor, .btor2,
/// .vmt or .smt2 (Horn clauses); automata also as pictures, .dot or .svg. Usage error if there is
/// no such format, or if it cannot express the model.
///
/// No such format has goals: a cover becomes a bad state, whose verdict is the opposite. That is
/// said in a comment of the file and in a warning for each; so is what the file leaves out.
Result<std::vector<Warning>> convert_file(const std::string& in, const std::string& out,
                                          const frontend::ReadOptions& options);

}  // namespace lem::app
