// Lustre text to tokens: comments are dropped, pragmas and contract comments become tokens.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/lustre/token.h"

namespace lem::lustre {

/// ensure: the last token, and no other, is End. Tokens borrow from `bytes`.
Result<std::vector<Token>> tokenize(std::string_view bytes);

}  // namespace lem::lustre
