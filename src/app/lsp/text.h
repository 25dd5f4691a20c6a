// Places and names as the protocol has them: URIs, and columns in UTF-16. Tests:
// tests/unit/app/lsp/lsp_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lem::app::lsp {

/// The path of a file URI; nullopt for other schemes.
std::optional<std::string> path_of(std::string_view uri);
std::string uri_of(std::string_view path);

/// Line `number` from 1, without its end; empty if there is none.
std::string_view line_of(std::string_view text, std::uint32_t number);
/// UTF-16 units in this text.
std::size_t utf16_length(std::string_view text);

/// Whether two texts agree in all characters of ASCII, except carriage returns. A file may have
/// another encoding than UTF-8, in which the editor sends it.
bool same_text(std::string_view left, std::string_view right);

}  // namespace lem::app::lsp
