// An interpolator in a child process: killed when it takes too long or when asked to stop, and free
// to crash. Interrupting Spacer in this process ends in std::terminate, and Z3's projection has
// assertions that abort.
#include <chrono>
#include <string>
#include <utility>

#include "base/fork.h"
#include "smt/interpolate/interpolator.h"
#include "term/wire.h"

namespace lem::smt {

namespace {

class IsolatedInterpolator final : public Interpolator {
 public:
  IsolatedInterpolator(std::unique_ptr<Interpolator> inner, TermStore& terms, std::stop_token stop,
                       std::uint32_t milliseconds)
      : inner_(std::move(inner)), terms_(terms), stop_(std::move(stop)), patience_(milliseconds) {}

  std::string_view name() const override { return inner_->name(); }

  std::optional<Sequence> interpolate(const Path& path) override {
    std::size_t known = terms_.size();
    Forked child = fork_with_pipe([&](int write_end) {  // if it throws, nothing is written
      if (std::optional<Sequence> sequence = inner_->interpolate(path))
        write_all(write_end, write_terms(terms_, *sequence, known));
    });
    std::optional<std::string> bytes = child.read_all(stop_, patience_);
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
