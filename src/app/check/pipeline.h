// The flow from file to certified verdict (docs/architecture.md).
#pragma once

#include "app/check/request.h"
#include "app/console.h"
#include "app/exit_code.h"

namespace lem::app {

/// One model, of one file or several. An error is not printed yet.
Result<ExitCode> check_file(const CheckRequest& request, Console& console);

}  // namespace lem::app
