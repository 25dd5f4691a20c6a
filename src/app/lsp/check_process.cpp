#include "app/lsp/check_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

namespace lem::app::lsp {

// Of its output; more than any run of ours writes. A process that exceeds it is ended.
static constexpr std::size_t kMaxOutput = std::size_t{256} << 20;

/// In the copy: only system calls.
[[noreturn]] static void become(char* const* argv, pid_t parent, int out, int err) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
      dup2(err, STDERR_FILENO) < 0)
    _exit(127);
  execv("/proc/self/exe", argv);
  _exit(127);
}

CheckProcess::CheckProcess(std::span<const std::string> arguments)
    : out_(make_pipe()), err_(make_pipe()) {
  if (!out_.read.ok() || !err_.read.ok()) return;
  std::vector<std::string> words = {"lemmata"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) become(argv.data(), parent, out_.write.fd(), err_.write.fd());
  out_.write.reset();
  err_.write.reset();
  for (const Pipe* pipe : {&out_, &err_})
    fcntl(pipe->read.fd(), F_SETFL, fcntl(pipe->read.fd(), F_GETFL) | O_NONBLOCK);
}

CheckProcess::~CheckProcess() {
  if (!started() || exit_code_ >= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void CheckProcess::drain() {
  char buffer[1 << 16];
  for (auto [pipe, text] : {std::pair(&out_, &out_text_), std::pair(&err_, &err_text_)})
    for (ssize_t got = 0; (got = read(pipe->read.fd(), buffer, sizeof buffer)) > 0;)
      text->append(buffer, static_cast<std::size_t>(got));
  if (out_text_.size() + err_text_.size() > kMaxOutput) kill(pid_, SIGKILL);
}

bool CheckProcess::ended() {
  if (exit_code_ >= 0) return true;
  int status = 0;
  bool over = waitpid(pid_, &status, WNOHANG) == pid_;
  drain();
  if (over) exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return over;
}

}  // namespace lem::app::lsp
