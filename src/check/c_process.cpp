#include "check/c_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/assert.h"

namespace lem::check {

using Clock = std::chrono::steady_clock;

/// The child in a process group of its own; 0 when it could not be started.
static pid_t start(const std::vector<std::string>& args, const std::string& errors) {
  std::vector<char*> argv;
  for (const std::string& arg : args) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);  // a supervisor may have blocked some, and children inherit that
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  int failed = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : 0;
}

static void limit(pid_t child, const ProcessLimits& limits) {
  rlimit none{0, 0};
  prlimit(child, RLIMIT_CORE, &none, nullptr);
  // Its messages are a file, too; larger ones are not ours.
  rlimit little{1 << 16, 1 << 16};
  if (!limits.may_write_files) prlimit(child, RLIMIT_FSIZE, &little, nullptr);
}

static ProcessEnd end_of(int status) {
  if (WIFEXITED(status)) return {ProcessEnd::How::Exited, WEXITSTATUS(status), {}};
  return {ProcessEnd::How::Signalled, WTERMSIG(status), {}};
}

static ProcessEnd wait_for(pid_t child, const ProcessLimits& limits, std::stop_token stop) {
  Clock::time_point end = Clock::now() + limits.time;
  std::chrono::microseconds nap{200};
  for (;;) {
    int status = 0;
    pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child) return end_of(status);
    if (done < 0 && errno != EINTR) return {};
    bool late = Clock::now() >= end;
    if (late || stop.stop_requested()) {
      kill(-child, SIGKILL);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      return {late ? ProcessEnd::How::TimedOut : ProcessEnd::How::Stopped, 0, {}};
    }
    std::this_thread::sleep_for(nap);
    nap = std::min(nap * 2, std::chrono::microseconds{5000});
  }
}

static std::string start_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(4096, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

ProcessEnd run_process(const std::vector<std::string>& args, const std::string& folder,
                       const ProcessLimits& limits, std::stop_token stop) {
  assert(!args.empty() && "a process has a program");
  std::string errors = folder + "/errors.txt";
  pid_t child = start(args, errors);
  if (child == 0) return {};
  limit(child, limits);
  ProcessEnd end = wait_for(child, limits, stop);
  if (end.how == ProcessEnd::How::Exited && end.code == 127) end.how = ProcessEnd::How::NotStarted;
  end.errors = start_of(errors);
  return end;
}

}  // namespace lem::check
