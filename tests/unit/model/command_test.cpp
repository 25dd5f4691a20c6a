// Guarded commands: the transformers by their definitions, and all of them against execution.
#include "model/command.h"

#include <gtest/gtest.h>

#include <set>

#include "support/random_commands.h"
#include "term/traverse.h"

namespace lem {
namespace {

class Commands : public testing::Test {
 protected:
  TermStore t;
  Term x = t.variable("x", t.int_sort());
  Term y = t.variable("y", t.int_sort());
  Term positive = t.make_gt(x, t.integer(0));
};

/// [Lange18 Def. 2.22]
TEST_F(Commands, WepOfEachKind) {
  Command add = Command::assign(x, t.make_add(x, y));
  Command guard = Command::assume(t.make_lt(y, t.integer(3)));
  EXPECT_EQ(wep(t, add, positive).formula, t.make_gt(t.make_add(x, y), t.integer(0)));
  EXPECT_EQ(wep(t, guard, positive).formula, t.make_and(positive, t.make_lt(y, t.integer(3))));
  EXPECT_EQ(wep(t, Command::sequence({guard, add}), positive).formula,
            t.make_and(t.make_lt(y, t.integer(3)), wep(t, add, positive).formula));
  EXPECT_EQ(wep(t, Command::choice({guard, add}), positive).formula,
            t.make_or(wep(t, guard, positive).formula, wep(t, add, positive).formula));
  EXPECT_EQ(wep(t, Command::skip(), positive).formula, positive);
  EXPECT_TRUE(t.is_false(wep(t, Command::choice({}), positive).formula));
}

/// [Lange18 Example 2.15]: x^8 = 256 before three squarings of x.
TEST_F(Commands, WepOfRepeatedSquaring) {
  Command square = Command::assign(x, t.make_mul(x, x));
  Term post = t.make_eq(x, t.integer(256));
  Term pre = wep(t, Command::sequence({square, square, square}), post).formula;
  for (int value : {-3, -2, -1, 0, 1, 2, 3})
    EXPECT_EQ(t.is_true(evaluate(t, pre, {{x, t.integer(value)}})), value == 2 || value == -2);
}

TEST_F(Commands, HavocLeavesAFreshVariableWhereItMatters) {
  Existential any = wep(t, Command::havoc(x), positive);
  ASSERT_EQ(any.fresh.size(), 1U);
  EXPECT_EQ(any.formula, t.make_gt(any.fresh.front(), t.integer(0)));
  EXPECT_TRUE(wep(t, Command::havoc(y), positive).fresh.empty());
}

TEST_F(Commands, SplitListsThePaths) {
  Command a = Command::assign(x, t.integer(1));
  Command b = Command::assign(x, t.integer(2));
  Command c = Command::assume(positive);
  std::vector<Command> paths =
      split(Command::sequence({Command::choice({a, b}), c, Command::choice({b, c})}));
  ASSERT_EQ(paths.size(), 4U);
  for (const Command& path : paths) {
    EXPECT_EQ(path.kind(), Command::Kind::Sequence);
    EXPECT_EQ(path.parts().size(), 3U);
  }
  EXPECT_EQ(split(a).size(), 1U);
  EXPECT_TRUE(split(Command::choice({})).empty());
}

TEST_F(Commands, CompoundsAreFlat) {
  Command a = Command::assume(positive);
  Command nested = Command::sequence({a, Command::sequence({a, Command::sequence({a, a})})});
  EXPECT_EQ(nested.parts().size(), 4U);
  EXPECT_EQ(Command::choice({a}).kind(), Command::Kind::Assume);
  EXPECT_EQ(Command::sequence({Command::skip(), a}).kind(), Command::Kind::Assume);
}

TEST_F(Commands, VariablesAndAssignedOnes) {
  Command both = Command::sequence({Command::assume(positive), Command::assign(y, x)});
  EXPECT_EQ(assigned(both), std::vector<Term>{y});
  EXPECT_EQ(variables_of(t, both), (std::vector<Term>{x, y}));
}

// All of them against execution ----------------------------------------------------------------

using test::RandomCommands;
using State = RandomCommands::State;

TEST(CommandsFuzz, TransformersAgreeWithExecution) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCommands r(seed);
    Command command = r.command(2);
    Term goal = r.guard();
    Existential before = wep(r.t, command, goal);
    Existential after = sp(r.t, command, goal);
    Existential step = transition(r.t, command, r.variables, r.next);
    if (before.fresh.size() > 3 || after.fresh.size() > 3 || step.fresh.size() > 3) continue;
    std::set<State> reached;
    std::vector<Command> paths = split(command);
    for (const State& from : RandomCommands::all_states()) {
      std::set<State> ends = r.execute(command, from);
      bool good =
          std::any_of(ends.begin(), ends.end(), [&](const State& to) { return r.holds(goal, to); });
      ASSERT_EQ(r.possible(before, r.values(from)), good);
      if (r.holds(goal, from)) reached.insert(ends.begin(), ends.end());
      std::set<State> along;
      for (const Command& path : paths) along.merge(r.execute(path, from));
      ASSERT_EQ(along, ends);
    }
    for (const State& to : RandomCommands::all_states())
      ASSERT_EQ(r.possible(after, r.values(to)), reached.contains(to));
    for (const State& from : {State{0, 0, 0}, State{1, 2, 3}, State{3, 3, 1}}) {
      std::set<State> ends = r.execute(command, from);
      for (const State& to : RandomCommands::all_states()) {
        TermMap map = r.values(from);
        for (std::size_t i = 0; i < 3; ++i) map[r.next[i]] = r.t.bv(to[i], 2);
        ASSERT_EQ(r.possible(step, map), ends.contains(to));
      }
    }
  }
}

}  // namespace
}  // namespace lem
