// The steps of a question that are transforms: a model on the rung where an engine takes it, and
// the slice of a program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/context.h"
#include "model/rung.h"
#include "run/question.h"
#include "transform/cfa/program_slice.h"
#include "transform/transform.h"

namespace lem::run {

/// Every enabled transform, to one of the rungs.
class Lowering final : public Step {
 public:
  Lowering(const Problem& problem, const Context& ctx, Rungs targets)
      : pipeline_(problem, ctx, targets) {}
  const Problem& problem() const override { return pipeline_.problem(); }
  std::optional<Found> back(Found found) const override;
  /// Why the problem could not be brought there; empty if it was.
  const std::string& obstacle() const { return pipeline_.obstacle(); }

 private:
  transform::Pipeline pipeline_;
};

/// What some properties of a program depend on, alone. A proof carries over, a run need not.
class Slice final : public Step {
 public:
  Slice(const Problem& problem, const transform::Dependence& dependence,
        std::vector<std::size_t> members)
      : slice_(problem, dependence, members),
        members_(std::move(members)),
        is_whole_(slice_.size() == problem.cfa().variables().size()) {}
  const Problem& problem() const override { return slice_.problem(); }
  std::optional<Found> back(Found found) const override;
  /// Whether they depend on everything.
  bool is_whole() const { return is_whole_; }

 private:
  transform::ProgramSlice slice_;
  std::vector<std::size_t> members_;
  bool is_whole_;
};

}  // namespace lem::run
