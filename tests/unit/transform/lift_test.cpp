#include "transform/lift.h"

#include <gtest/gtest.h>

#include "check/terms.h"
#include "support/explicit.h"
#include "support/explicit_terms.h"
#include "support/random_aig.h"

namespace lem {
namespace {

TEST(Lift, VerdictsStay) {
  int safe = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Problem bits = test::random_problem(seed, {.inputs = 2, .latches = 4, .gates = 12});
    Problem terms = lift_to_terms(bits);
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
  Problem lifted = lift_to_terms(bits);
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

}  // namespace
}  // namespace lem
