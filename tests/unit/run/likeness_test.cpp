#include "run/methods/likeness.h"

#include <gtest/gtest.h>

#include "check/certify.h"
#include "support/explicit.h"
#include "unit/run/small_designs.h"

namespace lem::run {
namespace {

TEST(Likeness, AProofOfOneRingIsOneOfTheOthers) {
  Problem problem = test::rings(3, 4);
  Likeness likeness(problem);
  Problem first = focus(problem, 0);
  InductiveInvariant proof;  // no two latches of ring 0 are hot together
  for (std::uint32_t i = 0; i < 4; ++i)
    for (std::uint32_t j = 0; j < i; ++j)
      proof.clauses.push_back({!problem.aig().latch(i), !problem.aig().latch(j)});
  ASSERT_TRUE(check::certify(first, Safe{proof}, {}).ok());
  for (std::size_t other : {1, 2}) {
    ASSERT_TRUE(likeness.alike(0, other));
    InductiveInvariant renamed{likeness.renamed(proof.clauses, 0, other)};
    EXPECT_EQ(renamed.clauses.size(), proof.clauses.size());
    EXPECT_TRUE(check::certify(focus(problem, other), Safe{renamed}, {}).ok());
  }
  EXPECT_FALSE(likeness.alike(0, 3));
}

TEST(Likeness, WhatHasNoCounterpartIsLeftOut) {
  Problem problem = test::rings(2, 4);
  Likeness likeness(problem);
  AigLit outside = problem.aig().latch(5);  // of the other ring
  std::vector<SignalClause> clauses = {{problem.aig().latch(0), outside}, {problem.aig().latch(1)}};
  std::vector<SignalClause> renamed = likeness.renamed(clauses, 0, 1);
  std::vector<SignalClause> expected = {{problem.aig().latch(5)}};
  EXPECT_EQ(renamed, expected);
}

}  // namespace
}  // namespace lem::run
