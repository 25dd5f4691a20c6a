#include "campaign/database.h"
#include "base/try.h"

#include <array>
#include <nlohmann/json.hpp>

namespace lem::campaign {

// Of the tables below.
static constexpr std::string_view kVersion = "1";

static constexpr const char* kTables = R"(
CREATE TABLE IF NOT EXISTS campaign(name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS plan(
  id INTEGER PRIMARY KEY, spec TEXT NOT NULL, lost INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS runs(
  id INTEGER PRIMARY KEY, file TEXT, configuration TEXT, seed INTEGER, expected TEXT,
  verdict TEXT, reason TEXT, seconds REAL, processor_seconds REAL, memory_kb INTEGER,
  engine TEXT, version TEXT, host TEXT, evidence TEXT, evidence_hash TEXT,
  attempts INTEGER, finished INTEGER, properties TEXT);
CREATE TABLE IF NOT EXISTS jobs(
  submission INTEGER PRIMARY KEY, first INTEGER, count INTEGER, number INTEGER);
)";

static bool has_tables(Sqlite& sqlite) {
  Statement tables(sqlite, "SELECT count(*) FROM sqlite_master WHERE type = 'table'");
  bool some = tables.step() && tables.number(0) > 0;
  while (tables.step()) {
  }
  return some;
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, Sqlite::Mode mode) {
  std::unique_ptr<Database> out(new Database(path, mode));
  Sqlite& sqlite = out->sqlite_;
  bool old = !sqlite.failed() && has_tables(sqlite);
  if (mode == Sqlite::Mode::Write && !sqlite.failed() && (!old || !out->value("tables").empty())) {
    // No write-ahead log: it does not work on network file systems, where campaigns often are.
    sqlite.execute("PRAGMA synchronous = NORMAL");
    Status made = sqlite.transaction([&] {
      sqlite.execute(kTables);
      if (!old) out->set_value("tables", kVersion);
    });
    if (!made) return made.error();
  }
  LEM_TRY(sqlite.status());
  if (out->value("tables") != kVersion)
    return Error{{path}, "this is not the database of a campaign, or of another version"};
  return out;
}

std::string Database::value(std::string_view name) {
  Statement query(sqlite_, "SELECT value FROM campaign WHERE name = ?");
  query.bind(name);
  std::string out;
  while (query.step()) out = query.text(0);
  return out;
}

void Database::set_value(std::string_view name, std::string_view value) {
  Statement(sqlite_, "INSERT OR REPLACE INTO campaign VALUES(?, ?)").bind(name).bind(value).run();
}

Status Database::plan(std::span<const RunSpec> runs, std::string_view digest) {
  return sqlite_.transaction([&] {
    set_value("digest", digest);
    Statement insert(sqlite_, "INSERT INTO plan(id, spec) VALUES(?, ?)");
    for (const RunSpec& run : runs) insert.bind(run.id).bind(to_json(run)).run();
  });
}

Result<std::vector<RunSpec>> Database::missing() {
  Statement query(sqlite_,
                  "SELECT spec, lost FROM plan WHERE id NOT IN (SELECT id FROM runs) ORDER BY id");
  std::vector<RunSpec> out;
  while (query.step()) {
    LEM_LET(RunSpec spec, spec_from_json(query.text(0)));
    spec.lost = static_cast<int>(query.number(1));
    out.push_back(std::move(spec));
  }
  if (sqlite_.failed()) return sqlite_.status().error();
  return out;
}

Result<std::vector<Database::Fresh>> Database::record(std::span<const RunRecord> records) {
  std::vector<Fresh> fresh;
  Status done = sqlite_.transaction([&] {
    // What the plan says about the run is repeated, so that one table is enough for queries.
    Statement insert(sqlite_, R"(INSERT INTO runs
      SELECT id, json_extract(spec, '$.file'), json_extract(spec, '$.configuration'),
        json_extract(spec, '$.seed'), json_extract(spec, '$.expected'), ?2, ?3, ?4, ?5, ?6, ?7, ?8,
        ?9, ?10, ?11, ?12, ?13, ?14 FROM plan
      WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM runs WHERE id = ?1) RETURNING expected)");
    for (std::size_t i = 0; i < records.size(); ++i) {
      const RunRecord& one = records[i];
      insert.bind(one.id).bind(one.verdict).bind(one.reason).bind(one.seconds);
      insert.bind(one.processor_seconds).bind(static_cast<std::int64_t>(one.memory_kb));
      insert.bind(one.engine).bind(one.version).bind(one.host).bind(one.evidence);
      insert.bind(one.evidence_hash).bind(static_cast<std::int64_t>(one.attempts));
      insert.bind(one.finished).bind(to_json(one.properties));
      while (insert.step()) fresh.push_back({i, insert.text(0)});
    }
  });
  if (!done) return done.error();
  return fresh;
}

Status Database::note_lost(std::int64_t id) {
  Statement(sqlite_, "UPDATE plan SET lost = lost + 1 WHERE id = ?").bind(id).run();
  return sqlite_.status();
}

Status Database::add_job(const Job& job) {
  Statement(sqlite_, "INSERT OR REPLACE INTO jobs VALUES(?, ?, ?, ?)")
      .bind(job.submission)
      .bind(job.first)
      .bind(job.count)
      .bind(job.number)
      .run();
  return sqlite_.status();
}

Status Database::set_number(std::int64_t submission, std::int64_t number) {
  Statement(sqlite_, "UPDATE jobs SET number = ? WHERE submission = ?")
      .bind(number)
      .bind(submission)
      .run();
  return sqlite_.status();
}

Result<std::vector<Job>> Database::jobs() {
  Statement query(sqlite_, "SELECT submission, first, count, number FROM jobs ORDER BY submission");
  std::vector<Job> out;
  while (query.step())
    out.push_back({query.number(0), query.number(1), query.number(2), query.number(3)});
  if (sqlite_.failed()) return sqlite_.status().error();
  return out;
}

Tally Database::tally() {
  Tally out;
  Statement planned(sqlite_,
                    "SELECT count(*), total(json_extract(spec, '$.expected') <> '') FROM plan");
  while (planned.step()) {
    out.planned = planned.number(0);
    out.expecting = planned.number(1);
  }
  Statement runs(sqlite_, R"(SELECT count(*), total(verdict = 'safe'), total(verdict = 'unsafe'),
    total(verdict = 'unknown'), total(verdict = 'error'),
    total(expected <> '' AND verdict IN ('safe', 'unsafe') AND verdict <> expected),
    total(expected <> '' AND verdict IN ('safe', 'unsafe')) FROM runs)");
  while (runs.step()) {
    std::array<std::int64_t*, 7> counts = {&out.ended,  &out.safe,  &out.unsafe,  &out.unknown,
                                           &out.errors, &out.wrong, &out.compared};
    for (std::size_t i = 0; i < counts.size(); ++i) *counts[i] = runs.number(static_cast<int>(i));
  }
  return out;
}

Result<std::vector<RunRow>> Database::rows() {
  Statement query(sqlite_, R"(SELECT id, file, configuration, seed, expected, verdict, reason,
    seconds, processor_seconds, memory_kb, engine, version, host, evidence, evidence_hash, attempts,
    finished FROM runs ORDER BY id)");
  std::vector<RunRow> out;
  while (query.step()) {
    RunRow& row = out.emplace_back();
    RunRecord& record = row.record;
    record.id = query.number(0);
    row.file = query.text(1);
    row.configuration = query.text(2);
    row.seed = query.number(3);
    row.expected = query.text(4);
    record.verdict = query.text(5);
    record.reason = query.text(6);
    record.seconds = query.real(7);
    record.processor_seconds = query.real(8);
    record.memory_kb = static_cast<std::uint64_t>(query.number(9));
    record.engine = query.text(10);
    record.version = query.text(11);
    record.host = query.text(12);
    record.evidence = query.text(13);
    record.evidence_hash = query.text(14);
    record.attempts = static_cast<int>(query.number(15));
    record.finished = query.number(16);
  }
  if (sqlite_.failed()) return sqlite_.status().error();
  return out;
}

}  // namespace lem::campaign
