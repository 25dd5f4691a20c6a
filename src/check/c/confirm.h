// Whether a run of a C program's automaton is one of the program: by the machine, in the sandbox;
// where that is not to be or cannot be, by the interpreter of the LLVM code. Tests:
// tests/cli/sandbox_test.py.
#pragma once

#include <stop_token>
#include <string>

#include "check/native_mode.h"
#include "model/c_source.h"
#include "model/cfa_evidence.h"

namespace lem::check {

struct Confirmation {
  enum class Outcome : std::uint8_t { Ran, Replayed, Refuted, Stopped };
  Outcome outcome = Outcome::Refuted;
  std::string why{};  // it did not run natively
};

///   require: as run_natively
Confirmation confirm(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                     const std::string& file, Native mode, const std::stop_token& stop);

}  // namespace lem::check
