// What a user can say about the environment of a PLC program and about what to check.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace lem {

/// A pattern and its parameters, as text; `at` is where it stands: a file, or the command line.
struct StRequirement {
  std::string name;     // empty: R1, R2, ...
  std::string pattern;  // implication, invariant, forbidden, during-cycle, ...
  std::vector<std::string> parameters;
  SourcePos at{};
};

/// A line of a proof (writer/st_invariant.h): what holds between two cycles, or at the head of the
/// loop of that number.
struct StClaimText {
  std::size_t loop = 0;  // 0: between two cycles
  std::string condition;
  SourcePos at{};
};

struct StOptions {
  enum class Time : std::uint8_t { Nondet, Range };
  struct Checks {
    bool overflow = false, division = false, bounds = false;
    bool any() const { return overflow || division || bounds; }
  };
  std::string entry{};  // empty: the only candidate
  Time time = Time::Nondet;
  std::uint32_t least_ms = 0, most_ms = 0;  // of a cycle, for Time::Range
  std::vector<std::string> parameters{};    // inputs that are arbitrary but constant
  std::vector<std::string> assumptions{};   // conditions on inputs, at the beginning of each cycle
  std::vector<StRequirement> requirements{};
  std::vector<std::string> requirement_files{};
  std::vector<StClaimText> claims{};  // of a proof that is to be checked
  Checks checks{};
  bool any_retained = false;  // RETAIN variables have any value at the start
};

}  // namespace lem
