// What languages made of several files share: further files, folders of includes, macros.
#pragma once

#include <string>
#include <vector>

namespace lem::frontend {

struct SourceOptions {
  std::vector<std::string> more_files;       // besides the first
  std::vector<std::string> include_folders;  // -I
  std::vector<std::string> defines;          // -D: NAME or NAME=VALUE
  std::string as{};                          // of a model without a file: the extension it has
};

}  // namespace lem::frontend
