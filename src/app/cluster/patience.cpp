#include "app/cluster/patience.h"

#include <unistd.h>

#include <chrono>

#include "app/exit_code.h"
#include "base/process.h"

namespace lem::app {

// A cancelled job takes some seconds to leave the cluster's queue.
static constexpr std::chrono::seconds kPatience{20};

Supervisor::Hooks patient_hooks(Console& console) {
  auto start = std::chrono::steady_clock::now();
  auto tick = [&console, start, calls = 0U]() mutable {
    if (calls++ % 5 != 0) return;
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    console.repaint(elapsed.count(), resident_bytes_of_tree());
  };
  auto give_up = [first = std::chrono::steady_clock::time_point{}](StopCause) mutable {
    auto now = std::chrono::steady_clock::now();
    if (first == std::chrono::steady_clock::time_point{}) first = now;
    if (now - first > kPatience) _exit(static_cast<int>(ExitCode::Unknown));
  };
  return {tick, give_up};
}

}  // namespace lem::app
