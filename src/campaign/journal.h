// The journal of a worker: one line of JSON when a run starts, when it has ended, and when it is
// given back unfinished. One writer for each file, which opens it for every line, so that readers
// on other hosts see the line when it is closed. A line that a crash has torn is not read.
//
// A start without an end or a release is an attempt that ended with its worker: the node was lost,
// or the system killed the whole job. Tests: tests/unit/campaign/worker_test.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/spec.h"

namespace lem::campaign {

class Journal {
 public:
  explicit Journal(std::string path) : path_(std::move(path)) {}
  const std::string& path() const { return path_; }
  /// Appends after an end of line, so that a torn line before it spoils nothing.
  Status append(const JournalLine& line) const;

 private:
  std::string path_;
};

/// What a reader has seen of a journal so far.
struct JournalTail {
  std::uint64_t offset = 0;
  std::map<std::int64_t, JournalLine> open{};  // runs that have started
};

/// The lines that are complete and new since the last call. A file that is not there has none.
std::vector<JournalLine> read_on(const std::string& path, JournalTail& tail);

/// Name of this host; its boot, which tells a restarted host from a restarted program.
std::string host_name();
std::string boot_id();

}  // namespace lem::campaign
