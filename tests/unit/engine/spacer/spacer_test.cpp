#include <gtest/gtest.h>

#include "engine/registry.h"
#include "support/small_horn.h"
#include "unit/engine/engine_support.h"

namespace lem::engine {
namespace {

void decides_small_systems(std::string_view settings) {
  for (test::NamedHorn& one : test::small_horn_systems()) {
    SCOPED_TRACE(one.name + (one.safe ? ", safe " : ", unsafe ") + std::string(settings));
    Problem problem = test::horn_problem(std::move(one.system));
    test::Bench run(kSpacerInfo, settings);
    Verdict verdict = run.check(problem);
    ASSERT_FALSE(std::holds_alternative<Unknown>(verdict));
    EXPECT_EQ(std::holds_alternative<Safe>(verdict), one.safe);
    EXPECT_TRUE(test::is_certified(problem, verdict));
  }
}

TEST(Spacer, DecidesSmallSystemsOfEveryTheory) {
  decides_small_systems("");
}

TEST(Spacer, DecidesSmallSystemsUnderEverySwitch) {
  for (std::string_view settings : {"spacer.premise=last", "spacer.interpolate=off",
                                    "spacer.interpolate-ms=1", "spacer.drop=off"})
    decides_small_systems(settings);
}

TEST(Spacer, AgreesWithEnumeration) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    HornSystem system = test::random_horn(seed);
    bool unsafe = test::has_derivation(system);
    Problem problem = test::horn_problem(std::move(system));
    test::Bench run(kSpacerInfo, "");
    Verdict verdict = run.check(problem);
    ASSERT_FALSE(std::holds_alternative<Unknown>(verdict));
    EXPECT_EQ(std::holds_alternative<Unsafe>(verdict), unsafe);
    EXPECT_TRUE(test::is_certified(problem, verdict));
  }
}

TEST(Spacer, UsesAFactAtSeveralPositions) {
  // A derivation of 2^12 leaves, and 13 facts: f(0, 1); f(n + 1, a + b) from f(n, a), f(n, b).
  HornSystem s{std::make_shared<TermStore>(), {}, {}};
  TermStore& t = *s.terms;
  Sort i = t.int_sort();
  s.predicates.push_back({"f", {i, i}, {"n", "r"}});
  Term n = t.variable("n", i), a = t.variable("a", i), b = t.variable("b", i);
  s.clauses.push_back({{}, t.boolean(true), {{0, {t.integer(0), t.integer(1)}}}, {}});
  s.clauses.push_back({{{0, {n, a}}, {0, {n, b}}},
                       t.boolean(true),
                       {{0, {t.make_add(n, t.integer(1)), t.make_add(a, b)}}},
                       {}});
  s.clauses.push_back({{{0, {n, a}}}, t.make_eq(n, t.integer(12)), {}, {}});
  Problem problem = test::horn_problem(std::move(s));
  test::Bench run(kSpacerInfo, "");
  Verdict verdict = run.check(problem);
  ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
  EXPECT_TRUE(test::is_certified(problem, verdict));
  EXPECT_LE(std::get<Derivation>(std::get<Unsafe>(verdict).run).steps.size(), 14U);
}

}  // namespace
}  // namespace lem::engine
