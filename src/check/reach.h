// Whether any run comes to the place of a proved property of a program. A check that no run comes
// to holds whatever it says. Answers rest on the proof's own invariants, which were checked before.
// Tests: tests/unit/check/reach_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <stop_token>
#include <vector>

#include "model/cfa.h"
#include "model/evidence/cfa.h"

namespace lem::check {

/// The locations at which runs decide whether they fail there: those that have an edge with a
/// condition from which the error follows without another one. By number.
std::vector<LocationId> deciding_places(const Cfa& cfa, LocationId error);

/// The same automaton with another error: a new location behind these ones.
Cfa with_error_behind(const Cfa& cfa, const std::vector<LocationId>& places);

enum class Reach : std::uint8_t { Never, Some, Unknown };

/// One object for all properties of an automaton: those at the same place are asked about once.
class PlaceReach {
 public:
  /// Never: the invariants exclude every way to these places. Some: a run from the start comes to
  /// one of them without going around a loop. Unknown otherwise.
  ///   require: the same automaton each time, up to its error; the proof was accepted for it
  Reach of(const Cfa& cfa, const LocationInvariants& proof, const std::vector<LocationId>& places,
           const std::stop_token& stop);

 private:
  std::map<std::vector<LocationId>, Reach> known_;  // what was decided
};

}  // namespace lem::check
