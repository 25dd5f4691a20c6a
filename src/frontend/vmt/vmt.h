// VMT-LIB reader: transition systems as annotated SMT-LIB terms [Griggio et al., "VMT-LIB"].
// docs/formats.md lists what is accepted. Tests: tests/unit/frontend/vmt_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/problem.h"
#include "model/remarks.h"

namespace lem::vmt {

/// ensure: states and inputs in the order of their declaration; init and trans are relations; one
///         property p<index> per :invar-property; :predicate terms over X are hints of the source
Result<Problem> read_vmt(const std::string& path, std::string_view bytes,
                         Remarks* remarks = nullptr);

}  // namespace lem::vmt
