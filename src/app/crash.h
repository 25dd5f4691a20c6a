// A crash or a failed assertion is an internal error: one line and exit 70, as scripts expect.
#pragma once

namespace lem::app {

/// Installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT. Forked workers inherit them
/// but print nothing: their parent reports.
void exit_70_on_crash();

}  // namespace lem::app
