// Options that `lemmata` and `lemmata-validate` share.
#pragma once

#include "app/console.h"
#include "app/supervisor.h"
#include "app/validate/validate.h"
#include "check/native_mode.h"
#include "frontend/frontend.h"

namespace CLI {
class App;
}

namespace lem::app {

/// FILE..., and what the languages leave open: options of C, PLC programs and Verilog. Borrows what
/// it fills in, as the others do.
void declare_input(CLI::App& cmd, std::string& file, frontend::ReadOptions& input);

/// --timeout and --memory.
void declare_limits(CLI::App& cmd, Limits& limits);

/// --native: whether runs of C programs are run.
void declare_native(CLI::App& cmd, check::Native& native);

/// FILE, --witness, --certificate, --property and those above.
void declare_validation(CLI::App& cmd, ValidateRequest& request);

/// After parsing: reads what standard input has, and refuses options that the model has no use for.
Status take_evidence(const CLI::App& cmd, ValidateRequest& request, Console& console);

}  // namespace lem::app
