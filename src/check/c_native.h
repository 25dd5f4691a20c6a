// Runs of C programs, done again by the machine: the program as it is, compiled together with the
// run's harness, must end in the error.
//
// The compiler is gcc without optimisation, signed arithmetic wraps around (as in the automaton). A
// 32-bit program is compiled for 32 bits; without a 32-bit C library the harness brings what little
// it needs. Tests: tests/unit/evidence_c/native_test.cpp.
#pragma once

#include <stop_token>
#include <string>

#include "model/c_source.h"
#include "model/cfa_evidence.h"

namespace lem::check {

struct NativeOptions {
  std::string compiler = "gcc";
  /// When the first does not get to the error: C leaves the order open in which f(g(), h()) calls g
  /// and h, and this one has the front end's. "": none
  std::string second = "clang-14";
  int seconds = 10;  // for the run; the compiler has three times as long
};

struct NativeRun {
  enum class Outcome : std::uint8_t { Reached, NotReached, NotCompiled, Stopped };
  Outcome outcome = Outcome::NotReached;
  std::string reason{};   // why not
  std::string note{};     // what is special about a run that reached the error
  std::string harness{};  // the C source that was compiled with the program
};

/// `file`: the C program that the automaton was made from (.c or .i).
///   require: the trace is a run of the automaton to its error location
NativeRun run_natively(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                       const std::string& file, const NativeOptions& options, std::stop_token stop);

}  // namespace lem::check
