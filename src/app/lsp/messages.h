// What the server says about a checked file: diagnostics and the text of a hover. Tests:
// tests/unit/app/lsp/lsp_test.cpp, tests/cli/lsp_test.py.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "writer/finding.h"

namespace lem::app::lsp {

using Json = nlohmann::json;

/// A document as the editor has it, and the result of its check.
struct Checked {
  std::string path;
  std::string text;
  writer::CheckedFile result;
};

/// Diagnostics of the protocol. The steps of a run are related information; of long runs the last
/// ones. A file that could not be checked has one diagnostic, at the place that the error names.
Json diagnostics_of(const Checked& checked);

/// Markdown about a line (from 1): the invariants there, and the verdict of properties that are
/// stated there. nullopt: nothing is known.
std::optional<std::string> hover_text(const writer::CheckedFile& result, std::string_view path,
                                      std::uint32_t line);

/// `file:line:col: error: what`; places that are missing are 0.
writer::PlacedText parse_error_line(std::string_view line, std::string_view file);

}  // namespace lem::app::lsp
