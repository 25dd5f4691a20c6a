// Evidence about control-flow automata: accepted exactly when it is good.
#include "check/cfa.h"

#include <gtest/gtest.h>

#include "check/certify.h"

namespace lem::check {
namespace {

/// x = 0; while (*) { havoc y; assume y >= 0; x += y; }  error if x < 0.
class CfaEvidence : public testing::Test {
 protected:
  CfaEvidence() {
    b_.add_edge(start_, Command::assign(x_, t.integer(0)), head_);
    Term grow = t.make_le(t.integer(0), y_);
    b_.add_edge(head_,
                Command::sequence({Command::havoc(y_), Command::assume(grow),
                                   Command::assign(x_, t.make_add(x_, y_))}),
                head_);
    b_.add_edge(head_, Command::assume(t.make_lt(x_, t.integer(0))), error_);
    b_.set_initial(start_);
    b_.set_error(error_);
  }
  Cfa cfa() {
    auto made = std::move(b_).freeze();
    EXPECT_TRUE(made.ok());
    return std::move(*made);
  }

  CfaBuilder b_{std::make_shared<TermStore>()};
  TermStore& t = b_.terms();
  Term x_ = b_.add_variable("x", t.int_sort());
  Term y_ = b_.add_variable("y", t.int_sort());
  LocationId start_ = b_.add_location("start");
  LocationId head_ = b_.add_location("head");
  LocationId error_ = b_.add_location("error");
};

TEST_F(CfaEvidence, InvariantsAreCheckedAtEveryEdge) {
  Cfa program = cfa();
  Term yes = t.boolean(true), no = t.boolean(false);
  Term good = t.make_le(t.integer(0), x_);
  auto check = [&](Term start, Term head, Term error) {
    return check_invariants(program, {{start, head, error}}, {});
  };
  EXPECT_EQ(check(yes, good, no).holds, TermHolds::Yes);
  EXPECT_EQ(check(good, good, no).failed, "initiation");
  EXPECT_EQ(check(yes, good, good).failed, "safety");
  EXPECT_EQ(check(yes, yes, no).failed, "the edge from head to error");
  EXPECT_EQ(check(yes, t.make_eq(x_, t.integer(0)), no).failed, "the edge from head to head");
  EXPECT_EQ(check(yes, t.make_lt(t.integer(0), x_), no).failed, "the edge from start to head");
  EXPECT_EQ(check_invariants(program, {{yes}}, {}).holds, TermHolds::No);
}

/// i = 0; while (i < n) i += 1, `n` at most 5, error if i == bad: no claim at the loop.
TermFinding unwound(int bad, std::uint32_t hint, std::optional<int> most = 5) {
  CfaBuilder b{std::make_shared<TermStore>()};
  TermStore& t = b.terms();
  Term i = b.add_variable("i", t.int_sort()), n = b.add_variable("n", t.int_sort());
  LocationId start = b.add_location("start"), head = b.add_location("head");
  LocationId error = b.add_location("error");
  Term small = most ? t.make_le(n, t.integer(*most)) : t.boolean(true);
  b.add_edge(start, Command::sequence({Command::assume(small), Command::assign(i, t.integer(0))}),
             head);
  b.add_edge(head,
             Command::sequence({Command::assume(t.make_lt(i, n)),
                                Command::assign(i, t.make_add(i, t.integer(1)))}),
             head);
  b.add_edge(head,
             Command::sequence(
                 {Command::assume(t.make_le(n, i)), Command::assume(t.make_eq(i, t.integer(bad)))}),
             error);
  b.set_initial(start);
  b.set_error(error);
  Cfa cfa = *std::move(b).freeze();
  return check_invariants(cfa, {{t.boolean(true), Term(), t.boolean(false)}, {0, hint, 0}}, {});
}

/// Hints are hints: too low ones cost time, none makes a wrong claim right.
TEST(CfaUnwinding, LoopsWithoutAClaimAreUnwoundToTheirEnd) {
  for (std::uint32_t hint : {0, 3, 6, 50}) {
    EXPECT_EQ(unwound(6, hint).holds, TermHolds::Yes) << hint;
    EXPECT_EQ(unwound(5, hint).holds, TermHolds::No) << hint;
    EXPECT_EQ(unwound(0, hint).holds, TermHolds::No) << hint;
  }
}

TEST(CfaUnwinding, ALoopWithoutEndIsNotProved) {
  EXPECT_EQ(unwound(-1, 1, {}).holds, TermHolds::Undecided);
}

TEST(CfaUnwinding, ClaimsAtOtherLocationsAreChecked) {
  CfaBuilder b{std::make_shared<TermStore>()};
  TermStore& t = b.terms();
  Term x = b.add_variable("x", t.int_sort()), i = b.add_variable("i", t.int_sort());
  LocationId start = b.add_location("start"), outer = b.add_location("outer");
  LocationId inner = b.add_location("inner"), error = b.add_location("error");
  Term three = t.integer(3);
  b.add_edge(start, Command::assign(x, t.integer(0)), outer);
  b.add_edge(outer, Command::assign(i, t.integer(0)), inner);
  b.add_edge(inner,
             Command::sequence({Command::assume(t.make_lt(i, three)),
                                Command::assign(i, t.make_add(i, t.integer(1))),
                                Command::assign(x, t.make_add(x, t.integer(2)))}),
             inner);
  b.add_edge(inner, Command::assume(t.make_le(three, i)), outer);
  b.add_edge(outer, Command::assume(t.make_lt(x, t.integer(0))), error);
  b.set_initial(start);
  b.set_error(error);
  Cfa cfa = *std::move(b).freeze();
  Term yes = t.boolean(true), no = t.boolean(false);
  auto check = [&](Term at_outer) {
    return check_invariants(cfa, {{yes, at_outer, Term(), no}, {0, 0, 3, 0}}, {}).holds;
  };
  EXPECT_EQ(check(t.make_le(t.integer(0), x)), TermHolds::Yes);
  EXPECT_EQ(check(t.make_eq(x, t.integer(0))), TermHolds::No);
  EXPECT_EQ(check(t.make_le(x, t.integer(100))), TermHolds::No);
  EXPECT_EQ(check(yes), TermHolds::No);
}

/// Between claims, all ways count; a loop needs one.
TEST_F(CfaEvidence, LocationsBetweenClaimsMayBeLeftOut) {
  LocationId read = b_.add_location("read"), done = b_.add_location("done");
  Term zero = t.integer(0);
  b_.add_edge(head_, Command::havoc(y_), read);
  b_.add_edge(read, Command::assume(t.make_lt(zero, y_)), done);
  b_.add_edge(read,
              Command::sequence(
                  {Command::assume(t.make_lt(y_, zero)), Command::assign(y_, t.make_neg(y_))}),
              done);
  b_.add_edge(done, Command::assign(x_, y_), head_);
  Cfa program = cfa();
  Term yes = t.boolean(true), no = t.boolean(false), none;
  auto check = [&](Term head, Term at_read, Term at_done) {
    return check_invariants(program, {{yes, head, no, at_read, at_done}}, {});
  };
  Term good = t.make_le(zero, x_);
  EXPECT_EQ(check(good, none, none).holds, TermHolds::Yes);
  EXPECT_EQ(check(good, none, t.make_lt(zero, y_)).holds, TermHolds::Yes);
  EXPECT_EQ(check(good, none, yes).failed, "the edge from done to head") << "y may be negative";
  EXPECT_EQ(check(t.make_lt(zero, x_), none, none).failed, "the edge from start to head");
  EXPECT_EQ(check(none, none, none).failed, "a loop through head without an invariant");
  EXPECT_EQ(check_invariants(program, {{none, good, no, yes, yes}}, {}).holds, TermHolds::No);
}

/// Two ways lead to a location without a claim, one of them with a negative x, in either order.
TEST_F(CfaEvidence, EveryWayToALocationWithoutAClaimCounts) {
  LocationId first = b_.add_location("first"), second = b_.add_location("second");
  Command good = Command::assign(x_, t.integer(1)), bad = Command::assign(x_, t.integer(-1));
  b_.add_edge(head_, good, first);
  b_.add_edge(head_, bad, first);
  b_.add_edge(head_, bad, second);
  b_.add_edge(head_, good, second);
  Term none, yes = t.boolean(true), no = t.boolean(false), claim = t.make_le(t.integer(0), x_);
  b_.add_edge(first, Command::skip(), head_);
  b_.add_edge(second, Command::skip(), head_);
  Cfa program = cfa();
  auto failed = [&](Term at_first, Term at_second) {
    return check_invariants(program, {{yes, claim, no, at_first, at_second}}, {}).failed;
  };
  Term some = t.make_le(t.integer(-1), x_);  // true of both, so that only the other one is in doubt
  EXPECT_EQ(failed(none, some), "the edge from first to head");
  EXPECT_EQ(failed(some, none), "the edge from second to head");
}

TEST_F(CfaEvidence, RunsAreReplayed) {
  b_.add_edge(head_, Command::assume(t.make_lt(t.integer(5), x_)), error_);
  Cfa program = cfa();
  auto state = [&](int x, int y) { return std::vector<Term>{t.integer(x), t.integer(y)}; };
  EdgeId enter{0}, around{1}, exceed{3};
  CfaTrace run{{enter, around, exceed}, {state(9, 9), state(0, 9), state(6, 6), state(6, 6)}};
  EXPECT_EQ(replay(program, run, {}), std::nullopt);
  CfaTrace wrong = run;
  wrong.values[2] = state(6, 7);
  EXPECT_TRUE(replay(program, wrong, {})) << "x grows by y";
  wrong = run;
  wrong.edges.pop_back();
  EXPECT_TRUE(replay(program, wrong, {})) << "as many values as before";
  wrong.values.pop_back();
  EXPECT_EQ(replay(program, wrong, {}), "the run does not end at the error location");
  wrong = run;
  wrong.edges[1] = exceed;
  EXPECT_TRUE(replay(program, wrong, {})) << "0 is not more than 5";
  wrong = run;
  wrong.values[0][1] = y_;
  EXPECT_EQ(replay(program, wrong, {}), "a value is left open");
  wrong = run;
  wrong.edges[0] = around;
  EXPECT_EQ(replay(program, wrong, {}),
            "the edge from head to head does not start where the run is");
}

/// x := 0 says nothing about y, which therefore stays.
TEST_F(CfaEvidence, WhatAnEdgeDoesNotMentionStays) {
  b_.add_edge(head_, Command::assume(t.make_lt(t.integer(5), y_)), error_);
  Cfa program = cfa();
  auto state = [&](int x, int y) { return std::vector<Term>{t.integer(x), t.integer(y)}; };
  EdgeId enter{0}, exceed{3};
  CfaTrace kept{{enter, exceed}, {state(9, 6), state(0, 6), state(0, 6)}};
  EXPECT_EQ(replay(program, kept, {}), std::nullopt);
  CfaTrace changed{{enter, exceed}, {state(9, 1), state(0, 6), state(0, 6)}};
  EXPECT_EQ(replay(program, changed, {}),
            "the edge from start to head does not lead to the values that are given");
  changed = {{enter, exceed}, {state(9, 6), state(0, 6), state(4, 6)}};
  EXPECT_TRUE(replay(program, changed, {})) << "x changes at an assumption about y";
}

TEST_F(CfaEvidence, RunsOutsideTheAutomatonAreRefused) {
  Cfa program = cfa();
  auto state = [&](int x, int y) { return std::vector<Term>{t.integer(x), t.integer(y)}; };
  CfaTrace run{{EdgeId{7}}, {state(0, 0), state(0, 0)}};
  EXPECT_EQ(replay(program, run, {}), "there is no such edge");
  run = {{EdgeId{0}}, {state(0, 0), {t.integer(0)}}};
  EXPECT_EQ(replay(program, run, {}), "values are missing");
  run = {{}, {}};
  EXPECT_EQ(replay(program, run, {}), "values are missing");
}

/// What replay and invariants say decides what a verdict is worth.
TEST_F(CfaEvidence, VerdictsAreWorthWhatTheirEvidenceIs) {
  b_.add_edge(head_, Command::assume(t.make_lt(t.integer(5), x_)), error_);
  Problem problem{cfa(), {{"error", ErrorLocation{}}}, {}};
  auto state = [&](int x, int y) { return std::vector<Term>{t.integer(x), t.integer(y)}; };
  EdgeId enter{0}, around{1}, exceed{3};
  auto judged = [&](Verdict verdict) {
    auto result = certify(problem, std::move(verdict), {});
    return result ? std::string("accepted") : result.error().message;
  };
  CfaTrace run{{enter, around, exceed}, {state(9, 9), state(0, 9), state(6, 6), state(6, 6)}};
  EXPECT_EQ(judged(Unsafe{run}), "accepted");
  run.values[2] = state(6, 7);
  EXPECT_EQ(judged(Unsafe{run}),
            "the trace for property 'error' is rejected: the edge from head to head does not lead "
            "to the values that are given");
  EXPECT_NE(judged(Unsafe{TermTrace{}}), "accepted");
  EXPECT_NE(judged(Safe{TermInvariant{t.boolean(true)}}), "accepted");
  Term good = t.make_le(t.integer(0), x_);
  EXPECT_EQ(judged(Safe{LocationInvariants{{t.boolean(true), good, t.boolean(false)}}}),
            "the certificate for property 'error' is rejected: the edge from head to error fails");
}

TEST_F(CfaEvidence, StoppedRepliesAreNoVerdict) {
  Problem problem{cfa(), {{"error", ErrorLocation{}}}, {}};
  std::stop_source stop;
  stop.request_stop();
  Term good = t.make_le(t.integer(0), x_);
  LocationInvariants claim{{t.boolean(true), good, t.boolean(false)}};
  auto result = certify(problem, Safe{claim}, stop.get_token());
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->verdict(), Verdict(Unknown{Reason::Stopped}));
}

}  // namespace
}  // namespace lem::check
