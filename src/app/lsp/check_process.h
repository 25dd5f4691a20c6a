// `lemmata check` in the background, with its output. It ends with this object and with this
// process. Tests: tests/cli/lsp_test.py.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>

#include "base/process.h"

namespace lem::app::lsp {

class CheckProcess {
 public:
  /// Runs this program with these arguments.
  explicit CheckProcess(std::span<const std::string> arguments);
  /// Kills it, if it still runs; its own workers and compilers end with it.
  ~CheckProcess();
  CheckProcess(const CheckProcess&) = delete;
  CheckProcess& operator=(const CheckProcess&) = delete;

  bool started() const { return pid_ > 0; }
  /// Reads what there is; whether the process has ended.   require: started()
  bool ended();
  /// Where its output can be waited for.
  int output() const { return out_.read.fd(); }

  // Once it has ended:
  int exit_code() const { return exit_code_; }
  const std::string& out() const { return out_text_; }
  const std::string& err() const { return err_text_; }

 private:
  void drain();

  Pipe out_, err_;
  pid_t pid_ = -1;
  int exit_code_ = -1;
  std::string out_text_, err_text_;
};

}  // namespace lem::app::lsp
