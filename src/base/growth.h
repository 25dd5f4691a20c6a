// How a proof grew: what engines had counted at some moments of a run. Collected only for a run
// with a report, when engines publish their progress. Tests: tests/unit/base/growth_test.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/stats.h"

namespace lem {

struct GrowthSample {
  double seconds = 0;  // since the start of the run
  std::uint64_t memory_bytes = 0;
  std::map<std::string, std::uint64_t> counts;  // lemmas, obligations, queries, depth
  std::vector<std::uint64_t> lemmas{};          // by frame; of a long sequence the last frames
  std::uint64_t first_frame = 1;                // of `lemmas`
};

/// Whether workers send what they counted with their progress.
enum class Sampling : std::uint8_t { Off, On };

/// The counters that are of interest over time, by their name without the engine. Counters of one
/// kind are added.
std::map<std::string, std::uint64_t> growth_counts(const Stats& stats);
/// Those counters alone, under their names.
Stats growth_stats(const Stats& stats);

class Growth {
 public:
  using Clock = std::chrono::steady_clock;

  /// Memory 0: as in the sample before. `status`: the progress line, from which "frame 7" and
  /// "lemmas 3 0 7" are taken.
  void add(const std::string& engine, const Stats& stats, std::uint64_t memory_bytes,
           std::string_view status, Clock::time_point now = Clock::now());
  const std::map<std::string, std::vector<GrowthSample>>& engines() const { return engines_; }

 private:
  Clock::time_point start_ = Clock::now();
  std::map<std::string, std::vector<GrowthSample>> engines_;
};

/// Resident memory of this process alone.
std::uint64_t resident_bytes_of_self();

}  // namespace lem
