// Names that Yosys makes up, and places as it writes them in comments of BTOR2 files and in its
// attribute `src`: `file:line.column-line.column`; after flattening, places of instances come
// first, each followed by `|`.
#pragma once

#include <string_view>

#include "base/result.h"

namespace lem::frontend {

/// Whether Yosys made the signal: helpers of `rename -witness`, variables of functions and unnamed
/// blocks, private names.
bool is_yosys_helper(std::string_view name);

/// The last place; no file and no line for text of another form.
SourcePos yosys_place(std::string_view text);

}  // namespace lem::frontend
