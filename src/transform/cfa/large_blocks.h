// Large-block encoding [Beyer09; Lange18 5.1.2]: fewer locations, larger commands. The rules:
// (1) nothing leaves the error location, which Cfa guarantees; (2) a location in the middle is
// removed and each pair of edges through it becomes their sequence; (3) edges between the same two
// locations become their choice. Heads of loops, the initial and the error location stay.
//
// Back-translation: no invariant is claimed at a removed location, since every loop keeps one. (The
// formula there, the states from which every path stays in the next invariants, would need
// quantifiers over all values read from outside on these paths.) Runs are found block by block.
#pragma once

#include <memory>
#include <vector>

#include "transform/cfa/reduction.h"

namespace lem::transform {

struct LargeBlocks {
  Cfa cfa;
  std::vector<LocationId> origin;  // by new location: the old one
  std::unique_ptr<CfaBackTranslator> back;
};

/// No command grows beyond `limit` assignments and guards.
LargeBlocks large_blocks(const Cfa& cfa, std::size_t limit);

/// Assignments, guards and havocs in a command.
std::size_t size_of(const Command& command);

}  // namespace lem::transform
