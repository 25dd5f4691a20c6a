#include "campaign/session.h"

#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "campaign/slurm.h"
#include "campaign/worker.h"

namespace lem::campaign {
namespace {

class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    for (int i = 1; i <= 3; ++i) {
      RunSpec& run = runs_.emplace_back();
      run.id = i;
      run.file = "m" + std::to_string(i);
      run.expected = "safe";
    }
  }
  std::string path() const { return temporary_.path() + "/c.db"; }
  Result<std::unique_ptr<Session>> open() const { return Session::open(path(), runs_, {}); }
  static JournalLine ended(std::int64_t id, const std::string& verdict) {
    RunRecord record;
    record.id = id;
    record.verdict = verdict;
    return {JournalLine::Kind::End, id, "", "", record};
  }
  static void note(Session& session, const std::string& name, const JournalLine& line) {
    ASSERT_TRUE(Journal(journal_path(session.folder(), name)).append(line).ok());
  }

  TemporaryFolder temporary_;
  std::vector<RunSpec> runs_;
};

TEST_F(SessionTest, ARunHasOneRowWhateverTheJournalsSay) {
  auto session = open();
  ASSERT_TRUE(session.ok());
  note(**session, "0.0", ended(1, "safe"));
  note(**session, "0.1", ended(1, "unsafe"));
  note(**session, "0.1", ended(9, "safe"));  // not planned
  ASSERT_TRUE((*session)->collect().ok());
  ASSERT_TRUE((*session)->collect().ok());
  EXPECT_EQ((*session)->tally().ended, 1);
  ASSERT_EQ((*session)->database().rows()->size(), 1U);
  EXPECT_EQ((*session)->database().rows()->at(0).record.verdict, "safe");
}

TEST_F(SessionTest, WhatAKilledSessionDidNotCollectIsFoundByTheNext) {
  {
    auto session = open();
    ASSERT_TRUE(session.ok());
    note(**session, "0.0", ended(2, "unsafe"));
  }
  auto session = open();
  ASSERT_TRUE(session.ok());
  EXPECT_EQ((*session)->tally().ended, 1);
  EXPECT_EQ((*session)->tally().wrong, 1);
  Result<std::vector<RunSpec>> missing = (*session)->missing();
  ASSERT_EQ(missing->size(), 2U);
  EXPECT_EQ(missing->at(0).id, 1);
  EXPECT_EQ(missing->at(1).id, 3);
}

TEST_F(SessionTest, OnlyOneSessionAndOnlyTheSameRuns) {
  auto session = open();
  ASSERT_TRUE(session.ok());
  EXPECT_FALSE(open().ok());
  session->reset();
  runs_.pop_back();
  Result<std::unique_ptr<Session>> other = open();
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().kind, ErrorKind::Usage);
}

TEST_F(SessionTest, ARunThatLostTwoNodesIsNotMissing) {
  auto session = open();
  ASSERT_TRUE(session.ok());
  for (const char* name : {"0.0", "1.0"}) {
    note(**session, name, {JournalLine::Kind::Start, 3, "n0", "b", {}});
    ASSERT_TRUE((*session)->collect().ok());
    ASSERT_TRUE((*session)->settle(name, Session::Lost::Yes).ok());
    ASSERT_TRUE((*session)->settle(name, Session::Lost::Yes).ok());  // counts once
  }
  EXPECT_EQ((*session)->missing()->size(), 2U);
  EXPECT_EQ((*session)->tally().errors, 1);
}

TEST_F(SessionTest, ALocalRunLostItsNodeOnlyIfTheHostWasRestarted) {
  auto session = open();
  ASSERT_TRUE(session.ok());
  note(**session, "local0.0", {JournalLine::Kind::Start, 1, host_name(), boot_id(), {}});
  note(**session, "local0.1", {JournalLine::Kind::Start, 2, host_name(), "another boot", {}});
  ASSERT_TRUE((*session)->collect().ok());
  ASSERT_TRUE((*session)->settle_local().ok());
  Result<std::vector<RunSpec>> missing = (*session)->missing();
  ASSERT_EQ(missing->size(), 3U);
  EXPECT_EQ(missing->at(0).lost, 0);
  EXPECT_EQ(missing->at(1).lost, 1);
}

TEST(CampaignSlurm, BundlesKeepTheClustersQueueShort) {
  EXPECT_EQ(bundle_size(60, 4, {}), 4);
  EXPECT_EQ(bundle_size(1, 1000, {}), 1);
  EXPECT_EQ(bundle_size(100'000, 32'000, {}), 20);
  EXPECT_EQ(bundle_size(60, 4, {.bundle = 7}), 7);
}

}  // namespace
}  // namespace lem::campaign
