#include "app/supervisor.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "app/exit_code.h"
#include "base/assert.h"
#include "base/process.h"

namespace lem::app {

// Globals, since handlers of the C++ runtime take no argument. The process id keeps forked workers,
// which inherit the pointer, from acting for the run.
static std::atomic<Supervisor*> active_supervisor{nullptr};
static std::atomic<pid_t> active_process{0};

static constexpr std::size_t kReserveBytes = std::size_t{32} << 20;
// The limit for a run that was asked to stop for its memory and still grows. The program itself
// exceeds small limits, which does not count.
static constexpr std::uint64_t kSlackMegabytes = 256;

std::string_view name(StopCause cause) {
  switch (cause) {
    case StopCause::None:
      return "stopped";
    case StopCause::Timeout:
      return "timeout";
    case StopCause::Memory:
      return "memory";
    case StopCause::Interrupted:
      return "interrupted";
  }
  unreachable();
}

static sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) sigaddset(&set, signal);
  return set;
}

/// Ends the process while results are written, also if the reader has stopped reading. Makes only
/// calls that are allowed in handlers.
static void on_late_signal(int signal) {
  static volatile sig_atomic_t asked = 0;
  if (signal != SIGALRM && asked == 0) {
    asked = 1;
    alarm(1);
    return;
  }
  constexpr std::string_view kText = "error: interrupted while results were written\n";
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  if (poll(&ready, 1, 0) == 1) static_cast<void>(!write(STDERR_FILENO, kText.data(), kText.size()));
  _exit(static_cast<int>(ExitCode::Internal));
}

static void heed_late_signals() {
  struct sigaction action {};
  action.sa_handler = &on_late_signal;
  action.sa_flags = SA_RESTART;
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) {
    sigaddset(&set, signal);
    sigaction(signal, &action, nullptr);
  }
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

Supervisor::Supervisor(const Limits& limits, Hooks hooks)
    : limits_(limits),
      hooks_(std::move(hooks)),
      reserve_owner_(new (std::nothrow) char[kReserveBytes]) {
  reserve_ = reserve_owner_.get();
  [[maybe_unused]] Supervisor* before = active_supervisor.exchange(this);
  assert(before == nullptr && "only one supervisor at a time");
  active_process = getpid();
  std::set_new_handler(&on_exhausted_memory);
  std::set_terminate(&on_terminate);
  sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error& error) {
    no_thread_ = error.code().message();
  }
}

Status Supervisor::watching() const {
  if (no_thread_.empty()) return Ok{};
  return Error{{},
               "cannot start a thread: " + no_thread_ + " (too many processes, see ulimit -u?)",
               ErrorKind::Internal};
}

Supervisor::~Supervisor() {
  stand_down();
  std::set_new_handler(nullptr);
  active_supervisor = nullptr;
}

void Supervisor::stand_down() {
  if (!watcher_.joinable()) return;
  done_ = true;
  pthread_kill(watcher_.native_handle(), SIGUSR1);
  watcher_.join();
  heed_late_signals();
}

double Supervisor::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Supervisor::request(StopCause cause) {
  assert(cause != StopCause::None && "a stop has a cause");
  StopCause none = StopCause::None;
  if (!cause_.compare_exchange_strong(none, cause)) return;
  requested_at_ = Clock::now();
  stop_.request_stop();
}

void Supervisor::watch() {
  sigset_t set = watched_signals();
  while (!done_) {
    auto wait = std::chrono::duration_cast<std::chrono::nanoseconds>(kPoll);
    if (limits_.seconds && cause_ == StopCause::None) {
      double left = std::max(0.0, *limits_.seconds - elapsed());
      if (left < std::chrono::duration<double>(kPoll).count())
        wait = std::chrono::nanoseconds(static_cast<std::int64_t>(left * 1e9));
    }
    timespec timeout{0, static_cast<long>(wait.count())};
    int signal = sigtimedwait(&set, nullptr, &timeout);
    if (signal > 0 && signal != SIGUSR1) {
      impatient_ = cause_ == StopCause::Interrupted;
      request(StopCause::Interrupted);
    }
    if (!done_) look();
  }
}

void Supervisor::look() {
  if (limits_.seconds && elapsed() >= *limits_.seconds) request(StopCause::Timeout);
  std::uint64_t megabytes = limits_.megabytes ? resident_bytes_of_tree() >> 20 : 0;
  if (limits_.megabytes && megabytes >= *limits_.megabytes) request(StopCause::Memory);
  bool runs_away = limits_.megabytes && megabytes >= 2 * *limits_.megabytes + kSlackMegabytes;
  Clock::time_point asked = requested_at_;  // set just after cause_
  bool late = asked != Clock::time_point{} && Clock::now() - asked >= kGrace;
  if (late || runs_away || impatient_) hooks_.give_up(cause_);
  hooks_.tick();
}

bool Supervisor::release_reserve() {
  if (reserve_.exchange(nullptr) == nullptr) return false;
  reserve_owner_.reset();
  return true;
}

void Supervisor::on_exhausted_memory() {
  Supervisor* supervisor = active_supervisor.load();
  // Without a handler the failing `new` throws std::bad_alloc by itself.
  if (supervisor == nullptr || !supervisor->release_reserve()) {
    std::set_new_handler(nullptr);
    return;
  }
  supervisor->request(StopCause::Memory);
}

void Supervisor::on_terminate() {
  Supervisor* supervisor = active_supervisor.load();
  bool ours = supervisor != nullptr && active_process == getpid();
  if (std::exception_ptr error = std::current_exception(); error && ours) {
    try {
      std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
      supervisor->request(StopCause::Memory);
      supervisor->hooks_.give_up(StopCause::Memory);
    } catch (...) {
    }
  }
  std::abort();
}

}  // namespace lem::app
