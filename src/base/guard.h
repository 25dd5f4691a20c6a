// The process between us and a program of others: it starts the program, waits for it, and ends
// every descendant of it, before it tells how the program ended. It does the same when it gets
// SIGTERM, which is also what it gets when we die in whatever way.
//
// Why not the death signal alone: it reaches the program, not what the program has started, and a
// sandbox that is still being made has processes that nothing ties to it yet. Descendants whose
// parents are gone become the guard's, also those in sessions of their own. Tests:
// tests/unit/base/process_test.cpp, tests/cli/sandbox_test.py.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace lem {

/// All that the child needs, made before: it may do nothing but system calls.
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
};

/// How guards are called: their memory is a copy of ours that nobody writes to, and does not count.
inline constexpr const char* kGuardName = "lemmata-guard";

/// The guard's process, or a negative number.
///   require: called by a thread that lives as long as this process
pid_t start_guarded(const StartPlan& plan, int report);

}  // namespace lem
