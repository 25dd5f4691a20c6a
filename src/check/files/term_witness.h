// The contents of witness files about transition systems, in any form.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "check/validate.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::check {

struct TermWitness {
  std::optional<std::size_t> property{};  // none: the file gives none
  TermTrace trace{};
  /// By variable of SourceMap::observed: its values at all steps; empty if the file has none.
  std::vector<std::vector<Term>> observed{};
};

/// Replays the trace and compares the file's values of observed variables.
///   require: the values have the sorts of their variables
Result<Accepted> judge(const Problem& model, const std::string& path, const TermWitness& witness,
                       const EvidenceTask& task);

}  // namespace lem::check
