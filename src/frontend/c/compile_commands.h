// compile_commands.json, which build systems write: how each file of a project is compiled.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace lem::c {

/// What the entry of `file` says about its meaning, in the form of ctext::check_flags(): -I,
/// -isystem, -iquote, -idirafter, -D, -U, -include and -std, with paths absolute and links
/// resolved. Everything else of the command (output, optimization, warnings, plugins) is left out.
///
/// The list is a part of the project, like its source: it may name what is in the project, in /usr
/// and in the folders of `given`, which are the user's own flags. Errors: an entry that is missing,
/// a path elsewhere, a macro without a name, a list of arguments (@FILE).
Result<std::vector<std::string>> compile_flags(const std::string& commands, const std::string& file,
                                               const std::vector<std::string>& given);

}  // namespace lem::c
