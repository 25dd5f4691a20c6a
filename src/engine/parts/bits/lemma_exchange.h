// Lemmas of runs on the same model, through files of a folder that all of them see: workers of one
// host and tasks of several alike.
//
// Each run appends to a file of its own, whole lines with one write, and reads what the others have
// added since it looked last. A line is the level in the writer's frames, or `inf`, and the cube
// that the lemma excludes:
//   7 !00f3a61b90c5d2e8 5be1...      latches by a hash of their names in the file
// Names survive transforms (model/latch_name.h), so that runs with other transforms, or on another
// property of the model, understand them; lemmas about latches that a run does not have are not for
// it. What is read is a claim and nothing more: anyone may have written it, the writer may be
// wrong, two names may have the same hash. The receiver proves it or does without.
// Tests: tests/unit/engine/parts/lemma_exchange_test.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/parts/common/cube.h"
#include "model/problem.h"

namespace lem::engine {

/// The cube is said to be unreachable within so many steps, or at all.
struct LemmaClaim {
  static constexpr std::uint32_t kForGood = UINT32_MAX;
  Cube cube;
  std::uint32_t level = kForGood;
};

class LemmaExchange {
 public:
  /// No folder: there is no exchange, and nothing is ever due.
  ///   require: literals of cubes are latches of the problem's AIG
  LemmaExchange(std::string folder, const Problem& problem);

  bool on() const { return !folder_.empty(); }
  /// At the first call, then once every now and then.
  bool due();
  /// Writes those that it has not written before.   ensure: how many
  std::size_t publish(const std::vector<LemmaClaim>& claims);
  /// What others wrote since the last call, about latches that this problem has.
  std::vector<LemmaClaim> receive();

 private:
  bool make_file();
  std::string line_of(const LemmaClaim& claim) const;
  std::optional<LemmaClaim> claim_of(std::string_view line) const;

  std::string folder_;
  std::string own_;                                           // file; made with the first lemma
  std::vector<std::uint64_t> hashes_;                         // by latch
  std::unordered_map<std::uint64_t, Lit> latch_of_;           // by hash
  std::unordered_map<std::uint64_t, std::uint32_t> written_;  // by hash of the cube: its level
  std::map<std::string, std::uintmax_t> read_;                // by file: how far
  std::uint32_t first_latch_;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace lem::engine
