// Which properties `--property` means.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/problem.h"

namespace lem::app {

/// The properties that one of `wanted` names, in input order; all if nothing is wanted. A name is
/// meant as it is if a property has it, else as a pattern with *, ? and [...]. One that names
/// nothing is a usage error with the names that are near it.
Result<std::vector<std::size_t>> choose_properties(const Problem& problem,
                                                   std::span<const std::string> wanted);

}  // namespace lem::app
