#include "campaign/worker.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"
#include "campaign/execute.h"

namespace lem::campaign {
namespace {

RunSpec shell(std::int64_t id, const std::string& script) {
  RunSpec spec;
  spec.id = id;
  spec.file = "m.aag";
  spec.configuration = "shell";
  spec.command = {"sh", "-c", script};
  spec.ours = false;
  spec.safe = "^proved$";
  spec.unsafe = "^refuted$";
  spec.seconds = 5;
  return spec;
}

class WorkerTest : public testing::Test {
 protected:
  WorkerTest() {
    for (const char* part : {"bundles", "journals", "evidence"})
      std::filesystem::create_directories(folder() + "/" + part);
  }
  std::string folder() const { return temporary_.path(); }
  std::vector<JournalLine> lines(const std::string& name) const {
    JournalTail tail;
    return read_on(journal_path(folder(), name), tail);
  }
  void note(const std::string& name, const JournalLine& line) const {
    ASSERT_TRUE(Journal(journal_path(folder(), name)).append(line).ok());
  }

  TemporaryFolder temporary_;
};

TEST_F(WorkerTest, SpecsAndRecordsSurviveTheirText) {
  RunSpec spec = shell(7, "echo \"a\\n\xff\"");
  spec.expected = "safe";
  spec.lost = 1;
  Result<RunSpec> again = spec_from_json(to_json(spec));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->command.size(), 3U);
  EXPECT_EQ(again->expected, "safe");
  EXPECT_EQ(again->lost, 1);
  EXPECT_FALSE(spec_from_json("{\"id\":").ok());
  RunRecord record;
  record.id = 7;
  record.verdict = "unsafe";
  record.properties = {{"p", "unsafe", "", "bmc", 0.5}};
  std::optional<JournalLine> line = journal_line(to_json(record));
  ASSERT_TRUE(line && line->record);
  EXPECT_EQ(line->record->properties.at(0).engine, "bmc");
}

TEST_F(WorkerTest, TornLinesAreNotRead) {
  note("a", {JournalLine::Kind::Start, 1, "n0", "b", {}});
  std::ofstream(journal_path(folder(), "a"), std::ios::app) << "{\"end\":1,\"verd";
  JournalTail tail;
  EXPECT_EQ(read_on(journal_path(folder(), "a"), tail).size(), 1U);
  EXPECT_TRUE(tail.open.contains(1));
  std::ofstream(journal_path(folder(), "a"), std::ios::app) << "\n{\"release\":1}\n";
  EXPECT_EQ(read_on(journal_path(folder(), "a"), tail).size(), 1U);
  EXPECT_TRUE(tail.open.empty());
}

TEST_F(WorkerTest, ContendersAnswerByPatterns) {
  for (auto [script, verdict, reason] :
       {std::tuple{"echo proved", "safe", ""}, std::tuple{"echo refuted >&2", "unsafe", ""},
        std::tuple{"exit 3", "unknown", "no answer, exit code 3"},
        std::tuple{"kill -9 $$", "error", "ended by signal 9"}}) {
    std::optional<RunRecord> record = execute(shell(1, script), folder(), "evidence/a/1", {});
    ASSERT_TRUE(record);
    EXPECT_EQ(record->verdict, verdict) << script;
    EXPECT_EQ(record->reason, reason) << script;
  }
}

TEST_F(WorkerTest, CostsIncludeThoseOfDescendants) {
  RunSpec spec = shell(1, "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; echo proved");
  std::optional<RunRecord> record = execute(spec, folder(), "evidence/a/1", {});
  ASSERT_TRUE(record);
  EXPECT_GT(record->processor_seconds, 0.01);
  EXPECT_GT(record->memory_kb, 100U);
}

TEST_F(WorkerTest, ABundleIsDoneOnce) {
  ASSERT_TRUE(write_bundle(folder(), 3, {shell(1, "echo proved"), shell(2, "echo refuted")}).ok());
  ASSERT_TRUE(work_bundle(folder(), 3, {}).ok());
  EXPECT_EQ(lines("3.0").size(), 4U);
  ASSERT_TRUE(work_bundle(folder(), 3, {}).ok());
  EXPECT_EQ(lines("3.1").size(), 0U);
}

TEST_F(WorkerTest, ALostAttemptIsRepeatedOnce) {
  ASSERT_TRUE(write_bundle(folder(), 0, {shell(1, "echo proved"), shell(2, "echo proved")}).ok());
  note("0.0", {JournalLine::Kind::Start, 1, "n0", "b", {}});
  ASSERT_TRUE(work_bundle(folder(), 0, {}).ok());
  ASSERT_EQ(lines("0.1").size(), 4U);
  EXPECT_EQ(lines("0.1")[1].record->verdict, "safe");
  EXPECT_EQ(lines("0.1")[1].record->attempts, 2);
}

TEST_F(WorkerTest, ARunThatLostTwoNodesIsReported) {
  ASSERT_TRUE(write_bundle(folder(), 0, {shell(1, "echo proved"), shell(2, "echo proved")}).ok());
  note("0.0", {JournalLine::Kind::Start, 1, "n0", "b", {}});
  note("0.1", {JournalLine::Kind::Start, 1, "n1", "b", {}});
  ASSERT_TRUE(work_bundle(folder(), 0, {}).ok());
  ASSERT_EQ(lines("0.2").size(), 3U);
  EXPECT_EQ(lines("0.2")[0].record->verdict, "error");
  EXPECT_EQ(lines("0.2")[0].record->reason, "its node was lost 2 times while it ran (n0, n1)");
  EXPECT_EQ(lines("0.2")[2].record->verdict, "safe");
}

TEST_F(WorkerTest, AReleasedRunLostNoNode) {
  ASSERT_TRUE(write_bundle(folder(), 0, {shell(1, "echo proved")}).ok());
  note("0.0", {JournalLine::Kind::Start, 1, "n0", "b", {}});
  note("0.0", {JournalLine::Kind::Release, 1, "", "", {}});
  ASSERT_TRUE(work_bundle(folder(), 0, {}).ok());
  EXPECT_EQ(lines("0.1")[1].record->attempts, 1);
}

TEST_F(WorkerTest, AnAttemptLeavesTheBundleToALaterOne) {
  // The first run makes the journal of the next attempt, as a worker on another node would.
  std::string taken = "touch " + journal_path(folder(), "0.1") + "; echo proved";
  ASSERT_TRUE(write_bundle(folder(), 0, {shell(1, taken), shell(2, "echo proved")}).ok());
  ASSERT_TRUE(work_bundle(folder(), 0, {}).ok());
  EXPECT_EQ(lines("0.0").size(), 2U);
}

TEST_F(WorkerTest, AStoppedRunIsReleased) {
  std::stop_source stop;
  stop.request_stop();
  ASSERT_TRUE(work_on(shell(1, "sleep 20"), folder(), "a", stop.get_token()).ok());
  ASSERT_EQ(lines("a").size(), 2U);
  EXPECT_EQ(lines("a")[1].kind, JournalLine::Kind::Release);
}

}  // namespace
}  // namespace lem::campaign
