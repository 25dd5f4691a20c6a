#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

constexpr const char* kProgram =
    "TYPE S : STRUCT a : INT; b : BOOL; END_STRUCT; END_TYPE "
    "PROGRAM p VAR i : INT; w : WORD; few : ARRAY [0..2] OF INT; many : ARRAY [1..99] OF INT; "
    "s, q : S; timer : TON; END_VAR END_PROGRAM";

struct StMemory : ::testing::Test {
  Parts p{kProgram};
  Memory& memory = p.expressions.memory;
};

TEST_F(StMemory, LargeArraysAreOneArrayOfTheAutomaton) {
  EXPECT_EQ(p.place("few").known()->parts.size(), 3U);
  const Storage& many = *p.place("many").known();
  EXPECT_TRUE(many.spread);
  EXPECT_EQ(p.t.kind(many.parts[0].leaf), SortKind::Array);
  EXPECT_EQ(memory.ages().size(), 1U) << "the age of the timer";
}

TEST_F(StMemory, ReadsOutOfBoundsGiveAnyValue) {
  ASSERT_TRUE(memory.read(p.place("few[1]"), kHere).ok());
  EXPECT_TRUE(p.cfa.source().choices.empty());
  ASSERT_TRUE(memory.read(p.place("few[i]"), kHere).ok());
  EXPECT_EQ(p.cfa.source().choices.size(), 1U);
}

TEST_F(StMemory, WritesEveryElementThatAnIndexMayMean) {
  ASSERT_TRUE(memory.write(p.place("few[i]"), {nullptr, {}, mpz_class(7)}, kHere).ok());
  std::size_t elements = 0;
  for (const Command& one : p.cfa.take_pending())
    for (const Storage& part : p.place("few").known()->parts)
      elements += one.variable() == part.leaf ? 1U : 0U;
  EXPECT_EQ(elements, 3U);
}

TEST_F(StMemory, WritesBitsOfAWord) {
  ASSERT_TRUE(memory.write(p.place("w.3"), {&p.type("bool"), p.t.boolean(true)}, kHere).ok());
  std::vector<Command> done = p.cfa.take_pending();
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(p.t.make_extract(done[0].value(), 3, 3), p.t.bv(1, 1));
  EXPECT_EQ(p.t.make_extract(done[0].value(), 2, 0), p.t.make_extract(p.variable("w"), 2, 0));
}

TEST_F(StMemory, CopiesStructuresPartByPart) {
  ASSERT_TRUE(memory.copy(p.place("s"), p.place("q"), kHere).ok());
  EXPECT_EQ(p.cfa.take_pending().size(), 2U);
  EXPECT_FALSE(memory.copy(p.place("s"), p.place("few"), kHere).ok());
  EXPECT_TRUE(p.cfa.take_pending().empty());
}

}  // namespace
}  // namespace lem::st::test
