// Files that a run writes must not be its input, each other, or what a standard stream goes to.
// Tests: tests/unit/app/outputs_test.cpp.
#pragma once

#include <span>
#include <string>

#include "app/console.h"
#include "base/result.h"

namespace lem::app {

struct Output {
  std::string option;  // as the user wrote it: "--json"
  std::string path;    // empty: not asked for; "-": standard output
  bool may_be_folder = false;
};

/// Whether the name means a folder for files of several properties: it ends with a slash.
bool is_folder(const std::string& path);

/// A usage error if a file cannot be made there: a folder in its place, no folder for it, one that
/// is not writable. Where a folder may be named, the same for it if it is not there yet.
Status check_writable(const Output& output);

/// A usage error if two names are the same file, also through links. Devices and pipes are not
/// overwritten and may be named several times.
Status check_apart(std::span<const std::string> inputs, std::span<const Output> outputs);

/// Writes a document: nothing if the path is empty, to standard output if it is "-".
Status put(const std::string& path, const std::string& text, Console& console);

}  // namespace lem::app
