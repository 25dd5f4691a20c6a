// What differs between two campaigns, file by file and configuration by configuration.
//
// Times are compared beyond noise. The noise is that of the two campaigns themselves: the spread of
// the ratios of times of everything that both solved. Runs with several seeds are compared by their
// medians. Tests: tests/unit/campaign/changes_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/database.h"

namespace lem::campaign {

struct Change {
  enum class Kind : std::uint8_t { Contradicted, Lost, New, Slower, Faster };
  Kind kind;
  std::string file, configuration;
  std::string before, after;  // verdicts
  double seconds_before = 0, seconds_after = 0;
};
std::string_view name(Change::Kind kind);

struct Comparison {
  std::vector<Change> changes;  // the worst kinds first, in each the largest first
  std::size_t common = 0;       // pairs of file and configuration that both have
  std::size_t added = 0, removed = 0;
  double ratio = 1;  // median of the ratios of times
  double noise = 1;  // a time changed beyond noise if its ratio to that one is larger
};

Comparison compare(std::span<const RunRow> before, std::span<const RunRow> after);

}  // namespace lem::campaign
