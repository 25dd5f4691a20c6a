// Explanations of proofs and of runs in the names of the source.
#pragma once

#include <stop_token>

#include "app/explain/explain.h"
#include "app/validate/validate.h"
#include "base/result.h"

namespace lem::app {

///   require: the evidence is a proof
Result<Explanation> explain_proof(const Judged& evidence, const std::stop_token& stop);

///   require: the evidence is a run
Result<Explanation> explain_run(const Judged& evidence, const std::stop_token& stop);

}  // namespace lem::app
