#include "campaign/plan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/temporary_folder.h"
#include "campaign/expected.h"
#include "campaign/inputs.h"
#include "campaign/place.h"

namespace lem::campaign {
namespace {

using Words = std::vector<std::string>;

TEST(CampaignInputs, PatternsStayWithinParts) {
  EXPECT_TRUE(matches("*.aag", "a.aag"));
  EXPECT_FALSE(matches("*.aag", "x/a.aag"));
  EXPECT_TRUE(matches("**/*.aag", "a.aag"));
  EXPECT_TRUE(matches("**/*.aag", "x/y/a.aag"));
  EXPECT_TRUE(matches("x/**/a.?ag", "x/y/z/a.aag"));
  EXPECT_FALSE(matches("x/**/a.aag", "y/a.aag"));
  EXPECT_TRUE(matches("x/**", "x/y/z"));
  EXPECT_FALSE(matches("*", ".hidden"));
}

TEST(CampaignPlan, WordsAreSplitAsByAShell) {
  EXPECT_EQ(*split_words("a  'b c' \"d \\\" e\" f\\ g ''"),
            (Words{"a", "b c", "d \" e", "f g", ""}));
  EXPECT_FALSE(split_words("a 'b").ok());
}

TEST(CampaignPlan, PlacesAreParsed) {
  EXPECT_EQ(parse_place("local")->jobs, 0);
  EXPECT_EQ(parse_place("local:3")->jobs, 3);
  EXPECT_EQ(parse_place("slurm:main")->partition, "main");
  for (const char* text : {"", "local:", "local:x", "local:0", "slurm:", "moon"})
    EXPECT_FALSE(parse_place(text).ok()) << text;
  EXPECT_EQ(*parse_tasks("slurm:4"), 4);
  for (const char* text : {"slurm", "slurm:", "slurm:0", "slurm:main", "local:4"})
    EXPECT_FALSE(parse_tasks(text).ok()) << text;
}

TEST(CampaignExpected, TablesMayHaveQuotesAndNamesComeSecond) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/t");
  std::ofstream(folder.path() + "/t/expected.csv")
      << "file,logic,expected\r\n\"a,b.aag\",x,safe\r\nc.aag,x,unknown\r\nd_safe.aag,x,unsafe\r\n";
  Result<Expected> expected = Expected::read(folder.path(), {"t/expected.csv", "names"});
  ASSERT_TRUE(expected.ok());
  EXPECT_EQ(expected->of("t/a,b.aag"), "safe");
  EXPECT_EQ(expected->of("t/c.aag"), "");
  EXPECT_EQ(expected->of("t/d_safe.aag"), "unsafe");
  EXPECT_EQ(expected->of("e_safe.aag"), "safe");
  EXPECT_FALSE(Expected::read(folder.path(), {"absent.csv"}).ok());
}

TEST(CampaignPlan, RunsAlternateFileByFile) {
  TemporaryFolder folder;
  for (const char* name : {"a_safe.aag", "b.aag", "c.txt"})
    std::ofstream(folder.path() + "/" + name);
  Vocabulary words{[](const auto&, const auto&) { return Status(Ok{}); },
                   {"ic3.seed"},
                   {".aag"},
                   "/bin/lemmata"};
  Plan plan;
  plan.base = folder.path();
  plan.inputs = {"."};
  plan.seconds = 2.5;
  plan.expected = {"names"};
  plan.seeds = {4};
  plan.configurations = {{.name = "ic3", .engine = "ic3", .settings = {"ic3.lift=none"}}};
  plan.configurations.push_back(
      {.name = "abc", .command = "abc -c 'read {file}' {seconds}", .safe = "ok"});
  Result<std::vector<RunSpec>> runs = expand(plan, words);
  ASSERT_TRUE(runs.ok());
  ASSERT_EQ(runs->size(), 4U);
  EXPECT_EQ((*runs)[0].file, "a_safe.aag");
  EXPECT_EQ((*runs)[0].expected, "safe");
  EXPECT_EQ((*runs)[1].configuration, "abc");
  EXPECT_EQ((*runs)[1].command,
            (Words{"abc", "-c", "read " + folder.path() + "/a_safe.aag", "2.5"}));
  EXPECT_EQ((*runs)[2].file, "b.aag");
  const Words& ours = (*runs)[2].command;
  EXPECT_NE(std::find(ours.begin(), ours.end(), "ic3.seed=4"), ours.end());
  std::string before = digest_of(*runs);
  (*runs)[0].seconds = 3;
  EXPECT_NE(digest_of(*runs), before);
}

}  // namespace
}  // namespace lem::campaign
