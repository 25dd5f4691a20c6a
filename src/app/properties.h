// `lemmata properties FILE`: what would be checked.
#pragma once

#include <string>

#include "app/console.h"
#include "frontend/frontend.h"

namespace lem::app {

struct PropertiesRequest {
  std::string file;
  std::string json;  // a file for the same as JSON, - for standard output; empty: the table
  frontend::ReadOptions input{};
};

/// One line for each property in input order: name, kind and place. A file with nothing to check is
/// a usage error, as for `check`.
Result<ExitCode> list_properties(const PropertiesRequest& request, Console& console);

}  // namespace lem::app
