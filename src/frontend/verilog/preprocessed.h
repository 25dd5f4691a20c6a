// Looks for constructs that Yosys accepts and ignores, in the text after its preprocessor: macros
// are expanded, files included, and what is switched off is gone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lem::verilog {

/// `log`: of `read_verilog -ppdump`. An error names the first `bind`, which Yosys never applies.
Status check_preprocessed(const std::string& file, std::string_view log);

/// The texts of the dumps in a log, one for each file.
std::vector<std::string_view> dumps_in(std::string_view log);

/// Whether a name may have this character after its first.
bool is_name_char(char c);

/// The first place at or after `at` that is neither blank nor in a comment.
std::size_t skip_blanks(std::string_view text, std::size_t at);

}  // namespace lem::verilog
