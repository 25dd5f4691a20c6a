// Lists of words in one text, as tables have them: ".aag .aig".
#pragma once

#include <string_view>

namespace lem {

/// Whether a list with blanks between its words has this one.
constexpr bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    std::size_t blank = words.find(' ');
    if (words.substr(0, blank) == word) return true;
    words.remove_prefix(blank == words.npos ? words.size() : blank + 1);
  }
  return false;
}

}  // namespace lem
