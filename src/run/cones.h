// Which properties speak of the same part of a model. A cone is what a property depends on over any
// number of steps: the latches or states, then the inputs, numbered in the model's order.
// Tests: tests/unit/run/joint_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/problem.h"
#include "transform/cfa/dependence.h"

namespace lem::run {

using Cone = std::vector<std::uint32_t>;  // ascending

class Cones {
 public:
  /// Of a program: variables.
  Cones(const Problem& problem, std::span<const std::size_t> properties);

  const Cone& operator[](std::size_t property) const { return cones_[property]; }

  /// Properties of the same group have much in common: what one run of an engine learns about one
  /// serves the others. A small cone inside a large one is not in its group, so that an easy
  /// property does not wait for a hard one.
  std::vector<std::vector<std::size_t>> groups(std::span<const std::size_t> properties) const;

  /// Properties with equal parts may depend on each other, others cannot: no run, no constraint
  /// connects them.
  std::uint32_t part_of(std::size_t property) const { return parts_[property]; }
  /// Of a program; nullptr for others.
  const transform::Dependence* dependence() const { return dependence_ ? &*dependence_ : nullptr; }

 private:
  void look_at_program(const Problem& problem, std::span<const std::size_t> properties);

  std::vector<Cone> cones_;           // by property; empty for those that were not asked for
  std::vector<std::uint32_t> parts_;  // by property
  std::optional<transform::Dependence> dependence_;
};

}  // namespace lem::run
