// The preprocessor of IEEE 1800, clause 22: macros, conditions and inclusions. It gives words with
// exact places; a word of a macro stands where the macro is used.
//
// Files are read here and not in the sandbox, so what may be read is checked here: the folders of
// the sources and of -I, with links resolved.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "frontend/verilog/token.h"

namespace lem::verilog {

struct PreprocessorInput {
  std::string file;
  bool system = true;  // SystemVerilog
  std::vector<std::string> include_folders;
  std::vector<std::string> defines;   // NAME or NAME=VALUE
  std::vector<std::string> readable;  // files and folders that `include may read
};

/// Appends the words of a file to the list.
///   ensure: errors name the place, also of an inclusion without end
Status preprocess(const PreprocessorInput& input, TokenList& out);

}  // namespace lem::verilog
