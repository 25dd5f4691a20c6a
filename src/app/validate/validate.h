// `lemmata validate`: evidence files checked without any engine or transform. This file and
// validate.cpp include the front end and the checker only; the program lemmata-validate is built
// from them alone, which proves it.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/console.h"
#include "app/supervisor.h"
#include "base/result.h"
#include "check/native_mode.h"
#include "check/validate.h"
#include "frontend/frontend.h"
#include "model/problem.h"

namespace lem::app {

struct ValidateRequest {
  std::string file;
  std::string witness;  // exactly one of the two is given
  std::string certificate;
  std::string property{};  // empty: the one that the evidence names, or any
  Limits limits{};
  frontend::ReadOptions input{};
  check::Native native = check::Native::Sandbox;
};

/// Accepted evidence, the model that it is about, and the witness circuit of an AIGER proof.
struct Judged {
  Problem model;
  check::Accepted accepted;
  std::optional<Problem> circuit{};
};

/// Evidence that can be read but proves nothing is an Internal error, anything unreadable BadInput
/// or NotFound. What is accepted may be undecided (check/validate.h).
Result<Judged> judge_evidence(const ValidateRequest& request, std::stop_token stop);

/// The names of the properties that the evidence proves or refutes; errors as above, and
/// Internal if it is undecided.
Result<std::vector<std::string>> validate_evidence(const ValidateRequest& request,
                                                   std::stop_token stop);

/// Validates under the request's limits. Prints `accepted NAME` for each property, `rejected: why`,
/// or `unknown FILE: why` when it is undecided, or a limit or a signal ended it; errors go to
/// standard error.
ExitCode run_validation(const ValidateRequest& request, Console& console);

/// "-" for the model or the evidence becomes a file that has what standard input has.
Status take_streams(ValidateRequest& request, Console& console);

}  // namespace lem::app
