// Places of proved properties: whether any run comes there.
#include "check/reach.h"

#include <gtest/gtest.h>

#include "check/cfa.h"

namespace lem::check {
namespace {

/// x := 0; while (x < 3) x++; then, if the condition holds, the place; there x == 7 is checked.
class Places : public testing::Test {
 protected:
  Cfa program(Term condition) {
    CfaBuilder builder(store_);
    builder.add_variable(x_);
    LocationId start = builder.add_location("start");
    LocationId loop = builder.add_location("loop");
    LocationId behind = builder.add_location("behind");
    place_ = builder.add_location("place");
    LocationId fails = builder.add_location("fails");
    LocationId exit = builder.add_location("exit");
    LocationId error = builder.add_location("error");
    builder.set_initial(start);
    builder.set_error(error);
    Term less = t.make_lt(x_, t.integer(3)), seven = t.make_eq(x_, t.integer(7));
    builder.add_edge(start, Command::assign(x_, t.integer(0)), loop);
    builder.add_edge(loop,
                     Command::sequence({Command::assume(less),
                                        Command::assign(x_, t.make_add(x_, t.integer(1)))}),
                     loop);
    builder.add_edge(loop, Command::assume(t.make_not(less)), behind);
    builder.add_edge(behind, Command::assume(condition), place_);
    builder.add_edge(behind, Command::assume(t.make_not(condition)), exit);
    builder.add_edge(place_, Command::assume(seven), exit);
    builder.add_edge(place_, Command::assume(t.make_not(seven)), fails);
    builder.add_edge(fails, Command::skip(), error);
    auto cfa = std::move(builder).freeze();
    EXPECT_TRUE(cfa.ok());
    return *std::move(cfa);
  }
  LocationInvariants proof(Term at_loop) {
    return {{t.boolean(true), at_loop, Term(), Term(), Term(), Term(), t.boolean(false)}};
  }
  Term at_most(int n) { return t.make_le(x_, t.integer(n)); }

  std::shared_ptr<TermStore> store_ = std::make_shared<TermStore>();
  TermStore& t = *store_;
  Term x_ = t.variable("x", t.int_sort());
  LocationId place_{};
};

TEST_F(Places, AreWhereTheRunDecides) {
  Cfa cfa = program(t.boolean(true));
  EXPECT_EQ(deciding_places(cfa, cfa.error()), std::vector{place_});
}

TEST_F(Places, ThatTheInvariantsExclude) {
  Cfa cfa = program(t.make_lt(t.integer(3), x_));
  LocationInvariants claim = proof(at_most(3));
  ASSERT_EQ(check_invariants(cfa, claim, {}).holds, TermHolds::Yes);
  EXPECT_EQ(PlaceReach().of(cfa, claim, {place_}, {}), Reach::Never);
}

TEST_F(Places, ThatTheInvariantsDoNotExclude) {
  Cfa cfa = program(t.make_eq(x_, t.integer(7)));
  LocationInvariants claim = proof(t.boolean(true));
  ASSERT_EQ(check_invariants(cfa, claim, {}).holds, TermHolds::Yes) << "x is 7 at the place";
  EXPECT_EQ(PlaceReach().of(cfa, claim, {place_}, {}), Reach::Unknown) << "no run comes, who knows";
  LocationId loop{1};
  EXPECT_EQ(PlaceReach().of(cfa, claim, {loop}, {}), Reach::Unknown) << "the claim there is true";
}

TEST_F(Places, BeforeAnyLoopAreFoundByARun) {
  Cfa cfa = program(t.make_lt(t.integer(3), x_));
  LocationInvariants claim = proof(at_most(3));
  EXPECT_EQ(PlaceReach().of(cfa, claim, {cfa.initial()}, {}), Reach::Some);
}

TEST_F(Places, OfAProofThatUnwinds) {
  Cfa dead = program(t.make_lt(t.integer(3), x_));
  LocationInvariants claim = proof(Term());
  claim.rounds = std::vector<std::uint32_t>(claim.at.size(), 8);
  ASSERT_EQ(check_invariants(dead, claim, {}).holds, TermHolds::Yes);
  EXPECT_EQ(PlaceReach().of(dead, claim, {place_}, {}), Reach::Never);
  EXPECT_EQ(PlaceReach().of(dead, claim, {LocationId{2}}, {}), Reach::Some) << "behind the loop";
}

}  // namespace
}  // namespace lem::check
