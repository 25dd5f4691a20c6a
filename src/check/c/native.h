// Runs of C programs, done again by the machine: the LLVM code that the automaton was made from,
// compiled together with the run's harness, must end in the error. So what runs is what was
// analysed, whatever the text has for other compilers.
//
// Signed arithmetic wraps around, as in the automaton. A 32-bit program is compiled for 32 bits;
// without a 32-bit C library the harness brings what little it needs. What has to be written into a
// copy of the text (check/c/patch.h) is compiled as the front end does it. Everything happens in
// the sandbox (base/sandbox.h), and nothing without. Tests: tests/unit/check/c/native_test.cpp.
#pragma once

#include <stop_token>
#include <string>

#include "model/c_source.h"
#include "model/cfa_evidence.h"

namespace lem::check {

struct NativeOptions {
  std::string compiler = "clang-14";
  /// When that does not get to the error: another compiler for the same preprocessed text. "": none
  std::string second = "gcc";
  int seconds = 10;  // for the run; the compiler has three times as long
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

}  // namespace lem::check
