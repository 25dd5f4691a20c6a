// The command line, frozen: scripts and other tools rely on it (README.md).
#pragma once

#include "app/exit_code.h"

namespace lem::app {

ExitCode run_command_line(int argc, char** argv);

}  // namespace lem::app
