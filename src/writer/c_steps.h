// A run of a C program in the steps that its user sees: one for each visit of a line, and one for
// the line of each call that is entered. Tests: tests/unit/check/c/trace_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "writer/program_run.h"

namespace lem::writer {

/// Edges of the same line in the same call are one step, until a loop comes back. `rows` are those
/// of rows_of(); the first one, which only gives values at the start, is left out.
std::vector<RunRow> visited_lines(const std::vector<RunRow>& rows);

/// What fails at the end, in the words of the program; empty if it has none.
///   require: a C program
std::string c_failure(const Problem& program, const std::string& property);

}  // namespace lem::writer
