#include "schedule/joint.h"

#include <gtest/gtest.h>

#include "check/certify.h"
#include "schedule/cones.h"
#include "schedule/simulate.h"
#include "support/explicit.h"
#include "unit/schedule/small_designs.h"

namespace lem::schedule {
namespace {

TEST(Joint, FailsWhereAMemberFails) {
  Problem problem = test::rings(2, 3);
  EXPECT_TRUE(test::explore(Joint(problem, {0, 1}).problem()).safe());
  Joint all(problem, {0, 1, 2});
  test::ExplicitResult truth = test::explore(all.problem());
  ASSERT_FALSE(truth.safe());
  EXPECT_EQ(all.violated(*truth.trace), std::vector<std::size_t>{2});
}

TEST(Joint, ACertificateIsOneForEveryMember) {
  Problem problem = test::rings(2, 3);
  Joint joint(problem, {0, 1});
  test::ExplicitResult truth = test::explore(joint.problem());
  InductiveInvariant invariant = test::reachable_as_clauses(joint.problem(), truth);
  // A clause with the gate that joins the members says nothing about the original.
  AigLit joined = joint.problem().property().bad();
  ASSERT_GE(joined.var(), problem.aig().num_vars());
  invariant.clauses.push_back({!joined});
  const std::size_t members[] = {0, 1};
  auto outcomes = check::certify_together(problem, members, joint.certificate(invariant), {});
  ASSERT_TRUE(outcomes.ok()) << outcomes.error().message;
  for (std::size_t i : members) {
    const auto* safe = std::get_if<Safe>(&(*outcomes)[i].verdict());
    ASSERT_NE(safe, nullptr);
    EXPECT_TRUE(check::certify(focus(problem, i), *safe, {}).ok());
  }
}

TEST(Joint, AProofOfSomeIsNoProofOfAll) {
  Problem problem = test::rings(2, 3);
  const std::size_t all[] = {0, 1, 2};
  EXPECT_FALSE(check::certify_together(problem, all, InductiveInvariant{}, {}).ok());
}

TEST(Joint, WhatIsProvedIsPartOfLaterCertificates) {
  Problem problem = test::rings(1, 3);
  problem.properties.push_back({"never", kAigFalse});
  test::ExplicitResult truth = test::explore(focus(problem, 0));
  Certificate proof = test::reachable_as_clauses(focus(problem, 0), truth);
  Joint joint(problem, {2}, {{0, proof}});
  EXPECT_EQ(joint.problem().aig().constraints().size(), 1U);
  Certificate certificate = joint.certificate(InductiveInvariant{});
  EXPECT_GT(clauses_of(certificate).size(), clauses_of(proof).size());
  const std::size_t members[] = {2};
  EXPECT_TRUE(check::certify_together(problem, members, certificate, {}).ok());
}

TEST(Cones, PropertiesOfOneRingAreAGroup) {
  Problem problem = test::rings(3, 4);
  const std::size_t all[] = {0, 1, 2, 3};
  Cones cones(problem, all);
  EXPECT_EQ(cones[0].size(), 4U);
  EXPECT_EQ(cones.part_of(0), cones.part_of(3));
  EXPECT_NE(cones.part_of(0), cones.part_of(1));
  std::vector<std::vector<std::size_t>> expected = {{0, 3}, {1}, {2}};
  EXPECT_EQ(cones.groups(all), expected);
}

TEST(Cones, AConstraintConnectsWhatItMentions) {
  AigBuilder builder;
  AigLit a = builder.add_latch(Reset::Zero);
  AigLit b = builder.add_latch(Reset::Zero);
  builder.add_constraint(builder.or_gate(a, !b));
  Problem problem{std::move(builder).freeze(), {{"a", a}, {"b", b}}, {}};
  const std::size_t all[] = {0, 1};
  Cones cones(problem, all);
  EXPECT_EQ(cones.part_of(0), cones.part_of(1));
}

TEST(Simulate, FindsRunsThatReplay) {
  Problem problem = test::rings(2, 5);
  const std::size_t all[] = {0, 1, 2};
  std::vector<Violation> found = simulate(problem, all, 20, {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().property, 2U);
  EXPECT_EQ(found.front().trace.inputs.size(), 5U);
  EXPECT_TRUE(test::replays(focus(problem, 2), found.front().trace));
  EXPECT_TRUE(simulate(problem, all, 4, {}).empty());
}

}  // namespace
}  // namespace lem::schedule
