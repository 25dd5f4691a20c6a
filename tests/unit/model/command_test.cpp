// Guarded commands: the transformers by their definitions, and all of them against execution.
#include "model/command.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

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

/// [004 Definition 2.22]
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

/// [004 Example 2.15]: x^8 = 256 before three squarings of x.
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

using State = std::array<std::uint64_t, 3>;

/// Random commands over three 2-bit variables, and what they do, state by state [004
/// Definition 2.18].
class RandomCommands {
 public:
  explicit RandomCommands(std::uint32_t seed) : random_(seed) {
    for (const char* name : {"a", "b", "c"}) {
      variables.push_back(t.variable(name, t.bv_sort(2)));
      next.push_back(t.variable(std::string(name) + "'", t.bv_sort(2)));
    }
  }

  Command command(int depth) {
    switch (depth == 0 ? below(3) : below(5)) {
      case 0:
        return Command::assign(any_variable(), value());
      case 1:
        return Command::assume(guard());
      case 2:
        return Command::havoc(any_variable());
      case 3:
        return Command::sequence(parts(depth));
      default:
        return Command::choice(parts(depth));
    }
  }
  Term guard() {
    Term left = value();
    return below(2) == 0 ? t.make_eq(left, value()) : t.make(Op::BvUlt, {left, value()});
  }

  std::set<State> execute(const Command& command, const State& from) {
    switch (command.kind()) {
      case Command::Kind::Assign: {
        State to = from;
        to[index_of(command.variable())] = number(command.value(), from);
        return {to};
      }
      case Command::Kind::Assume:
        return holds(command.guard(), from) ? std::set<State>{from} : std::set<State>{};
      case Command::Kind::Havoc: {
        std::set<State> all;
        for (std::uint64_t v = 0; v < 4; ++v) {
          State to = from;
          to[index_of(command.variable())] = v;
          all.insert(to);
        }
        return all;
      }
      case Command::Kind::Sequence: {
        std::set<State> here{from};
        for (const Command& part : command.parts()) {
          std::set<State> there;
          for (const State& state : here) there.merge(execute(part, state));
          here = std::move(there);
        }
        return here;
      }
      case Command::Kind::Choice: {
        std::set<State> all;
        for (const Command& part : command.parts()) all.merge(execute(part, from));
        return all;
      }
    }
    return {};
  }

  TermMap values(const State& state) {
    TermMap map;
    for (std::size_t i = 0; i < 3; ++i) map[variables[i]] = t.bv(state[i], 2);
    return map;
  }
  bool holds(Term formula, const State& state) {
    return t.is_true(evaluate(t, formula, values(state)));
  }
  /// Whether some values of the fresh variables make it true.
  bool possible(const Existential& formula, TermMap map, std::size_t from = 0) {
    if (from == formula.fresh.size()) return t.is_true(evaluate(t, formula.formula, map));
    for (std::uint64_t v = 0; v < 4; ++v) {
      map[formula.fresh[from]] = t.bv(v, 2);
      if (possible(formula, map, from + 1)) return true;
    }
    return false;
  }
  static std::vector<State> all_states() {
    std::vector<State> all;
    for (std::uint64_t i = 0; i < 64; ++i) all.push_back({i & 3, i >> 2 & 3, i >> 4});
    return all;
  }

  TermStore t;
  std::vector<Term> variables, next;

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  Term any_variable() { return variables[below(3)]; }
  Term value() {
    switch (below(4)) {
      case 0:
        return t.bv(below(4), 2);
      case 1:
        return t.make(Op::BvAdd, {any_variable(), t.bv(1 + below(3), 2)});
      default:
        return any_variable();
    }
  }
  std::vector<Command> parts(int depth) {
    std::vector<Command> made;
    for (std::size_t n = 2 + below(2); n > 0; --n) made.push_back(command(depth - 1));
    return made;
  }
  std::size_t index_of(Term variable) const {
    return static_cast<std::size_t>(std::find(variables.begin(), variables.end(), variable) -
                                    variables.begin());
  }
  std::uint64_t number(Term term, const State& state) {
    return t.integer_value(evaluate(t, term, values(state))).get_ui();
  }

  std::mt19937 random_;
};

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
