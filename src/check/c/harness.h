// A run of a C program's automaton as C source: compiled together with the program it returns the
// run's inputs in their order, so that the program takes the same path natively, and reports when
// the error is reached.
//
// Functions that the front end gives a meaning whether or not the program defines them (inputs,
// reach_error and its like, __VERIFIER_assume) are weak, so that `gcc prog.c cex.c` links. With
// -DLEMMATA_FIRST, and a linker option that takes the first of several definitions, they precede
// those of the program, as in the automaton. Functions that the front end interprets only if the
// program does not define them are always weak. LEMMATA_FREESTANDING adds the few functions that
// 32-bit programs need where there is no 32-bit C library. Tests:
// tests/unit/check/c/native_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/c_source.h"
#include "model/evidence/cfa.h"

namespace lem::check {

/// How a native run ends: exit code and what is printed to standard error.
struct HarnessEnd {
  int code;
  std::string_view message;
};
inline constexpr HarnessEnd kErrorReached{107, "lemmata: error reached"};
inline constexpr HarnessEnd kInputsUsedUp{108, "lemmata: more inputs than the run has"};
inline constexpr HarnessEnd kOtherInput{109, "lemmata: another input than the run has"};
inline constexpr HarnessEnd kAssumptionFails{110, "lemmata: an assumption does not hold"};
inline constexpr HarnessEnd kOtherError{111, "lemmata: another assertion fails before"};

/// A value that an uninitialised variable has in the run, after its declaration. It may be a later
/// value if the same line changes it: a run has no values in the middle of edges.
struct OpenValue {
  const CVariable* variable;  // of the CSource
  Term value;
};
/// In the order of the run.
std::vector<OpenValue> open_values(const Cfa& cfa, const CSource& source, const CfaTrace& trace);

/// Fails when an input's value is not in the range of its type, which is possible with unbounded
/// integers.
/// `about`: the failure that the run must end with, as far as the machine can tell; null: any
/// error.
///   require: the trace is a run of the automaton; `file` is the program's name, for the reader
Result<std::string> harness_text(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                                 const std::string& file, const CProperty* about = nullptr);

}  // namespace lem::check
