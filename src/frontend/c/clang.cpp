#include "frontend/c/clang.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>
#include <vector>

namespace lem::c {

/// Why each: -O1 has clang mark where lifetimes start, and -disable-llvm-passes keeps it from
/// optimising; -fwrapv and -fno-finite-loops take away what could be undefined, -ffp-contract=off
/// what could be rounded once or twice.
static std::vector<std::string> arguments(const COptions& options, const std::string& folder) {
  std::vector<std::string> args = {options.clang,
                                   "-O1",
                                   "-Xclang",
                                   "-disable-llvm-passes",
                                   "-g",
                                   "-fwrapv",
                                   "-fno-finite-loops",
                                   "-fno-strict-aliasing",
                                   "-ffp-contract=off",
                                   "-Wno-return-type",  // is an error otherwise
                                   "-fno-color-diagnostics",
                                   "-fno-caret-diagnostics",
                                   options.pointer_bits == 64 ? "-m64" : "-m32"};
  if (options.pointer_bits != 64)  // headers of the 64 bit system do for 32 bit, with these
    args.insert(args.end(), {"-isystem", folder, "-isystem", "/usr/include/x86_64-linux-gnu"});
  return args;
}

/// A name that is one for clang, too: @x would be a list of arguments.
static std::string as_path(const std::string& path) {
  return std::filesystem::path(path).is_absolute() ? path : "./" + path;
}

static constexpr auto kLongest = std::chrono::seconds(60);
static constexpr int kTooLong = -2;

/// The exit code, or kTooLong and the process is gone.
static int wait_for(pid_t child) {
  auto end = std::chrono::steady_clock::now() + kLongest;
  int status = 0;
  for (;;) {
    pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child) return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    if (done < 0 && errno != EINTR) return -1;
    if (std::chrono::steady_clock::now() > end) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return kTooLong;
}

/// The exit code; -1 when there is no such program.
static int run(const std::vector<std::string>& args, const std::string& errors) {
  std::vector<char*> argv;
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  return wait_for(child);
}

static std::uint32_t number(std::string_view text) {
  std::uint32_t value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc{} && end == text.data() + text.size() ? value : 0;
}

/// Of `file:line:col`.
static SourcePos place_in(const std::string& path, const std::string& place) {
  std::size_t column = place.rfind(':');
  std::size_t row =
      column == std::string::npos || column == 0 ? column : place.rfind(':', column - 1);
  if (row == std::string::npos || row == 0) return {path};
  std::string_view view = place;
  std::string file = place.substr(0, row);
  return {file == as_path(path) ? path : file, number(view.substr(row + 1, column - row - 1)),
          number(view.substr(column + 1))};
}

/// `file:line:col: error: text` as clang writes it.
static Error first_error(const std::string& path, const std::string& errors) {
  std::ifstream in(errors);
  for (std::string line; std::getline(in, line);)
    for (std::string_view mark : {": error: ", ": fatal error: "})
      if (std::size_t at = line.find(mark); at != std::string::npos)
        return Error{place_in(path, line.substr(0, at)), "clang: " + line.substr(at + mark.size())};
  return Error{{path}, "clang failed and gave no reason"};
}

static Result<std::string> run_clang(const std::string& path, const COptions& options,
                                     const TemporaryFolder& folder, const std::string& out,
                                     const std::vector<std::string>& more) {
  if (folder.path().empty())
    return Error{{path}, "cannot make a temporary folder", ErrorKind::Internal};
  // With -m32 glibc's headers include <gnu/stubs-32.h>, a list of functions that always fail;
  // Debian has it in the 32-bit development package alone. An empty list is right: we link nothing.
  std::error_code failed;
  std::filesystem::create_directory(folder.path() + "/gnu", failed);
  if (!std::ofstream(folder.path() + "/gnu/stubs-32.h"))
    return Error{{path}, "cannot write to the temporary folder", ErrorKind::Internal};
  std::string errors = folder.path() + "/errors.txt";
  std::vector<std::string> args = arguments(options, folder.path());
  args.insert(args.end(), more.begin(), more.end());
  args.insert(args.end(), {"-o", folder.path() + out, "--", as_path(path)});
  int code = run(args, errors);
  if (code == -1 || code == 127)
    return Error{
        {path}, "cannot run '" + options.clang + "', which compiles C", ErrorKind::NotFound};
  if (code == kTooLong) return Error{{path}, "clang takes more than 60 seconds"};
  if (code != 0) return first_error(path, errors);
  return folder.path() + out;
}

Result<std::string> compile(const std::string& path, const COptions& options,
                            const TemporaryFolder& folder, const std::vector<std::string>& own) {
  std::vector<std::string> more = {"-emit-llvm", "-c"};
  for (const std::string& name : own) more.push_back("-fno-builtin-" + name);
  return run_clang(path, options, folder, "/out.bc", more);
}

std::vector<SourcePos> constant_shifts(const std::string& path, const TemporaryFolder& folder) {
  std::vector<SourcePos> out;
  std::ifstream in(folder.path() + "/errors.txt");
  for (std::string line; std::getline(in, line);)
    if (std::size_t at = line.find(": warning: shift count"); at != std::string::npos)
      out.push_back(place_in(path, line.substr(0, at)));
  return out;
}

Result<std::string> preprocess(const std::string& path, const COptions& options,
                               const TemporaryFolder& folder) {
  return run_clang(path, options, folder, "/out.i", {"-E", "-P"});
}

}  // namespace lem::c
