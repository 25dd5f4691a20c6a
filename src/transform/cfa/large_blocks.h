// Large-block encoding [Beyer09; 004 section 5.1.2]: fewer locations, larger commands. The rules:
// (1) nothing leaves the error location, which Cfa guarantees; (2) a location in the middle goes
// and each pair of edges through it becomes their sequence; (3) edges between the same two
// locations become their choice. Heads of loops, the initial and the error location stay.
#pragma once

#include <vector>

#include "model/cfa.h"

namespace lem {

struct LargeBlocks {
  Cfa cfa;
  std::vector<LocationId> origin;  // by new location: the old one
};

/// No command grows beyond `limit` assignments and guards.
LargeBlocks large_blocks(const Cfa& cfa, std::size_t limit);

/// Assignments, guards and havocs in a command.
std::size_t size_of(const Command& command);

}  // namespace lem
