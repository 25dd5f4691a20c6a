// A stop token for a part of a run: stops when the run does, or when its time is over.
// Tests: tests/unit/base/time_box_test.cpp.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>

namespace lem {

class TimeBox {
 public:
  using Seconds = std::chrono::duration<double>;
  /// No limit: only the run's own. Nor is there one where no thread can be had to watch the time.
  TimeBox(const std::stop_token& run, std::optional<Seconds> limit)
      : with_run_(run, [this] { source_.request_stop(); }) {
    if (!limit) return;
    try {
      clock_ = std::jthread([this, limit](const std::stop_token& done) { wait(*limit, done); });
    } catch (const std::system_error&) {
    }
  }
  /// Whether the time is watched.
  bool limited() const { return clock_.joinable(); }
  std::stop_token token() const { return source_.get_token(); }

 private:
  void wait(Seconds limit, const std::stop_token& done) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, done, limit, [] { return false; });
    if (!done.stop_requested()) source_.request_stop();
  }

  std::stop_source source_;
  std::stop_callback<std::function<void()>> with_run_;
  std::jthread clock_;  // last: joined before what it uses goes
};

}  // namespace lem
