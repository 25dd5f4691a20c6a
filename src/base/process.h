// Starts other programs (compilers, compiled programs, graphviz); nothing else in Lemmata does.
//
// The limits are set before exec. The child inherits only the standard descriptors and those it is
// given. It and all its descendants end when it ends, exceeds its time or is asked to stop, and
// when Lemmata ends in any way (base/guard.h). base/sandbox.h restricts what it may do. Tests:
// tests/unit/base/process_test.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace lem {

/// For each process separately, except the time.
struct ProcessLimits {
  std::chrono::milliseconds time{10'000};
  std::uint64_t memory_mb = 0;  // address space; 0: as the parent has it
  std::uint64_t file_mb = 1024;
  std::uint64_t output_mb = 1024;  // of standard output, if it is kept
  std::uint64_t errors_kb = 64;    // kept of standard error: half from its start, half its end
};

/// A descriptor that closes itself, and at exec.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  bool ok() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  void reset();

 private:
  int release();
  int fd_ = -1;
};

/// A file without a name that has these bytes, to be read from its start; not ok() on failure.
Descriptor file_in_memory(std::string_view bytes);
/// A pipe: where to read, where to write; neither is ok() on failure.
struct Pipe {
  Descriptor read, write;
};
Pipe make_pipe();

struct Invocation {
  std::vector<std::string> args;   // args[0] is found as the shell finds it
  std::string input{};             // of standard input
  bool keep_output = false;        // of standard output
  std::vector<int> descriptors{};  // that the program gets, with these numbers, all above 2
};

struct ProcessEnd {
  enum class How : std::uint8_t { Exited, Signalled, TimedOut, Stopped, NotStarted, TooMuchOutput };
  How how = How::NotStarted;
  int code = 0;                      // exit code or signal
  std::string output{};              // if it was to be kept
  std::string errors{};              // the start and the end of what it wrote to standard error
  bool errors_cut = false;           // there was more in between
  double processor_seconds = 0;      // of the program and of its descendants
  std::uint64_t peak_memory_kb = 0;  // resident, of the largest of them
  bool fine() const { return how == How::Exited && code == 0; }
};

/// Where the shell would find the program.
std::optional<std::string> find_program(const std::string& name);

/// Returns when the program and all its descendants have ended.
///   require: args is not empty; the calling thread lives as long as the process: the child is
///   killed when that thread ends
ProcessEnd run_process(const Invocation& program, const ProcessLimits& limits,
                       const std::stop_token& stop);

/// Resident bytes of a process and of all its descendants; 0: of this one.
std::uint64_t resident_bytes_of_tree(int process = 0);

}  // namespace lem
