#include "app/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace lem {

static void write_all(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

static std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

void Console::out(std::string_view text) {
  std::lock_guard lock(mutex_);
  wipe_locked();
  write_all(stdout, text);
}

void Console::err(std::string_view text) {
  std::lock_guard lock(mutex_);
  wipe_locked();
  write_all(stderr, std::string(text) + "\n");
}

ExitCode Console::fail(const Error& error) {
  err(error.text());
  return exit_code(error.kind);
}

LiveLine Console::allow_live(LiveLine wanted) {
  std::lock_guard lock(mutex_);
  live_ = wanted == LiveLine::On && isatty(STDERR_FILENO) == 1 ? LiveLine::On : LiveLine::Off;
  return live_;
}

void Console::set_status(const std::string& status) {
  std::lock_guard lock(mutex_);
  status_ = status;
}

void Console::repaint(double seconds, std::uint64_t resident_bytes) {
  std::lock_guard lock(mutex_);
  if (live_ == LiveLine::Off) return;
  std::string line = fmt::format("{:6.1f} s {:5} MB  {}", seconds, resident_bytes >> 20, status_);
  line.resize(std::min(line.size(), terminal_width() - 1));
  write_all(stderr, "\r\033[K" + line);
  painted_ = true;
}

void Console::wipe() {
  std::lock_guard lock(mutex_);
  wipe_locked();
}

void Console::wipe_locked() {
  if (!painted_) return;
  write_all(stderr, "\r\033[K");
  painted_ = false;
}

}  // namespace lem
