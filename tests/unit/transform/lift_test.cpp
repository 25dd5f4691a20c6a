#include "transform/lift.h"

#include <gtest/gtest.h>

#include "check/certify.h"
#include "check/terms.h"
#include "support/explicit.h"
#include "support/explicit_terms.h"
#include "support/random_aig.h"
#include "transform/passes.h"
#include "unit/transform/setup.h"

namespace lem::transform {
namespace {

TEST(Lift, VerdictsStay) {
  int safe = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Problem bits = test::random_problem(seed, {.inputs = 2, .latches = 4, .gates = 12});
    Problem terms = lift_to_terms(bits).problem;
    ASSERT_EQ(terms.system().states().size(), 4U);
    bool is_safe = test::explore(bits).safe();
    test::ExplicitTerms found = test::explore_terms(terms);
    ASSERT_EQ(!found.trace.has_value(), is_safe) << "seed " << seed;
    safe += is_safe ? 1 : 0;
    if (found.trace) {
      auto wrong = check::replay(terms.system(), terms.property().bad_term(), *found.trace);
      EXPECT_FALSE(wrong.has_value()) << *wrong;
    }
  }
  EXPECT_GT(safe, 5);
  EXPECT_LT(safe, 55);
}

TEST(Lift, KeepsNamesAndResets) {
  AigBuilder builder;
  AigLit input = builder.add_input();
  AigLit first = builder.add_latch(Reset::One);
  AigLit second = builder.add_latch(Reset::Free);
  builder.set_next(first, !second);
  builder.set_next(second, input);
  Problem bits;
  bits.model = std::move(builder).freeze();
  bits.properties = {{"never", !first, "b0"}};
  bits.source.latch_names = {"flag", ""};
  Problem lifted = lift_to_terms(bits).problem;
  const TransitionSystem& system = lifted.system();
  TermStore& terms = system.terms();
  EXPECT_EQ(terms.name(system.states()[0].current), "flag");
  EXPECT_EQ(terms.name(system.states()[1].current), "l1");
  EXPECT_EQ(terms.name(system.inputs()[0]), "i0");
  EXPECT_TRUE(terms.is_true(system.states()[0].init));
  EXPECT_FALSE(system.states()[1].init);
  EXPECT_EQ(system.states()[0].update, terms.make_not(system.states()[1].current));
  EXPECT_EQ(lifted.properties[0].bad_term(), terms.make_not(system.states()[0].current));
}

/// The invariants are disjunctions of states: as clauses, products.
TEST(Lift, EvidenceComesBack) {
  TransformSetup setup({});
  int safe = 0;
  int unsafe = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Problem bits = test::random_problem(seed, {.inputs = 2, .latches = 3, .gates = 12});
    Pipeline pipeline(bits, setup.context(), Rung::Terms);
    Verdict back = pipeline.back(test::explore_terms(pipeline.problem()).verdict());
    ASSERT_FALSE(std::holds_alternative<Unknown>(back)) << "seed " << seed;
    (std::holds_alternative<Safe>(back) ? safe : unsafe) += 1;
    EXPECT_TRUE(check::certify(bits, back, {}).ok()) << "seed " << seed;
  }
  EXPECT_GT(safe, 10);
  EXPECT_GT(unsafe, 10);
}

/// Two latches that move alike, a third that chooses between them.
TEST(Lift, EqualityAndChoiceComeBack) {
  AigBuilder builder;
  AigLit input = builder.add_input();
  std::vector<AigLit> latches;
  for (int i = 0; i < 3; ++i) latches.push_back(builder.add_latch(Reset::Zero));
  for (AigLit latch : latches) builder.set_next(latch, input);
  AigLit bad = builder.and_gate(latches[0], !latches[1]);
  Problem bits;
  bits.model = std::move(builder).freeze();
  bits.properties = {{"differ", bad, "b0"}};
  TransformSetup setup({});
  Transformed lifted = apply_lift(bits, setup.context());
  const TransitionSystem& system = lifted.problem.system();
  TermStore& terms = system.terms();
  Term a = system.states()[0].current;
  Term b = system.states()[1].current;
  Term c = system.states()[2].current;
  Term same = terms.make_and(terms.make_eq(a, b), terms.make_eq(b, c));
  for (Term invariant : {same, terms.make_and(same, terms.make_ite(c, a, terms.make_not(b)))}) {
    auto back = lifted.back->certificate(TermInvariant{invariant});
    ASSERT_TRUE(back.has_value());
    EXPECT_TRUE(check::certify(bits, Safe{*back}, {}).ok());
  }
  Term wrong = terms.make_xor(a, b);
  auto back = lifted.back->certificate(TermInvariant{wrong});
  ASSERT_TRUE(back.has_value());
  EXPECT_FALSE(check::certify(bits, Safe{*back}, {}).ok());
}

}  // namespace
}  // namespace lem::transform
