#include "run/joint.h"

#include <gtest/gtest.h>

#include "check/certify.h"
#include "run/cones.h"
#include "run/methods/simulate.h"
#include "run/search.h"
#include "run/selection.h"
#include "support/explicit.h"
#include "unit/run/small_designs.h"

namespace lem::run {
namespace {

using engine::find_engine;

/// A proof of what the joint problem asks, for the original.
Certificate proof_back(const Joint& joint, Certificate proof) {
  std::optional<Found> back = joint.back({{0}, Safe{std::move(proof)}});
  return std::get<Safe>(back.value().verdict).certificate;
}

TEST(Joint, ARunThatEndsNowhereIsNoClaim) {
  Problem problem = test::rings(2, 3);
  EXPECT_FALSE(Joint(problem, {0, 1})
                   .back({{0},
                          Unsafe{Trace{std::vector<bool>(problem.aig().num_latches()),
                                       {std::vector<bool>(problem.aig().num_inputs())}}}}));
}

TEST(Joint, FailsWhereAMemberFails) {
  Problem problem = test::rings(2, 3);
  EXPECT_TRUE(test::explore(Joint(problem, {0, 1}).problem()).safe());
  Joint all(problem, {0, 1, 2});
  test::ExplicitResult truth = test::explore(all.problem());
  ASSERT_FALSE(truth.safe());
  std::optional<Found> back = all.back({{0}, Unsafe{*truth.trace}});
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->properties, std::vector<std::size_t>{2});
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
  auto outcomes = check::certify_together(problem, members, proof_back(joint, invariant), {});
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
  Certificate certificate = proof_back(joint, InductiveInvariant{});
  EXPECT_GT(clauses_of(certificate).size(), clauses_of(proof).size());
  const std::size_t members[] = {2};
  EXPECT_TRUE(check::certify_together(problem, members, certificate, {}).ok());
}

/// x := 0; then x := x + 2 for ever; properties: x is never 1, never 4, never 3.
Problem even_counter() {
  auto store = std::make_shared<TermStore>();
  TermStore& t = *store;
  CfaBuilder builder(store);
  Term x = builder.add_variable("x", t.bv_sort(3));
  LocationId start = builder.add_location("start");
  LocationId loop = builder.add_location("loop");
  builder.add_edge(start, Command::assign(x, t.bv(0, 3)), loop);
  builder.add_edge(loop, Command::assign(x, t.make(Op::BvAdd, {x, t.bv(2, 3)})), loop);
  std::vector<Property> properties;
  for (int value : {1, 4, 3}) {
    LocationId error = builder.add_location("error" + std::to_string(value));
    builder.add_edge(loop, Command::assume(t.make_eq(x, t.bv(value, 3))), error);
    properties.push_back({"not" + std::to_string(value), ErrorLocation{error}});
  }
  builder.set_initial(start);
  builder.set_error(LocationId{2});
  return {*std::move(builder).freeze(), std::move(properties), {}};
}

std::vector<Found> found_together(const Problem& problem, const std::vector<std::size_t>& members) {
  Options options = run::declared_options();
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, {}};
  std::vector<Found> found;
  Result<Reason> end = search(
      {.problem = problem, .members = members}, {find_engine("ic3cfa")},
      [&](const Found& one) { found.push_back(one); }, ctx);
  EXPECT_TRUE(end.ok());
  return found;
}

TEST(Joint, AnAutomatonHasOneRunForAllItsErrors) {
  Problem problem = even_counter();
  std::vector<Found> found = found_together(problem, {0, 1, 2});
  ASSERT_EQ(found.size(), 2U);  // a run to 4, then a proof of the rest
  EXPECT_EQ(found[0].properties, std::vector<std::size_t>{1});
  EXPECT_TRUE(check::certify(focus(problem, 1), found[0].verdict, {}).ok());
  EXPECT_EQ(found[1].properties, (std::vector<std::size_t>{0, 2}));
  const Certificate& proof = std::get<Safe>(found[1].verdict).certificate;
  auto outcomes = check::certify_together(problem, found[1].properties, proof, {});
  ASSERT_TRUE(outcomes.ok()) << outcomes.error().message;
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_TRUE(
        check::certify(focus(problem, found[1].properties[i]), (*outcomes)[i].verdict(), {}).ok());
}

TEST(Joint, InvariantsThatAllowAnErrorProveNothing) {
  Problem problem = even_counter();
  Certificate proof = std::get<Safe>(found_together(problem, {0, 2}).at(0).verdict).certificate;
  const std::size_t all[] = {0, 1, 2};
  EXPECT_FALSE(check::certify_together(problem, all, proof, {}).ok());
  auto& claims = std::get<LocationInvariants>(proof);
  claims.at[index(error_of(problem, 1))] = problem.cfa().terms().boolean(false);
  EXPECT_FALSE(check::certify_together(problem, all, proof, {}).ok());
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
}  // namespace lem::run
