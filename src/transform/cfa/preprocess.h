// Preprocessing as a whole [Lange18 5.1.2]: one step may enable another, so they are repeated until
// nothing gets smaller; then blocks are made. Pipeline does the same with the steps that options
// allow.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "transform/cfa/reduction.h"

namespace lem::transform {

struct PreprocessOptions {
  bool prune = true, propagate = true, ranges = true, slice = true, bisimulation = true;
  bool values = true;
  std::uint32_t rounds = 8;      // at most
  std::size_t block_size = 200;  // of large blocks; 0: none
  /// Called after each step.
  std::function<void(std::string_view step, const Cfa& after)> observe{};
};

/// Edges are counted with their commands.
struct CfaExtent {
  std::size_t locations, edges, variables, size;
  friend bool operator==(const CfaExtent&, const CfaExtent&) = default;
};
CfaExtent extent(const Cfa& cfa);

Reduction preprocess(const Cfa& cfa, const PreprocessOptions& options);

}  // namespace lem::transform
