#include "frontend/st/translate/automaton.h"

#include <gtest/gtest.h>

namespace lem::st {
namespace {

struct StAutomaton : ::testing::Test {
  StAutomaton() { cfa.continue_at(cfa.new_location("here")); }
  Automaton cfa;
  TermStore& t = cfa.terms();
  Term x = cfa.variable("x", t.bv_sort(8), {});
};

TEST_F(StAutomaton, NamesOfVariablesDiffer) {
  EXPECT_EQ(t.name(cfa.variable("x", t.bv_sort(8), {})), "x'");
  EXPECT_EQ(t.name(cfa.temporary(t.bool_sort())), "$2");
}

TEST_F(StAutomaton, CommandsBehindAJumpAreDropped) {
  LocationId other = cfa.new_location("other");
  cfa.go_to(other);
  EXPECT_TRUE(cfa.is_dead());
  cfa.emit(Command::assign(x, t.bv(1, 8)));
  EXPECT_EQ(cfa.mark(), 0U);
  cfa.continue_at(other);
  cfa.emit(Command::assign(x, t.bv(1, 8)));
  EXPECT_EQ(cfa.mark(), 1U);
}

TEST_F(StAutomaton, FlushMovesOnOnlyWithCommands) {
  LocationId here = cfa.at();
  EXPECT_EQ(cfa.flush(), here);
  cfa.emit(Command::assign(x, t.bv(1, 8)));
  EXPECT_NE(cfa.flush(), here);
  EXPECT_TRUE(cfa.take_pending().empty());
}

TEST_F(StAutomaton, BranchHasTwoEdgesFromOneLocation) {
  LocationId yes = cfa.new_location("yes"), no = cfa.new_location("no");
  cfa.emit(Command::assign(x, t.bv(1, 8)));
  cfa.branch(t.make_eq(x, t.bv(1, 8)), yes, no);
  EXPECT_EQ(cfa.edges(), 3U);  // the assignment, yes, no
}

TEST_F(StAutomaton, HeldTermsKeepTheirValuesBeforeACall) {
  Term read = x, constant = t.bv(3, 8);
  {
    Held held(cfa);
    held.add(read);
    held.add(constant);
    cfa.keep_held();
    cfa.keep_held();  // once put aside, a value stays
  }
  EXPECT_NE(read, x);
  EXPECT_EQ(constant, t.bv(3, 8));
  EXPECT_EQ(cfa.mark(), 1U);
  Term later = x;
  cfa.keep_held();
  EXPECT_EQ(later, x) << "nothing is held any more";
}

TEST_F(StAutomaton, KnowsWhichTermsAnAssignmentChanges) {
  Term y = cfa.variable("y", t.bv_sort(8), {});
  std::size_t mark = cfa.mark();
  EXPECT_FALSE(cfa.changed_since(mark, x));
  cfa.emit(Command::assign(x, y));
  EXPECT_TRUE(cfa.changed_since(mark, t.make(Op::BvAdd, {x, y})));
  EXPECT_FALSE(cfa.changed_since(mark, y));
  EXPECT_FALSE(cfa.changed_since(cfa.mark(), x));
  EXPECT_FALSE(cfa.writes_beyond(mark, cfa.mark(), {x}));
  EXPECT_TRUE(cfa.writes_beyond(mark, cfa.mark(), {y}));
}

TEST_F(StAutomaton, OnlyTheUsersAssumptionsRestrict) {
  cfa.emit(Command::assume(t.boolean(true)));
  EXPECT_FALSE(cfa.is_restricted());
  cfa.restrict(t.boolean(true));
  EXPECT_TRUE(cfa.is_restricted());
}

}  // namespace
}  // namespace lem::st
