#include "base/fork.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace lem {

static constexpr char kReady = 'r';

/// Blocks all signals: a stop by the terminal must not hit the copy before it is ready, either.
class [[nodiscard]] SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { restore(); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  void restore() const { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Keeps the given descriptor, as number 3, and closes all others of the parent.
static int keep_only(int fd) {
  constexpr int kKept = STDERR_FILENO + 1;
  if (int null = open("/dev/null", O_RDWR); null >= 0)
    for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, stream);
  if (fd != kKept) dup2(fd, kKept);
  fcntl(kKept, F_SETFD, FD_CLOEXEC);
  close_range(kKept + 1, ~0U, 0);
  return kKept;
}

[[noreturn]] static void run_copy(int write_end, pid_t parent, const SignalsBlocked& blocked,
                                  const std::function<void(int)>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  write_end = keep_only(write_end);
  signal(SIGPIPE, SIG_IGN);
  if (write(write_end, &kReady, 1) != 1) _exit(1);
  blocked.restore();
  try {
    work(write_end);
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

static bool says_ready(int read_end) {
  char byte = 0;
  ssize_t got = 0;
  do {
    got = read(read_end, &byte, 1);
  } while (got < 0 && errno == EINTR);
  return got == 1 && byte == kReady;
}

Forked fork_with_pipe(const std::function<void(int write_end)>& work) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  pid_t parent = getpid();
  pid_t pid = -1;
  {
    SignalsBlocked blocked;
    pid = fork();
    if (pid == 0) run_copy(ends[1], parent, blocked, work);
  }
  int failed = errno;
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    errno = failed;
    return {};
  }
  if (!says_ready(ends[0])) {  // killed from outside; the caller sees the end of the stream
    kill(pid, SIGKILL);
  }
  return {pid, ends[0]};
}

Forked::Forked(Forked&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), read_end_(std::exchange(other.read_end_, -1)) {}

Forked::~Forked() {
  send(SIGKILL);
  if (started()) join();
  if (read_end_ >= 0) close(read_end_);
}

void Forked::send(int signal) const {
  if (started()) kill(pid_, signal);
}

int Forked::join() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

std::optional<std::string> Forked::read_all(
    const std::stop_token& stop, std::optional<std::chrono::milliseconds> patience) const {
  using Clock = std::chrono::steady_clock;
  Clock::time_point end = patience ? Clock::now() + *patience : Clock::time_point::max();
  std::string bytes;
  std::array<char, 65536> buffer{};
  while (started() && !stop.stop_requested() && Clock::now() < end) {
    pollfd ready{read_end_, POLLIN, 0};
    if (poll(&ready, 1, 20) <= 0) continue;
    ssize_t got = read(read_end_, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return bytes;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return {};
}

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t wrote = write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;  // nobody reads
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

}  // namespace lem
