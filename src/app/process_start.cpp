#include "app/process_start.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace lem::app {

/// The lowest free number is taken, and these are asked for in order.
static void open_if_closed(int stream, const char* device, int mode) {
  if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) static_cast<void>(open(device, mode));
}

/// Solvers come and go by the hundred. Their memory is kept: giving it back to the system and
/// asking for it again was a fifth of the time of a check with many properties.
static void keep_freed_memory() {
  constexpr int kKept = 256 << 20;
  mallopt(M_TRIM_THRESHOLD, kKept);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TOP_PAD, 4 << 20);
}

static void do_nothing(int /*signal*/) {}

void prepare_process() {
  keep_freed_memory();
  open_if_closed(STDIN_FILENO, "/dev/null", O_RDONLY);
  // Read-only: writing fails. The device that is always full: opening it by the name /dev/stdout
  // and writing fails as well.
  open_if_closed(STDOUT_FILENO, "/dev/full", O_RDONLY);
  open_if_closed(STDERR_FILENO, "/dev/null", O_WRONLY);
  struct sigaction action {};
  action.sa_handler = &do_nothing;
  action.sa_flags = SA_RESTART;
  for (int signal : {SIGPIPE, SIGXFSZ}) sigaction(signal, &action, nullptr);
}

}  // namespace lem::app
