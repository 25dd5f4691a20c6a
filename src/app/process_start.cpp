#include "app/process_start.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace lem::app {

/// The lowest free number is taken, and these are asked for in order.
static void open_if_closed(int stream, const char* device, int mode) {
  if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) static_cast<void>(open(device, mode));
}

static void do_nothing(int /*signal*/) {}

void prepare_process() {
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
