#include "app/crash.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <string_view>

#include "app/exit_code.h"

namespace lem::app {

// Signal handlers take no context; written once at start-up.
static std::atomic<pid_t> main_process{0};
// A stack overflow leaves no stack for its own handler.
static std::array<std::byte, std::size_t{64} * 1024> handler_stack;

static void on_crash(int signal) {
  if (getpid() == main_process) {
    std::string_view text = "error: internal error: crash\n";
    if (signal == SIGABRT) text = "error: internal error: assertion failed or aborted\n";
    if (signal == SIGSEGV) text = "error: internal error: invalid memory access\n";
    [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  }
  _exit(static_cast<int>(ExitCode::Internal));
}

void exit_70_on_crash() {
  main_process = getpid();
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = &on_crash;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

}  // namespace lem::app
