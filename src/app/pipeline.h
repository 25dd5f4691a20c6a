// The flow from file to certified verdict (docs/architecture.md).
#pragma once

#include "app/console.h"
#include "app/exit_code.h"
#include "app/request.h"

namespace lem::app {

ExitCode check_file(const CheckRequest& request, Console& console);

}  // namespace lem::app
