// The manual page and what shells complete, from the same table of options that the parser has.
// Tests: tests/cli/install_test.py.
#pragma once

#include <string>

#include "base/result.h"

namespace CLI {
class App;
}

namespace lem::app {

/// For man(1), in roff.
std::string man_page(const CLI::App& app);
/// A script for bash, zsh or fish; another shell is a usage error.
Result<std::string> completion(const CLI::App& app, const std::string& shell);

}  // namespace lem::app
