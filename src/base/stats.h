// Statistics: named counters and timers in one registry per run. Engines hold references to the
// ones they use, so counting is one addition.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lem {

struct Counter {
  std::uint64_t value = 0;
  void operator++() { ++value; }
  void operator+=(std::uint64_t n) { value += n; }
};

struct Timer {
  double seconds = 0;
};

/// Adds the life of the scope to a timer.
class [[nodiscard]] TimerScope {
 public:
  explicit TimerScope(Timer& timer) : timer_(timer), start_(std::chrono::steady_clock::now()) {}
  ~TimerScope() {
    timer_.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  TimerScope(const TimerScope&) = delete;
  TimerScope& operator=(const TimerScope&) = delete;

 private:
  Timer& timer_;
  std::chrono::steady_clock::time_point start_;
};

class Stats {
 public:
  // References stay valid: std::map does not move its nodes.
  Counter& counter(std::string_view name) { return counters_[std::string(name)]; }
  Timer& timer(std::string_view name) { return timers_[std::string(name)]; }

  const std::map<std::string, Counter>& counters() const { return counters_; }
  const std::map<std::string, Timer>& timers() const { return timers_; }

 private:
  std::map<std::string, Counter> counters_;
  std::map<std::string, Timer> timers_;
};

}  // namespace lem
