// `lemmata convert FILE -o OUT`.
#pragma once

#include <string>

#include "base/result.h"
#include "frontend/frontend.h"

namespace lem::app {

/// Rewrites a model in the format that the extension of `out` names: .aag, .aig, .btor, .btor2,
/// .vmt or .smt2 (Horn clauses); automata also as pictures, .dot or .svg. Usage error if there is
/// no such format, or if it cannot express the model.
Status convert_file(const std::string& in, const std::string& out,
                    const frontend::ReadOptions& options);

}  // namespace lem::app
