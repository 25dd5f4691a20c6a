// `lemmata lsp`: a language server on the standard streams. Files are checked when they are opened
// and when they are saved, one at a time, each by a process of its own with a budget. The saved
// file is what is checked, so that includes are found; a document with changes that are not saved
// has no diagnostics. A result is published only if neither the document nor the file has changed
// since its check began. docs/editors.md describes it to users. Tests: tests/cli/lsp_test.py,
// tests/stress/lsp_edits.py.
#pragma once

#include <string>
#include <vector>

#include "app/console.h"
#include "app/exit_code.h"

namespace lem::app::lsp {

/// Serves until the client says `exit` or is gone. `arguments` are options of every check.
/// 0 after an orderly `shutdown`, else 1, as the protocol wants it.
ExitCode serve(std::vector<std::string> arguments, Console& console);

}  // namespace lem::app::lsp
