// Preprocessing of programs [Lange18 5.1.2]: what one step finds out may let another go on, so
// Pipeline lets them take turns until the automaton no longer changes in size; then it makes
// blocks.
#pragma once

#include <cstddef>

#include "transform/cfa/reduction.h"

namespace lem::transform {

/// Edges are counted with their commands.
struct CfaExtent {
  std::size_t locations, edges, variables, size;
  friend bool operator==(const CfaExtent&, const CfaExtent&) = default;
};
CfaExtent extent(const Cfa& cfa);

}  // namespace lem::transform
