// Transition systems as the SMT engines see them.
#include "engine/parts/terms/system.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "check/terms.h"
#include "unit/engine/small_systems.h"

namespace lem::engine {
namespace {

TEST(TermSystemTest, PromotesInputsThatBadOrTheConstraintMention) {
  auto example = test::named_system("inputs", true, [](TransitionSystemBuilder& b, TermStore& t) {
    Term x = b.add_state("x", t.int_sort());
    Term bounded = b.add_input("bounded", t.int_sort());
    Term seen = b.add_input("seen", t.bool_sort());
    Term free = b.add_input("free", t.int_sort());
    b.set_update(x, t.make_add(t.make_add(x, bounded), free));
    b.add_constraint(t.make_le(bounded, t.integer(3)));
    return t.make_and(seen, t.make_lt(x, t.integer(0)));
  });
  TermSystem system(example.problem);
  TermStore& t = system.terms();
  ASSERT_EQ(system.current().size(), 3U);
  ASSERT_EQ(system.inputs().size(), 1U);
  EXPECT_EQ(t.name(system.inputs()[0]), "free");
  auto over = [&](Term formula, std::initializer_list<std::span<const Term>> lists) {
    std::vector<Term> used = variables_of(t, formula);
    return std::all_of(used.begin(), used.end(), [&](Term variable) {
      return std::any_of(lists.begin(), lists.end(), [&](std::span<const Term> list) {
        return std::find(list.begin(), list.end(), variable) != list.end();
      });
    });
  };
  EXPECT_TRUE(over(system.bad(), {system.current()}));
  EXPECT_TRUE(over(system.init(), {system.current()}));
  EXPECT_TRUE(over(system.trans(), {system.current(), system.inputs(), system.next()}));
  EXPECT_TRUE(over(system.prime(system.bad()), {system.next()}));
}

/// The constraint holds at both ends of every step: a state that violates it has no predecessor.
TEST(TermSystemTest, FoldsTheConstraintIn) {
  test::NamedSystem example = test::constrained(true);
  TermSystem system(example.problem);
  TermStore& t = system.terms();
  Term step = system.current()[1];
  EXPECT_EQ(t.name(step), "step");
  TermMap bad_first{{step, t.integer(-1)}};
  EXPECT_TRUE(t.is_false(substitute(t, system.init(), bad_first)));
  EXPECT_TRUE(t.is_false(substitute(t, system.trans(), bad_first)));
  EXPECT_TRUE(t.is_false(substitute(t, system.trans(), {{system.prime(step), t.integer(-1)}})));
}

TEST(TermSystemTest, UnrollsStepsOverTheirOwnVariables) {
  test::NamedSystem example = test::two_counters(false);
  TermSystem system(example.problem);
  TermStore& t = system.terms();
  TermUnroller path(system, "a:");
  TermUnroller other(system, "b:");
  Term x = system.current()[0];
  EXPECT_EQ(path.at(x, 3), path.at(x, 3));
  EXPECT_NE(path.at(x, 3), path.at(x, 4));
  EXPECT_NE(path.at(x, 3), other.at(x, 3));
  EXPECT_EQ(path.between(system.prime(x), 3), path.at(x, 4));
  EXPECT_EQ(path.between(x, 3), path.at(x, 3));
  EXPECT_EQ(path.at(t.make_le(x, t.integer(1)), 0), t.make_le(path.at(x, 0), t.integer(1)));
}

TEST(TermSystemTest, ReadsTracesThatReplay) {
  test::NamedSystem example = test::two_counters(false);
  TermSystem system(example.problem);
  TermStore& t = system.terms();
  TermTrace trace = system.trace(4, [&](Term variable, std::size_t step) -> Term {
    int n = static_cast<int>(step);
    if (t.kind(variable) == SortKind::Bool) return t.boolean(true);
    return t.integer(t.name(variable) == "x" ? n : 2 * n);
  });
  EXPECT_FALSE(
      check::replay(example.problem.system(), example.problem.property().bad_term(), trace));
}

}  // namespace
}  // namespace lem::engine
