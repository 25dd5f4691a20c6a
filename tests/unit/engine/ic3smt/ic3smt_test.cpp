
#include <gtest/gtest.h>

#include "engine/parts/terms/frames.h"
#include "engine/registry.h"
#include "unit/engine/small_systems.h"

namespace lem::engine {
namespace {

TEST(Ic3smt, DecidesSmallSystemsOfEveryTheory) {
  test::decides_small_systems(kIc3smtInfo, "");
}

TEST(Ic3smt, DecidesSmallSystemsUnderEverySwitch) {
  for (std::string_view settings :
       {"ic3smt.generalize=core", "ic3smt.generalize=down", "ic3smt.generalize=ctg",
        "ic3smt.failures=1", "ic3smt.weaken=none", "ic3smt.weaken=split"})
    test::decides_small_systems(kIc3smtInfo, settings);
}

TEST(Ic3smt, DecidesSmallSystemsUnderTheLraPreset) {
  for (const Preset& preset : kIc3smtInfo.presets)
    if (preset.name == "lra") test::decides_small_systems(kIc3smtInfo, preset.settings);
}

TEST(Ic3smt, CombinesInequalitiesToRelationsBetweenVariables) {
  // n goes over from x to y, one by one: the invariant x + y = n is in no cube.
  test::NamedSystem system =
      test::named_system("transfer", true, [](TransitionSystemBuilder& b, TermStore& t) {
        Term n = b.add_state("n", t.int_sort());
        Term x = b.add_state("x", t.int_sort());
        Term y = b.add_state("y", t.int_sort());
        b.add_init(t.make_ge(n, t.integer(0)));
        b.set_init(x, n);
        b.set_init(y, t.integer(0));
        Term more = t.make_gt(x, t.integer(0));
        b.set_update(n, n);
        b.set_update(x, t.make_ite(more, t.make_sub(x, t.integer(1)), x));
        b.set_update(y, t.make_ite(more, t.make_add(y, t.integer(1)), y));
        return t.make_and(t.make_le(x, t.integer(0)), t.make_not(t.make_eq(y, n)));
      });
  test::Bench run(kIc3smtInfo);
  Verdict verdict = run.check(system.problem);
  ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
  EXPECT_TRUE(test::is_certified(system.problem, verdict));
  EXPECT_GT(run.stats.counter("ic3smt.combined").value, 0U);
}

TEST(Ic3smt, AgreesWithExplicitSearch) {
  test::agrees_with_search_on_terms(kIc3smtInfo, "", {}, 1, 60);
}

TEST(Ic3smt, AgreesWithExplicitSearchOnRelations) {
  test::RandomSystemParams params;
  params.relations = true;
  test::agrees_with_search_on_terms(kIc3smtInfo, "", params, 100, 60);
}

TEST(Ic3smt, AgreesWithExplicitSearchFromPoints) {
  test::agrees_with_search_on_terms(kIc3smtInfo, "ic3smt.preimage=values", {}, 200, 30);
  test::agrees_with_search_on_terms(kIc3smtInfo, "ic3smt.preimage=values,ic3smt.generalize=ctg", {},
                                    230, 30);
}

TEST(Ic3smt, AgreesWithExplicitSearchOnArrays) {
  test::RandomSystemParams params;
  params.arrays = true;
  params.inputs = 1;
  params.states = 2;
  test::agrees_with_search_on_terms(kIc3smtInfo, "", params, 300, 30);
}

TEST(Ic3smt, StopsWhenAsked) {
  test::NamedSystem system = test::two_counters(true);
  test::Bench run(kIc3smtInfo);
  run.stop.request_stop();
  EXPECT_EQ(run.check(system.problem), Verdict(Unknown{Reason::Stopped}));
}

class TermFramesTest : public ::testing::Test {
 protected:
  TermFramesTest() : bench_(kIc3smtInfo), named_(test::two_counters(true)) {}
  Context context() {
    return {bench_.options, bench_.stats, bench_.log, bench_.progress, bench_.stop.get_token()};
  }
  test::Bench bench_;
  test::NamedSystem named_;
};

TEST_F(TermFramesTest, InternsAnAtomAndItsNegationAsOneVariable) {
  TermSystem system(named_.problem);
  Context ctx = context();
  TermFrames frames(system, ctx, {.prefix = "test."});
  TermStore& t = system.terms();
  Term x = system.current()[0];
  Lit small = frames.literal(t.make_le(x, t.integer(5)));
  EXPECT_EQ(frames.literal(t.make_ge(x, t.integer(6))), !small);
  EXPECT_EQ(frames.atoms().size(), 1U);
  EXPECT_EQ(frames.atoms().formula(!small), t.make_ge(x, t.integer(6)));
}

TEST_F(TermFramesTest, PredecessorsStepIntoTheCube) {
  TermSystem system(named_.problem);
  Context ctx = context();
  for (auto preimage : {TermFrames::Preimage::Project, TermFrames::Preimage::Values}) {
    TermFrames frames(system, ctx, {.prefix = "test.", .preimage = preimage});
    TermStore& t = system.terms();
    Term x = system.current()[0];
    std::vector<Lit> cube{frames.literal(t.make_ge(x, t.integer(9)))};
    frames.extend();
    ASSERT_TRUE(frames.inductive(Level{2}, cube).fails());
    std::vector<Term> before = frames.predecessor();
    auto solver = smt::make_z3(t, smt::Workload::Single, {});
    for (Term literal : before) solver->add(literal);
    EXPECT_EQ(solver->solve(), smt::Answer::Sat);
    solver->add(t.make_le(x, t.integer(7)));
    EXPECT_EQ(solver->solve(), smt::Answer::Unsat) << "from 7 and below nothing steps to 9";
  }
}

TEST_F(TermFramesTest, KnowsLemmas) {
  TermSystem system(named_.problem);
  Context ctx = context();
  TermFrames frames(system, ctx, {.prefix = "test."});
  TermStore& t = system.terms();
  Term x = system.current()[0];
  auto cube = [&](Term formula) { return Cube({frames.literal(formula)}); };
  frames.extend();
  EXPECT_TRUE(frames.clauses().is_lemma(Level{2}, cube(t.make_lt(x, t.integer(0)))));
  EXPECT_FALSE(frames.clauses().is_lemma(Level{1}, cube(t.make_ge(x, t.integer(0)))))
      << "Init is in there";
  EXPECT_FALSE(frames.clauses().is_lemma(Level{2}, cube(t.make_eq(x, t.integer(9)))))
      << "8 steps to 9";
}

TEST_F(TermFramesTest, LemmasOfAFrameExcludeWhatTheySay) {
  TermSystem system(named_.problem);
  Context ctx = context();
  TermFrames frames(system, ctx, {.prefix = "test."});
  TermStore& t = system.terms();
  Term x = system.current()[0];
  std::vector<Lit> negative{frames.literal(t.make_lt(x, t.integer(0)))};
  std::vector<Lit> very{frames.literal(t.make_lt(x, t.integer(-7)))};
  EXPECT_FALSE(frames.meets_initial(negative));
  EXPECT_FALSE(frames.excludes(Level{1}, very));
  Induction answer = frames.inductive(Level{1}, negative);
  ASSERT_TRUE(answer.holds());
  EXPECT_TRUE(frames.add_lemma(Level{1}, Cube({answer.core.begin(), answer.core.end()})));
  EXPECT_TRUE(frames.excludes(Level{1}, very)) << "by meaning, not by its literals";
  frames.extend();
  EXPECT_EQ(frames.propagate(), Level{1});
  EXPECT_EQ(frames.clauses().frame(Level{2}), t.make_ge(x, t.integer(0)));
}

}  // namespace
}  // namespace lem::engine
