// Runs a command and notes what it cost; output and exit code pass through. A compiled program and
// not a script, because the milliseconds of its start are charged to the contender it wraps.
//
//   usage: peak LOG CONTENDER FILE COMMAND...
//
// LOG grows by one line: contender,file,peak_kb,cpu_seconds. The peak is the larger of two figures:
// the kernel's high-water mark of the largest process, and the largest sum over the process tree
// seen by looking ten times a second (pages that forked workers share count for each of them).
// Limits: a descendant that outlives the command is not counted in cpu_seconds.
// Test: bench/selftest.py

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>

/// Resident kilobytes of the tree below `pid`; a process that ends meanwhile counts as nothing.
static long resident_kb(long pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  long pages = 0;
  std::ifstream(folder + "/statm").ignore(32, ' ') >> pages;
  long total = pages * (sysconf(_SC_PAGESIZE) / 1024);
  std::ifstream children(folder + "/task/" + std::to_string(pid) + "/children");
  for (long child = 0; children >> child;) total += resident_kb(child);
  return total;
}

struct Cost {
  int status = 0;
  long peak_kb = 0;
  double cpu_seconds = 0;
};

/// require: SIGCHLD is blocked, so that the end of the child wakes sigtimedwait.
static Cost watch(pid_t child) {
  sigset_t end_of_child;
  sigemptyset(&end_of_child);
  sigaddset(&end_of_child, SIGCHLD);
  const timespec look_every{0, 100'000'000};
  Cost cost;
  rusage used{};
  while (wait4(child, &cost.status, WNOHANG, &used) == 0) {
    cost.peak_kb = std::max(cost.peak_kb, resident_kb(child));
    sigtimedwait(&end_of_child, nullptr, &look_every);
  }
  cost.peak_kb = std::max(cost.peak_kb, used.ru_maxrss);
  const auto seconds = [](timeval t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  cost.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  return cost;
}

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fputs("usage: peak LOG CONTENDER FILE COMMAND...\n", stderr);
    return 64;
  }
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGCHLD);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  const pid_t child = fork();
  if (child == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    execvp(argv[4], argv + 4);
    std::perror(argv[4]);
    _exit(127);
  }
  if (child < 0) {
    std::perror("fork");
    return 70;
  }
  const Cost cost = watch(child);
  char number[64];
  std::snprintf(number, sizeof number, ",%ld,%.3f\n", cost.peak_kb, cost.cpu_seconds);
  const std::string line = std::string(argv[2]) + "," + argv[3] + number;
  const int log = open(argv[1], O_WRONLY | O_APPEND | O_CREAT, 0644);
  // One write: lines of parallel runs do not mix.
  if (log < 0 || write(log, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    std::perror(argv[1]);
    return 70;
  }
  return WIFSIGNALED(cost.status) ? 128 + WTERMSIG(cost.status) : WEXITSTATUS(cost.status);
}
