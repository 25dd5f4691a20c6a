// Answers that are remembered: they are given again where frames allow, and nowhere else.
#include "engine/ic3cfa/answers.h"

#include <gtest/gtest.h>

#include "support/ic3cfa_run.h"

namespace lem::engine {
namespace {

struct OneStep {
  OneStep() {
    CfaBuilder builder(std::make_shared<TermStore>());
    builder.add_variable("x", builder.terms().int_sort());
    LocationId start = builder.add_location("start");
    here = builder.add_location("here");
    LocationId error = builder.add_location("error");
    builder.set_initial(start);
    builder.set_error(error);
    builder.add_edge(start, Command::skip(), here);
    builder.add_edge(here, Command::skip(), error);
    auto frozen = std::move(builder).freeze();
    EXPECT_TRUE(frozen.ok());
    cfa.emplace(std::move(*frozen));
    steps.emplace(*cfa, 0);
    frames.emplace(cfa->locations().size());
    frames->extend();
    frames->extend();  // levels 1 to 3
    step = steps->into(error)[0];
    answers.emplace(*frames, *steps, 2, stats);
  }
  std::optional<smt::Answer> asked(Level from, const Cube& cube, std::uint32_t limit = 0) {
    auto known = answers->find({from, step, cube, limit});
    if (!known) return {};
    return known->answer;
  }

  Stats stats;
  std::optional<Cfa> cfa;
  std::optional<CfaSteps> steps;
  std::optional<CfaFrames> frames;
  std::optional<CfaAnswers> answers;
  LocationId here{};
  StepId step{};
  const Cube a{{Lit(1, false)}}, b{{Lit(2, false)}}, ab{{Lit(1, false), Lit(2, false)}};
};

TEST(Ic3cfaAnswers, UnsatHoldsWithStrongerFrames) {
  OneStep one;
  one.frames->add(one.here, Level{2}, one.ab);
  one.answers->remember({Level{2}, one.step, one.a}, {smt::Answer::Unsat, {Lit(1, false)}});
  EXPECT_EQ(one.asked(Level{2}, one.a), smt::Answer::Unsat);
  EXPECT_EQ(one.asked(Level{1}, one.a), smt::Answer::Unsat) << "has the lemma, too";
  EXPECT_EQ(one.asked(Level{3}, one.a), std::nullopt) << "has it not";
  EXPECT_EQ(one.asked(Level{2}, one.b), std::nullopt) << "another cube";
  one.frames->add(one.here, Level{3}, one.b);
  EXPECT_EQ(one.asked(Level{3}, one.a), smt::Answer::Unsat) << "a stronger lemma";
  EXPECT_EQ(one.answers->find({Level{3}, one.step, one.a})->core, std::vector{Lit(1, false)});
}

TEST(Ic3cfaAnswers, SatHoldsWithWeakerFrames) {
  OneStep one;
  one.frames->add(one.here, Level{2}, one.b);
  one.answers->remember({Level{2}, one.step, one.a}, {smt::Answer::Sat, {}});
  EXPECT_EQ(one.asked(Level{2}, one.a), smt::Answer::Sat);
  EXPECT_EQ(one.asked(Level{3}, one.a), smt::Answer::Sat) << "no lemma";
  EXPECT_EQ(one.asked(Level{1}, one.a), smt::Answer::Sat) << "no other lemma";
  one.frames->add(one.here, Level{1}, one.a);
  EXPECT_EQ(one.asked(Level{1}, one.a), std::nullopt) << "one more";
  EXPECT_EQ(one.asked(Level{2}, one.a), smt::Answer::Sat);
  one.frames->add(one.here, Level{3}, one.b);
  EXPECT_EQ(one.asked(Level{3}, one.a), smt::Answer::Sat) << "the frame then had it";
}

TEST(Ic3cfaAnswers, TimeoutsAreAskedAgainUnderLargerLimits) {
  OneStep one;
  one.answers->remember({Level{2}, one.step, one.a, 100}, {smt::Answer::Unknown, {}});
  EXPECT_EQ(one.asked(Level{2}, one.a, 50), smt::Answer::Unknown);
  EXPECT_EQ(one.asked(Level{2}, one.a, 100), smt::Answer::Unknown);
  EXPECT_EQ(one.asked(Level{2}, one.a, 101), std::nullopt);
  EXPECT_EQ(one.asked(Level{2}, one.a), std::nullopt) << "no limit";
  one.frames->add(one.here, Level{2}, one.b);
  EXPECT_EQ(one.asked(Level{2}, one.a, 100), std::nullopt) << "another frame";
}

TEST(Ic3cfaAnswers, ForgetTheLeastRecentlyUsed) {
  OneStep one;
  one.answers->remember({Level{1}, one.step, one.a}, {smt::Answer::Sat, {}});
  one.answers->remember({Level{1}, one.step, one.b}, {smt::Answer::Sat, {}});
  EXPECT_TRUE(one.asked(Level{1}, one.a));
  one.answers->remember({Level{1}, one.step, one.ab}, {smt::Answer::Sat, {}});
  EXPECT_EQ(one.answers->size(), 2U);
  EXPECT_TRUE(one.asked(Level{1}, one.a));
  EXPECT_FALSE(one.asked(Level{1}, one.b));
}

/// Without reuse each iteration asks what the one before did: most answers are known.
TEST(Ic3cfaAnswers, SpareQueriesOfLaterIterations) {
  std::map<bool, std::uint64_t> queries;
  for (bool cached : {false, true}) {
    CfaBuilder b(std::make_shared<TermStore>());
    TermStore& t = b.terms();
    Term x = b.add_variable("x", t.bv_sort(4)), any = b.add_variable("any", t.bv_sort(4));
    LocationId start = b.add_location("start"), loop = b.add_location("loop");
    LocationId error = b.add_location("error");
    b.set_initial(start);
    b.set_error(error);
    b.add_edge(start, Command::assign(x, t.bv(0, 4)), loop);
    Term even = t.make(Op::BvAdd, {x, t.make(Op::BvMul, {t.bv(2, 4), any})});
    b.add_edge(loop, Command::sequence({Command::havoc(any), Command::assign(x, even)}), loop);
    b.add_edge(loop, Command::assume(t.make_eq(x, t.bv(1, 4))), error);
    auto cfa = std::move(b).freeze();
    ASSERT_TRUE(cfa.ok());
    std::string cache = cached ? ",ic3cfa.query-cache=1000" : ",ic3cfa.query-cache=0";
    test::Ic3cfaRun run("ic3cfa.generalize=none,ic3cfa.reuse=off,ic3cfa.push=off,ic3cfa.weaken=0" +
                        cache);
    EXPECT_FALSE(run.reached(*cfa));
    queries[cached] = run.counted("queries");
    EXPECT_EQ(run.counted("query-cache-hits") > 0, cached);
  }
  EXPECT_LT(queries[true], queries[false]);
}

}  // namespace
}  // namespace lem::engine
