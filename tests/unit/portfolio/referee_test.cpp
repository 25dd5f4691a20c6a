#include "portfolio/referee.h"

#include <gtest/gtest.h>

#include "portfolio/selection.h"
#include "support/small_models.h"

namespace lem::portfolio {
namespace {

/// The tests give evidence about the problem as it is.
Options without_transforms() {
  Options options = declared_options();
  for (const transform::TransformInfo& transform : transform::all_transforms()) {
    bool no_choice = transform.stage == transform::Stage::Counter ||
                     transform.stage == transform::Stage::Blasting ||
                     transform.stage == transform::Stage::Lifting;
    if (no_choice) continue;
    EXPECT_TRUE(options.set("transform." + std::string(transform.id), "off").ok());
  }
  return options;
}

/// A problem with everything a referee needs around it.
struct Court {
  explicit Court(Problem model, std::stop_token stop = {})
      : problem(std::move(model)), ctx{options, stats, log, progress, std::move(stop)} {}
  Problem problem;
  Options options = without_transforms();
  Stats stats;
  Log log;
  Progress progress;
  Context ctx;
  transform::Pipeline pipeline{problem, ctx};
  Referee referee{problem, pipeline, ctx};
};

TEST(Referee, CertifiesGoodEvidence) {
  Court unsafe(rising_latch());
  Result<check::Certified> ruled = unsafe.referee.rule(trace_of_steps(1));
  ASSERT_TRUE(ruled.ok());
  EXPECT_TRUE(ruled->checked());
  Court safe(quiet_latch());
  EXPECT_TRUE(safe.referee.rule(trivial_invariant()).ok());
}

TEST(Referee, RejectedEvidenceIsAnInternalError) {
  Court court(rising_latch());
  Result<check::Certified> ruled = court.referee.rule(trivial_invariant());
  ASSERT_FALSE(ruled.ok());
  EXPECT_EQ(ruled.error().kind, ErrorKind::Internal);
  EXPECT_FALSE(court.referee.rule(trace_of_steps(0)).ok());
}

TEST(Referee, AcceptedEvidenceIsNotCheckedTwice) {
  Court court(rising_latch());
  ASSERT_TRUE(court.referee.accepts(trace_of_steps(1)));
  double checked = court.stats.timer("app.certify").seconds;
  ASSERT_TRUE(court.referee.rule(trace_of_steps(1)).ok());
  EXPECT_EQ(court.stats.timer("app.certify").seconds, checked);
}

TEST(Referee, RejectionIsForgivenWhenAnotherAnswerHolds) {
  Court court(rising_latch());
  EXPECT_FALSE(court.referee.accepts(trivial_invariant()));
  EXPECT_TRUE(court.referee.accepts(trace_of_steps(1)));
  EXPECT_TRUE(court.referee.rule(trace_of_steps(1)).ok());
  EXPECT_EQ(court.stats.counter("app.rejected").value, 1U);
}

TEST(Referee, RejectionWithoutAnotherAnswerIsAnError) {
  Court court(rising_latch());
  EXPECT_FALSE(court.referee.accepts(trivial_invariant()));
  EXPECT_FALSE(court.referee.rule(Unknown{Reason::GaveUp}).ok());
}

TEST(Referee, AStoppedCheckAcceptsNothing) {
  std::stop_source stop;
  Court court(quiet_latch(), stop.get_token());
  stop.request_stop();
  EXPECT_FALSE(court.referee.accepts(trivial_invariant()));
  Result<check::Certified> ruled = court.referee.rule(trivial_invariant());
  ASSERT_TRUE(ruled.ok());
  EXPECT_EQ(ruled->verdict(), Verdict(Unknown{Reason::Stopped}));
}

TEST(Referee, UnknownNeedsNoEvidence) {
  Court court(rising_latch());
  EXPECT_FALSE(court.referee.accepts(Unknown{Reason::GaveUp}));
  Result<check::Certified> ruled = court.referee.rule(Unknown{Reason::GaveUp});
  ASSERT_TRUE(ruled.ok());
  EXPECT_TRUE(std::holds_alternative<Unknown>(ruled->verdict()));
}

}  // namespace
}  // namespace lem::portfolio
