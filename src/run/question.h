// A question: a problem, and the way back of what is found about it to the problem that the user
// has. Each step makes one problem from another: several properties become one (joint.h), a program
// its slice, a model what an engine takes (lowering.h). Questions compose; liveness to safety or a
// summary of a procedure would be one more step. Tests: tests/unit/run/joint_test.cpp,
// tests/unit/run/program_slice_test.cpp.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "model/found.h"
#include "model/problem.h"

namespace lem::run {

class Step {
 public:
  virtual ~Step() = default;
  virtual const Problem& problem() const = 0;
  /// What was found about problem(), as a finding about the problem that it was made from. nullopt
  /// if it does not carry over.
  virtual std::optional<Found> back(Found found) const = 0;
};

class Question {
 public:
  /// Borrows the problem.
  explicit Question(const Problem& original) : original_(&original) {}

  const Problem& problem() const { return steps_.empty() ? *original_ : steps_.back()->problem(); }
  /// One step more: `S(problem(), arguments...)`.
  template <class S, class... Arguments>
  const S& then(Arguments&&... arguments) {
    auto step = std::make_shared<const S>(problem(), std::forward<Arguments>(arguments)...);
    steps_.push_back(step);
    return *step;
  }
  /// Through all steps, the last one first.
  std::optional<Found> back(Found found) const {
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      std::optional<Found> before = (*step)->back(std::move(found));
      if (!before) return {};
      found = *std::move(before);
    }
    return found;
  }

 private:
  const Problem* original_;
  // Shared: engines take different ways from the same step on, each with a copy of the question.
  std::vector<std::shared_ptr<const Step>> steps_;
};

}  // namespace lem::run
