// A stop token for a part of a run: stops when the run does, or when its time is over.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace lem::schedule {

class TimeBox {
 public:
  using Seconds = std::chrono::duration<double>;
  /// No limit: only the run's own.
  TimeBox(const std::stop_token& run, std::optional<Seconds> limit)
      : with_run_(run, [this] { source_.request_stop(); }) {
    if (limit)
      clock_ = std::jthread([this, limit](const std::stop_token& done) { wait(*limit, done); });
  }
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

}  // namespace lem::schedule
