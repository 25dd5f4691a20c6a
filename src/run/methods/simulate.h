// Random simulation of an AIG, 64 runs at a time: finds shallow and frequent violations of many
// properties in one pass. Tests: tests/unit/run/joint_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "model/problem.h"
#include "model/verdict.h"

namespace lem::run {

struct Violation {
  std::size_t property;
  Trace trace;
};

/// Up to one violation of each of `properties`, within so many steps from reset.
///   require: bits
std::vector<Violation> simulate(const Problem& problem, std::span<const std::size_t> properties,
                                std::uint32_t steps, const std::stop_token& stop);

}  // namespace lem::run
