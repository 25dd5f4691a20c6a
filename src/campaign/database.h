// The database of a campaign: what is planned, what came of it, and the jobs on the cluster.
//   plan    one row for each run that is wanted, with all that a worker needs
//   runs    one row for each run that has ended: never two for the same one
//   jobs    what was given to the cluster, before it is given and with its number afterwards
//   campaign  names and values: the version of these tables, the tag of the cluster's jobs, ...
// Only the submitting side writes to it. Tests: tests/unit/campaign/session_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/spec.h"
#include "campaign/sqlite.h"

namespace lem::campaign {

/// An array of tasks; task i works on bundle `first + i`. `number` is 0 until the cluster took it.
struct Job {
  std::int64_t submission = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t number = 0;
};

/// A row of `runs`, for reports.
struct RunRow {
  std::string file, configuration;
  std::int64_t seed = -1;
  std::string expected;
  RunRecord record;
  /// There is a verdict, and one that is expected.
  bool compared() const {
    return (record.verdict == "safe" || record.verdict == "unsafe") && !expected.empty();
  }
  /// The verdict contradicts what is expected.
  bool wrong() const { return compared() && record.verdict != expected; }
};

/// How many runs there are of each kind.
struct Tally {
  std::int64_t planned = 0, ended = 0, safe = 0, unsafe = 0, unknown = 0, errors = 0, wrong = 0;
  std::int64_t compared = 0;   // safe or unsafe, where one of them is expected
  std::int64_t expecting = 0;  // planned runs with an expected verdict
};

class Database {
 public:
  /// Makes tables if there are none. A file that is no campaign's is an error.
  static Result<std::unique_ptr<Database>> open(const std::string& path, Sqlite::Mode mode);

  std::string value(std::string_view name);
  void set_value(std::string_view name, std::string_view value);

  /// Fills an empty database.
  Status plan(std::span<const RunSpec> runs, std::string_view digest);
  /// The runs that have not ended, by number.
  Result<std::vector<RunSpec>> missing();
  /// Adds the records of runs that have none yet, in one transaction; says which these were.
  struct Fresh {
    std::size_t position;  // in `records`
    std::string expected;
  };
  Result<std::vector<Fresh>> record(std::span<const RunRecord> records);
  Status note_lost(std::int64_t id);

  Status add_job(const Job& job);
  Status set_number(std::int64_t submission, std::int64_t number);
  Result<std::vector<Job>> jobs();

  Tally tally();
  Result<std::vector<RunRow>> rows();

 private:
  Database(const std::string& path, Sqlite::Mode mode) : sqlite_(path, mode) {}
  Sqlite sqlite_;
};

}  // namespace lem::campaign
