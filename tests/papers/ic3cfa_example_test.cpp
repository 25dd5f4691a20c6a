// The running example of the thesis on programs [Lange18 Listing 1, Fig. 4.3]: the greatest common
// divisor of two chars. Here through the program counter (IC3-SMT); the error region is y < a.
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "engine/registry.h"
#include "support/ic3cfa_run.h"
#include "transform/cfa/large_blocks.h"
#include "transform/cfa/program_counter.h"
#include "unit/engine/small_systems.h"

namespace lem::engine {
namespace {

/// Listing 1; `bits`: of a char. With `wrong` the assertion is y > a.
Cfa gcd(std::uint32_t bits, bool wrong) {
  CfaBuilder b(std::make_shared<TermStore>());
  TermStore& t = b.terms();
  Sort chars = t.bv_sort(bits);
  Term a = b.add_variable("a", chars), c = b.add_variable("b", chars);
  Term y = b.add_variable("y", chars), u = b.add_variable("t", chars);
  Term zero = t.bv(0, bits);
  auto less = [&](Term left, Term right) { return t.make(Op::BvSlt, {left, right}); };
  auto when = [&](Term guard) { return Command::assume(guard); };
  auto set = [&](Term variable, Term value) { return Command::assign(variable, value); };
  std::vector<LocationId> at;
  for (std::uint32_t line = 4; line <= 18; ++line)
    at.push_back(b.add_location("l" + std::to_string(line), line));
  auto line = [&](std::uint32_t number) { return at[number - 4]; };
  LocationId error = b.add_location("error");
  b.set_initial(line(4));
  b.set_error(error);
  b.add_edge(line(4), Command::havoc(a), line(5), 4);
  b.add_edge(line(5), Command::havoc(c), line(7), 5);
  b.add_edge(line(7), set(y, c), line(8), 7);
  b.add_edge(line(8), when(less(a, zero)), line(9), 8);
  b.add_edge(line(8), when(t.make_not(less(a, zero))), line(10), 8);
  b.add_edge(line(9), set(a, t.make(Op::BvNeg, {a})), line(10), 9);
  b.add_edge(line(10), when(less(c, zero)), line(11), 10);
  b.add_edge(line(10), when(t.make_not(less(c, zero))), line(12), 10);
  b.add_edge(line(11), set(c, t.make(Op::BvNeg, {c})), line(12), 11);
  b.add_edge(line(12), when(t.make_not(t.make_eq(c, zero))), line(13), 12);
  b.add_edge(line(12), when(t.make_eq(c, zero)), line(16), 12);
  b.add_edge(line(13), set(u, c), line(14), 13);
  b.add_edge(line(14), set(c, t.make(Op::BvSrem, {a, c})), line(15), 14);
  b.add_edge(line(15), set(a, u), line(12), 15);
  b.add_edge(line(16), when(less(zero, y)), line(17), 16);
  b.add_edge(line(16), when(t.make_not(less(zero, y))), line(18), 16);
  Term fails = wrong ? t.make_not(less(a, y)) : less(y, a);
  b.add_edge(line(17), when(fails), error, 17);
  b.add_edge(line(17), when(t.make_not(fails)), line(18), 17);
  auto made = std::move(b).freeze();
  EXPECT_TRUE(made.ok());
  return std::move(*made);
}

/// Example 4.3: local transition formulas.
TEST(Ic3cfaPaper, Example4_3_LocalTransitionFormulas) {
  Cfa cfa = gcd(8, false);
  TermStore& t = cfa.terms();
  std::vector<Term> now(cfa.variables().begin(), cfa.variables().end()), then;
  for (Term v : now) then.push_back(t.fresh("then", t.sort(v)));
  auto edge_of_line = [&](std::uint32_t line) {
    return *std::find_if(cfa.edges().begin(), cfa.edges().end(),
                         [&](const CfaEdge& edge) { return edge.line == line; });
  };
  Term same_but_y = t.make_and(std::array{t.make_eq(then[0], now[0]), t.make_eq(then[1], now[1]),
                                          t.make_eq(then[3], now[3])});
  EXPECT_EQ(transition(t, edge_of_line(7).command, now, then).formula,
            t.make_and(same_but_y, t.make_eq(then[2], now[1])));
  Term negative = t.make(Op::BvSlt, {now[0], t.bv(0, 8)});
  EXPECT_EQ(wep(t, edge_of_line(8).command, t.boolean(true)).formula, negative);
}

/// What the search asks about Listing 1, question by question. Locations are called as the lines of
/// the listing: l12 and l13 of Figure 4.3 are lines 16 and 17, l8 is line 12.
struct Questions {
  Questions() {
    frames.extend();  // levels 1 and 2
    zero = t.bv(0, 8);
    Term a = cfa.variables()[0], y = cfa.variables()[2];
    below = literals.of(t.make(Op::BvSlt, {y, a}));
    positive = literals.of(t.make(Op::BvSlt, {zero, y}));
  }
  LocationId line(std::uint32_t number) const {
    return *std::find_if(ids.begin(), ids.end(),
                         [&](LocationId id) { return cfa.locations()[index(id)].line == number; });
  }
  StepId step(std::uint32_t from, LocationId to) const {
    auto into = steps.into(to);
    return *std::find_if(into.begin(), into.end(),
                         [&](StepId id) { return steps[id].from == line(from); });
  }
  smt::Answer ask(Level from, StepId step, std::vector<Lit> cube) {
    return inductivity.on_edge(from, step, cube, Need::Critical).answer;
  }

  test::Ic3cfaRun run = test::Ic3cfaRun::preset("A");
  Ic3cfaConfig config = run.config();
  Context context = run.context();
  Cfa cfa = gcd(8, false);
  TermStore& t = cfa.terms();
  std::vector<LocationId> ids = [this] {
    std::vector<LocationId> all;
    for (std::uint32_t i = 0; i < cfa.locations().size(); ++i) all.push_back(LocationId{i});
    return all;
  }();
  CfaLiterals literals{t};
  CfaSteps steps{cfa, 64};
  CfaFrames frames{cfa.locations().size()};
  Inductivity inductivity{cfa, steps, literals, frames, config, context};
  Term zero;
  Lit below, positive;  // y < a, the error region; y > 0
};

/// Example 4.4: relative to the frame !(y > 0), no state comes along assume y > 0 into any cube; no
/// variable is primed, since the edge writes none. Without the frame some do.
TEST(Ic3cfaPaper, Example4_4_InductivityAlongAnEdgeIsRelativeToItsSource) {
  Questions q;
  StepId edge = q.step(16, q.line(17));
  EXPECT_TRUE(q.steps[edge].effect.empty());
  EXPECT_EQ(q.ask(Level{1}, edge, {q.below}), smt::Answer::Sat);
  q.frames.add(q.line(16), Level{1}, Cube({q.positive}));
  EXPECT_EQ(q.ask(Level{1}, edge, {q.below}), smt::Answer::Unsat);
  EXPECT_EQ(q.ask(Level{1}, edge, {}), smt::Answer::Unsat) << "whatever the cube";
  EXPECT_EQ(q.ask(Level{2}, edge, {q.below}), smt::Answer::Sat) << "F_2 has no such lemma";
}

/// Example 4.5: the first two iterations of the search.
TEST(Ic3cfaPaper, Example4_5_TheFirstTwoIterations) {
  Questions q;
  StepId to_error = q.step(17, q.cfa.error()), assume = q.step(16, q.line(17));
  EXPECT_EQ(q.steps[to_error].guards, std::vector{q.literals.formula(q.below)}) << "CTI region";
  EXPECT_EQ(q.ask(Level{1}, to_error, {}), smt::Answer::Sat);
  EXPECT_EQ(q.ask(Level{0}, assume, {q.below}), smt::Answer::Unsat) << "F_0 is false there";
  q.frames.add(q.line(17), Level{1}, Cube({q.below}));
  EXPECT_EQ(q.ask(Level{1}, to_error, {}), smt::Answer::Unsat);

  EXPECT_EQ(q.ask(Level{2}, to_error, {}), smt::Answer::Sat) << "k = 2";
  EXPECT_EQ(q.ask(Level{1}, assume, {q.below}), smt::Answer::Sat);
  EXPECT_EQ(q.steps[assume].guards, std::vector{q.literals.formula(q.positive)});
  std::vector<Lit> before{q.below, q.positive};  // wep: y < a & y > 0
  EXPECT_EQ(q.ask(Level{0}, q.step(12, q.line(16)), before), smt::Answer::Unsat);
  q.frames.add(q.line(16), Level{1}, Cube(before));
  EXPECT_EQ(q.ask(Level{1}, assume, {q.below}), smt::Answer::Unsat);
  q.frames.add(q.line(17), Level{2}, Cube({q.below}));
  EXPECT_EQ(q.ask(Level{2}, to_error, {}), smt::Answer::Unsat);
  EXPECT_EQ(q.frames.at(q.line(16)).at(Level{1}).size(), 1U) << "F_1 and F_2 still differ";
  EXPECT_TRUE(q.frames.at(q.line(16)).at(Level{2}).empty());
}

TEST(Ic3cfaPaper, LargeBlocksLeaveTheLoopHead) {
  transform::LargeBlocks blocks = transform::large_blocks(gcd(8, false), 1000);
  EXPECT_LE(blocks.cfa.locations().size(), 3U) << "start, loop head, error";
  transform::LargeBlocks smaller = transform::large_blocks(gcd(8, false), 3);
  EXPECT_GT(smaller.cfa.locations().size(), 3U);
}

TEST(Ic3cfaPaper, TheProgramCounterSystemIsProvedAndRefuted) {
  for (bool wrong : {false, true}) {
    transform::LargeBlocks blocks = transform::large_blocks(gcd(4, wrong), 1000);
    transform::CounterSystem counter = transform::with_program_counter(blocks.cfa);
    Problem problem{counter.system, {{"error", counter.bad}}, {}};
    test::Bench run(kIc3iaInfo);
    Verdict verdict = run.check(problem);
    EXPECT_EQ(std::holds_alternative<Unsafe>(verdict), wrong);
    EXPECT_EQ(std::holds_alternative<Safe>(verdict), !wrong);
    EXPECT_TRUE(test::is_certified(problem, verdict));
  }
}

/// Algorithm 12: an error location that is the initial one is reached in zero steps.
TEST(Ic3cfaPaper, FindsCounterexamplesWithoutSteps) {
  CfaBuilder builder(std::make_shared<TermStore>());
  builder.add_variable("x", builder.terms().int_sort());
  LocationId only = builder.add_location("only");
  builder.set_initial(only);
  builder.set_error(only);
  auto program = std::move(builder).freeze();
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(test::Ic3cfaRun().reached(*program));
}

/// The GCD program, location by location and in large blocks, with and without generalization.
TEST(Ic3cfaPaper, ProvesAndRefutesTheGcdProgram) {
  for (bool wrong : {false, true})
    for (bool blocks : {false, true})
      for (const char* method : {"none", "old", "new"}) {
        Cfa program = gcd(4, wrong);
        if (blocks) program = transform::large_blocks(program, 1000).cfa;
        EXPECT_EQ(test::Ic3cfaRun("ic3cfa.generalize=" + std::string(method)).reached(program),
                  wrong);
      }
}

/// Listing 1 with every configuration of Table 5.1. As in Figure 5.2, generalization alone takes
/// more iterations than none (A); all techniques together (O) take fewer queries than
/// generalization lifted from IC3 (D) and than the baseline (H).
TEST(Ic3cfaPaper, ConfigurationsProveTheGcdProgram) {
  std::map<std::string, std::uint64_t> queries;
  for (const Preset& preset : kIc3cfaPresets) {
    SCOPED_TRACE(preset.name);
    Cfa program = gcd(3, false);
    test::Ic3cfaRun run(all_settings(kIc3cfaPresets, preset));
    EXPECT_FALSE(run.reached(program));
    queries[std::string(preset.name)] = run.counted("queries");
  }
  EXPECT_EQ(queries.size(), 17U);
  EXPECT_LT(queries["O"], queries["D"] / 2);
  EXPECT_LT(queries["O"], queries["H"] / 2);
  EXPECT_LT(queries["D"], queries["C"]) << "incremental against single";
  EXPECT_LT(queries["L"], queries["K"]) << "lower bounds beside upper bounds";
}

/// Listing 1 as printed, over chars of 8 bits: proved without generalization (A), which goes back
/// until no pair of chars takes the loop so often, and with far fewer queries and in a fraction of
/// the time by all techniques together (O), location by location, too. (The thesis: 101 iterations
/// and 15602 queries in 177.8 s without, 56 iterations and 14583 queries in 9.3 s with the
/// generalization of IC3.)
TEST(Ic3cfaPaper, AllTechniquesProveListing1MuchFaster) {
  Cfa locations = gcd(8, false), blocks = transform::large_blocks(locations, 1000).cfa;
  test::Ic3cfaRun none = test::Ic3cfaRun::preset("A"), all = test::Ic3cfaRun::preset("O");
  EXPECT_TRUE(std::holds_alternative<LocationInvariants>(none.check(blocks)));
  EXPECT_FALSE(all.reached(blocks));
  EXPECT_LT(all.counted("queries"), none.counted("queries") / 2);
  EXPECT_LT(all.counted("obligations"), none.counted("obligations") / 8);
  EXPECT_LT(all.seconds("solve"), none.seconds("solve") / 4);
  EXPECT_FALSE(test::Ic3cfaRun::preset("O").reached(locations));
}

/// TreeIC3's coverage as a way to end: frames need not be equal at one level everywhere.
TEST(Ic3cfaPaper, CoverageEndsBeforeAllFramesAreEqual) {
  std::string_view moves_nothing = "ic3cfa.push=off,ic3cfa.propagate=off,ic3cfa.coverage=";
  test::Ic3cfaRun with(std::string(moves_nothing) + "on");
  test::Ic3cfaRun without(std::string(moves_nothing) + "off");
  EXPECT_FALSE(with.reached(gcd(4, false)));
  EXPECT_FALSE(without.reached(gcd(4, false)));
  EXPECT_EQ(with.counted("ended-by-coverage"), 1U);
  EXPECT_EQ(without.counted("ended-by-coverage"), 0U);
  EXPECT_LT(with.counted("depth"), without.counted("depth"));
}

/// Figure 4.4: x starts above 9 and grows in a loop; x = 9 is backwards x = 8, x = 7 and so on, for
/// ever over the integers (Lemma 4.5). Interpolants end it, and so do halves of equations.
TEST(Ic3cfaPaper, InterpolantsEndTheDivergingProgram) {
  CfaBuilder b(std::make_shared<TermStore>());
  TermStore& t = b.terms();
  Term x = b.add_variable("x", t.int_sort());
  LocationId start = b.add_location("0"), loop = b.add_location("1"), error = b.add_location("2");
  b.set_initial(start);
  b.set_error(error);
  b.add_edge(start, Command::assign(x, t.integer(10)), loop);
  b.add_edge(loop, Command::assign(x, t.make_add(x, t.integer(1))), loop);
  b.add_edge(loop, Command::assume(t.make_eq(x, t.integer(9))), error);
  auto program = std::move(b).freeze();
  ASSERT_TRUE(program.ok());
  for (const char* name : {"N", "P"}) {
    test::Ic3cfaRun run = test::Ic3cfaRun::preset(name);
    EXPECT_FALSE(run.reached(*program)) << name;
    EXPECT_GT(run.counted("interpolants"), 0U);
    EXPECT_LT(run.counted("depth"), 6U);
  }
  EXPECT_FALSE(test::Ic3cfaRun().reached(*program));

  test::Ic3cfaRun diverges = test::Ic3cfaRun::preset("O");
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    diverges.stop.request_stop();
  });
  EXPECT_TRUE(std::holds_alternative<Unknown>(diverges.check(*program)));
}

}  // namespace
}  // namespace lem::engine
