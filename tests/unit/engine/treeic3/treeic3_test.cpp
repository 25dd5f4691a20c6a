// TreeIC3 on small automata, each preset; coverage and uncovering driven exactly, on the tree alone
// and in the search.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/treeic3_run.h"

namespace lem::engine {
namespace {

constexpr LocationId kHere{1}, kThere{2};
constexpr StepId kStep{0};

/// root -> a -> b, root -> c; b and c at one location with a.
struct SmallTree {
  Art tree{3, LocationId{0}};
  NodeId a = tree.add_child(NodeId::Root, kStep, kHere);
  NodeId b = tree.add_child(a, kStep, kHere);
  NodeId c = tree.add_child(NodeId::Root, kStep, kHere);
  SmallTree() {
    tree.set_expanded(NodeId::Root);
    tree.set_expanded(a);
  }
};

TEST(TreeIc3Tree, TheLeafOpenedLastComesFirst) {
  SmallTree t;
  EXPECT_EQ(t.tree.next_open(), t.c);
  t.tree.set_expanded(t.c);
  EXPECT_EQ(t.tree.next_open(), t.b);
  t.tree.cover(t.b, t.a);
  EXPECT_EQ(t.tree.next_open(), std::nullopt);
}

TEST(TreeIc3Tree, UncoveringOpensWhatWasCovered) {
  SmallTree t;
  t.tree.cover(t.b, t.a);
  t.tree.cover(t.c, t.a);
  EXPECT_EQ(t.tree.next_open(), std::nullopt);
  EXPECT_EQ(t.tree.uncover(t.a), 2U);
  EXPECT_FALSE(t.tree[t.b].covered_by || t.tree[t.c].covered_by);
  EXPECT_EQ(t.tree.next_open(), t.c);
}

TEST(TreeIc3Tree, ACoveredNodePassesOnWhatItCovers) {
  SmallTree t;
  t.tree.cover(t.c, t.b);
  t.tree.cover(t.b, t.a);
  EXPECT_EQ(t.tree[t.c].covered_by, t.a);
  EXPECT_TRUE(t.tree[t.b].covers.empty());
  EXPECT_EQ(t.tree[t.a].covers.size(), 2U);
}

TEST(TreeIc3Tree, CoveringTakesTheSubtreeAndGivesBackWhatItCovered) {
  SmallTree t;
  NodeId d = t.tree.add_child(t.c, kStep, kThere);
  NodeId e = t.tree.add_child(t.b, kStep, kThere);
  t.tree.set_expanded(t.b);
  t.tree.set_expanded(t.c);
  t.tree.cover(e, d);
  t.tree.cover(t.c, t.a);  // d goes with it, so e is open again
  EXPECT_TRUE(t.tree[d].gone);
  EXPECT_FALSE(t.tree[e].covered_by);
  EXPECT_EQ(t.tree.next_open(), e);
  EXPECT_EQ(t.tree.at(kThere).size(), 1U);
  t.tree.uncover(t.a);  // c is a leaf that must be expanded anew
  EXPECT_EQ(t.tree.next_open(), t.c);
}

TEST(TreeIc3Lemmas, OnlyTheStrongestAreKept) {
  Lemmas all;
  Lit x(0, false), y(1, false);
  LemmaId both = all.of(Cube({x, y})), one = all.of(Cube({x})), none = all.of(Cube());
  NodeLemmas node;
  node.add(all, both);
  EXPECT_FALSE(node.has(all, one));
  node.add(all, one);
  EXPECT_TRUE(node.has(all, both));
  EXPECT_EQ(node.strongest().size(), 1U);
  EXPECT_TRUE(node.excludes(all, Cube({x, !y})));
  EXPECT_FALSE(node.is_false(all));
  node.add(all, none);
  EXPECT_TRUE(node.is_false(all));
}

/// A program over one or two bytes, edge by edge.
struct Program {
  CfaBuilder builder{std::make_shared<TermStore>()};
  TermStore& terms = builder.terms();
  Term x = builder.add_variable("x", terms.bv_sort(8));
  Term y = builder.add_variable("y", terms.bv_sort(8));
  LocationId start = builder.add_location("start");
  LocationId error = builder.add_location("error");
  Program() {
    builder.set_initial(start);
    builder.set_error(error);
  }
  Term value(std::uint64_t number) { return terms.bv(number, 8); }
  Term plus(Term term, std::uint64_t number) {
    return terms.make(Op::BvAdd, {term, value(number)});
  }
  Term below(Term left, Term right) { return terms.make(Op::BvUlt, {left, right}); }
  LocationId location() { return builder.add_location("l"); }
  void edge(LocationId from, std::vector<Command> commands, LocationId to) {
    builder.add_edge(from, Command::sequence(std::move(commands)), to);
  }
  Cfa freeze() {
    auto made = std::move(builder).freeze();
    EXPECT_TRUE(made.ok());
    return std::move(*made);
  }
};

/// A start, then the body again and again; the error needs x to be `bad`. Both are commands made of
/// a Program.
template <class Start, class Body>
Cfa looping(const Start& start, const Body& body, std::uint64_t bad) {
  Program p;
  LocationId loop = p.location();
  p.edge(p.start, start(p), loop);
  p.edge(loop, body(p), loop);
  p.edge(loop, {Command::assume(p.terms.make_eq(p.x, p.value(bad)))}, p.error);
  return p.freeze();
}
using Commands = std::vector<Command>;

/// x counts to ten; the error needs `bad`.
Cfa counter(std::uint64_t bad) {
  return looping([](Program& p) { return Commands{Command::assign(p.x, p.value(0))}; },
                 [](Program& p) {
                   return Commands{Command::assume(p.below(p.x, p.value(10))),
                                   Command::assign(p.x, p.plus(p.x, 1))};
                 },
                 bad);
}

/// Any x; y follows it through two loops, one after the other.
Cfa two_loops(bool together) {
  Program p;
  LocationId first = p.location(), second = p.location();
  Command up = Command::sequence(
      {Command::assign(p.x, p.plus(p.x, 1)), Command::assign(p.y, p.plus(p.y, together ? 1 : 2))});
  p.edge(p.start, {Command::assign(p.y, p.x)}, first);
  p.edge(first, {up}, first);
  p.edge(first, {Command::havoc(p.x), Command::assign(p.y, p.x)}, second);
  p.edge(second, {up}, second);
  p.edge(second, {Command::assume(p.terms.make_not(p.terms.make_eq(p.x, p.y)))}, p.error);
  return p.freeze();
}

class TreeIc3Presets : public testing::TestWithParam<Preset> {
 protected:
  bool reached(const Cfa& cfa) { return test::TreeIc3Run(GetParam().settings).reached(cfa); }
};

TEST_P(TreeIc3Presets, LoopsAreProvedAndRefuted) {
  EXPECT_FALSE(reached(counter(200)));
  EXPECT_TRUE(reached(counter(3)));
  EXPECT_TRUE(reached(counter(0)));
  EXPECT_FALSE(reached(two_loops(true)));
  EXPECT_TRUE(reached(two_loops(false)));
}

TEST_P(TreeIc3Presets, TheErrorMayBeInitialOrOutOfReach) {
  Program at_once;
  at_once.builder.set_error(at_once.start);
  EXPECT_TRUE(reached(at_once.freeze()));
  Program never;
  never.edge(never.start, {Command::assign(never.x, never.value(1))}, never.location());
  EXPECT_FALSE(reached(never.freeze()));
}

INSTANTIATE_TEST_SUITE_P(All, TreeIc3Presets, testing::ValuesIn(kTreeIc3Info.presets),
                         [](const auto& each) { return std::string(each.param.name); });

/// The loop is covered while nothing is known at its head. Then the edge behind it asks for x != 1
/// there: the copy of the head is open again, gets the lemma, and is covered for good.
TEST(TreeIc3Coverage, AStrongerNodeUncoversAndCoversAgain) {
  Program p;
  LocationId loop = p.location(), after = p.location();
  p.edge(p.start, {Command::assign(p.x, p.value(0))}, loop);
  p.edge(loop, {Command::havoc(p.y)}, loop);
  p.edge(loop, {}, after);
  p.edge(after, {Command::assume(p.terms.make_eq(p.x, p.value(1)))}, p.error);
  test::TreeIc3Run run("treeic3.cubes=concrete");
  EXPECT_FALSE(run.reached(p.freeze()));
  EXPECT_EQ(run.counted("nodes"), 3U);
  EXPECT_EQ(run.counted("covered"), 2U);
  EXPECT_EQ(run.counted("uncovered"), 1U);
  EXPECT_EQ(run.counted("lemmas"), 1U);
}

/// Two ways lead to one place with x = 1 and x = 2; the error needs x = 0. The lemma of the first
/// way holds after the second, which is covered without a search of its own.
TEST(TreeIc3Coverage, LemmasOfOneWayCoverTheOther) {
  Program p;
  LocationId one = p.location(), two = p.location(), join = p.location();
  p.edge(p.start, {Command::assign(p.x, p.value(1))}, one);
  p.edge(p.start, {Command::assign(p.x, p.value(2))}, two);
  p.edge(one, {}, join);
  p.edge(two, {}, join);
  p.edge(join, {Command::assume(p.terms.make_eq(p.x, p.value(0)))}, p.error);
  test::TreeIc3Run run("treeic3.cubes=concrete");
  EXPECT_FALSE(run.reached(p.freeze()));
  EXPECT_EQ(run.counted("nodes"), 4U);
  EXPECT_LE(run.counted("lemmas"), 2U);
}

TEST(TreeIc3Predicates, AbstractPathsAreRefinedOnce) {
  test::TreeIc3Run run("treeic3.cubes=ia");
  EXPECT_FALSE(run.reached(counter(200)));
  EXPECT_GE(run.counted("refinements"), 1U);
  EXPECT_GE(run.counted("predicates"), 1U);
}

/// What holds of x and y behind a branch takes a clause of two literals.
Cfa locked(std::uint64_t key) {
  Program p;
  LocationId after = p.location();
  Term wanted = p.terms.make_eq(p.x, p.value(1));
  p.edge(p.start,
         {Command::havoc(p.x), Command::havoc(p.y),
          Command::choice(
              {Command::sequence({Command::assume(wanted), Command::assign(p.y, p.value(key))}),
               Command::assume(p.terms.make_not(wanted))})},
         after);
  p.edge(after,
         {Command::assume(wanted),
          Command::assume(p.terms.make_not(p.terms.make_eq(p.y, p.value(7))))},
         p.error);
  return p.freeze();
}

TEST(TreeIc3Interpolants, ClausesOfSeveralLiteralsAreLemmas) {
  for (const char* cubes : {"itp", "ia"}) {
    test::TreeIc3Run run("treeic3.interpolant-ms=60000,treeic3.cubes=" + std::string(cubes));
    EXPECT_FALSE(run.reached(locked(7)));
    EXPECT_EQ(run.counted("interpolants"), 1U);
    EXPECT_GE(run.counted("lemmas-interpolated"), 1U);
    EXPECT_EQ(run.counted("lemmas"), 0U) << "none by projection";
  }
  EXPECT_TRUE(test::TreeIc3Run("treeic3.cubes=itp").reached(locked(8)));
}

/// x is odd, and any odd number; the error needs zero.
TEST(TreeIc3Congruences, ParityIsFoundWhereValuesWouldBeEnumerated) {
  auto odd = [] {
    return looping([](Program& p) { return Commands{Command::assign(p.x, p.value(1))}; },
                   [](Program& p) {
                     Term twice = p.terms.make(Op::BvAdd, {p.y, p.y});
                     return Commands{Command::havoc(p.y),
                                     Command::assign(p.x, p.terms.make(Op::BvAdd, {p.x, twice}))};
                   },
                   0);
  };
  for (const char* cubes : {"itp", "ia"}) {
    test::TreeIc3Run run("treeic3.cubes=" + std::string(cubes));
    EXPECT_FALSE(run.reached(odd()));
    EXPECT_GE(run.counted("congruences"), 1U);
    EXPECT_LE(run.counted("lemmas"), 8U);
  }
  test::TreeIc3Run without("treeic3.cubes=concrete,treeic3.congruences=0");
  EXPECT_FALSE(without.reached(odd()));
  EXPECT_GT(without.counted("lemmas"), 20U);
}

/// Sums of multiples of four: interpolants over integers are bounds that keep nodes from being
/// covered. Where congruences are of use, paths are interpolated no more.
TEST(TreeIc3Congruences, PutAnEndToInterpolation) {
  auto sums = [] {
    return looping(
        [](Program& p) {
          return Commands{Command::assign(p.x, p.value(0)), Command::assign(p.y, p.value(4))};
        },
        [](Program& p) {
          return Commands{Command::assign(p.x, p.terms.make(Op::BvAdd, {p.x, p.y})),
                          Command::assign(p.y, p.plus(p.y, 4))};
        },
        30);
  };
  for (const char* cubes : {"itp", "ia"}) {
    test::TreeIc3Run run("treeic3.cubes=" + std::string(cubes));
    EXPECT_FALSE(run.reached(sums()));
    EXPECT_GE(run.counted("congruences"), 1U);
    EXPECT_LT(run.counted("interpolations"), run.counted("refinements"));
  }
}

/// The first way gives the predicates x = 11 and x < 10 and is not enough to cover the second,
/// where y is 1. There the value 11 decides x < 10.
TEST(TreeIc3Predicates, CubesAreBlockedByWhatPredicatesSayOfThem) {
  Program p;
  LocationId fork = p.location(), join = p.location();
  auto equal = [&](Term word, std::uint64_t number) {
    return p.terms.make_eq(word, p.value(number));
  };
  p.edge(p.start, {Command::havoc(p.x)}, fork);
  for (std::uint64_t way : {0, 1})
    p.edge(fork,
           {Command::assume(p.below(p.x, p.value(10 - way))), Command::assign(p.y, p.value(way))},
           join);
  for (Term bad : {p.terms.make_and(equal(p.y, 1), equal(p.x, 9)), equal(p.x, 11),
                   p.terms.make_not(p.below(p.x, p.value(10)))})
    p.edge(join, {Command::assume(bad)}, p.error);
  test::TreeIc3Run run("treeic3.cubes=ia,treeic3.reuse=off,treeic3.interpolant-ms=1");
  EXPECT_FALSE(run.reached(p.freeze()));
  EXPECT_GE(run.counted("lemmas-abstract"), 1U);
  EXPECT_GE(run.counted("spurious"), 1U);
}

TEST(CfaRuns, ContradictionsAreReducedToWhatIsNeeded) {
  Cfa cfa = counter(200);
  CfaSteps steps(cfa, 0);
  test::TreeIc3Run run;
  CfaRuns runs(cfa, steps, run.context());
  std::vector<StepId> path{StepId{0}, StepId{1}, StepId{2}};
  CfaRuns::Found found = runs.along(path);
  ASSERT_EQ(found.answer, smt::Answer::Unsat);
  ASSERT_EQ(found.core.size(), 3U);
  for (const std::vector<Term>& part : found.core)
    for (Term each : part)
      for (Term variable : variables_of(cfa.terms(), each))
        EXPECT_NE(variable, cfa.variables()[1]) << "y has no part in it";
  found = runs.along(std::span(path).first(2));
  ASSERT_EQ(found.answer, smt::Answer::Sat);
  EXPECT_EQ(found.run.values.size(), 3U);
}

}  // namespace
}  // namespace lem::engine
