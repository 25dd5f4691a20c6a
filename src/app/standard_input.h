// `-` in the place of a file that is read. Tests: tests/cli/streams_test.py.
#pragma once

#include <string>

#include "app/console.h"
#include "base/result.h"
#include "frontend/frontend.h"

namespace lem::app {

/// If `file` is "-", the model is read from standard input and kept in a file of its format, which
/// ends with this process; `file` becomes that, and messages say "-" for it. The format is what
/// --as names, else what the text looks like. Names with line ends or other control characters are
/// shown without them.
Status take_model(std::string& file, const frontend::ReadOptions& input, Console& console);

/// The same for evidence, which is in the form that `extension` means.
Status take_evidence(std::string& file, std::string_view extension, Console& console);

}  // namespace lem::app
