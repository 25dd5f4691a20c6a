// Lustre reader: the Kind / Kind 2 dialect of docs/formats.md. Node calls are inlined and streams
// expanded, so that the only states of the system are the memories of `pre`.
// Tests: tests/unit/frontend/lustre_*_test.cpp.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/problem.h"
#include "model/remarks.h"

namespace lem::lustre {

/// ensure: a functional transition system; inputs have the names of the main node's inputs, and
///         source.observed gives its other variables as terms over states and inputs.
/// `main`: the main node; empty: the one that the file marks, or that nobody calls.
Result<Problem> read_lustre(const std::string& path, std::string_view bytes,
                            Remarks* remarks = nullptr, std::string_view main = {});

/// By variable of the main node and by memory of any node (hold~1.pre.now), the names of its values
/// 0, 1, ...; for reports. Of an ill-formed file nothing.
using Enumerators = std::map<std::string, std::vector<std::string>>;
Enumerators read_enumerators(std::string_view bytes, std::string_view main = {});

}  // namespace lem::lustre
