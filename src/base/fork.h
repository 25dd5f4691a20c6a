// A forked copy of this process that does one piece of work and reports over a pipe. For our own
// code that may crash, exhaust memory or hang; base/process.h starts other programs.
//
// The copy ends with its parent, however that ends: it requests the parent-death signal first, and
// fork_with_pipe returns only after that. Signals are blocked until then: a copy stopped earlier
// (SIGSTOP) would stay stopped for ever once the parent is gone. It closes all descriptors of the
// parent but its end of the pipe, so that no reader of the parent's output waits for it. Tests:
// tests/unit/base/fork_test.cpp.
#pragma once

#include <sys/types.h>

#include <functional>

namespace lem {

struct Forked {
  pid_t pid = -1;     // -1: could not be started, and errno says why
  int read_end = -1;  // what the copy writes; the caller closes it and reaps the process
};

/// Runs `work` in a copy of this process, with the end of the pipe that it may write to, and ends
/// the copy without running destructors or flushing buffers, which belong to the parent. An
/// exception of foreign code ends it with exit code 1. Standard streams of the copy are /dev/null.
///   require: called by a thread that lives as long as this process (its end is what is signalled)
Forked fork_with_pipe(const std::function<void(int write_end)>& work);

}  // namespace lem
