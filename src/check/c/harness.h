// A run of a C program's automaton as C source: compiled together with the program it gives back
// the run's inputs in their order, so that the program goes the same way natively, and says so when
// the error is reached.
//
// Functions that the front end gives a meaning whether or not the program defines them (inputs,
// reach_error and its like, __VERIFIER_assume) are weak, so that `gcc prog.c cex.c` links. With
// -DLEMMATA_FIRST, and the linker told to take the first of several definitions, they precede the
// program's own, as in the automaton. What has its meaning only for want of a definition is always
// weak. LEMMATA_FREESTANDING brings the little that 32-bit programs need where there is no 32-bit C
// library. Tests: tests/unit/check/c/native_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/c_source.h"
#include "model/cfa_evidence.h"

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

/// A value that an uninitialised variable has in the run, behind its declaration. It may be a later
/// one if the same line has changed it: a run keeps no values in the middle of edges.
struct OpenValue {
  const CVariable* variable;  // of the CSource
  Term value;
};
/// In the order of the run.
std::vector<OpenValue> open_values(const Cfa& cfa, const CSource& source, const CfaTrace& trace);

/// Fails when an input's value is none of its type, which integers beyond all bounds can be.
///   require: the trace is a run of the automaton; `file` is the program's name, for the reader
Result<std::string> harness_text(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                                 const std::string& file);

}  // namespace lem::check
