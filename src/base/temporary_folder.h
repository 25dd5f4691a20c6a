// A folder for files that others are given by name. Tests: whatever compiles C programs.
#pragma once

#include <string>

namespace lem {

/// Gone, with all that is in it, when this is.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }  // empty: could not be made

 private:
  std::string path_;
};

}  // namespace lem
