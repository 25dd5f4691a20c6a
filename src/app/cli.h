// The command line, frozen by SPEC section 3.
#pragma once

#include "app/exit_code.h"

namespace lem {

ExitCode run_command_line(int argc, char** argv);

}  // namespace lem
