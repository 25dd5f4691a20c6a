// `lemmata validate`: evidence files checked without any engine or transform. This file and
// validate.cpp include the front end and the checker only; the program lemmata-validate is built
// from them alone, which proves it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "frontend/c/c.h"

namespace lem {

struct ValidateRequest {
  std::string file;
  std::string witness;  // exactly one of the two is given
  std::string certificate;
  COptions c{};
};

/// Ok if the evidence proves its claim about the model. Evidence that can be read but proves
/// nothing is an Internal error, anything unreadable BadInput or NotFound.
Status validate_evidence(const ValidateRequest& request);

/// The line for standard output: "accepted" or "rejected: why"; empty if the evidence could not be
/// judged (the error then goes to standard error).
std::string validation_line(const Status& status);

}  // namespace lem
