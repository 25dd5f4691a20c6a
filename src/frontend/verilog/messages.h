// What Yosys says, in our form: `file:line: ERROR: ...` becomes an Error with its place, warnings
// become warnings, and those that would make a verdict wrong become errors.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/remarks.h"

namespace lem::verilog {

struct Messages {
  std::optional<Error> error;  // the first one
  std::vector<Warning> warnings;
};

/// `text`: standard error of Yosys under -q. `file` stands in where a message names no place.
Messages parse_messages(const std::string& file, std::string_view text);

}  // namespace lem::verilog
