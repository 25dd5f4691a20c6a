#include "base/temporary_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace lem {

TemporaryFolder::TemporaryFolder() {
  std::error_code failed;
  std::filesystem::path base = std::filesystem::temp_directory_path(failed);
  // mkdtemp wants six X, which it replaces.
  std::string pattern = (failed ? std::string("/tmp") : base.string()) + "/lemmata-XXXXXX";
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace lem
