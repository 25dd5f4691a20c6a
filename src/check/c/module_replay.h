// Replays runs of C programs on the LLVM module that the front end read: with the run's inputs the
// module must reach the error (check/llvm/interpreter.h). Nothing of the program is compiled or
// executed. Tests: tests/unit/check/c/module_replay_test.cpp.
#pragma once

#include <stop_token>
#include <string>

#include "model/c_source.h"
#include "model/evidence/cfa.h"

namespace lem::check {

struct ModuleReplay {
  enum class Outcome : std::uint8_t { Reached, NotReached, Undecided, Stopped };
  Outcome outcome = Outcome::Undecided;
  std::string reason{};  // why not
};

/// Input functions return the run's values in order. Uninitialised variables start with the values
/// that they have in the run; everything else that the run chose is undefined, and a module that
/// branches on it is undecided.
/// `about`: the failure that the run must end with; null: any error.
///   require: the trace is a run of the automaton to its error location
ModuleReplay replay_module(const Cfa& cfa, const CSource& source, const CfaTrace& trace,
                           std::stop_token stop, const CProperty* about = nullptr);

}  // namespace lem::check
