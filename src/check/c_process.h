// Programs of others, run under limits. Tests:
// tests/unit/evidence_c/native_test.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace lem::check {

struct ProcessLimits {
  std::chrono::milliseconds time{10'000};
  bool may_write_files = true;
};

struct ProcessEnd {
  enum class How : std::uint8_t { Exited, Signalled, TimedOut, Stopped, NotStarted };
  How how = How::NotStarted;
  int code = 0;        // exit code or signal
  std::string errors;  // the start of what it wrote to standard error
};

/// Without standard input and output; its own descendants end with it.
///   require: args is not empty; args[0] is found as the shell finds it
ProcessEnd run_process(const std::vector<std::string>& args, const std::string& folder,
                       const ProcessLimits& limits, std::stop_token stop);

}  // namespace lem::check
