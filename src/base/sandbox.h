// Programs that handle what others wrote, or are what others wrote: compilers on the text under
// analysis, and the program under analysis itself. They run in namespaces of their own, made by
// bubblewrap: /usr to be read, a small /tmp that nobody else sees, no network, no home, no
// environment, no capabilities; a seccomp filter (libseccomp) and the limits of base/process on
// top. All processes in there end when the first one does, those that left its group included.
//
// Nothing is written outside: files are handed in as bytes, results come out through standard
// output or the one folder that is writable. Tests: tests/unit/base/sandbox_test.cpp. What this
// protects from, and what not: SECURITY.md.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/process.h"

namespace lem {

/// A file that exists in there only.
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
  /// Compilers start others; the program under analysis has no reason to, and without it no
  /// limit on the number of processes is needed, which root would not have.
  enum class Processes : std::uint8_t { One, Many } processes = Processes::One;
};

struct BoxEnd {
  bool works = true;  // false: there is no sandbox on this machine, or the program is not in it
  ProcessEnd end{};
};

/// As run_process. Without bubblewrap, or where it may not make namespaces, nothing is run.
BoxEnd run_in_box(const Box& box, const ProcessLimits& limits, const std::stop_token& stop);

/// The part of a folder that a compiler may see for a file in it: the folder, but never the home as
/// a whole or what contains it, from which only the C files beside it are shown.
std::vector<std::string> readable_beside(const std::string& file);

}  // namespace lem
