// `lemmata sby --as NAME ...`: takes the place of an engine that SymbiYosys (sby) starts, with that
// engine's arguments and answers, and silent otherwise: sby reads standard error as well, and takes
// some lines for answers. Docs: docs/sby.md. Tests: tests/cli/sby_test.py.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/console.h"
#include "app/exit_code.h"

namespace lem::app {

/// Whether there is an engine of that name to stand in for.
bool is_sby_engine(std::string_view name);
/// Their names, for help and errors.
std::string sby_engines();

/// `args`: what sby gives the engine; the last one is the model. Exit code 0 after an answer of the
/// engine's protocol; anything else prints nothing and has another exit code.
///   require: is_sby_engine(name)
ExitCode run_as_engine(std::string_view name, std::span<const std::string> args, Console& console);

}  // namespace lem::app
