// An interpolator in a child process: killed when it takes too long or when asked to stop, and free
// to crash. Interrupting Spacer in this process ends in std::terminate, and Z3's projection has
// assertions that abort.
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <utility>

#include "base/fork.h"
#include "smt/interpolate/interpolator.h"
#include "term/wire.h"

namespace lem::smt {

namespace {

/// A child process that writes bytes and ends, or is killed.
class Child {
 public:
  template <class Work>
  explicit Child(Work work) {
    Forked forked = fork_with_pipe([&](int write_end) {
      std::string bytes = work();
      for (std::size_t done = 0; done < bytes.size();) {
        ssize_t wrote = write(write_end, bytes.data() + done, bytes.size() - done);
        if (wrote <= 0 && errno != EINTR) return;
        if (wrote > 0) done += static_cast<std::size_t>(wrote);
      }
    });
    pid_ = forked.pid;
    read_end_ = forked.read_end;
  }
  ~Child() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    if (read_end_ >= 0) close(read_end_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// What the child wrote; nullopt if it took longer.
  std::optional<std::string> wait(std::chrono::milliseconds patience, const std::stop_token& stop) {
    auto deadline = std::chrono::steady_clock::now() + patience;
    std::string bytes;
    std::array<char, 65536> buffer{};
    while (pid_ > 0 && !stop.stop_requested() && std::chrono::steady_clock::now() < deadline) {
      pollfd ready{read_end_, POLLIN, 0};
      if (poll(&ready, 1, 20) <= 0) continue;
      ssize_t got = read(read_end_, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return bytes;
      bytes.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return {};
  }

 private:
  pid_t pid_ = -1;
  int read_end_ = -1;
};

class IsolatedInterpolator final : public Interpolator {
 public:
  IsolatedInterpolator(std::unique_ptr<Interpolator> inner, TermStore& terms, std::stop_token stop,
                       std::uint32_t milliseconds)
      : inner_(std::move(inner)), terms_(terms), stop_(std::move(stop)), patience_(milliseconds) {}

  std::string_view name() const override { return inner_->name(); }

  std::optional<Sequence> interpolate(const Path& path) override {
    std::size_t known = terms_.size();
    Child child([&]() -> std::string {
      try {
        std::optional<Sequence> sequence = inner_->interpolate(path);
        if (!sequence) return {};
        return write_terms(terms_, *sequence, known);
      } catch (...) {  // foreign code throws; the parent sees an empty answer
        return {};
      }
    });
    std::optional<std::string> bytes = child.wait(patience_, stop_);
    if (!bytes || bytes->empty()) return {};
    std::optional<Sequence> sequence = read_terms(terms_, *bytes);
    if (!sequence || sequence->size() != path.steps.size() + 1) return {};
    return sequence;
  }

 private:
  std::unique_ptr<Interpolator> inner_;
  TermStore& terms_;
  std::stop_token stop_;
  std::chrono::milliseconds patience_;
};

}  // namespace

std::unique_ptr<Interpolator> isolate(std::unique_ptr<Interpolator> inner, TermStore& terms,
                                      std::stop_token stop, std::uint32_t milliseconds) {
  return std::make_unique<IsolatedInterpolator>(std::move(inner), terms, std::move(stop),
                                                milliseconds);
}

}  // namespace lem::smt
