// Runs untrusted programs, and programs on untrusted input: the program under analysis, and
// compilers on its text. They run in separate namespaces made by bubblewrap: read-only /usr, a
// small private /tmp, no network, no home, no environment, no capabilities; with a seccomp filter
// (libseccomp) and the limits of base/process. All processes inside end when the first one does,
// those that left its group included.
//
// Nothing is written outside: files are passed in as bytes, results are read from standard output
// or from the one writable folder. Tests: tests/unit/base/sandbox_test.cpp. SECURITY.md says what
// this protects from and what not.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/process.h"

namespace lem {

/// A file that exists only inside.
struct BoxFile {
  std::string path;
  std::string bytes;
  enum class Mode : std::uint8_t { Data, Program } mode = Mode::Data;
};

struct Box {
  std::vector<std::string> args;  // args[0] is a path, or found in /usr/bin
  std::vector<BoxFile> files{};
  std::vector<std::string> readable{};  // files and folders of the outside, where they are outside
  std::string writable{};               // the one folder to write to, if there is one
  std::string start_in{"/tmp"};         // made if it is not there
  bool keep_output = false;             // of standard output
  std::uint64_t scratch_mb = 256;       // of /tmp
  /// Compilers start other programs. The program under analysis may not: a limit on the number of
  /// processes would not bind root.
  enum class Processes : std::uint8_t { One, Many } processes = Processes::One;
};

struct BoxEnd {
  bool works = true;  // false: there is no sandbox on this machine, or the program is not in it
  ProcessEnd end{};
};

/// Like run_process. Runs nothing without bubblewrap or where it may not create namespaces.
BoxEnd run_in_box(const Box& box, const ProcessLimits& limits, const std::stop_token& stop);

/// Whether anything can be run in a sandbox here. A run that does not work although there is a
/// sandbox must not be repeated without one: its input may be what makes it fail.
bool has_sandbox(const std::stop_token& stop);

/// The part of a folder that a compiler may see: the whole folder, but of a home folder, of /tmp or
/// of what contains them only the C and Verilog files that are directly in it, and no links that
/// lead out of it. Nothing of /usr, which is always seen.
std::vector<std::string> readable_in(const std::string& folder);
/// The same of the folder of a file, and the file itself.
std::vector<std::string> readable_beside(const std::string& file);

}  // namespace lem
