// Which files an option is for. An option of a run that has no use for it is a usage error: a user
// who gives it expects what it promises, and a verdict without it would only sound like that.
//
// Options that are not in the table are for every format; among them are --data-model and --arith,
// which scripts give to every file. Tests: tests/cli/option_formats_test.py.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace lem::app {

struct OptionUse {
  std::string_view option;      // as it is declared: "--check"
  std::string_view extensions;  // of the files that it is for, separated by blanks
  std::string_view purpose;     // in a few words
};

std::span<const OptionUse> option_uses();

/// The options of the table that were given to a command.   require: it was parsed
std::vector<const OptionUse*> uses_given(const CLI::App& cmd);
/// Those among the words of a command line.
std::vector<const OptionUse*> uses_among(std::span<const std::string> words);

/// The files make one model. A usage error if none of them is of a kind that the option is for.
Status check_uses(std::span<const OptionUse* const> given, std::span<const std::string> files);

}  // namespace lem::app
