// Small circuits with several properties.
#pragma once

#include <string>
#include <vector>

#include "model/problem.h"

namespace lem::test {

/// Rings of latches, one of which is hot and moves on at every step; each ring has the property
/// that its first two latches are not hot together, and a last property fails when ring 0 came
/// round.
inline Problem rings(std::uint32_t count, std::uint32_t size) {
  AigBuilder builder;
  std::vector<std::vector<AigLit>> latches(count);
  for (std::vector<AigLit>& ring : latches)
    for (std::uint32_t i = 0; i < size; ++i)
      ring.push_back(builder.add_latch(i == 0 ? Reset::One : Reset::Zero));
  std::vector<Property> properties;
  for (std::uint32_t r = 0; r < count; ++r) {
    for (std::uint32_t i = 0; i < size; ++i)
      builder.set_next(latches[r][(i + 1) % size], latches[r][i]);
    AigLit both = builder.and_gate(latches[r][0], latches[r][1]);
    properties.push_back({"exclusive" + std::to_string(r), both});
  }
  properties.push_back({"round", latches[0][size - 1]});
  return {std::move(builder).freeze(), std::move(properties), {}};
}

}  // namespace lem::test
