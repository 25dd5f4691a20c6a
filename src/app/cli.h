// The command line, frozen: scripts and other tools rely on it (README.md).
#pragma once

#include "app/console.h"
#include "app/exit_code.h"
#include "base/result.h"

namespace lem::app {

/// An error is not printed yet.
Result<ExitCode> run_command_line(int argc, char** argv, Console& console);

}  // namespace lem::app
