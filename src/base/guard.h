// The process between Lemmata and a program that it runs: it starts the program, waits for it, ends
// every descendant of it, and then reports how the program ended. It does the same on SIGTERM,
// which the kernel also sends when Lemmata ends in any way.
//
// The death signal alone is not enough: it reaches the program, not what the program has started,
// and a sandbox that is still being set up has processes outside of it. The guard adopts
// descendants whose parents are gone, also those in other sessions. Tests:
// tests/unit/base/process_test.cpp, tests/cli/sandbox_test.py.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace lem {

/// All that the child needs, made before the fork: afterwards it may only make system calls.
struct StartPlan {
  std::string path;
  std::vector<char*> argv;
  std::array<int, 3> standard;
  const std::vector<int>& descriptors;
  std::array<std::pair<__rlimit_resource_t, rlimit>, 4> limits;
};

/// What the guard writes at its end.
struct GuardReport {
  bool started = false;
  int status = 0;  // as waitpid gives it
  rusage used{};   // of the program and of its descendants
};

/// The process name of guards. Their memory is an unwritten copy of ours and is not counted.
inline constexpr const char* kGuardName = "lemmata-guard";

/// The guard's process, or a negative number.
///   require: called by a thread that lives as long as this process
pid_t start_guarded(const StartPlan& plan, int report);

}  // namespace lem
