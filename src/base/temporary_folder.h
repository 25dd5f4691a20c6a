// A folder for files that other programs get by name. Tests:
// tests/unit/base/temporary_folder_test.cpp.
#pragma once

#include <sys/types.h>

#include <string>

namespace lem {

/// Removed with its contents by the destructor, and also when the process ends in any other way, a
/// crash and SIGKILL included: a shell waits for that and removes the folder.
class TemporaryFolder {
 public:
  /// In the folder that TMPDIR names, else in /tmp.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }    // empty: could not be made
  const std::string& error() const { return error_; }  // why not

 private:
  void start_janitor();

  std::string path_;
  std::string error_;
  pid_t janitor_ = -1;  // -1: none could be started
  int lifeline_ = -1;   // closed by the kernel when this process ends: the janitor's signal
};

}  // namespace lem
