// Evidence files about C programs: collects from problem and verdict what the writers need.
#pragma once

#include <string>

#include "base/result.h"
#include "check/certify.h"
#include "model/problem.h"

namespace lem::app {

/// SV-COMP witnesses 2.0 in YAML. Parts that cannot be expressed in the program's variables are
/// left out; the comment at the end of the file counts them.
///   require: the problem is a C program, the verdict safe
Result<std::string> c_invariants(const Problem& program, const check::Certified& outcome);
///   require, also below: the verdict is unsafe
struct CViolation {
  std::string text;
  std::string note;  // what the user should know about the file; empty: nothing
};
Result<CViolation> c_violation(const Problem& program, const check::Certified& outcome);
/// The C source that leads the program to its error.
Result<CViolation> c_harness(const Problem& program, const check::Certified& outcome);
/// The run, step by step, as text for the user.
Result<std::string> c_steps(const Problem& program, const check::Certified& outcome);

}  // namespace lem::app
