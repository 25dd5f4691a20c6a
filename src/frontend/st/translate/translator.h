// A PLC program as a control-flow automaton with a scan loop: inputs have any value in each cycle,
// the entry block runs, requirements are checked at the end of the cycle. Calls are inlined; what
// an instance keeps from cycle to cycle are variables of the automaton. More in docs/plc.md.
//
// The parts, each with its own data and tests, are members of Translator and of Expressions; a part
// knows those above it, and interfaces (Evaluator, Caller, BodyRunner, PreviousValues) close the
// circle of statements, calls and expressions. Tests of the whole:
// tests/unit/check/st_replay_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/st/translate/environment.h"
#include "frontend/st/translate/requirements.h"
#include "frontend/st/translate/statements.h"

namespace lem::st {

/// The error of a program without anything to prove.
inline constexpr const char* kNothingToCheck =
    "nothing to check: there is no //#ASSERT in what the entry block runs, and nothing that may "
    "overflow, divide by zero or leave an array; write //#ASSERT x < 5 : name into the program, or "
    "give --require 'invariant: x < 5'";

class Translator {
 public:
  Translator(std::shared_ptr<const Program> program, const StOptions& options,
             std::vector<Warning>& warnings)
      : program_(std::move(program)), context_{*program_, options, warnings} {
    expressions_.set_caller(calls_);
  }
  Result<StProgram> run(const std::string& file);

 private:
  Status begin_cycle();
  Status end_cycle();
  Status read_claims();
  Status read_claim(const StClaimText& one, std::size_t variables);
  Result<StProgram> finished(const std::string& file);

  std::shared_ptr<const Program> program_;
  Context context_;
  Automaton& cfa_ = context_.automaton;
  LocationId head_{};  // a cycle begins

  Expressions expressions_{context_};
  Requirements requirements_{context_, expressions_};
  StandardFunctions standard_{context_, expressions_, requirements_};
  Statements statements_{context_, expressions_, calls_};
  Calls calls_{context_, expressions_, standard_, statements_};
  Environment environment_{context_, expressions_};
};

}  // namespace lem::st
