// The running example of the thesis on programs [004 Listing 1, Figure 4.3]: the greatest common
// divisor of two chars. Here through the program counter (IC3-SMT); the error region is y < a.
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "engine/ic3ia/ic3ia.h"
#include "support/ic3cfa_run.h"
#include "transform/cfa/large_blocks.h"
#include "transform/cfa/program_counter.h"
#include "unit/engine/small_systems.h"

namespace lem {
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
TEST(Ic3cfaPaper, LocalTransitionFormulas) {
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

TEST(Ic3cfaPaper, LargeBlocksLeaveTheLoopHead) {
  LargeBlocks blocks = large_blocks(gcd(8, false), 1000);
  EXPECT_LE(blocks.cfa.locations().size(), 3U) << "start, loop head, error";
  LargeBlocks smaller = large_blocks(gcd(8, false), 3);
  EXPECT_GT(smaller.cfa.locations().size(), 3U);
}

TEST(Ic3cfaPaper, TheProgramCounterSystemIsProvedAndRefuted) {
  for (bool wrong : {false, true}) {
    LargeBlocks blocks = large_blocks(gcd(4, wrong), 1000);
    CounterSystem counter = with_program_counter(blocks.cfa);
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
        if (blocks) program = large_blocks(program, 1000).cfa;
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
    test::Ic3cfaRun run(preset.settings);
    EXPECT_FALSE(run.reached(program));
    queries[std::string(preset.name)] = run.counted("queries");
  }
  EXPECT_EQ(queries.size(), 17U);
  EXPECT_LT(queries["O"], queries["D"] / 2);
  EXPECT_LT(queries["O"], queries["H"] / 2);
  EXPECT_LT(queries["D"], queries["C"]) << "incremental against single";
  EXPECT_LT(queries["L"], queries["K"]) << "lower bounds beside upper bounds";
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
}  // namespace lem
