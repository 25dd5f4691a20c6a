// A campaign at work: its database, its folder beside it, and what the journals said so far. The
// folder FILE.db.files has bundles/, journals/, evidence/ and logs/. Only one session at a time
// works on a database. Tests: tests/unit/campaign/session_test.cpp.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "campaign/database.h"
#include "campaign/journal.h"
#include "campaign/spec.h"

namespace lem::campaign {

/// For the progress line: what is done, and how many seconds the rest may take (-1: not known).
using OnProgress = std::function<void(const Tally& tally, double seconds_left)>;

class Session {
 public:
  /// Plans the runs in a new database. In one that is there they must be the same: the campaign
  /// goes on. With no runs it goes on as well, with those that it has.
  static Result<std::unique_ptr<Session>> open(const std::string& path,
                                               const std::vector<RunSpec>& runs,
                                               OnProgress progress);

  const std::string& folder() const { return folder_; }
  Database& database() { return *database_; }
  const Tally& tally() const { return tally_; }
  bool complete() const { return tally_.ended == tally_.planned; }
  /// Unique to this campaign: part of the names of its jobs.
  std::string tag();

  /// Takes what is new in the journals into the database.
  Status collect();
  /// What is still to be run. Runs that lost their node too often are recorded as such instead.
  Result<std::vector<RunSpec>> missing();
  /// The worker of this journal is gone. Runs that it had started and not ended are open again;
  /// with `Lost::Yes` that counts as the loss of a node.
  enum class Lost : std::uint8_t { No, Yes };
  Status settle(const std::string& journal, Lost lost);
  /// The same for journals of local workers, none of which lives: a node was lost if it was
  /// restarted meanwhile.
  Status settle_local();
  /// Names of the journals that there are.
  std::vector<std::string> journals() const;
  void show_progress();

 private:
  Session(std::string folder, std::unique_ptr<Database> database, OnProgress progress)
      : folder_(std::move(folder)),
        database_(std::move(database)),
        progress_(std::move(progress)) {}
  Status prepare(const std::vector<RunSpec>& runs, const std::string& path);
  Status note(const std::vector<RunRecord>& records);

  std::string folder_;
  std::unique_ptr<Database> database_;
  OnProgress progress_;
  Descriptor lock_;
  std::map<std::string, JournalTail> tails_;  // by journal
  Tally tally_;
  std::int64_t ended_before_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace lem::campaign
