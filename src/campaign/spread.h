// Several runs as tasks of one array on the cluster, of which some are cancelled once others have
// answered. Like a campaign, but without a database: what is not needed any more leaves no trace.
// Tests: tests/cli/slurm_test.py.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/cluster.h"
#include "campaign/heartbeat.h"
#include "campaign/journal.h"
#include "campaign/spec.h"

namespace lem::campaign {

class Spread {
 public:
  /// Submits the runs; `folder` is seen by all nodes, and is made.
  static Result<Spread> start(const std::string& folder, const std::string& program,
                              const std::vector<RunSpec>& runs);
  ~Spread();
  Spread(Spread&& other) noexcept;
  Spread& operator=(Spread&&) = delete;
  Spread(const Spread&) = delete;
  Spread& operator=(const Spread&) = delete;

  /// Runs that have ended since the last call.
  std::vector<RunRecord> news();
  /// Whether no task is in the queue any more. The cluster is asked once a second at most.
  Result<bool> over();
  /// One run, or what is left of all.
  Status cancel(std::int64_t id);
  Status cancel_all();

 private:
  Spread(Slurm slurm, std::string folder, std::int64_t count)
      : slurm_(std::move(slurm)), folder_(std::move(folder)), count_(count) {}

  Slurm slurm_;
  std::string folder_;
  std::string name_;
  std::int64_t number_ = 0;  // of the array; 0: nothing to cancel
  std::int64_t count_;
  std::map<std::string, JournalTail> tails_;
  std::unique_ptr<Heartbeat> heartbeat_;
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

}  // namespace lem::campaign
