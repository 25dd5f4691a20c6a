// Files by pattern. `*` and `?` stay within a part of the path, `**` is any number of parts; a
// folder means all models below it. Tests: tests/unit/campaign/plan_test.cpp.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lem::campaign {

bool matches(std::string_view pattern, std::string_view path);

/// The files that `pattern` means, seen from `base`, in order of their names; `endings` (with dots)
/// are those of models. A name that is no pattern and not there is an error, as is a pattern that
/// means nothing.
Result<std::vector<std::string>> find_inputs(const std::string& base, const std::string& pattern,
                                             std::span<const std::string> endings);

}  // namespace lem::campaign
