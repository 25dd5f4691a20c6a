// Files that are either complete or not there.
// Tests: tests/unit/writer/file_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace lem {

/// Writes beside `path` and renames: whoever looks at `path` sees the old content or all of the
/// new, also when this process is killed in between. Devices and pipes are written in place.
/// Error: NotFound when the file cannot be made there, Internal when writing fails.
Status write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace lem
