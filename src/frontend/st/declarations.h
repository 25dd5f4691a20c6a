// Resolves what a unit declares: types, variables, constants in bounds; adds the standard blocks
// that it uses.
#pragma once

#include <vector>

#include "base/result.h"
#include "frontend/st/parser.h"
#include "model/st/program.h"

namespace lem::st {

Result<std::shared_ptr<const Program>> resolve(Unit unit, std::vector<Warning>& warnings);

}  // namespace lem::st
