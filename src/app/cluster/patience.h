// Hooks of a supervisor for commands that have jobs on a cluster: after a stop request they get the
// time to take their jobs back.
#pragma once

#include "app/console.h"
#include "app/supervisor.h"

namespace lem::app {

/// Paints the live line; ends the process if a stopped run has not ended after 20 s.
Supervisor::Hooks patient_hooks(Console& console);

}  // namespace lem::app
