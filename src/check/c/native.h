// Runs C programs natively: the LLVM code that the automaton was made from, compiled together with
// the run's harness, must end in the error. So the code that runs is the code that was analysed,
// even if the text has other code for other compilers.
//
// Signed arithmetic wraps around, as in the automaton. A 32-bit program is compiled for 32 bits;
// without a 32-bit C library the harness supplies the few functions needed. A patched copy of the
// text (check/c/patch.h) is compiled with the front end's command. Nothing runs outside the sandbox
// (base/sandbox.h). Tests: tests/unit/check/c/native_test.cpp.
#pragma once

#include <stop_token>
#include <string>

#include "model/c_source.h"
#include "model/evidence/cfa.h"

namespace lem::check {

struct NativeOptions {
  std::string compiler = "clang-14";
  /// The compiler to try on the same preprocessed text if the first run does not reach the error.
  /// "": none
  std::string second = "gcc";
  const CProperty* about = nullptr;  // the failure that the run must end with; null: any error
  int seconds = 10;                  // for the run; the compiler has three times as long
};

struct NativeRun {
  enum class Outcome : std::uint8_t { Reached, NotReached, NotCompiled, Stopped, NoSandbox };
  Outcome outcome = Outcome::NotReached;
  std::string reason{};   // why not
  std::string note{};     // what is special about a run that reached the error
  std::string harness{};  // the C source that was compiled with the program
};

/// `file`: what the automaton was made from (.c, .i, .ll or .bc).
///   require: the source has its module; the trace is a run of the automaton to its error location
NativeRun run_natively(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                       const std::string& file, const NativeOptions& options, std::stop_token stop);

/// Whether the module is more than the text of one file, so that the text cannot be run instead.
bool is_completed(const CSource& source);

}  // namespace lem::check
