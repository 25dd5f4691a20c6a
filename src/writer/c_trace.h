// A run of a C program for the terminal: line number, text of the line, and the user's variables
// that change; inputs are marked. Tests: tests/unit/check/c/trace_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/certify.h"
#include "ctext/text.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::writer {

/// One visit of a line. Line 0: unknown.
struct CStep {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::vector<std::uint32_t> calls;  // lines of the calls that control is in, outermost first
  bool elsewhere = false;            // the line is in another file than that of main
  std::string file;                  // its name; "": unknown
  std::string changes;               // "low = 1 <- __VERIFIER_nondet_int"; may be empty
};
///   require: the run is one of a C program
std::vector<CStep> c_steps(const Problem& program, const CfaTrace& trace);

///   require: the problem is a C program, the verdict Unsafe
std::string c_trace_text(const Problem& program, const ctext::CText& text,
                         const check::Certified& certified);

}  // namespace lem::writer
