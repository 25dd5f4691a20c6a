// A run of a C program for the terminal: line number, text of the line, and the user's variables
// that change; inputs are marked. Tests: tests/unit/check/c/trace_test.cpp.
#pragma once

#include <string>

#include "check/certify.h"
#include "ctext/text.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::writer {

///   require: the problem is a C program, the verdict Unsafe
std::string c_trace_text(const Problem& program, const ctext::CText& text,
                         const check::Certified& certified);

}  // namespace lem::writer
