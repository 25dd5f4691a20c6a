// Runs of a campaign on the cores of this machine.
#pragma once

#include <stop_token>

#include "base/result.h"
#include "campaign/session.h"

namespace lem::campaign {

/// Returns when every run has ended, or after a stop request.
///   require: jobs > 0
Status run_locally(Session& session, int jobs, const std::stop_token& stop);

}  // namespace lem::campaign
