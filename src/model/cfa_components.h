// The loops of an automaton as a hierarchy: a weak topological order [Bourdoncle93]. Every edge
// goes forward in the order, or back to the head of a component that it is in; so each loop, also
// one with several entries, goes through a head. Tests: tests/unit/model/cfa_components_test.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "model/cfa.h"

namespace lem {

/// A location, or a component: its head and then what is in it, in order.
struct CfaElement {
  LocationId head;
  std::vector<CfaElement> body;
  bool is_component = false;
};

struct CfaComponents {
  std::vector<CfaElement> order;  // of all that is reachable from the initial location
  /// By location: the heads of the components it is in, the innermost last.
  std::vector<std::vector<LocationId>> heads;
};

CfaComponents components(const Cfa& cfa);

}  // namespace lem
