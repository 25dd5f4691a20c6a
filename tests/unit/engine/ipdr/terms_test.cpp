#include "engine/ipdr/terms_search.h"

#include <gtest/gtest.h>

#include "engine/parts/terms/clauses_of_terms.h"
#include "engine/registry.h"
#include "unit/engine/small_systems.h"

namespace lem::engine {
namespace {

TEST(IpdrTerms, DecidesSmallSystemsOfEveryTheory) {
  test::decides_small_systems(kIpdrInfo, "");
}

TEST(IpdrTerms, DecidesSmallSystemsUnderEverySwitch) {
  for (std::string_view settings : {"ipdr.shortest=off", "ipdr.generalize=core",
                                    "ipdr.generalize=binary", "ipdr.interpolant=backward"})
    test::decides_small_systems(kIpdrInfo, settings);
}

TEST(IpdrTerms, AgreesWithExplicitSearch) {
  test::agrees_with_search_on_terms(kIpdrInfo, "ipdr.interpolant=backward", {}, 1, 40);
}

TEST(IpdrTerms, AgreesWithExplicitSearchOnRelations) {
  test::RandomSystemParams params;
  params.relations = true;
  test::agrees_with_search_on_terms(kIpdrInfo, "", params, 100, 15);
}

TEST(IpdrTerms, StopsWhenAsked) {
  test::NamedSystem system = test::two_counters(true);
  test::Bench run(kIpdrInfo);
  run.stop.request_stop();
  EXPECT_EQ(run.check(system.problem), Verdict(Unknown{Reason::Stopped}));
}

class ClausesTest : public ::testing::Test {
 protected:
  Term var(std::string_view name) { return terms_.variable(name, terms_.bool_sort()); }
  /// As a formula again.
  Term joined(Term formula) {
    std::vector<Term> all;
    for (const std::vector<Term>& clause : clauses_of_term(terms_, formula))
      all.push_back(terms_.make_or(clause));
    return terms_.make_and(all);
  }
  bool is_equivalent(Term a, Term b) {
    auto solver = smt::make_z3(terms_, smt::Workload::Single, {});
    solver->add(terms_.make_xor(a, b));
    return solver->solve() == smt::Answer::Unsat;
  }
  TermStore terms_;
};

TEST_F(ClausesTest, TruthHasNoClauseAndFalsityTheEmptyOne) {
  EXPECT_TRUE(clauses_of_term(terms_, terms_.boolean(true)).empty());
  auto falsity = clauses_of_term(terms_, terms_.boolean(false));
  ASSERT_EQ(falsity.size(), 1U);
  EXPECT_TRUE(falsity[0].empty());
}

TEST_F(ClausesTest, DisjunctionDistributesOverConjunction) {
  Term formula = terms_.make_or(terms_.make_and(var("a"), var("b")), var("c"));
  EXPECT_EQ(clauses_of_term(terms_, formula).size(), 2U);
  EXPECT_TRUE(is_equivalent(joined(formula), formula));
}

TEST_F(ClausesTest, NegationsArePushedDown) {
  Term formula = terms_.make_not(
      terms_.make_or(terms_.make_and(var("a"), terms_.make_not(var("b"))), var("c")));
  EXPECT_EQ(clauses_of_term(terms_, formula).size(), 2U);
  EXPECT_TRUE(is_equivalent(joined(formula), formula));
}

TEST_F(ClausesTest, WhatWouldExplodeStaysALiteral) {
  std::vector<Term> parts;
  for (int i = 0; i < 12; ++i)
    parts.push_back(terms_.make_and(var("a" + std::to_string(i)), var("b" + std::to_string(i))));
  Term formula = terms_.make_or(parts);
  EXPECT_LE(clauses_of_term(terms_, formula).size(), 32U);
  EXPECT_TRUE(is_equivalent(joined(formula), formula));
}

/// As interpolants from proofs are: 60 levels, each with two uses of the one below.
TEST_F(ClausesTest, SharedPartsAreLookedAtOnce) {
  Term formula = var("a");
  for (int i = 0; i < 60; ++i) {
    Term left = terms_.make_or(var("l" + std::to_string(i)), formula);
    Term right = terms_.make_or(var("r" + std::to_string(i)), formula);
    formula = terms_.make_and(left, right);
  }
  EXPECT_LE(clauses_of_term(terms_, formula).size(), 1000U);
  EXPECT_TRUE(is_equivalent(joined(formula), formula));
}

}  // namespace
}  // namespace lem::engine
