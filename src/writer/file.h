// Files that are either complete or not there.
// Tests: tests/unit/writer/file_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace lem::writer {

/// Writes a file without a name and gives it its name when it is complete (where the file system
/// cannot do that: writes beside `path` and renames). Readers of `path` see the old content or all
/// of the new, and no other file is left there, also when this process is killed in between.
/// Devices and pipes are written in place. Error: NotFound when the file cannot be made there,
/// Internal when writing fails.
Status write_file_atomically(const std::string& path, std::string_view bytes);

}  // namespace lem::writer
