// Options that `lemmata` and `lemmata-validate` share.
#pragma once

#include "app/supervisor.h"
#include "app/validate.h"
#include "check/native_mode.h"
#include "frontend/frontend.h"

namespace CLI {
class App;
}

namespace lem {

/// --data-model and --arith: what C leaves open. Borrows `c`, as the others do what they fill in.
void declare_c(CLI::App& cmd, c::COptions& c);

/// --entry, --require and what else PLC programs leave open.
void declare_plc(CLI::App& cmd, StOptions& st);

/// --timeout and --memory.
void declare_limits(CLI::App& cmd, Limits& limits);

/// --native: whether runs of C programs are run.
void declare_native(CLI::App& cmd, check::Native& native);

/// FILE, --witness, --certificate, --property and those above.
void declare_validation(CLI::App& cmd, ValidateRequest& request);

}  // namespace lem
