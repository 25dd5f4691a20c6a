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

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace lem {

/// A copy and the pipe that it writes to. Killed and reaped with this object.
class [[nodiscard]] Forked {
 public:
  Forked() = default;
  Forked(pid_t pid, int read_end) : pid_(pid), read_end_(read_end) {}
  ~Forked();
  Forked(Forked&& other) noexcept;
  Forked& operator=(Forked&&) = delete;

  /// False: there may be too many processes or descriptors, and errno said why.
  bool started() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }
  int read_end() const { return read_end_; }
  /// SIGSTOP, SIGCONT, SIGKILL; nothing if it was not started.
  void send(int signal) const;

  /// All that the copy writes until it ends; nullopt if it takes longer than `patience`, if a stop
  /// is requested first, or if it was not started.
  std::optional<std::string> read_all(
      const std::stop_token& stop,
      std::optional<std::chrono::milliseconds> patience = std::nullopt) const;

  /// Waits for its end and returns its status, as waitpid() has it.  require: started()
  int join();

 private:
  pid_t pid_ = -1;
  int read_end_ = -1;
};

/// Runs `work` in a copy of this process, with the end of the pipe that it may write to, and ends
/// the copy without running destructors or flushing buffers, which belong to the parent. An
/// exception of foreign code ends it with exit code 1. Standard streams of the copy are /dev/null.
///   require: called by a thread that lives as long as this process (its end is what is signalled)
Forked fork_with_pipe(const std::function<void(int write_end)>& work);

/// For the copy: writes all, or as much as is read.
void write_all(int fd, std::string_view bytes);

}  // namespace lem
