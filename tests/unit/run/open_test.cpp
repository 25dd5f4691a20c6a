#include "run/open.h"

#include <gtest/gtest.h>

#include "support/session.h"
#include "support/small_models.h"

namespace lem::run {
namespace {

/// A problem with everything that open properties need around them.
struct Court : test::Session {
  explicit Court(Problem model) : problem(std::move(model)) {}
  Accepted accept(Verdict verdict) {
    Result<Accepted> accepted = open.accept({{0}, std::move(verdict)}, "ic3");
    EXPECT_TRUE(accepted.ok());
    return accepted.ok() ? *accepted : Accepted::No;
  }
  Problem problem;
  Context ctx = context();
  Open open{problem, all_of(problem), how, settled, ctx};
};

TEST(Open, CertifiesGoodEvidence) {
  Court unsafe(rising_latch());
  EXPECT_EQ(unsafe.accept(trace_of_steps(1)), Accepted::Yes);
  EXPECT_EQ(unsafe.words().at(0), "unsafe");
  EXPECT_EQ(unsafe.methods.at(0), "ic3");
  EXPECT_TRUE(unsafe.open.empty());
  Court safe(quiet_latch());
  EXPECT_EQ(safe.accept(trivial_invariant()), Accepted::Yes);
  EXPECT_EQ(safe.words().at(0), "safe");
}

TEST(Open, RejectedEvidenceSettlesNothing) {
  Court court(rising_latch());
  EXPECT_EQ(court.accept(trivial_invariant()), Accepted::No);
  EXPECT_EQ(court.accept(trace_of_steps(0)), Accepted::No);
  ASSERT_TRUE(court.open.rejected().has_value());
  EXPECT_EQ(court.open.rejected()->kind, ErrorKind::Internal);
  EXPECT_TRUE(court.open.has(0));
  EXPECT_EQ(court.stats.counter("app.rejected").value, 2U);
  EXPECT_EQ(court.accept(trace_of_steps(1)), Accepted::Yes);  // another answer holds
}

TEST(Open, AnAnswerToNoQuestionIsRejected) {
  Court court(rising_latch());
  Result<Accepted> accepted = court.open.accept({{7}, trace_of_steps(1)}, "ic3");
  ASSERT_TRUE(accepted.ok());
  EXPECT_EQ(*accepted, Accepted::No);
}

TEST(Open, WhatIsSettledIsNotCheckedAgain) {
  Court court(rising_latch());
  ASSERT_EQ(court.accept(trace_of_steps(1)), Accepted::Yes);
  double checked = court.stats.timer("app.certify").seconds;
  EXPECT_EQ(court.accept(trace_of_steps(1)), Accepted::Yes);
  EXPECT_EQ(court.stats.timer("app.certify").seconds, checked);
}

TEST(Open, AStoppedCheckAcceptsNothing) {
  Court court(quiet_latch());
  court.stop.request_stop();
  EXPECT_EQ(court.accept(trivial_invariant()), Accepted::Yes);  // it is not wrong
  EXPECT_TRUE(court.open.has(0));
  ASSERT_TRUE(court.open.give_up_all(Reason::Stopped).ok());
  EXPECT_EQ(court.verdicts.at(0), Verdict(Unknown{Reason::Stopped}));
}

TEST(Open, NobodyKnows) {
  Court court(rising_latch());
  ASSERT_TRUE(court.open.give_up(0, Reason::GaveUp).ok());
  EXPECT_EQ(court.verdicts.at(0), Verdict(Unknown{Reason::GaveUp}));
  EXPECT_TRUE(court.open.empty());
}

TEST(Open, OneOfTwoContradictingClaimsIsNotCertified) {
  Court court(rising_latch());
  EXPECT_TRUE(
      court.open.check_consistent({{0}, trivial_invariant()}, {{0}, trace_of_steps(1)}).ok());
  EXPECT_TRUE(court.open.has(0));
}

}  // namespace
}  // namespace lem::run
