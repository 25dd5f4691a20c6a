#include "api/child.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "api/lemmata/lemmata.h"

namespace lemmata {

// After a stop the program writes down what it knows; then it is killed.
static constexpr int kPatienceMs = 20'000;

namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int fd() const { return fd_; }
  void reset(int fd = -1) {
    if (fd_ >= 0) close(fd_);
    fd_ = fd;
  }

 private:
  int fd_;
};

struct Pipe {
  Descriptor read, write;
};

}  // namespace

[[noreturn]] static void fail(const std::string& what, int error) {
  throw Error(Error::Kind::Internal, {}, "lemmata: error: " + what + ": " + std::strerror(error));
}

static void open_pipe(Pipe& pipe) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("no pipe", errno);
  pipe.read.reset(ends[0]);
  pipe.write.reset(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

std::string program_file() {
  if (const char* named = std::getenv("LEMMATA_PROGRAM"); named != nullptr && *named != '\0')
    return named;
  Dl_info here{};
  std::error_code none;
  if (dladdr(reinterpret_cast<const void*>(&program_file), &here) != 0 &&
      here.dli_fname != nullptr) {
    std::filesystem::path installed = std::filesystem::canonical(here.dli_fname, none);
    installed = (installed.parent_path() / LEM_PROGRAM_FROM_LIBRARY).lexically_normal();
    if (std::filesystem::exists(installed, none)) return installed.string();
  }
  return "lemmata";
}

/// Between fork and exec: only what is safe while other threads may hold any lock.
[[noreturn]] static void become(char* const* words, pid_t parent, int output, int errors,
                                int failure) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);  // Ctrl-C is for the caller, who may stop the check
  // A request to stop waits until the program takes it, however early it comes.
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGALRM}) ::signal(signal, SIG_DFL);
  sigprocmask(SIG_SETMASK, &blocked, nullptr);
  int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  // Above the standard numbers first: the caller may have closed those.
  output = fcntl(output, F_DUPFD_CLOEXEC, 3);
  errors = fcntl(errors, F_DUPFD_CLOEXEC, 3);
  failure = fcntl(failure, F_DUPFD_CLOEXEC, 3);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  execvp(words[0], words);
  int error = errno;
  (void)!write(failure, &error, sizeof error);
  _exit(127);
}

namespace {

/// A started program.
class Child {
 public:
  Child(const std::vector<std::string>& words, Pipe& output, Pipe& errors);
  /// Killed and reaped, if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int pidfd() const { return pidfd_.fd(); }
  void send(int signal) const { kill(pid_, signal); }
  /// Its exit code.   require: it has ended
  int reap();

 private:
  pid_t pid_ = -1;
  Descriptor pidfd_;
};

}  // namespace

Child::Child(const std::vector<std::string>& words, Pipe& output, Pipe& errors) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Pipe failure;
  open_pipe(failure);
  pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) fail("no process for " + words[0], errno);
  if (pid_ == 0)
    become(arguments.data(), parent, output.write.fd(), errors.write.fd(), failure.write.fd());
  output.write.reset();
  errors.write.reset();
  failure.write.reset();
  // By its number: Debian 12's header for it is not for C++.
  pidfd_.reset(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  int error = pidfd_.fd() < 0 ? errno : 0;
  pollfd answer{failure.read.fd(), POLLIN, 0};  // it closes at exec
  while (error == 0 && poll(&answer, 1, -1) < 0 && errno == EINTR) continue;
  if (error == 0 && read(failure.read.fd(), &error, sizeof error) <= 0) return;
  send(SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
  fail("cannot run " + words[0], error);
}

Child::~Child() {
  if (pid_ <= 0) return;
  send(SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
}

int Child::reap() {
  int status = 0;
  pid_t pid = pid_;
  pid_ = -1;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) fail("the exit code is lost (is SIGCHLD ignored?)", errno);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// What is there to be read; false: nothing more will come.
static bool drain(int fd, std::string& into) {
  std::array<char, 1 << 16> buffer;
  for (;;) {
    ssize_t got = read(fd, buffer.data(), buffer.size());
    if (got > 0) into.append(buffer.data(), static_cast<std::size_t>(got));
    if (got > 0 || (got < 0 && errno == EINTR)) continue;
    return got < 0 && errno == EAGAIN;
  }
}

ChildEnd run_program(const std::vector<std::string>& arguments, const std::stop_token& stop,
                     const std::function<void(std::string_view line)>& on_line) {
  std::vector<std::string> words = {program_file()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Pipe output, errors;
  open_pipe(output);
  open_pipe(errors);
  Descriptor stopped(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (stopped.fd() < 0) fail("no descriptor", errno);
  Child child(words, output, errors);
  std::stop_callback wake(stop, [&] { eventfd_write(stopped.fd(), 1); });

  ChildEnd end;
  std::size_t told = 0;
  std::array<pollfd, 4> watched{{{child.pidfd(), POLLIN, 0},
                                 {output.read.fd(), POLLIN, 0},
                                 {errors.read.fd(), POLLIN, 0},
                                 {stopped.fd(), POLLIN, 0}}};
  for (int patience = -1; watched[0].revents == 0;) {
    int ready = poll(watched.data(), watched.size(), patience);
    if (ready < 0 && errno != EINTR) fail("cannot wait", errno);
    if (ready == 0) child.send(SIGKILL);
    if (ready < 0) continue;
    if (watched[3].revents != 0) {
      child.send(SIGTERM);
      patience = kPatienceMs;
      watched[3].fd = -1;  // once
    }
    // A pipe may stay open in what the program started: its end does not depend on them.
    if (!drain(output.read.fd(), end.output)) watched[1].fd = -1;
    if (!drain(errors.read.fd(), end.errors)) watched[2].fd = -1;
    for (std::size_t line; (line = end.output.find('\n', told)) != std::string::npos;) {
      if (on_line) on_line(std::string_view(end.output).substr(told, line - told));
      told = line + 1;
    }
  }
  end.code = child.reap();
  return end;
}

}  // namespace lemmata
