// Loops within a scan cycle. Tests: tests/cli/st_test.py.
#pragma once

#include <vector>

#include "model/cfa.h"

namespace lem {

/// A location on each loop of the automaton that does not pass `head`, in their order. Those who
/// write invariants and those who read them agree on it.
std::vector<LocationId> st_loops(const Cfa& cfa, LocationId head);

}  // namespace lem
