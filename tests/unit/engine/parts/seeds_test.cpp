#include "engine/parts/terms/seeds/seeds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/ic3ia/options.h"
#include "engine/parts/terms/seeds/affine.h"
#include "engine/registry.h"
#include "unit/engine/small_systems.h"

namespace lem::engine {
namespace {

std::vector<Term> seeds(const Problem& problem, std::string_view settings) {
  test::Bench bench(kIc3iaInfo, settings);
  TermSystem system(problem);
  Context ctx{bench.options, bench.stats, bench.log, bench.progress, bench.stop.get_token()};
  return find_seeds(system, problem, Ic3iaConfig(bench.options).seeds(system.terms()), ctx)
      .predicates;
}

bool has(const std::vector<Term>& predicates, const TermStore& terms, Term formula) {
  return std::find(predicates.begin(), predicates.end(), terms.atom_of(formula)) !=
         predicates.end();
}

TEST(Seeds, AreThoseOfInitAndPropertyUnlessAskedForMore) {
  Problem problem = test::two_counters(true).problem;
  EXPECT_EQ(seeds(problem, "").size(), 3U);  // x = 0, y = 0, y < x
}

TEST(Seeds, BoundsComeFromConstantsComparedOrAssigned) {
  Problem problem = test::saturating_counter(true).problem;
  TermStore& t = problem.system().terms();
  Term x = problem.system().states()[0].current;
  std::vector<Term> found = seeds(problem, "ic3ia.seed-bounds=on");
  for (int constant : {10, 20}) {
    EXPECT_TRUE(has(found, t, t.make_bv_ule(x, t.bv(constant, 8))));
    EXPECT_TRUE(has(found, t, t.make_bv_ule(t.bv(constant, 8), x)));
  }
  EXPECT_FALSE(has(found, t, t.make_bv_ule(x, t.bv(33, 8))));
}

TEST(Seeds, BoundsOverNumbersAreBothSides) {
  Problem problem = test::thermostat(true).problem;
  TermStore& t = problem.system().terms();
  Term heat = problem.system().states()[0].current;
  std::vector<Term> found = seeds(problem, "ic3ia.seed-bounds=on");
  EXPECT_TRUE(has(found, t, t.make_le(heat, t.real(8))));
  EXPECT_TRUE(has(found, t, t.make_ge(heat, t.real(8))));
}

TEST(Seeds, EqualitiesAreOfStatesThatMayStartEqual) {
  Problem problem = test::two_counters(true).problem;
  TermStore& t = problem.system().terms();
  Term x = problem.system().states()[0].current;
  Term y = problem.system().states()[1].current;
  EXPECT_TRUE(has(seeds(problem, "ic3ia.seed-equalities=on"), t, t.make_eq(x, y)));
  Problem apart = test::named_system("apart", true, [](auto& b, TermStore& terms) {
                    Term a = b.add_state("a", terms.int_sort());
                    Term c = b.add_state("c", terms.int_sort());
                    b.set_init(a, terms.integer(0));
                    b.set_init(c, terms.integer(1));
                    return terms.make_lt(a, terms.integer(0));
                  }).problem;
  TermStore& u = apart.system().terms();
  Term equal = u.make_eq(apart.system().states()[0].current, apart.system().states()[1].current);
  EXPECT_FALSE(has(seeds(apart, "ic3ia.seed-equalities=on"), u, equal));
}

TEST(Seeds, AffineRelationsOfTheRunsAreFound) {
  Problem problem = test::two_counters(true).problem;  // y = 2 x
  TermStore& t = problem.system().terms();
  Term x = problem.system().states()[0].current;
  Term y = problem.system().states()[1].current;
  std::vector<Term> found = seeds(problem, "ic3ia.seed-affine=on");
  Term twice = t.make_mul(t.integer(2), x);
  EXPECT_TRUE(has(found, t, t.make_le(y, twice)));
  EXPECT_TRUE(has(found, t, t.make_ge(y, twice)));
}

TEST(Seeds, AffineRelationsAreFoundPerLocation) {
  Problem problem = test::two_locations().problem;
  TermStore& t = problem.system().terms();
  Term a = problem.system().states()[1].current;
  Term b = problem.system().states()[2].current;
  std::vector<Term> found = seeds(problem, "ic3ia.seed-affine=on");
  EXPECT_TRUE(has(found, t, t.make_le(a, b)));
  EXPECT_TRUE(has(found, t, t.make_ge(t.make_add(a, t.integer(1)), b)));
}

TEST(Seeds, AffineRelationsAreTheSameInEveryRun) {
  Problem problem = test::open_relation(true).problem;
  EXPECT_EQ(seeds(problem, "ic3ia.seed-affine=on"), seeds(problem, "ic3ia.seed-affine=on"));
}

TEST(Seeds, EngineDecidesSmallSystemsWithAllSeeds) {
  test::decides_small_systems(kIc3iaInfo,
                              "ic3ia.seed-bounds=on,ic3ia.seed-equalities=on,ic3ia.seed-affine=on");
}

using Points = std::vector<std::vector<mpq_class>>;

TEST(AffineHull, OfALineHasOneEquationInThePlane) {
  Points points;
  for (int i = 0; i < 6; ++i) points.push_back({i, mpq_class(1, 2) * i + 3});
  std::vector<AffineEquation> equations = affine_hull(points, 3);
  ASSERT_EQ(equations.size(), 1U);
  for (const std::vector<mpq_class>& point : points)
    EXPECT_EQ(equations[0].coefficients[0] * point[0] + equations[0].coefficients[1] * point[1],
              equations[0].constant);
}

TEST(AffineHull, OfTheWholePlaneHasNone) {
  EXPECT_TRUE(affine_hull({{0, 0}, {1, 0}, {0, 1}, {5, 7}, {2, 9}, {4, 4}}, 3).empty());
}

TEST(AffineHull, OfAPointSaysItsCoordinates) {
  std::vector<AffineEquation> equations = affine_hull({{4, 5}}, 0);
  ASSERT_EQ(equations.size(), 2U);
  EXPECT_EQ(equations[0].constant, 4);
  EXPECT_EQ(equations[1].constant, 5);
}

TEST(AffineHull, IsNotTrustedWhenPointsAreFew) {
  EXPECT_TRUE(affine_hull({{1, 2}, {3, 4}}, 1).empty());
  EXPECT_TRUE(affine_hull({}, 0).empty());
}

}  // namespace
}  // namespace lem::engine
