// What the user may have meant by words that are no command and no option: the nearest name by edit
// distance, or `check` where the word is a file. Tests: tests/unit/app/suggest_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace lem::app {

/// The name with the fewest insertions, deletions, changes and swaps of neighbours, if these are
/// few for a word of that length; the first one where several are as near.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> names);

/// One sentence about a command line that the parser refused; empty if there is nothing to suggest.
///   require: `words` are those behind the name of the program
std::string suggestion(const CLI::App& app, std::span<const std::string> words);

}  // namespace lem::app
