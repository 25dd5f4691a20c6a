// bmc on programs: merging symbolic execution. Every verdict is certified on the automaton.
#include <gtest/gtest.h>

#include "engine/registry.h"
#include "unit/engine/engine_support.h"

namespace lem::engine {
namespace {

using namespace lem::test;

/// A program over words, written edge by edge.
struct Program {
  CfaBuilder b{std::make_shared<TermStore>()};
  TermStore& t = b.terms();
  LocationId start = b.add_location("start"), error = b.add_location("error");

  Term word(const std::string& name) { return b.add_variable(name, t.bv_sort(8)); }
  Term array(const std::string& name) {
    return b.add_variable(name, t.array_sort(t.bv_sort(8), t.bv_sort(8)));
  }
  Term number(unsigned long value) { return t.bv(value, 8); }
  LocationId location(const std::string& name) { return b.add_location(name); }
  void edge(LocationId from, std::vector<Command> commands, LocationId to) {
    b.add_edge(from, Command::sequence(std::move(commands)), to);
  }
  Command add(Term variable, unsigned long value) {
    return Command::assign(variable, t.make(Op::BvAdd, {variable, number(value)}));
  }
  Command is(Term guard) { return Command::assume(guard); }
  Command isnt(Term guard) { return Command::assume(t.make_not(guard)); }
  Term less(Term left, Term right) { return t.make(Op::BvUlt, {left, right}); }
  Problem problem() {
    b.set_initial(start);
    b.set_error(error);
    Result<Cfa> made = std::move(b).freeze();
    EXPECT_TRUE(made.ok());
    return {std::move(*made), {{"error", ErrorLocation{}}}, {}};
  }
};

/// n = *; assume n < limit; i = s = 0; while (i < n) { s += 3; i += 1; }  error if s == bad.
Problem sum(unsigned long limit, unsigned long bad) {
  Program p;
  Term i = p.word("i"), s = p.word("s"), n = p.word("n");
  LocationId head = p.location("head"), after = p.location("after");
  p.edge(p.start,
         {Command::havoc(n), p.is(p.less(n, p.number(limit))), Command::assign(i, p.number(0)),
          Command::assign(s, p.number(0))},
         head);
  p.edge(head, {p.is(p.less(i, n)), p.add(s, 3), p.add(i, 1)}, head);
  p.edge(head, {p.isnt(p.less(i, n))}, after);
  p.edge(after, {p.is(p.t.make_eq(s, p.number(bad)))}, p.error);
  return p.problem();
}

bool finds(Bench& run, const Problem& problem) {
  Verdict verdict = run.check(problem);
  return std::holds_alternative<Unsafe>(verdict) && is_certified(problem, verdict);
}

TEST(BmcPrograms, FindsAnErrorAfterALoop) {
  Bench run(kBmcInfo);
  EXPECT_TRUE(finds(run, sum(20, 30)));
  EXPECT_EQ(run.stats.counter("bmc.depth").value, 16U);  // of 4, 8 and 16 the first above 10
}

TEST(BmcPrograms, ProvesWhatEndsAfterRoundsThatDependOnAnInput) {
  Bench run(kBmcInfo);
  EXPECT_TRUE(proves(run, sum(20, 31)));
  EXPECT_TRUE(proves(run, sum(20, 60)));
  EXPECT_TRUE(finds(run, sum(21, 60)));
}

TEST(BmcPrograms, StopsAtTheBound) {
  Bench few(kBmcInfo, "bmc.max-depth=9");
  EXPECT_EQ(few.check(sum(20, 30)), Verdict(Unknown{Reason::BoundReached}));
  EXPECT_EQ(few.check(sum(20, 31)), Verdict(Unknown{Reason::BoundReached}));
  EXPECT_TRUE(finds(few, sum(20, 24)));
}

/// Rounds that a program decides by itself are no unwinding, and need no solver.
TEST(BmcPrograms, RunsWhatIsDeterminedWithoutQueries) {
  Program p;
  Term i = p.word("i"), s = p.word("s");
  LocationId head = p.location("head"), after = p.location("after");
  p.edge(p.start, {Command::assign(i, p.number(0)), Command::assign(s, p.number(7))}, head);
  p.edge(head, {p.is(p.less(i, p.number(200))), p.add(s, 5), p.add(i, 1)}, head);
  p.edge(head, {p.isnt(p.less(i, p.number(200)))}, after);
  p.edge(after, {p.is(p.t.make_eq(s, p.number(0)))}, p.error);
  Problem problem = p.problem();
  Bench run(kBmcInfo, "bmc.max-depth=1");
  EXPECT_TRUE(proves(run, problem));
  EXPECT_EQ(run.stats.counter("bmc.queries").value, 0U);
}

/// Both edges can be taken from one state: what either does must be seen after they meet.
TEST(BmcPrograms, LosesNothingWhereGuardsOverlap) {
  for (unsigned long wanted : {1, 2, 3}) {
    Program p;
    Term x = p.word("x"), y = p.word("y");
    LocationId after = p.location("after");
    p.edge(p.start, {p.is(p.less(x, p.number(9))), Command::assign(y, p.number(1))}, after);
    p.edge(p.start, {p.is(p.less(x, p.number(5))), Command::assign(y, p.number(2))}, after);
    p.edge(
        p.start,
        {Command::choice({Command::assign(y, p.number(3)), Command::assume(p.t.boolean(false))})},
        after);
    p.edge(after, {p.is(p.t.make_eq(y, p.number(wanted))), p.is(p.t.make_eq(x, p.number(4)))},
           p.error);
    Bench run(kBmcInfo);
    EXPECT_TRUE(finds(run, p.problem())) << wanted;
  }
}

TEST(BmcPrograms, ALoopThatChangesNothingEnds) {
  Program p;
  Term x = p.word("x"), y = p.word("y");
  LocationId head = p.location("head");
  p.edge(p.start, {Command::assign(x, p.number(1))}, head);
  p.edge(head, {Command::havoc(y), Command::assign(y, p.number(0))}, head);
  p.edge(head, {p.is(p.t.make_eq(x, p.number(2)))}, p.error);
  Bench run(kBmcInfo, "bmc.max-depth=20");
  EXPECT_TRUE(proves(run, p.problem()));
}

/// Two loops inside each other, the inner one with two ways out.
TEST(BmcPrograms, NestedLoops) {
  for (unsigned long bad : {3, 4}) {
    Program p;
    Term i = p.word("i"), j = p.word("j"), k = p.word("k"), c = p.word("c");
    LocationId outer = p.location("outer"), inner = p.location("inner"), next = p.location("next");
    Term three = p.number(3), zero = p.number(0);
    p.edge(p.start, {Command::assign(i, zero), Command::assign(k, zero)}, outer);
    p.edge(outer, {p.is(p.less(i, three)), Command::assign(j, zero)}, inner);
    p.edge(outer, {p.isnt(p.less(i, three)), p.is(p.t.make_eq(k, p.number(bad)))}, p.error);
    p.edge(inner, {p.is(p.less(j, i)), Command::havoc(c)}, next);
    p.edge(inner, {p.isnt(p.less(j, i)), p.add(i, 1)}, outer);
    p.edge(next, {p.is(p.t.make_eq(c, zero)), p.add(i, 1)}, outer);
    p.edge(next, {p.isnt(p.t.make_eq(c, zero)), p.add(j, 1), p.add(k, 1)}, inner);
    Problem problem = p.problem();
    Bench run(kBmcInfo);
    if (bad == 3)
      EXPECT_TRUE(finds(run, problem));
    else
      EXPECT_TRUE(proves(run, problem));
  }
}

/// a[x] = 1; a[y] = 2; then what a[z] can be.
TEST(BmcPrograms, ArraysAtUnknownIndices) {
  for (unsigned long bad : {1, 2, 9}) {
    Program p;
    Term x = p.word("x"), y = p.word("y"), z = p.word("z"), v = p.word("v"), a = p.array("a");
    LocationId one = p.location("one"), two = p.location("two"), three = p.location("three");
    auto put = [&](Term at, unsigned long value) {
      return Command::assign(a, p.t.make_store(a, at, p.number(value)));
    };
    p.edge(p.start, {put(p.number(7), 5), put(x, 1)}, one);
    // A write on one way alone.
    p.edge(one, {p.is(p.less(x, y)), put(y, 2)}, two);
    p.edge(one, {p.isnt(p.less(x, y))}, two);
    p.edge(two, {Command::assign(v, p.t.make_select(a, z))}, three);
    bool other = bad == 9;
    p.edge(three,
           {p.is(p.t.make_eq(v, p.number(bad))), p.isnt(p.t.make_eq(z, other ? y : p.number(7))),
            p.is(p.t.make_eq(z, other ? x : z))},
           p.error);
    Problem problem = p.problem();
    Bench run(kBmcInfo);
    if (other)
      EXPECT_TRUE(proves(run, problem)) << "a[x] is 1 unless y is x";
    else
      EXPECT_TRUE(finds(run, problem)) << bad;
  }
}

TEST(BmcPrograms, ElementsNeverWrittenAreOneAtOneIndex) {
  Program p;
  Term x = p.word("x"), y = p.word("y"), a = p.array("a");
  LocationId same = p.location("same");
  p.edge(p.start, {p.is(p.t.make_eq(x, y))}, same);
  p.edge(same, {p.isnt(p.t.make_eq(p.t.make_select(a, x), p.t.make_select(a, y)))}, p.error);
  Bench run(kBmcInfo);
  EXPECT_TRUE(proves(run, p.problem()));
}

TEST(BmcPrograms, IntegersAreForAnSmtSolver) {
  for (int bad : {10, 11}) {
    CfaBuilder b{std::make_shared<TermStore>()};
    TermStore& t = b.terms();
    Term i = b.add_variable("i", t.int_sort()), n = b.add_variable("n", t.int_sort());
    LocationId start = b.add_location("start"), head = b.add_location("head"),
               error = b.add_location("error");
    b.add_edge(start,
               Command::sequence({Command::assume(t.make_le(n, t.integer(10))),
                                  Command::assign(i, t.integer(0))}),
               head);
    b.add_edge(head,
               Command::sequence({Command::assume(t.make_lt(i, n)),
                                  Command::assign(i, t.make_add(i, t.integer(1)))}),
               head);
    b.add_edge(head,
               Command::sequence({Command::assume(t.make_le(n, i)),
                                  Command::assume(t.make_eq(i, t.integer(bad)))}),
               error);
    b.set_initial(start);
    b.set_error(error);
    Problem problem{*std::move(b).freeze(), {{"error", ErrorLocation{}}}, {}};
    Bench run(kBmcInfo);
    EXPECT_TRUE(bad == 10 ? finds(run, problem) : proves(run, problem));
  }
}

TEST(BmcPrograms, ObeysAStopRequest) {
  Bench run(kBmcInfo);
  run.stop.request_stop();
  EXPECT_EQ(run.check(sum(20, 30)), Verdict(Unknown{Reason::Stopped}));
}

}  // namespace
}  // namespace lem::engine
