#include "app/check/child_check.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "app/check/pipeline.h"
#include "base/fork.h"
#include "base/process.h"
#include "writer/json.h"

namespace lem::app {

static constexpr int kPollMs = 50;

static sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

// They stay blocked in the copy: its supervisor waits for them.
ChildChecks::ChildChecks() {
  sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

void ChildChecks::heed_signals() {
  sigset_t set = stop_signals();
  timespec now{};
  while (sigtimedwait(&set, nullptr, &now) > 0) interrupted_ = true;
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

/// The copy: the document about the file, then after a zero byte what went wrong.
[[noreturn]] static void run_copy(const CheckRequest& request, pid_t parent, int pipe,
                                  Console& console) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(static_cast<int>(ExitCode::Internal));
  CheckRequest mine = request;
  mine.outputs.json_descriptor = pipe;
  ExitCode code = console.conclude(console.end(check_file(mine, console)));
  write_all(pipe, std::string(1, '\0') + console.failure());
  console.wipe();
  _exit(static_cast<int>(code));
}

/// A signal from the terminal reaches the copy by itself; others are passed on.
void ChildChecks::pass_on(pid_t child) {
  sigset_t set = stop_signals();
  timespec now{};
  siginfo_t info{};
  while (sigtimedwait(&set, &info, &now) > 0) {
    interrupted_ = true;
    if (info.si_code != SI_KERNEL) kill(child, info.si_signo);
  }
}

std::string ChildChecks::read_while_it_runs(pid_t child, int pipe, int& status) {
  std::string bytes;
  for (bool ended = false; !ended;) {
    ended = waitpid(child, &status, WNOHANG) == child;
    // What it wrote is there when it has ended; the pipe may stay open in what it started.
    for (pollfd ready{pipe, POLLIN, 0}; poll(&ready, 1, ended ? 0 : kPollMs) > 0;) {
      char buffer[1 << 16];
      ssize_t got = read(pipe, buffer, sizeof buffer);
      if (got > 0) bytes.append(buffer, static_cast<std::size_t>(got));
      if (got > 0 || (got < 0 && errno == EINTR)) continue;
      if (!ended) usleep(1000);  // closed: its end is near
      break;
    }
    if (!ended) pass_on(child);
  }
  return bytes;
}

ChildCheck ChildChecks::check(const CheckRequest& request, Console& console) {
  auto start = std::chrono::steady_clock::now();
  ChildCheck out;
  out.file.file = request.file;
  Pipe pipe = make_pipe();
  pid_t parent = getpid();
  pid_t child = pipe.read.ok() ? fork() : -1;
  if (child == 0) run_copy(request, parent, pipe.write.fd(), console);
  if (child < 0) {
    Error error{{request.file},
                std::string("cannot start a process: ") + std::strerror(errno),
                ErrorKind::Internal};
    out.code = console.fail(error);
    out.file.error = error.text();
    out.file.exit_code = static_cast<int>(out.code);
    return out;
  }
  pipe.write.reset();
  int status = 0;
  std::string bytes = read_while_it_runs(child, pipe.read.fd(), status);
  std::size_t zero = bytes.find('\0');
  out.json = bytes.substr(0, zero);
  if (auto file = writer::read_findings(out.json))
    out.file = *std::move(file);
  else
    out.json.clear();
  if (zero != std::string::npos) out.file.error = bytes.substr(zero + 1);
  out.code = WIFEXITED(status) ? static_cast<ExitCode>(WEXITSTATUS(status)) : ExitCode::Internal;
  if (WIFSIGNALED(status))
    out.file.error = fmt::format("{}: error: ended by signal {}", request.file, WTERMSIG(status));
  if (WIFSIGNALED(status)) console.err(out.file.error);
  out.file.exit_code = static_cast<int>(out.code);
  out.file.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace lem::app
