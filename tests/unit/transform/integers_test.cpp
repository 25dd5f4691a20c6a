// Words told in integers; the encoding itself is compared with evaluation in
// tests/fuzz/integers_fuzz_test.cpp.
#include <gtest/gtest.h>

#include "setup.h"
#include "term/traverse.h"
#include "transform/passes.h"
#include "transform/terms/inductive_core.h"

namespace lem::transform {
namespace {

/// x counts up from 0, and the property asks about it.
struct Counting : testing::Test {
  Counting() {
    builder.set_init(x, t.bv(0, 8));
    builder.set_update(x, t.make(Op::BvAdd, {x, t.bv(100, 8)}));
  }
  Transformed told(Term bad) {
    auto system = std::move(builder).freeze();
    EXPECT_TRUE(system.ok());
    Problem problem;
    problem.model = *system;
    problem.properties = {{"b0", bad, "b0"}};
    TransformSetup setup{};
    return apply_integers(problem, setup.context());
  }
  std::shared_ptr<TermStore> store = std::make_shared<TermStore>();
  TermStore& t = *store;
  TransitionSystemBuilder builder{store};
  Term x = builder.add_state("x", t.bv_sort(8));
};

TEST_F(Counting, WrapsAround) {
  Transformed made = told(t.make(Op::BvSlt, {x, t.bv(-50, 8)}));
  const StateVar& integer = made.problem.system().states()[0];
  ASSERT_EQ(t.kind(integer.current), SortKind::Int);
  auto after = [&](int value) {
    return evaluate(t, integer.update, {{integer.current, t.integer(value)}});
  };
  EXPECT_EQ(after(0), t.integer(100));
  EXPECT_EQ(after(100), t.integer(-56)) << "signed, as the property compares";
}

TEST_F(Counting, RunsAreOfWordsAgain) {
  Transformed made = told(t.make(Op::BvSlt, {x, t.bv(-50, 8)}));
  TermTrace run{{{{t.integer(0)}, {}}, {{t.integer(100)}, {}}, {{t.integer(-56)}, {}}}};
  auto back = made.back->run(run);
  ASSERT_TRUE(back);
  EXPECT_EQ(std::get<TermTrace>(*back).steps[2].states[0], t.bv(200, 8));
}

TEST_F(Counting, WhatIsOpaqueMayRunOtherwise) {
  Term odd = t.make(Op::BvXor, {x, t.bv(0x55, 8)});
  Transformed made = told(t.make(Op::BvUlt, {odd, t.bv(3, 8)}));
  ASSERT_EQ(made.problem.system().inputs().size(), 1U);
  TermTrace run{{{{t.integer(0)}, {t.integer(2)}}}};
  EXPECT_FALSE(made.back->run(run)) << "0 ^ 0x55 is not below 3";
}

TEST_F(Counting, InvariantsGetRoomForTheirSums) {
  Transformed made = told(t.make(Op::BvUlt, {t.bv(250, 8), x}));
  Term integer = made.problem.system().states()[0].current;
  Term twice = t.make_le(t.make_mul(t.integer(2), integer), t.integer(300));
  // Not inductive: it is kept as it is.
  std::optional<Certificate> back = made.back->certificate(TermInvariant{twice});
  ASSERT_TRUE(back);
  Term said = std::get<TermInvariant>(*back).invariant;
  EXPECT_TRUE(t.is_true(evaluate(t, said, {{x, t.bv(150, 8)}})));
  EXPECT_TRUE(t.is_false(evaluate(t, said, {{x, t.bv(200, 8)}}))) << "400, not 400 - 256";
}

TEST(InductiveCore, LeavesOutWhatIsNotNeeded) {
  auto store = std::make_shared<TermStore>();
  TermStore& t = *store;
  TransitionSystemBuilder builder(store);
  Term x = builder.add_state("x", t.int_sort()), y = builder.add_state("y", t.int_sort());
  Term idle = builder.add_state("idle", t.int_sort());
  builder.set_update(x, t.make_add(x, y));
  builder.set_update(y, y);
  builder.set_update(idle, idle);
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  Term bad = t.make_lt(x, t.integer(0));
  Term grows = t.make_le(t.integer(0), y), still = t.make_eq(idle, t.integer(7));
  EXPECT_EQ(inductive_core(*system, bad, t.make_and(grows, still)), grows);
  EXPECT_EQ(inductive_core(*system, bad, still), still) << "not inductive: nothing is left out";
}

}  // namespace
}  // namespace lem::transform
