#include "check/horn.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/small_horn.h"

namespace lem::check {
namespace {

/// mc(101, 91) by the first clause, mc(100, 91) by the second from mc(111, 101) and mc(101, 91).
struct Derived {
  test::NamedHorn mc = test::mccarthy(false);
  Derivation derivation;

  Term number(int n) const { return mc.system.terms->integer(n); }
  Derived() {
    auto step = [&](std::size_t clause, std::vector<std::pair<const char*, int>> named,
                    std::vector<std::size_t> premises) {
      Derivation::Step made{clause, {}, std::move(premises)};
      const HornSystem& s = mc.system;
      for (Term variable : variables_of(s, s.clauses[clause]))
        for (auto [name, value] : named)
          if (s.terms->name(variable) == name) made.values.push_back(number(value));
      derivation.steps.push_back(std::move(made));
    };
    step(0, {{"n", 103}}, {});
    step(2, {{"n", 103}, {"r", 93}}, {0});
  }
};

TEST(HornReplay, AcceptsADerivation) {
  Derived one;
  EXPECT_EQ(replay(one.mc.system, one.derivation), std::nullopt);
}

TEST(HornReplay, NamesWhatIsWrong) {
  Derived one;
  one.derivation.steps[0].values[0] = one.number(104);
  EXPECT_EQ(replay(one.mc.system, one.derivation), "a premise has other values at step 2");
  one.derivation.steps[0].values[0] = one.number(99);
  EXPECT_EQ(replay(one.mc.system, one.derivation), "the constraint of the clause fails at step 1");
  Derived two;
  two.derivation.steps[1].premises = {1};
  EXPECT_EQ(replay(two.mc.system, two.derivation), "a premise comes later at step 2");
  two.derivation.steps.pop_back();
  EXPECT_EQ(replay(two.mc.system, two.derivation), "the derivation does not end in a query");
  two.derivation.steps.clear();
  EXPECT_EQ(replay(two.mc.system, two.derivation), "the derivation has no steps");
}

/// r = n - 10 above 101, else 91.
Interpretation meaning_of(const HornSystem& system) {
  TermStore& t = *system.terms;
  Term n = t.variable("a", t.int_sort()), r = t.variable("b", t.int_sort());
  Term high = t.make_gt(n, t.integer(101));
  return {{{{n, r},
            t.make_ite(high, t.make_eq(r, t.make_sub(n, t.integer(10))),
                       t.make_eq(r, t.integer(91)))}}};
}

TEST(HornInterpretation, AcceptsAModel) {
  test::NamedHorn mc = test::mccarthy(true);
  Interpretation claim = meaning_of(mc.system);
  EXPECT_EQ(misfit(mc.system, claim), std::nullopt);
  EXPECT_EQ(check_interpretation(mc.system, claim, {}).holds, TermHolds::Yes);
}

TEST(HornInterpretation, NamesTheClauseThatFails) {
  test::NamedHorn mc = test::mccarthy(true);
  Interpretation claim = meaning_of(mc.system);
  claim.of[0].formula = mc.system.terms->boolean(true);
  EXPECT_EQ(check_interpretation(mc.system, claim, {}).failed, "clause 3");
  claim.of[0].formula = mc.system.terms->boolean(false);
  EXPECT_EQ(check_interpretation(mc.system, claim, {}).failed, "clause 1");
}

TEST(HornInterpretation, RefusesWhatDoesNotFit) {
  test::NamedHorn mc = test::mccarthy(true);
  TermStore& t = *mc.system.terms;
  EXPECT_EQ(misfit(mc.system, {}), "it does not speak of all predicates");
  Interpretation claim = meaning_of(mc.system);
  claim.of[0].params.pop_back();
  EXPECT_EQ(misfit(mc.system, claim), "the parameters of 'mc' do not fit");
  claim = meaning_of(mc.system);
  claim.of[0].formula = t.make_le(t.variable("other", t.int_sort()), t.integer(0));
  EXPECT_EQ(misfit(mc.system, claim), "'mc' depends on what is no parameter");
  claim.of[0].formula = {};
  EXPECT_EQ(misfit(mc.system, claim), "a predicate without a formula depends on itself");
}

TEST(HornInterpretation, TakesAPredicateAtItsClauses) {
  test::NamedHorn one = test::procedures(true);
  TermStore& t = *one.system.terms;
  Term in = t.variable("in", t.int_sort()), out = t.variable("out", t.int_sort());
  Term half = t.make_le(t.make_mul(t.integer(2), out), in);
  // M and D are what their clauses say.
  Interpretation claim{{{{in, out}, {}}, {{in, out}, half}, {{in, out}, {}}}};
  ASSERT_EQ(misfit(one.system, claim), std::nullopt);
  EXPECT_EQ(check_interpretation(one.system, claim, {}).holds, TermHolds::Yes);
  claim.of[1].formula = t.boolean(true);
  EXPECT_EQ(check_interpretation(one.system, claim, {}).holds, TermHolds::No);
}

}  // namespace
}  // namespace lem::check
