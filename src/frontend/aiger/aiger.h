// AIGER 1.9 reader, ascii and binary by the magic word [Biere, Heljanko, Wieringa, "AIGER 1.9 and
// beyond", 2011]; docs/formats.md lists what is accepted.
// Tests: tests/unit/frontend/aiger_test.cpp, tests/unit/frontend/aiger_mutation_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "model/problem.h"

namespace lem::aiger {

/// ensure: the gates of the result are those of the file, one for one, in topological order;
///         file_var gives the file's variable of each.
Result<Problem> read_aiger(const std::string& path, std::string_view bytes);

}  // namespace lem::aiger
