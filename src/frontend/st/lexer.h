// Structured Text to tokens: comments are dropped, conditional pragmas are evaluated,
// annotations (//#ASSERT) are kept.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/st/token.h"

namespace lem::st {

/// The text of one file or of one body in a container; positions count from `start`. `defined` has
/// the names that pragmas of the other texts of a container define.
///   ensure: the last token, and no other, is End
Result<std::vector<Token>> tokenize(const std::string& file, std::string_view text,
                                    SourcePos start = {"", 1, 1},
                                    std::set<std::string>* defined = nullptr);

std::string lower(std::string_view text);

/// END_IF and the other words that end something; End_Pos is a name.
bool is_end(std::string_view key);
/// Words that no variable may be called; words of other sublanguages (STEP, ACTION) are names.
bool is_reserved(std::string_view key);

}  // namespace lem::st
