// Examples 4.6 to 4.13 of the thesis [Lange18 4.3] on the part of Figure 4.3 that they speak
// of: l4 --assume a >= 0--> l6 and l5 --a := -a--> l6, over chars. The cube of the examples is y >=
// a & y > 0 & b = 0 & b >= 0; where the text writes y >= 0 of the same literal, y > 0 is meant.
#include <gtest/gtest.h>

#include "engine/ic3cfa/generalization.h"
#include "support/ic3cfa_run.h"

namespace lem::engine {
namespace {

struct Fragment {
  explicit Fragment(std::string_view settings = "") : run(settings), config(run.config()) {
    CfaBuilder builder(std::make_shared<TermStore>());
    TermStore& made = builder.terms();
    Sort chars = made.bv_sort(8);
    a = builder.add_variable("a", chars);
    b = builder.add_variable("b", chars);
    y = builder.add_variable("y", chars);
    LocationId start = builder.add_location("start");
    l4 = builder.add_location("l4");
    l5 = builder.add_location("l5");
    l6 = builder.add_location("l6");
    LocationId error = builder.add_location("error");
    builder.set_initial(start);
    builder.set_error(error);
    Term zero = made.bv(0, 8);
    builder.add_edge(start, Command::skip(), l4);
    builder.add_edge(start, Command::skip(), l5);
    builder.add_edge(l4, Command::assume(made.make_bv_sle(zero, a)), l6);
    builder.add_edge(l5, Command::assign(a, made.make(Op::BvNeg, {a})), l6);
    builder.add_edge(l6, Command::assume(made.make_bv_sle(a, y)), error);
    auto frozen = std::move(builder).freeze();
    EXPECT_TRUE(frozen.ok());
    cfa.emplace(std::move(*frozen));
    terms = &cfa->terms();
    literals.emplace(*terms);
    steps.emplace(*cfa, 0);
    frames.emplace(cfa->locations().size());
    frames->extend();
    frames->extend();  // levels 1 to 3
    inductivity.emplace(*cfa, *steps, *literals, *frames, config, context);
    generalizer.emplace(*steps, *literals, *frames, *inductivity, config, context);
    e4 = steps->into(l6)[0];
    e5 = steps->into(l6)[1];

    y_ge_a = literals->of(terms->make_bv_sle(a, y));
    y_gt_0 = literals->of(terms->make(Op::BvSlt, {zero, y}));
    b_eq_0 = literals->of(terms->make_eq(b, zero));
    b_ge_0 = literals->of(terms->make_bv_sle(zero, b));
    Term remainder = terms->make(Op::BvSrem, {a, b});
    divides = {literals->of(terms->make_eq(remainder, zero)), !b_eq_0};
    cube = Cube({y_ge_a, y_gt_0, b_eq_0, b_ge_0});
    small = Cube({y_gt_0, b_eq_0});
  }
  Cube generalized() {
    return Cube(
        generalizer->generalize(Level{3}, l6, cube, {cube.lits().begin(), cube.lits().end()}));
  }
  std::uint64_t queries() { return run.counted("queries"); }

  test::Ic3cfaRun run;
  Ic3cfaConfig config;
  Context context = run.context();
  std::optional<Cfa> cfa;
  TermStore* terms = nullptr;
  Term a, b, y;
  LocationId l4{}, l5{}, l6{};
  StepId e4{}, e5{};
  std::optional<CfaLiterals> literals;
  std::optional<CfaSteps> steps;
  std::optional<CfaFrames> frames;
  std::optional<Inductivity> inductivity;
  std::optional<CfaGeneralizer> generalizer;
  Lit y_ge_a, y_gt_0, b_eq_0, b_ge_0;
  std::vector<Lit> divides;  // a % b = 0 & b != 0
  Cube cube, small;
};

constexpr const char* kOld =
    "ic3cfa.generalize=old,ic3cfa.core=off,ic3cfa.weaken=0,ic3cfa.query-cache=0";
constexpr const char* kNew =
    "ic3cfa.generalize=new,ic3cfa.core=off,ic3cfa.weaken=0,ic3cfa.pre-cubes=off,"
    "ic3cfa.dont-care=off,ic3cfa.assumed=off,ic3cfa.query-cache=0";

/// Example 4.6: g4 = (y > 0 & b = 0), g5 = true, united; the same in all three ways.
TEST(Ic3cfaExamples, Example4_6_UnitesGeneralizationsOfSeveralEdges) {
  std::map<std::string, std::uint64_t> queries;
  for (std::string way : {"multi", "single", "incremental"}) {
    Fragment f(std::string(kOld) + ",ic3cfa.edges=" + way);
    f.frames->add(f.l4, Level{2}, f.small);
    f.frames->add(f.l5, Level{2}, Cube());
    EXPECT_EQ(f.generalized(), f.small) << way;
    queries[way] = f.queries();
  }
  EXPECT_EQ(queries["multi"], 4U);
  EXPECT_EQ(queries["single"], 8U) << "four literals along each edge";
  EXPECT_EQ(queries["incremental"], 5U) << "the second edge takes the result of the first";
}

/// Example 4.7, Theorems 4.1 and 4.2: along a self-loop, states of the cube itself count. Here
/// x = 1 steps to x = 1 alone; with the cube in the premise x = 1 would be blocked.
TEST(Ic3cfaExamples, Example4_7_SelfLoopsCountTheirOwnStates) {
  CfaBuilder b(std::make_shared<TermStore>());
  TermStore& t = b.terms();
  Term x = b.add_variable("x", t.int_sort());
  LocationId start = b.add_location("start"), loop = b.add_location("loop");
  LocationId error = b.add_location("error");
  b.set_initial(start);
  b.set_error(error);
  Term one = t.make_eq(x, t.integer(1));
  b.add_edge(start, Command::assume(t.make_not(one)), loop);
  b.add_edge(loop, Command::assume(one), loop);
  b.add_edge(loop, Command::assume(one), error);
  auto cfa = std::move(b).freeze();
  ASSERT_TRUE(cfa.ok());
  test::Ic3cfaRun run;
  Ic3cfaConfig config = run.config();
  Context context = run.context();
  CfaLiterals literals(t);
  CfaSteps steps(*cfa, 0);
  CfaFrames frames(3);
  Inductivity inductivity(*cfa, steps, literals, frames, config, context);
  std::vector<Lit> cube{literals.of(one)};
  EXPECT_EQ(inductivity.on_edge(Level{0}, steps.into(loop)[0], cube, Need::Critical).answer,
            smt::Answer::Unsat);
  EXPECT_EQ(inductivity.on_edge(Level{1}, steps.into(loop)[1], cube, Need::Critical).answer,
            smt::Answer::Sat);
  EXPECT_FALSE(run.reached(*cfa));
}

/// Example 4.8: x > y & y > 0 along assume y > 0 becomes x > y, without a query.
TEST(Ic3cfaExamples, Example4_8_DropsAssumedLiterals) {
  Fragment f;
  Term zero = f.terms->bv(0, 8);
  Lit assumed = f.literals->of(f.terms->make_bv_sle(zero, f.a));
  std::vector<Lit> cube{f.y_ge_a, assumed};
  EXPECT_EQ(f.generalizer->without_free_literals(Level{2}, f.e4, cube), std::vector{f.y_ge_a});
  EXPECT_EQ(f.generalizer->without_free_literals(Level{2}, f.e5, cube), cube)
      << "a was negated on the way";
  EXPECT_EQ(f.queries(), 0U);
}

/// Section 4.3.2: literals that the frame has as unit clauses. As printed, the literal of the cube
/// is looked for in the frame; along a := -a that would drop a >= 0 for the frame's a >= 0.
TEST(Ic3cfaExamples, DropsDontCareLiterals) {
  Fragment f;
  Lit positive = f.literals->of(f.terms->make_bv_sle(f.terms->bv(0, 8), f.a));
  f.frames->add(f.l5, Level{2}, Cube({!positive}));
  f.frames->add(f.l5, Level{2}, Cube({!f.y_gt_0}));
  std::vector<Lit> cube{positive, f.y_gt_0};
  EXPECT_EQ(f.generalizer->without_free_literals(Level{2}, f.e5, cube), std::vector{positive});
}

/// Examples 4.9 and 4.10: the frame's lemma is in wep, so the cube is inductive, and its inverse
/// image y > 0 & b = 0 is the generalization, without a query. Nothing follows along the other
/// edge.
TEST(Ic3cfaExamples, Example4_9_And4_10_GeneralizesByPredecessorCubes) {
  Fragment f;
  f.frames->add(f.l4, Level{2}, f.small);
  auto found = f.generalizer->by_predecessor_cube(Level{2}, f.e4, f.cube.lits());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(Cube(*found), f.small);
  EXPECT_EQ(f.generalizer->by_predecessor_cube(Level{2}, f.e5, f.cube.lits()), std::nullopt);
  EXPECT_EQ(f.generalizer->by_predecessor_cube(Level{3}, f.e4, f.cube.lits()), std::nullopt);
  EXPECT_EQ(f.queries(), 0U);
  EXPECT_EQ(f.run.counted("by-predecessor-cube"), 1U);
}

/// Definition 4.10 with an assignment: the lemma -a <= y is the image of y >= a.
TEST(Ic3cfaExamples, InvertsAssignments) {
  Fragment f;
  Lit image = f.literals->of(f.steps->before(f.e5, f.literals->formula(f.y_ge_a)));
  EXPECT_NE(image, f.y_ge_a);
  f.frames->add(f.l5, Level{2}, Cube({image, f.b_eq_0}));
  auto found = f.generalizer->by_predecessor_cube(Level{2}, f.e5, f.cube.lits());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(Cube(*found), Cube({f.y_ge_a, f.b_eq_0}));
}

/// Example 4.11: with the result for a smaller frame cached, two of four queries are saved. (The
/// text lets b = 0 go, too, under the new lemma; a = 1, b = 2, y = 1 is in the frame and says no.)
TEST(Ic3cfaExamples, Example4_11_CachedGeneralizationsAreUpperBounds) {
  Fragment f(std::string(kNew) + ",ic3cfa.contexts=10");
  f.frames->add(f.l4, Level{2}, f.small);
  f.frames->add(f.l5, Level{2}, Cube());
  EXPECT_EQ(f.generalized(), f.small);
  EXPECT_EQ(f.queries(), 5U);
  f.frames->add(f.l4, Level{2}, Cube(f.divides));
  EXPECT_EQ(f.generalized(), f.small);
  EXPECT_EQ(f.queries(), 5U + 3U) << "y > 0, b = 0, and the other edge";
  EXPECT_EQ(f.run.counted("context-upper"), 1U);
}

/// Example 4.12: a cube that was never generalized, with a cached result as a part of it.
TEST(Ic3cfaExamples, Example4_12_CachedGeneralizationsServeOtherCubes) {
  for (bool extended : {false, true}) {
    Fragment f(std::string(kNew) +
               ",ic3cfa.contexts=10,ic3cfa.extended=" + (extended ? "on" : "off"));
    f.frames->add(f.l4, Level{2}, f.small);
    f.frames->add(f.l5, Level{2}, Cube());
    f.generalized();
    f.frames->add(f.l4, Level{2}, Cube(f.divides));
    f.cube = Cube({f.y_ge_a, f.y_gt_0, f.b_eq_0, !f.b_ge_0});
    std::uint64_t before = f.queries();
    Cube result = f.generalized();
    EXPECT_TRUE(result.subsumes(f.cube));
    EXPECT_EQ(f.run.counted("context-extended"), extended ? 1U : 0U);
    EXPECT_EQ(f.queries() - before, extended ? 3U : 5U);
  }
}

/// Example 4.13: what a stronger frame could not spare is kept unasked; with the upper bound, one
/// literal of four is left.
TEST(Ic3cfaExamples, Example4_13_CachedGeneralizationsAreLowerBounds) {
  Fragment f;
  GeneralizationContexts contexts(*f.frames, 10, f.run.stats);
  f.frames->add(f.l4, Level{2}, f.small);
  contexts.remember(f.e4, f.l4, Level{2}, f.cube, f.small);
  f.frames->add(f.l4, Level{1}, Cube(f.divides));
  contexts.remember(f.e4, f.l4, Level{1}, f.cube, Cube({f.y_gt_0}));
  auto lower = contexts.lower(f.e4, f.l4, Level{2}, f.cube);
  auto upper = contexts.upper(f.e4, f.l4, Level{2}, f.cube, false);
  ASSERT_TRUE(lower && upper);
  EXPECT_EQ(upper->size(), 2U);
  EXPECT_EQ(*upper, f.small);
}

TEST(Ic3cfaContexts, ForgetTheLeastRecentlyUsed) {
  Fragment f;
  GeneralizationContexts contexts(*f.frames, 2, f.run.stats);
  Cube first({f.y_ge_a}), second({f.y_gt_0}), third({f.b_eq_0});
  contexts.remember(f.e4, f.l4, Level{2}, first, first);
  contexts.remember(f.e4, f.l4, Level{2}, second, second);
  EXPECT_TRUE(contexts.upper(f.e4, f.l4, Level{2}, first, false));
  contexts.remember(f.e4, f.l4, Level{2}, third, third);
  EXPECT_EQ(contexts.size(), 2U);
  EXPECT_TRUE(contexts.upper(f.e4, f.l4, Level{2}, first, false));
  EXPECT_FALSE(contexts.upper(f.e4, f.l4, Level{2}, second, false));
}

/// A frame that lost the lemma, at a higher level, is no stronger one.
TEST(Ic3cfaContexts, AskForTheLemmasOfTheirFrame) {
  Fragment f;
  GeneralizationContexts contexts(*f.frames, 2, f.run.stats);
  f.frames->add(f.l4, Level{2}, f.small);
  contexts.remember(f.e4, f.l4, Level{2}, f.cube, f.small);
  EXPECT_TRUE(contexts.upper(f.e4, f.l4, Level{1}, f.cube, false));
  EXPECT_FALSE(contexts.upper(f.e4, f.l4, Level{3}, f.cube, false));
  EXPECT_FALSE(contexts.upper(f.e5, f.l4, Level{2}, f.cube, false)) << "another edge";
  f.frames->add(f.l4, Level{3}, Cube({f.y_gt_0}));
  EXPECT_TRUE(contexts.upper(f.e4, f.l4, Level{3}, f.cube, false)) << "a stronger lemma";
}

/// y is odd for ever: y = 1, then y := y + 2 * any. Values of y that lead to 0 are blocked one by
/// one until the equations about y become its lowest bit.
TEST(Ic3cfaWeaken, FindsParityInBits) {
  CfaBuilder b(std::make_shared<TermStore>());
  TermStore& t = b.terms();
  Term y = b.add_variable("y", t.bv_sort(16)), any = b.add_variable("any", t.bv_sort(16));
  LocationId start = b.add_location("start"), loop = b.add_location("loop");
  LocationId error = b.add_location("error");
  b.set_initial(start);
  b.set_error(error);
  b.add_edge(start, Command::assign(y, t.bv(1, 16)), loop);
  Term twice = t.make(Op::BvMul, {t.bv(2, 16), any});
  b.add_edge(
      loop,
      Command::sequence({Command::havoc(any), Command::assign(y, t.make(Op::BvAdd, {y, twice}))}),
      loop);
  b.add_edge(loop, Command::assume(t.make_eq(y, t.bv(0, 16))), error);
  auto cfa = std::move(b).freeze();
  ASSERT_TRUE(cfa.ok());
  test::Ic3cfaRun run;
  EXPECT_FALSE(run.reached(*cfa));
  EXPECT_GT(run.counted("weakened-to-bits"), 0U);
  EXPECT_LT(run.counted("depth"), 8U);
}

/// Nondeterminism by arrays: havoc is gone, edges keep their numbers, and evidence is about the
/// original.
TEST(Ic3cfaNondeterminism, ReadsArrays) {
  for (bool wrong : {false, true}) {
    CfaBuilder b(std::make_shared<TermStore>());
    TermStore& t = b.terms();
    Term x = b.add_variable("x", t.int_sort());
    LocationId start = b.add_location("start"), loop = b.add_location("loop");
    LocationId error = b.add_location("error");
    b.set_initial(start);
    b.set_error(error);
    Term positive = t.make_gt(x, t.integer(0));
    b.add_edge(start, Command::assign(x, t.integer(1)), loop);
    b.add_edge(loop, Command::sequence({Command::havoc(x), Command::assume(positive)}), loop);
    b.add_edge(loop, Command::assume(t.make_eq(x, t.integer(wrong ? 7 : -7))), error);
    auto cfa = std::move(b).freeze();
    ASSERT_TRUE(cfa.ok());
    Cfa with_arrays = read_from_arrays(*cfa);
    EXPECT_EQ(with_arrays.variables().size(), 3U);
    EXPECT_EQ(with_arrays.edges().size(), cfa->edges().size());
    CfaSteps steps(with_arrays, 0);
    for (std::uint32_t i = 0; i < steps.size(); ++i) EXPECT_TRUE(steps[StepId{i}].fresh.empty());
    EXPECT_EQ(test::Ic3cfaRun("ic3cfa.nondeterminism=array").reached(*cfa), wrong);
  }
}

}  // namespace
}  // namespace lem::engine
