#include "app/check/advice.h"

#include <gtest/gtest.h>

#include "support/small_models.h"

namespace lem::app {
namespace {

using Lines = std::vector<std::string>;

writer::PropertyResult unknown(Reason reason, std::string text) {
  return {"p", check::unknown(reason), std::move(text), "auto", 0, {}};
}

bool mentions(const Lines& lines, const std::string& what) {
  for (const std::string& line : lines)
    if (line.find(what) != std::string::npos) return true;
  return false;
}

TEST(Advice, OfATimeoutSaysHowFarAndWhatToTry) {
  Problem problem = quiet_latch();
  CheckRequest request;
  request.limits.seconds = 10;
  ProgressNotes notes;
  notes.note("ic3: frame 3, 20 lemmas");
  notes.note("ic3: frame 7, 80 lemmas");
  notes.note("bmc: step 40");
  Lines lines = advise(unknown(Reason::Stopped, "timeout"), request, &problem, notes.lines());
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0], "reached bmc: step 40; ic3: frame 7, 80 lemmas");
  EXPECT_TRUE(mentions(lines, "--timeout 40"));
  EXPECT_TRUE(mentions(lines, "--engine ic3"));
  request.engine = "bmc";
  lines = advise(unknown(Reason::Stopped, "timeout"), request, &problem, {});
  EXPECT_TRUE(mentions(lines, "--engine auto"));
}

TEST(Advice, OfMemoryNamesALargerLimit) {
  Problem problem = quiet_latch();
  CheckRequest request;
  request.limits.megabytes = 500;
  Lines lines = advise(unknown(Reason::Stopped, "memory"), request, &problem, {});
  EXPECT_TRUE(mentions(lines, "--memory 1000"));
  EXPECT_TRUE(mentions(lines, "portfolio.workers=1"));
}

TEST(Advice, OfAFileThatWasNotReadSaysSo) {
  Lines lines = advise(unknown(Reason::Stopped, "timeout"), {}, nullptr, {});
  EXPECT_EQ(lines, Lines{"timeout while the file was read"});
}

TEST(Advice, IsThereForEveryReasonAndForNothingElse) {
  Problem problem = quiet_latch();
  CheckRequest request;
  for (Reason reason : {Reason::Stopped, Reason::BoundReached, Reason::GaveUp, Reason::Crashed,
                        Reason::Undecided, Reason::NotNative, Reason::OutOfMemory})
    EXPECT_FALSE(advise(unknown(reason, std::string(name(reason))), request, &problem, {}).empty())
        << name(reason);
  writer::PropertyResult safe{"p", check::trust_unchecked(trivial_invariant()), {}, "", 0, {}};
  EXPECT_TRUE(advise(safe, request, &problem, {}).empty());
}

TEST(Advice, OfUnsupportedPropertiesKeepsTheirReason) {
  Problem problem = quiet_latch();
  Lines lines = advise(unknown(Reason::GaveUp, "liveness"), {}, &problem, {});
  EXPECT_TRUE(mentions(lines, "liveness"));
}

TEST(Advice, IsSharedByPropertiesThatHaveTheSame) {
  writer::RunReport report{"0", "f", "aiger", {}};
  for (const char* name : {"a", "b", "c"}) {
    writer::PropertyResult one = unknown(Reason::GaveUp, "gave up");
    one.property = name;
    one.advice = {name == std::string("b") ? "other" : "same"};
    report.results.push_back(std::move(one));
  }
  EXPECT_EQ(advice_lines(report), (Lines{"a and 1 more: same", "b: other"}));
}

}  // namespace
}  // namespace lem::app
