// One run of a campaign: what is planned (RunSpec) and what came of it (RunRecord), both as one
// line of JSON. Tests: tests/unit/campaign/worker_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lem::campaign {

/// What is run, with everything that a worker on another host needs to know.
struct RunSpec {
  std::int64_t id = 0;
  std::string file;           // as the plan names it
  std::string configuration;  // name of an engine's configuration or of a contender
  std::int64_t seed = -1;     // -1: none is given
  std::string expected;       // "safe", "unsafe", or "" if nothing is known
  std::vector<std::string> command;
  bool ours = true;      // a run of `lemmata check`, which answers in JSON
  std::string safe{};    // of a contender: regular expressions that its output is searched for
  std::string unsafe{};  //
  double seconds = 0;    // limits; 0: none
  std::uint64_t memory_mb = 0;
  int lost = 0;  // attempts that ended with their node
};

struct PropertyRow {
  std::string property, verdict, reason, engine;
  double seconds = 0;
};

struct RunRecord {
  std::int64_t id = 0;
  std::string verdict;  // "safe", "unsafe", "unknown" or "error"
  std::string reason{};
  double seconds = 0;
  double processor_seconds = 0;
  std::uint64_t memory_kb = 0;
  std::string engine{}, version{}, host{};
  std::string evidence{}, evidence_hash{};  // a file, or a folder if there are several
  int attempts = 1;
  std::int64_t finished = 0;  // seconds since 1970
  std::vector<PropertyRow> properties{};
};

/// In one line, without its end.
std::string to_json(const RunSpec& spec);
std::string to_json(const RunRecord& record);
std::string to_json(const std::vector<PropertyRow>& rows);

Result<RunSpec> spec_from_json(std::string_view line);

/// A line of a journal (journal.h): a run starts, is given back unfinished, or has ended.
struct JournalLine {
  enum class Kind : std::uint8_t { Start, Release, End };
  Kind kind = Kind::Start;
  std::int64_t id = 0;
  std::string host{}, boot{};         // of Start
  std::optional<RunRecord> record{};  // of End
};
std::string to_json(const JournalLine& line);
/// Nothing if the line is torn or of another kind.
std::optional<JournalLine> journal_line(std::string_view text);

/// "unsafe" before "error" before "unknown" before "safe": the answer about a file with several
/// properties.
std::string_view worst(std::string_view left, std::string_view right);

}  // namespace lem::campaign
