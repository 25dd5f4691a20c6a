// `lemmata engines`, `formats` and `options`: printed from the tables that the program itself uses.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace lem::app {

/// One line for each engine and each preset.
std::string list_engines();
/// Paper, models, presets with their settings. An unknown name is a usage error.
Result<std::string> describe_engine(std::string_view id);
std::string list_formats();
/// Every option, and the transforms.
std::string list_options();
/// Those of an engine, or of `transform`. An unknown name is a usage error.
Result<std::string> describe_options(std::string_view id);

}  // namespace lem::app
