// BTOR2 reader [Niemetz, Preiner, Wolf, Biere, "BTOR2, BtorMC and Boolector 3.0", CAV 2018]. All
// operators of the paper. docs/formats.md lists what is
// accepted. Tests: tests/unit/frontend/btor2_test.cpp, tests/unit/frontend/btor2_sweep_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/problem.h"
#include "model/remarks.h"

namespace lem::btor2 {

/// ensure: states and inputs of the system are those of the file, in its order (witnesses count
///         them); properties are the `bad` and `justice` lines in order.
Result<Problem> read_btor2(const std::string& path, std::string_view bytes,
                           Remarks* remarks = nullptr);

}  // namespace lem::btor2
