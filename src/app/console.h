// The only writer to standard output and standard error. Verdict lines and log lines never tear
// the live progress line: it is wiped before anything else is written. Failed writes to standard
// output are recorded: a run whose output is lost has failed, whatever its verdicts. Tests:
// tests/unit/app/console_test.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/exit_code.h"
#include "base/result.h"

namespace lem::app {

enum class LiveLine { Off, On };

class Console {
 public:
  Console() = default;
  ~Console() { wipe(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// Standard output: verdict lines and what was asked for. After a failure nothing more is
  /// written.
  void out(std::string_view text);
  /// Standard error: one message.
  void err(std::string_view text);
  /// Prints the error; returns its exit code.
  ExitCode fail(const Error& error);
  /// The exit code of a command; prints its error, if it has one.
  ExitCode end(const Result<ExitCode>& done) { return done ? *done : fail(done.error()); }

  /// Everything that is written from now on has this name in the place of a path.
  void call(std::string path, std::string name);

  /// The last error that was printed; empty: none.
  const std::string& failure() const { return failure_; }

  /// Whether a write to standard output failed.
  bool output_lost() const { return lost_ != 0; }
  /// The exit code of a run that would end with `code`: if output was lost, says so, and Internal.
  ExitCode conclude(ExitCode code);
  /// From now on does not wait for slow readers: what is not written counts as lost.
  void hurry() { hurry_ = true; }

  /// Turns the live line on if standard error is a terminal; says whether it is on.
  LiveLine allow_live(LiveLine wanted);
  /// The engine's progress text; shown at the next repaint.
  void set_status(const std::string& status);
  /// How much is done, before what the engine says; empty: nothing to say.
  void set_tally(const std::string& tally);
  void repaint(double seconds, std::uint64_t resident_bytes);
  void wipe();

 private:
  void wipe_locked();
  std::string named(std::string_view text) const;
  int write_all(int stream, std::string_view text) const;

  std::mutex mutex_;
  std::atomic<bool> hurry_{false};
  std::atomic<int> lost_{0};  // the errno of the first failure
  LiveLine live_ = LiveLine::Off;
  bool painted_ = false;
  std::string status_;
  std::string tally_;
  std::string failure_;
  std::vector<std::pair<std::string, std::string>> names_;  // of paths
};

}  // namespace lem::app
