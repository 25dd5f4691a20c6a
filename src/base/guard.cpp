#include "base/guard.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace lem {

namespace {

[[noreturn]] void give_up(volatile bool& started) {
  started = false;
  _exit(127);
}

/// In the program's process, which shares the guard's memory until exec, while the guard waits.
[[noreturn]] void become(const StartPlan& plan, pid_t guard, volatile bool& started) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != guard) give_up(started);
  setpgid(0, 0);
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  for (int i = 0; i < 3; ++i)
    if (dup2(plan.standard[static_cast<std::size_t>(i)], i) < 0) give_up(started);
  for (int fd : plan.descriptors) fcntl(fd, F_SETFD, 0);
  for (const auto& [which, limit] : plan.limits)
    if (setrlimit(which, &limit) != 0) give_up(started);
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execve(plan.path.c_str(), plan.argv.data(), environ);
  give_up(started);
}

/// Without allocating: the guard was forked from a process with threads.
void kill_children() {
  int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  char buffer[4096];
  pid_t child = 0;
  for (ssize_t got = 0; (got = read(list, buffer, sizeof buffer)) > 0;)
    for (ssize_t i = 0; i < got; ++i) {
      if (buffer[i] >= '0' && buffer[i] <= '9') {
        child = 10 * child + (buffer[i] - '0');
      } else if (child > 0) {
        kill(child, SIGKILL);
        child = 0;
      }
    }
  close(list);
}

/// Ends all descendants, those adopted meanwhile included. Where the system does not list children,
/// only the process group can be signalled; then waits a moment.
void end_all(pid_t program, int& status) {
  kill(-program, SIGKILL);
  kill(program, SIGKILL);
  for (int i = 0; i < 5000; ++i) {
    kill_children();
    int how = 0;
    pid_t gone = 0;
    while ((gone = waitpid(-1, &how, WNOHANG)) > 0)
      if (gone == program) status = how;
    if (gone < 0 && errno == ECHILD) return;
    timespec nap{0, i < 20 ? 100'000 : 1'000'000};
    nanosleep(&nap, nullptr);
  }
}

/// Waits until the program has ended or the guard must end. Does not reap it: its process number
/// must not be reused before the group is killed.
void wait_for(pid_t program) {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, SIGTERM);
  sigaddset(&wanted, SIGCHLD);
  while (true) {
    siginfo_t info{};
    int failed = waitid(P_PID, static_cast<id_t>(program), &info, WEXITED | WNOHANG | WNOWAIT);
    if (failed == 0 && info.si_pid == program) return;
    if (sigwaitinfo(&wanted, nullptr) == SIGTERM) return;
  }
}

/// In the guard; all signals are blocked.
[[noreturn]] void guard(const StartPlan& plan, pid_t parent, int report) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);
  setpgid(0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, kGuardName);
  // The guard must be notified of the program's end, whatever the parent does with SIGCHLD.
  signal(SIGCHLD, SIG_DFL);
  // Written by the child, which shares this memory: no compiler sees that.
  volatile bool started = true;
  pid_t self = getpid();
  pid_t program = vfork();
  if (program == 0) become(plan, self, started);
  GuardReport told{program > 0 && started, 0, {}};
  if (report != 3) dup2(report, 3);
  for (int stream : {0, 1, 2}) close(stream);
  close_range(4, ~0U, 0);
  if (program > 0) {
    wait_for(program);
    end_all(program, told.status);
    getrusage(RUSAGE_CHILDREN, &told.used);
  }
  (void)!write(3, &told, sizeof told);
  _exit(0);
}

}  // namespace

pid_t start_guarded(const StartPlan& plan, int report) {
  sigset_t all, before;
  sigfillset(&all);
  // Handlers of the parent must run neither in the guard nor in the program.
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0) guard(plan, parent, report);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return child;
}

}  // namespace lem
