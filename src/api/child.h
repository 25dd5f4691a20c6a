// Runs the program `lemmata` for a caller that may have threads, signal handlers and descriptors of
// its own. base/process.h is for a process that is ours: it takes over children and signals.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace lemmata {

struct ChildEnd {
  int code = 0;  // exit code; of a signal 128 and its number
  std::string output;
  std::string errors;
};

/// The program: what LEMMATA_PROGRAM names, else the one that was installed with this library, else
/// the one that the shell would find.
std::string program_file();

/// Runs it with these arguments until it ends. A stop asks it to end, which takes a moment. It ends
/// with this process and with the calling thread. `on_line` gets each line of its standard output
/// as it comes. Throws Error if it cannot be run.
ChildEnd run_program(const std::vector<std::string>& arguments, const std::stop_token& stop,
                     const std::function<void(std::string_view line)>& on_line = {});

}  // namespace lemmata
