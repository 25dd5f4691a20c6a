// A check in a forked copy of this process, which shares the standard streams and sends its results
// over a pipe. The copy ends with this process. Tests: tests/cli/several_test.py.
#pragma once

#include <sys/types.h>

#include <string>

#include "app/check/request.h"
#include "app/console.h"
#include "app/exit_code.h"
#include "writer/finding.h"

namespace lem::app {

struct ChildCheck {
  ExitCode code = ExitCode::Internal;
  writer::CheckedFile file;
  std::string json{};  // the document about the file; empty if the run failed before there was one
};

/// Checks one after the other. While it lives, SIGINT, SIGTERM and SIGHUP end the current check,
/// and are remembered.
class ChildChecks {
 public:
  ChildChecks();
  ~ChildChecks() { heed_signals(); }
  ChildChecks(const ChildChecks&) = delete;
  ChildChecks& operator=(const ChildChecks&) = delete;

  ///   require: this process has one thread
  ChildCheck check(const CheckRequest& request, Console& console);
  bool interrupted() const { return interrupted_; }
  /// From now on signals end this process.
  void heed_signals();

 private:
  std::string read_while_it_runs(pid_t child, int pipe, int& status);
  void pass_on(pid_t child);

  bool interrupted_ = false;
};

}  // namespace lem::app
