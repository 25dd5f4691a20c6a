#include "app/check/needed_proof.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "check/certify.h"
#include "frontend/frontend.h"

namespace lem::app {
namespace {

using Seconds = NeededProofs::Seconds;

writer::PropertyResult proved(Certificate certificate) {
  return {"p", check::trust_unchecked(Safe{std::move(certificate)}), "", "ic3", 0, {}};
}

/// x := x + 1 from 0, y := y; bad: x < 0. The lemma about x is a proof.
Problem two_counters() {
  auto terms = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(terms);
  Term x = builder.add_state("x", terms->int_sort());
  Term y = builder.add_state("y", terms->int_sort());
  for (Term one : {x, y}) builder.set_init(one, terms->integer(0));
  builder.set_update(x, terms->make_add(x, terms->integer(1)));
  builder.set_update(y, y);
  Term bad = terms->make_lt(x, terms->integer(0));
  return {*std::move(builder).freeze(), {{"p", bad}}, {"m.vmt", "vmt", {}, {}, {}, {}}};
}

TermInvariant both_lemmas(const Problem& problem) {
  TermStore& terms = problem.system().terms();
  Term zero = terms.integer(0);
  return {terms.make_and(terms.make_le(zero, problem.system().states()[0].current),
                         terms.make_eq(zero, problem.system().states()[1].current))};
}

TEST(NeededProofs, DividesTheInvariantOfASystem) {
  Problem problem = two_counters();
  TermStore& terms = problem.system().terms();
  Term x = problem.system().states()[0].current;
  Term y = problem.system().states()[1].current;
  auto parts = NeededProofs(problem, Seconds(60)).divide(proved(both_lemmas(problem)));
  ASSERT_TRUE(parts.has_value());
  EXPECT_TRUE(parts->minimal);
  EXPECT_EQ(std::get<TermInvariant>(parts->needed).invariant, terms.make_le(terms.integer(0), x));
  EXPECT_EQ(std::get<TermInvariant>(parts->others).invariant, terms.make_eq(terms.integer(0), y));
}

TEST(NeededProofs, WithoutTimeAllLemmasAreShownAndNothingIsClaimed) {
  Problem problem = two_counters();
  TermInvariant claim = both_lemmas(problem);
  auto parts = NeededProofs(problem, Seconds(0)).divide(proved(claim));
  ASSERT_TRUE(parts.has_value());
  EXPECT_FALSE(parts->minimal);
  EXPECT_EQ(std::get<TermInvariant>(parts->needed), claim);
  TermStore& terms = problem.system().terms();
  EXPECT_TRUE(terms.is_true(std::get<TermInvariant>(parts->others).invariant));
}

// An uncertified verdict (--no-certify) may come with formulas that are no proof.
TEST(NeededProofs, FormulasThatAreNoProofAreNotDivided) {
  Problem problem = two_counters();
  TermStore& terms = problem.system().terms();
  Term x = problem.system().states()[0].current;
  auto parts = NeededProofs(problem, Seconds(60))
                   .divide(proved(TermInvariant{terms.make_le(terms.integer(5), x)}));
  ASSERT_TRUE(parts.has_value());
  EXPECT_FALSE(parts->minimal);
}

TEST(NeededProofs, DividesTheClausesOfACircuit) {
  AigBuilder builder;
  AigLit go = builder.add_input();
  AigLit stays = builder.add_latch(Reset::Zero);
  AigLit copy = builder.add_latch(Reset::Zero);
  AigLit other = builder.add_latch(Reset::Zero);
  builder.set_next(stays, stays);
  builder.set_next(copy, stays);
  builder.set_next(other, builder.and_gate(other, go));
  Problem problem{std::move(builder).freeze(),
                  {{"p", copy}},
                  {"m.aag", "aiger", {"go"}, {"stays", "copy", "other"}, {}, {}}};
  InductiveInvariant claim{{{!other}, {!stays}}};
  auto parts = NeededProofs(problem, Seconds(60)).divide(proved(claim));
  ASSERT_TRUE(parts.has_value());
  EXPECT_TRUE(parts->minimal);
  EXPECT_EQ(std::get<InductiveInvariant>(parts->needed).clauses,
            (std::vector<SignalClause>{{!stays}}));
  EXPECT_EQ(std::get<InductiveInvariant>(parts->others).clauses,
            (std::vector<SignalClause>{{!other}}));
}

TEST(NeededProofs, DividesTheInvariantsOfAProgram) {
  auto terms = std::make_shared<TermStore>();
  CfaBuilder builder(terms);
  Term x = builder.add_variable("x", terms->int_sort());
  Term y = builder.add_variable("y", terms->int_sort());
  LocationId start = builder.add_location("start");
  LocationId loop = builder.add_location("loop");
  LocationId error = builder.add_location("error");
  Term zero = terms->integer(0);
  builder.add_edge(start, Command::sequence({Command::assign(x, zero), Command::assign(y, zero)}),
                   loop);
  builder.add_edge(loop, Command::assign(x, terms->make_add(x, terms->integer(1))), loop);
  builder.add_edge(loop, Command::assume(terms->make_lt(x, zero)), error);
  builder.set_initial(start);
  builder.set_error(error);
  Problem problem{
      *std::move(builder).freeze(), {{"p", ErrorLocation{}}}, {"m.c", "c", {}, {}, {}, {}}};
  LocationInvariants claim;
  claim.at = {terms->boolean(true),
              terms->make_and(terms->make_le(zero, x), terms->make_eq(zero, y)),
              terms->boolean(false)};
  auto parts = NeededProofs(problem, Seconds(60)).divide(proved(claim));
  ASSERT_TRUE(parts.has_value());
  EXPECT_TRUE(parts->minimal);
  EXPECT_EQ(std::get<LocationInvariants>(parts->needed).at[1], terms->make_le(zero, x));
  EXPECT_EQ(std::get<LocationInvariants>(parts->others).at[1], terms->make_eq(zero, y));
  claim.rounds = {0, 3, 0};
  EXPECT_FALSE(NeededProofs(problem, Seconds(60)).divide(proved(claim)).has_value());
}

}  // namespace
}  // namespace lem::app
