// compile_commands.json, which build systems write: how each file of a project is compiled.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace lem::c {

/// What the entry of `file` says about its meaning: -I, -isystem, -D, -U, -include and -std, with
/// folders as absolute paths. Everything else of the command (output, optimization, warnings) is
/// left out. An entry that is missing is an error.
Result<std::vector<std::string>> compile_flags(const std::string& commands,
                                               const std::string& file);

}  // namespace lem::c
