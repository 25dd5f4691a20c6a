// Simplex: answers, explanations and values on random systems, and its invariants.
#include "arith/simplex.h"

#include <gtest/gtest.h>

#include "support/random_aig.h"

namespace lem::arith {
namespace {

TEST(ArithSimplex, RefutesAChainOfInequalities) {
  Simplex simplex;
  const Column x = simplex.add_column(Simplex::Integral::No);
  const Column y = simplex.add_column(Simplex::Integral::No);
  const Column sum = simplex.add_form({{1, x}, {1, y}});
  const BoundId sum_high(simplex.add_atom(sum, 5, false), false);  // x + y <= 5
  const BoundId x_low(simplex.add_atom(x, 3, true), true);         // x >= 3
  const BoundId y_low(simplex.add_atom(y, 2, false), true);        // y > 2
  EXPECT_TRUE(simplex.assert_bound(sum_high));
  EXPECT_TRUE(simplex.assert_bound(x_low));
  EXPECT_EQ(simplex.check(), Simplex::Outcome::Feasible);
  const std::size_t before = simplex.trail_size();
  EXPECT_TRUE(simplex.assert_bound(y_low));
  ASSERT_EQ(simplex.check(), Simplex::Outcome::Conflict);
  EXPECT_EQ(simplex.conflict().size(), 3U);
  EXPECT_TRUE(simplex.refutes(simplex.conflict()));
  simplex.backtrack(before);
  EXPECT_EQ(simplex.check(), Simplex::Outcome::Feasible);
  EXPECT_TRUE(simplex.is_consistent());
}

TEST(ArithSimplex, SharesColumnsAndAtoms) {
  Simplex simplex;
  const Column x = simplex.add_column(Simplex::Integral::Yes);
  const Column y = simplex.add_column(Simplex::Integral::Yes);
  const Column form = simplex.add_form({{2, x}, {3, y}});
  EXPECT_EQ(simplex.add_form({{2, x}, {3, y}}), form);
  EXPECT_NE(simplex.add_form({{2, x}, {-3, y}}), form);
  EXPECT_TRUE(simplex.is_integral(form));
  const AtomIndex atom = simplex.add_atom(form, 4, false);
  EXPECT_EQ(simplex.add_atom(form, 5, true), atom) << "s < 5 is s <= 4 over integers";
  EXPECT_EQ(simplex.add_atom(form, Number(mpq_class(9, 2)), false), atom);
  EXPECT_EQ(simplex.bound_value(BoundId(atom, true)), Delta(5));
}

TEST(ArithSimplex, ExplainsWithTheWeakestBounds) {
  Simplex simplex;
  const Column x = simplex.add_column(Simplex::Integral::No);
  const BoundId weak(simplex.add_atom(x, 3, false), false);    // x <= 3
  const BoundId strong(simplex.add_atom(x, 1, false), false);  // x <= 1
  const BoundId low(simplex.add_atom(x, 7, false), true);      // x > 7
  EXPECT_TRUE(simplex.assert_bound(weak));
  EXPECT_TRUE(simplex.assert_bound(strong));
  ASSERT_FALSE(simplex.assert_bound(low));
  bool has_weak = false;
  for (const Weighted& each : simplex.conflict()) has_weak = has_weak || each.bound == weak;
  EXPECT_TRUE(has_weak);
  EXPECT_TRUE(simplex.refutes(simplex.conflict()));
}

/// Random bounds asserted and retracted: every conflict is a contradiction, every feasible state
/// has values within all bounds, also as rational numbers. Factors up to 2^40 make numbers long.
TEST(ArithSimplex, KeepsItsInvariantsOnRandomTraces) {
  int conflicts = 0, feasible = 0;
  bool was_long = false;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    test::Random random(seed);
    Simplex simplex;
    const bool integral = random.percent(50);
    const bool large = random.percent(30);
    std::vector<Column> columns;
    for (int i = 0; i < 5; ++i)
      columns.push_back(
          simplex.add_column(integral ? Simplex::Integral::Yes : Simplex::Integral::No));
    for (int i = 0; i < 8; ++i) {
      LinearForm form;
      for (Column c = 0; c < 5; ++c) {
        Number factor = static_cast<int>(random.below(7)) - 3;
        if (large) factor *= Number(std::int64_t{1} << random.below(40));
        if (!factor.is_zero() && random.percent(60)) form.push_back({factor, c});
      }
      if (form.size() >= 2) columns.push_back(simplex.add_form(form));
    }
    std::vector<BoundId> bounds;
    for (int i = 0; i < 40; ++i) {
      const Column column = columns[random.below(static_cast<std::uint32_t>(columns.size()))];
      const AtomIndex atom =
          simplex.add_atom(column, static_cast<int>(random.below(21)) - 10, random.percent(50));
      bounds.push_back(BoundId(atom, random.percent(50)));
    }
    std::vector<std::size_t> marks;
    for (int i = 0; i < 200; ++i) {
      if (!marks.empty() && random.percent(30)) {
        const std::size_t level = random.below(static_cast<std::uint32_t>(marks.size()));
        simplex.backtrack(marks[level]);
        marks.resize(level);
      }
      marks.push_back(simplex.trail_size());
      const BoundId bound = bounds[random.below(static_cast<std::uint32_t>(bounds.size()))];
      const bool ok = simplex.assert_bound(bound) && simplex.check() == Simplex::Outcome::Feasible;
      ASSERT_TRUE(simplex.is_consistent());
      if (!ok) {
        ++conflicts;
        ASSERT_TRUE(simplex.refutes(simplex.conflict()));
        simplex.backtrack(marks.back());
        marks.pop_back();
        continue;
      }
      ++feasible;
      const Number epsilon = simplex.epsilon();
      for (Column column : columns) {
        const Number value = simplex.concrete(column, epsilon);
        was_long = was_long || value.is_long();
        ASSERT_TRUE(simplex.within_bounds(column));
        for (BoundId each : {simplex.lower(column), simplex.upper(column)}) {
          if (each.is_none()) continue;
          const Delta& limit = simplex.bound_value(each);
          if (each.is_lower())
            EXPECT_TRUE(limit.delta.is_zero() ? value >= limit.real : value > limit.real);
          else
            EXPECT_TRUE(limit.delta.is_zero() ? value <= limit.real : value < limit.real);
        }
      }
    }
  }
  EXPECT_GT(conflicts, 1000);
  EXPECT_GT(feasible, 1000);
  EXPECT_TRUE(was_long) << "the traces must force long numbers";
}

}  // namespace
}  // namespace lem::arith
