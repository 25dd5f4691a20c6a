// Structured Text to tokens: comments and pragmas are dropped, annotations (//#ASSERT) are kept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/st/token.h"

namespace lem::st {

/// The text of one file or of one body in a container; positions count from `start`.
///   ensure: the last token, and no other, is End
Result<std::vector<Token>> tokenize(const std::string& file, std::string_view text,
                                    SourcePos start = {"", 1, 1});

std::string lower(std::string_view text);

}  // namespace lem::st
