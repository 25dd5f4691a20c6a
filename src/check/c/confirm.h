// Checks that a run of a C program's automaton is a run of the program: natively in the sandbox,
// or, where that is impossible or not allowed, with the interpreter of the LLVM code. Tests:
// tests/cli/sandbox_test.py.
#pragma once

#include <stop_token>
#include <string>

#include "check/native_mode.h"
#include "model/c_source.h"
#include "model/evidence/cfa.h"

namespace lem::check {

struct Confirmation {
  enum class Outcome : std::uint8_t { Ran, Replayed, Refuted, Stopped };
  Outcome outcome = Outcome::Refuted;
  std::string why{};  // it did not run natively
};

/// `about`: the failure that the run must end with; null: any error.
///   require: as run_natively
Confirmation confirm(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                     const std::string& file, Native mode, const std::stop_token& stop,
                     const CProperty* about);

}  // namespace lem::check
