// Evidence about control-flow automata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/cfa.h"
#include "model/rung.h"

namespace lem {

/// What holds whenever control is at a location, over the variables. At the initial location every
/// state is possible, at the error location none. Locations may be left out: what holds there
/// follows along the paths to them. A loop of such locations alone is unwound, until no run goes
/// around once more; `rounds` says by location about how often that is (a hint, never trusted).
/// Without `rounds`, every loop must have a location with a claim.
struct LocationInvariants {
  std::vector<Term> at;                 // by location; no term: nothing is claimed there
  std::vector<std::uint32_t> rounds{};  // by location; none: no loop is to be unwound

  static constexpr Rung kRung = Rung::Program;
  std::optional<std::uint32_t> induction_depth() const { return {}; }
  friend bool operator==(const LocationInvariants&, const LocationInvariants&) = default;
};

/// A run from the initial to the error location: values of all variables, in the automaton's order,
/// before every edge and at the end.
struct CfaTrace {
  std::vector<EdgeId> edges;
  std::vector<std::vector<Term>> values;  // one more than edges

  static constexpr Rung kRung = Rung::Program;
  std::size_t length() const { return edges.size(); }
  std::size_t depth() const { return edges.size(); }
  friend bool operator==(const CfaTrace&, const CfaTrace&) = default;
};

}  // namespace lem
