// Context: the only ambient state of a run, passed by reference, so that two runs in one process do
// not share state.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include "base/options.h"
#include "base/stats.h"

namespace lem {

enum class LogLevel { Quiet, Info, Debug, Trace };

/// Log lines go to whatever sink the application gives; messages are built only when wanted.
class Log {
 public:
  using Sink = std::function<void(LogLevel, const std::string&)>;
  Log() = default;
  Log(LogLevel level, Sink sink) : level_(level), sink_(std::move(sink)) {}

  bool wants(LogLevel level) const { return sink_ && level <= level_; }
  template <class Make>
  void info(Make&& make) const {
    write(LogLevel::Info, make);
  }
  template <class Make>
  void debug(Make&& make) const {
    write(LogLevel::Debug, make);
  }
  template <class Make>
  void trace(Make&& make) const {
    write(LogLevel::Trace, make);
  }

 private:
  template <class Make>
  void write(LogLevel level, Make&& make) const {
    if (wants(level)) sink_(level, make());
  }
  LogLevel level_ = LogLevel::Quiet;
  Sink sink_;
};

/// The live progress line: an engine calls `due()`, which is cheap, and publishes one line of text
/// when it returns true. Without a sink it is never due.
class Progress {
 public:
  using Sink = std::function<void(const std::string&)>;
  Progress() = default;
  explicit Progress(Sink sink) : sink_(std::move(sink)) {}

  bool due() {
    if (!sink_) return false;
    auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(200);
    return true;
  }
  void publish(const std::string& line) const {
    if (sink_) sink_(line);
  }

 private:
  Sink sink_;
  std::chrono::steady_clock::time_point next_{};
};

struct Context {
  const Options& options;
  Stats& stats;
  Log& log;
  Progress& progress;
  std::stop_token stop;

  bool stopped() const { return stop.stop_requested(); }

  /// The same with one thing changed. Borrows it as it does the rest.
  Context with_stop(std::stop_token other) const {
    return {options, stats, log, progress, std::move(other)};
  }
  Context with_options(const Options& other) const { return {other, stats, log, progress, stop}; }
  Context with_stats(Stats& other) const { return {options, other, log, progress, stop}; }
};

}  // namespace lem
