#include "app/console.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

namespace lem::app {

static constexpr int kWaitMs = 50;
static constexpr int kShortWaits = 6;

/// 0, or errno. A write that follows POLLOUT does not block if it is short, so that `hurry` takes
/// effect also when the reader has stopped reading.
int Console::write_all(int stream, std::string_view text) const {
  for (int waits = 0; !text.empty();) {
    pollfd ready{stream, POLLOUT, 0};
    int polled = poll(&ready, 1, kWaitMs);
    if (polled < 0 && errno == EINTR) continue;
    if (polled == 0) {
      if (hurry_ && ++waits >= kShortWaits) return ETIMEDOUT;
      continue;
    }
    ssize_t done = write(stream, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
    if (done < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (done < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(done));
    waits = 0;
  }
  return 0;
}

static std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

void Console::call(std::string path, std::string name) {
  std::lock_guard lock(mutex_);
  names_.emplace_back(std::move(path), std::move(name));
}

std::string Console::named(std::string_view text) const {
  std::string out(text);
  for (const auto& [path, name] : names_)
    for (std::size_t at = 0; (at = out.find(path, at)) != out.npos; at += name.size())
      out.replace(at, path.size(), name);
  return out;
}

void Console::out(std::string_view text) {
  std::lock_guard lock(mutex_);
  wipe_locked();
  if (lost_ == 0) lost_ = write_all(STDOUT_FILENO, names_.empty() ? text : named(text));
}

void Console::err(std::string_view text) {
  std::lock_guard lock(mutex_);
  wipe_locked();
  write_all(STDERR_FILENO, named(text) + "\n");
}

ExitCode Console::fail(const Error& error) {
  failure_ = error.text();
  err(failure_);
  return exit_code(error.kind);
}

ExitCode Console::conclude(ExitCode code) {
  if (!output_lost()) return code;
  return fail({{},
               std::string("cannot write to standard output: ") + std::strerror(lost_),
               ErrorKind::Internal});
}

LiveLine Console::allow_live(LiveLine wanted) {
  std::lock_guard lock(mutex_);
  live_ = wanted == LiveLine::On && isatty(STDERR_FILENO) == 1 ? LiveLine::On : LiveLine::Off;
  return live_;
}

void Console::set_tally(const std::string& tally) {
  std::lock_guard lock(mutex_);
  tally_ = tally.empty() ? tally : tally + "; ";
}

void Console::set_status(const std::string& status) {
  std::lock_guard lock(mutex_);
  status_ = status;
}

void Console::repaint(double seconds, std::uint64_t resident_bytes) {
  // The thread that repaints also watches the deadline: it never waits for a reader.
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || live_ == LiveLine::Off) return;
  std::string line =
      fmt::format("{:6.1f} s {:5} MB  {}{}", seconds, resident_bytes >> 20, tally_, status_);
  line.resize(std::min(line.size(), terminal_width() - 1));
  write_all(STDERR_FILENO, "\r\033[K" + line);
  painted_ = true;
}

void Console::wipe() {
  std::lock_guard lock(mutex_);
  wipe_locked();
}

void Console::wipe_locked() {
  if (!painted_) return;
  write_all(STDERR_FILENO, "\r\033[K");
  painted_ = false;
}

}  // namespace lem::app
