#include "base/temporary_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace lem {

/// The folder goes when standard input ends. Children of the process end about the same time and
/// may still write, so that the first attempts can fail.
static constexpr const char* kJanitor =
    "read -r _; n=0; "
    "while rm -rf -- \"$1\"; [ -e \"$1\" ] && [ $n -lt 100 ]; do n=$((n+1)); sleep 0.1; done";

TemporaryFolder::TemporaryFolder() {
  const char* chosen = std::getenv("TMPDIR");
  std::string base = chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
  std::error_code failed;
  // mkdtemp wants six X, which it replaces.
  std::string pattern = std::filesystem::absolute(base, failed).string() + "/lemmata-XXXXXX";
  if (failed || mkdtemp(pattern.data()) == nullptr) {
    error_ = "cannot make a temporary folder in '" + base + "': " + std::strerror(errno);
    return;
  }
  path_ = pattern;
  start_janitor();
}

void TemporaryFolder::start_janitor() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  posix_spawn_file_actions_addchdir_np(&actions, "/");
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Separate session, signals blocked: what ends the run must not end the janitor.
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  std::array<const char*, 6> args = {"sh", "-c", kJanitor, "sh", path_.c_str(), nullptr};
  std::array<char*, 1> environment = {nullptr};
  if (posix_spawn(&janitor_, "/bin/sh", &actions, &attributes,
                  const_cast<char* const*>(args.data()), environment.data()) != 0)
    janitor_ = -1;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  lifeline_ = ends[1];
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  if (janitor_ > 0) {
    kill(janitor_, SIGKILL);
    while (waitpid(janitor_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (lifeline_ >= 0) close(lifeline_);
}

}  // namespace lem
