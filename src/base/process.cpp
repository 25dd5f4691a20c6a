#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/assert.h"
#include "base/guard.h"

namespace lem {

namespace {

using Clock = std::chrono::steady_clock;
using How = ProcessEnd::How;

constexpr int kDepth = 64;  // of a tree of processes
constexpr std::chrono::milliseconds kLastWords{500};
constexpr std::chrono::seconds kPatience{6};  // longer than a guard's own

/// Clear of the standard descriptors, which the child replaces; they may be closed in the parent.
Descriptor above_standard(int fd) {
  if (fd < 0 || fd > STDERR_FILENO) return Descriptor(fd);
  int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(fd);
  return Descriptor(higher);
}

/// Never more than the parent has itself.
rlimit at_most(std::uint64_t wanted, __rlimit_resource_t which) {
  rlimit now{};
  getrlimit(which, &now);
  rlim_t value = std::min<rlim_t>(wanted, now.rlim_cur);
  return {value, value};
}

std::array<std::pair<__rlimit_resource_t, rlimit>, 4> as_rlimits(const ProcessLimits& limits) {
  // The deadline ends a process normally; this limit is for one whose parent cannot watch it.
  auto seconds = static_cast<std::uint64_t>(limits.time.count() / 1000 + 2);
  std::uint64_t memory = limits.memory_mb == 0 ? RLIM_INFINITY : limits.memory_mb << 20;
  return {{{RLIMIT_CORE, {0, 0}},
           {RLIMIT_FSIZE, at_most(limits.file_mb << 20, RLIMIT_FSIZE)},
           {RLIMIT_CPU, at_most(4 * seconds, RLIMIT_CPU)},
           {RLIMIT_AS, at_most(memory, RLIMIT_AS)}}};
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

class Running {
 public:
  Running(pid_t guard, Descriptor report, Descriptor output, Descriptor errors,
          const ProcessLimits& limits)
      : guard_(guard),
        report_(std::move(report)),
        output_(std::move(output)),
        errors_(std::move(errors)),
        limits_(limits),
        end_(Clock::now() + limits.time) {}

  ProcessEnd wait(const std::stop_token& stop);

 private:
  /// Reads what there is, waiting at most that long.
  void listen(std::chrono::microseconds patience);
  void take(Descriptor& from, std::string& to);
  /// Reads what remaining descendants still write.
  ProcessEnd finish(std::optional<How> how);
  void reap();

  pid_t guard_;
  Descriptor report_, output_, errors_;
  std::string told_;  // what the guard has reported
  const ProcessLimits& limits_;
  Clock::time_point end_;
  ProcessEnd result_;
};

void Running::take(Descriptor& from, std::string& to) {
  std::array<char, 65536> buffer;
  ssize_t got = read(from.fd(), buffer.data(), buffer.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) return from.reset();
  to.append(buffer.data(), static_cast<std::size_t>(got));
}

void Running::listen(std::chrono::microseconds patience) {
  std::array<pollfd, 3> ends{
      {{output_.fd(), POLLIN, 0}, {errors_.fd(), POLLIN, 0}, {report_.fd(), POLLIN, 0}}};
  timespec timeout{0, patience.count() * 1000};
  if (ppoll(ends.data(), ends.size(), &timeout, nullptr) <= 0) return;
  if (ends[0].revents != 0) take(output_, result_.output);
  if (ends[1].revents != 0) take(errors_, result_.errors);
  if (ends[2].revents != 0) take(report_, told_);
  std::string& errors = result_.errors;
  std::size_t half = limits_.errors_kb * 512;
  if (errors.size() <= 2 * half) return;
  errors.erase(half, errors.size() - 2 * half);
  result_.errors_cut = true;
}

void Running::reap() {
  Clock::time_point patience = Clock::now() + kPatience;
  pid_t reaped = 0;
  while ((reaped = waitpid(guard_, nullptr, WNOHANG)) == 0 || (reaped < 0 && errno == EINTR)) {
    if (Clock::now() >= patience) kill(guard_, SIGKILL);
    listen(std::chrono::microseconds(500));
  }
}

ProcessEnd Running::finish(std::optional<How> how) {
  if (how) kill(guard_, SIGTERM);
  reap();
  // Only descendants hold these descriptors: when all are closed, all descendants have ended.
  Clock::time_point patience = Clock::now() + kLastWords;
  while ((output_.ok() || errors_.ok() || report_.ok()) && Clock::now() < patience)
    listen(std::chrono::milliseconds(5));
  GuardReport report;
  bool told = told_.size() == sizeof report;
  if (told) std::memcpy(&report, told_.data(), sizeof report);
  result_.processor_seconds = seconds(report.used.ru_utime) + seconds(report.used.ru_stime);
  result_.peak_memory_kb = static_cast<std::uint64_t>(report.used.ru_maxrss);
  bool exited = WIFEXITED(report.status);
  result_.how = how.value_or(exited ? How::Exited : How::Signalled);
  result_.code = exited ? WEXITSTATUS(report.status) : WTERMSIG(report.status);
  if (!how && (!told || !report.started)) result_.how = How::NotStarted;
  return std::move(result_);
}

ProcessEnd Running::wait(const std::stop_token& stop) {
  while (report_.ok()) {  // it is closed when the guard has ended
    if (stop.stop_requested()) return finish(How::Stopped);
    if (Clock::now() >= end_) return finish(How::TimedOut);
    if (result_.output.size() >> 20 >= limits_.output_mb) return finish(How::TooMuchOutput);
    listen(std::chrono::milliseconds(5));
  }
  return finish({});
}

std::uint64_t resident_pages(const std::string& process) {
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::ifstream("/proc/" + process + "/statm") >> size >> resident;
  return resident;
}

/// A copy of this process that is not written to.
bool is_guard(const std::string& process) {
  std::string name;
  std::ifstream("/proc/" + process + "/comm") >> name;
  return name == kGuardName;
}

/// Processes start and end meanwhile: one that has ended counts as 0. Guards are children of the
/// first process only.
std::uint64_t pages_of_tree(const std::string& process, int depth) {
  bool guard = depth == kDepth - 1 && is_guard(process);
  std::uint64_t pages = guard ? 0 : resident_pages(process);
  std::error_code failed;
  std::filesystem::directory_iterator tasks("/proc/" + process + "/task", failed), end;
  for (; !failed && depth > 0 && tasks != end; tasks.increment(failed)) {
    std::ifstream children(tasks->path() / "children");
    for (std::string child; children >> child;) pages += pages_of_tree(child, depth - 1);
  }
  return pages;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

void Descriptor::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

int Descriptor::release() {
  return std::exchange(fd_, -1);
}

Descriptor file_in_memory(std::string_view bytes) {
  Descriptor file = above_standard(memfd_create("lemmata", MFD_CLOEXEC));
  while (file.ok() && !bytes.empty()) {
    ssize_t wrote = write(file.fd(), bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0)
      file.reset();
    else
      bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  if (file.ok()) lseek(file.fd(), 0, SEEK_SET);
  return file;
}

Pipe make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  return {above_standard(ends[0]), above_standard(ends[1])};
}

std::optional<std::string> find_program(const std::string& name) {
  auto usable = [](const std::string& path) {
    std::error_code failed;
    return std::filesystem::is_regular_file(path, failed) && access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) {
    if (usable(name)) return name;
    return {};
  }
  const char* set = std::getenv("PATH");
  std::string_view rest = set == nullptr ? "/usr/bin:/bin" : set;
  while (true) {
    std::size_t colon = rest.find(':');
    std::string folder(rest.substr(0, colon));
    std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (usable(path)) return path;
    if (colon == std::string_view::npos) return {};
    rest.remove_prefix(colon + 1);
  }
}

ProcessEnd run_process(const Invocation& program, const ProcessLimits& limits,
                       const std::stop_token& stop) {
  assert(!program.args.empty() && "a process has a program");
  std::optional<std::string> path = find_program(program.args[0]);
  Descriptor nothing = above_standard(open("/dev/null", O_RDWR | O_CLOEXEC));
  Descriptor input = program.input.empty() ? Descriptor() : file_in_memory(program.input);
  Pipe output = program.keep_output ? make_pipe() : Pipe{};
  Pipe errors = make_pipe(), report = make_pipe();
  bool prepared = path && nothing.ok() && errors.write.ok() && report.write.ok() &&
                  (input.ok() || program.input.empty()) &&
                  (output.write.ok() || !program.keep_output);
  if (!prepared || stop.stop_requested()) return {prepared ? How::Stopped : How::NotStarted};
  StartPlan plan{*path,
                 {},
                 {input.ok() ? input.fd() : nothing.fd(),
                  output.write.ok() ? output.write.fd() : nothing.fd(), errors.write.fd()},
                 program.descriptors,
                 as_rlimits(limits)};
  for (const std::string& arg : program.args) plan.argv.push_back(const_cast<char*>(arg.c_str()));
  plan.argv.push_back(nullptr);
  pid_t guard = start_guarded(plan, report.write.fd());
  output.write.reset();
  errors.write.reset();
  report.write.reset();
  if (guard < 0) return {};
  return Running(guard, std::move(report.read), std::move(output.read), std::move(errors.read),
                 limits)
      .wait(stop);
}

std::uint64_t resident_bytes_of_tree(int process) {
  std::string name = process == 0 ? "self" : std::to_string(process);
  return pages_of_tree(name, kDepth) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace lem
