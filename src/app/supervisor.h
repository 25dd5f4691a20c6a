// Watches a run from outside: deadline, memory, Ctrl-C and SIGTERM. One thread waits for signals
// with a short timeout and looks at the clock and at the resident memory in between.
//
// Asking to stop is cooperative. If the run has not ended kGrace after that, or a second signal
// comes, or the memory keeps growing, `give_up` ends the process, so that a stuck solver does not
// delay the end of the run.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "base/result.h"

namespace lem::app {

enum class StopCause : std::uint8_t { None, Timeout, Memory, Interrupted };
/// As printed after `unknown NAME: `.
std::string_view name(StopCause cause);

struct Limits {
  std::optional<double> seconds;
  std::optional<std::uint64_t> megabytes;  // resident, all descendants included
};

class Supervisor {
 public:
  struct Hooks {
    std::function<void()> tick;              // every kPoll, for the progress line
    std::function<void(StopCause)> give_up;  // must not return
  };
  static constexpr std::chrono::milliseconds kPoll{50};
  static constexpr std::chrono::milliseconds kGrace{800};

  /// Blocks SIGINT, SIGTERM and SIGHUP for this thread and those it starts: only the watcher
  /// receives them. At most one supervisor may live at a time (the new-handler is the process's).
  Supervisor(const Limits& limits, Hooks hooks);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  /// An error if no thread could be started: then there are no limits, and nothing should run.
  Status watching() const;
  std::stop_token token() const { return stop_.get_token(); }
  StopCause cause() const { return cause_.load(); }
  double elapsed() const;

  /// The first cause counts.
  void request(StopCause cause);
  /// Ends the watch: what follows (writing results) has no limits. Signals end the process with
  /// exit code 70 if it does not end by itself within a second, or at the second one.
  void stand_down();

 private:
  using Clock = std::chrono::steady_clock;
  void watch();
  void look();
  static void on_exhausted_memory();
  static void on_terminate();
  bool release_reserve();

  const Clock::time_point start_ = Clock::now();
  const Limits limits_;
  const Hooks hooks_;
  std::stop_source stop_;
  std::atomic<StopCause> cause_{StopCause::None};
  std::atomic<Clock::time_point> requested_at_{};
  std::atomic<bool> done_{false};
  bool impatient_ = false;  // of the watcher alone
  std::string no_thread_;   // why there is no watcher
  // Released when an allocation fails, so that the run can end in an orderly way.
  std::atomic<char*> reserve_{nullptr};
  std::unique_ptr<char[]> reserve_owner_;
  std::thread watcher_;
};

}  // namespace lem::app
