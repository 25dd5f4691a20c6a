// What the verdicts should be: by a table (columns file, expected), by the names of the files
// (..._safe, ..._unsafe), or by another campaign. Tests: tests/unit/campaign/plan_test.cpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace lem::campaign {

/// Sources in order: the first one that knows a file counts.
class Expected {
 public:
  /// `sources`: "names", names of tables in .csv or of campaigns in .db, seen from `base`.
  static Result<Expected> read(const std::string& base, const std::vector<std::string>& sources);
  /// "safe", "unsafe" or "" about a file, named relative to the base.
  std::string of(const std::string& file) const;

 private:
  struct Source {
    bool names = false;
    /// By file: tables as seen from the base, campaigns as they name them.
    std::map<std::string, std::string> verdicts;
  };
  std::string base_;
  std::vector<Source> sources_;
};

/// The fields of a line of a table; quotes around a field are removed.
std::vector<std::string> csv_fields(const std::string& line);

}  // namespace lem::campaign
