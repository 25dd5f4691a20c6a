// The only writer to standard output and standard error. Verdict lines and log lines never tear
// the live progress line: it is wiped before anything else is written.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "app/exit_code.h"
#include "base/result.h"

namespace lem {

enum class LiveLine { Off, On };

class Console {
 public:
  Console() = default;
  ~Console() { wipe(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// Standard output: verdict lines and what was asked for.
  void out(std::string_view text);
  /// Standard error: one message.
  void err(std::string_view text);
  /// Prints the error; returns its exit code.
  ExitCode fail(const Error& error);

  /// Turns the live line on if standard error is a terminal; says whether it is on.
  LiveLine allow_live(LiveLine wanted);
  /// What the engine says about itself; shown at the next repaint.
  void set_status(const std::string& status);
  void repaint(double seconds, std::uint64_t resident_bytes);
  void wipe();

 private:
  void wipe_locked();

  std::mutex mutex_;
  LiveLine live_ = LiveLine::Off;
  bool painted_ = false;
  std::string status_;
};

}  // namespace lem
