// The two deciders agree, and their models satisfy what was asked.
#include "engine/parts/terms/decider.h"

#include <gtest/gtest.h>

#include "term/traverse.h"

namespace lem::engine {
namespace {

class EveryDecider : public testing::TestWithParam<bool> {
 protected:
  TermStore t;
  std::unique_ptr<Decider> decider =
      GetParam() ? make_bit_decider(t, {}) : make_smt_decider(t, smt::Solvers());
  Term x = t.variable("x", t.bv_sort(16)), y = t.variable("y", t.bv_sort(16));
  Term p = t.variable("p", t.bool_sort());
  Term word(unsigned long value) { return t.bv(value, 16); }
};

INSTANTIATE_TEST_SUITE_P(Deciders, EveryDecider, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "Bits" : "Smt"; });

TEST_P(EveryDecider, ModelsSatisfyWhatWasAskedAndAdded) {
  Term product = t.make_eq(t.make(Op::BvMul, {x, y}), word(391));
  decider->add(t.make_and(t.make(Op::BvUlt, {word(1), x}), t.make(Op::BvUlt, {x, y})));
  decider->add(t.make(Op::BvUlt, {y, word(100)}));
  Term asked = t.make_and(product, t.make_not(p));
  ASSERT_EQ(decider->solve(asked, Patience::Endless), smt::Answer::Sat);
  EXPECT_EQ(decider->value(x), word(17));
  EXPECT_EQ(decider->value(y), word(23));
  EXPECT_EQ(decider->value(p), t.boolean(false));
}

TEST_P(EveryDecider, AssumptionsArePassing) {
  Term small = t.make(Op::BvUlt, {x, word(3)});
  EXPECT_EQ(decider->solve(t.make_and(small, t.make_eq(x, word(3))), Patience::Endless),
            smt::Answer::Unsat);
  EXPECT_EQ(decider->solve(t.make_not(small), Patience::Short), smt::Answer::Sat);
  EXPECT_EQ(decider->solve(small, Patience::Short), smt::Answer::Sat);
  decider->add(t.make_not(small));
  EXPECT_EQ(decider->solve(small, Patience::Short), smt::Answer::Unsat);
}

TEST_P(EveryDecider, UnmentionedVariablesHaveTheirDefault) {
  ASSERT_EQ(decider->solve(p, Patience::Endless), smt::Answer::Sat);
  EXPECT_EQ(decider->value(p), t.boolean(true));
  EXPECT_EQ(decider->value(y), word(0));
}

}  // namespace
}  // namespace lem::engine
