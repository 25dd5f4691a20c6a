// Evidence about control-flow automata.
#pragma once

#include <vector>

#include "model/cfa.h"

namespace lem {

/// What holds whenever control is at a location, over the variables. At the initial location every
/// state is possible, at the error location none. Locations may be left out as long as every loop
/// has one that is not: what holds there follows.
struct LocationInvariants {
  std::vector<Term> at;  // by location; no term: nothing is claimed there
  friend bool operator==(const LocationInvariants&, const LocationInvariants&) = default;
};

/// A run from the initial to the error location: values of all variables, in the automaton's order,
/// before every edge and at the end.
struct CfaTrace {
  std::vector<EdgeId> edges;
  std::vector<std::vector<Term>> values;  // one more than edges
  friend bool operator==(const CfaTrace&, const CfaTrace&) = default;
};

}  // namespace lem
