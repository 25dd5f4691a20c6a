// The last step: memories, flags and claims become a transition system.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "frontend/lustre/elaborator.h"
#include "model/problem.h"
#include "model/remarks.h"

namespace lem::lustre {

/// Merges memories that hold the same stream, and gives those a first value whose first value does
/// not matter.
///   ensure: runs agree on all inputs, claims and observed terms with what was elaborated
Result<Problem> make_problem(const std::string& path, std::shared_ptr<TermStore> terms,
                             Elaborated parts, Remarks* remarks = nullptr);

}  // namespace lem::lustre
