#include "app/check/scoreboard.h"

#include <gtest/gtest.h>

#include <array>

#include "app/check/reporting.h"
#include "support/small_models.h"

namespace lem::app {
namespace {

writer::PropertyResult result_with(Verdict verdict) {
  return {"p", check::trust_unchecked(std::move(verdict)), {}, "bmc", 0, {}};
}

writer::RunReport report_of(std::vector<Verdict> verdicts) {
  writer::RunReport report;
  for (Verdict& verdict : verdicts) report.results.push_back(result_with(std::move(verdict)));
  return report;
}

TEST(ExitCode, UnsafeOutranksUnknownOutranksSafe) {
  Verdict safe = trivial_invariant();
  Verdict unsafe = trace_of_steps(0);
  Verdict unknown = Unknown{Reason::GaveUp};
  EXPECT_EQ(exit_code(report_of({safe, safe})), ExitCode::Safe);
  EXPECT_EQ(exit_code(report_of({safe, unknown})), ExitCode::Unknown);
  EXPECT_EQ(exit_code(report_of({unknown, unsafe, safe})), ExitCode::Unsafe);
}

TEST(Scoreboard, ClosingFillsInWhatIsMissing) {
  Console console;
  Scoreboard board(console, {}, {"0", "f.aag", {}, {}});
  Problem problem = quiet_latch();
  problem.properties.push_back({"second", kAigTrue});
  board.expect(problem, std::array<std::size_t, 2>{0, 1});
  testing::internal::CaptureStdout();
  board.add(0, {"stays", check::trust_unchecked(trivial_invariant()), {}, "bmc", 0, {}});
  { auto lock = board.close(StopCause::Timeout, "bmc"); }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "safe stays\nunknown second: timeout\n");
  EXPECT_EQ(board.report().format, "aiger");
}

/// Three properties whose verdicts come last first.
std::string printed(Order order) {
  Console console;
  Scoreboard board(console, {.order = order}, {"0", "f.aag", {}, {}});
  Problem problem = quiet_latch();
  problem.properties.push_back({"second", kAigTrue});
  problem.properties.push_back({"third", kAigTrue});
  board.expect(problem, std::array<std::size_t, 3>{0, 1, 2});
  testing::internal::CaptureStdout();
  board.add(2, {"third", check::trust_unchecked(trivial_invariant()), {}, "bmc", 0, {}});
  board.add(0, {"stays", check::trust_unchecked(trivial_invariant()), {}, "bmc", 0, {}});
  { auto lock = board.close(StopCause::Timeout, "bmc"); }
  EXPECT_EQ(board.report().results[1].property, "second");
  return testing::internal::GetCapturedStdout();
}

TEST(Scoreboard, VerdictsWaitForThoseBefore) {
  EXPECT_EQ(printed(Order::Input), "safe stays\nunknown second: timeout\nsafe third\n");
  EXPECT_EQ(printed(Order::AsTheyCome), "safe third\nsafe stays\nunknown second: timeout\n");
}

TEST(Scoreboard, TheFileStandsForUnknownProperties) {
  Console console;
  Scoreboard board(console, {}, {"0", "f.aag", {}, {}});
  testing::internal::CaptureStdout();
  { auto lock = board.close(StopCause::Memory, "bmc"); }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "unknown f.aag: memory\n");
}

TEST(Reporting, ReasonsAreThoseOfTheSpecification) {
  Verdict stopped = Unknown{Reason::Stopped};
  EXPECT_EQ(reason_text(stopped, StopCause::Timeout), "timeout");
  EXPECT_EQ(reason_text(stopped, StopCause::Memory), "memory");
  EXPECT_EQ(reason_text(stopped, StopCause::Interrupted), "interrupted");
  EXPECT_EQ(reason_text(Unknown{Reason::BoundReached}, StopCause::None), "bound reached");
  EXPECT_EQ(reason_text(trivial_invariant(), StopCause::Timeout), "");
}

TEST(Reporting, DepthIsThatOfTheEvidenceElseOfTheEngine) {
  Stats stats;
  EXPECT_EQ(depth_of(trace_of_steps(4), "ic3", stats), 4U);
  EXPECT_EQ(depth_of(Safe{KInductive{3, SimplePath::No, {}}}, "kind", stats), 3U);
  EXPECT_FALSE(depth_of(trivial_invariant(), "ic3", stats).has_value());
  stats.counter("ic3.depth").value = 7;
  EXPECT_EQ(depth_of(trivial_invariant(), "ic3", stats), 7U);
}

}  // namespace
}  // namespace lem::app
