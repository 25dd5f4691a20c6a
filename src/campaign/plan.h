// What a campaign is to do: inputs, configurations, limits, expected verdicts, seeds; from a YAML
// file (docs/campaigns.md) or from the command line. Tests: tests/unit/campaign/plan_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "campaign/spec.h"

namespace lem::campaign {

/// What a plan may say, from those who know it: campaigns see no engine and no front end.
struct Vocabulary {
  /// Whether there is such an engine with such options.
  std::function<Status(const std::string& engine, const std::vector<std::string>& settings)> check;
  std::vector<std::string> seeds;    // options that a seed sets: "ic3.seed", ...
  std::vector<std::string> endings;  // of models
  std::string program;               // this one
  /// Whether a file has a use for these arguments of `lemmata check`; empty: any are fine.
  std::function<Status(const std::string& file, const std::vector<std::string>& arguments)> fits{};
};

struct Configuration {
  std::string name;
  std::string engine = "auto";
  std::vector<std::string> settings{};   // "ic3.generalize=ctg"
  std::vector<std::string> arguments{};  // more of `lemmata check`
  std::string program{};                 // another build of lemmata; empty: this one
  // A contender: a command with {file}, {seconds} and {memory}, and regular expressions for its
  // answers.
  std::string command{};
  std::string safe{}, unsafe{};
  std::vector<std::string> endings{};  // of the files that it takes; empty: all

  bool ours() const { return command.empty(); }
};

struct ClusterWishes {
  int cores = 1;                         // for each run
  int bundle = 0;                        // runs of a task; 0: as suits their number
  std::vector<std::string> arguments{};  // more of sbatch
};

struct Plan {
  std::string base;  // files are named relative to this folder
  std::vector<std::string> inputs{};
  std::vector<std::string> exclude{};
  std::vector<Configuration> configurations{};  // empty: `auto`
  double seconds = 0;                           // 0: no limit
  std::uint64_t memory_mb = 0;
  std::vector<std::string> expected{};  // "names", a table in .csv, a campaign in .db
  std::vector<std::int64_t> seeds{};    // empty: none is set
  ClusterWishes cluster{};
};

/// Ill-formed plans are errors with their place.
Result<Plan> read_plan(const std::string& path, const Vocabulary& words);

/// Every run of the plan: files, by configurations, by seeds.
Result<std::vector<RunSpec>> expand(const Plan& plan, const Vocabulary& words);

/// Tells lists of runs apart.
std::string digest_of(const std::vector<RunSpec>& runs);

/// The words of a command line, as a shell splits them: spaces, quotes, backslashes.
Result<std::vector<std::string>> split_words(const std::string& text);

}  // namespace lem::campaign
