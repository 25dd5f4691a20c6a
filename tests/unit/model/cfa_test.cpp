#include "model/cfa.h"

#include <gtest/gtest.h>

namespace lem {
namespace {

class Cfas : public testing::Test {
 protected:
  CfaBuilder builder{std::make_shared<TermStore>()};
  TermStore& t = builder.terms();
  Term x = builder.add_variable("x", t.int_sort());
  LocationId start = builder.add_location("start", 3);
  LocationId loop = builder.add_location("loop", 4);
  LocationId error = builder.add_location("error");
  Command step = Command::assign(x, t.make_add(x, t.integer(1)));
};

TEST_F(Cfas, KnowTheirNeighbours) {
  EdgeId enter = builder.add_edge(start, Command::assign(x, t.integer(0)), loop, 3);
  EdgeId around = builder.add_edge(loop, step, loop, 5);
  EdgeId fail = builder.add_edge(loop, Command::assume(t.make_lt(x, t.integer(0))), error);
  builder.set_initial(start);
  builder.set_error(error);
  auto cfa = std::move(builder).freeze();
  ASSERT_TRUE(cfa.ok());
  EXPECT_EQ(cfa->initial(), start);
  EXPECT_EQ(cfa->error(), error);
  auto list = [](std::span<const EdgeId> edges) {
    return std::vector<EdgeId>(edges.begin(), edges.end());
  };
  EXPECT_EQ(list(cfa->out(loop)), (std::vector<EdgeId>{around, fail}));
  EXPECT_EQ(list(cfa->in(loop)), (std::vector<EdgeId>{enter, around}));
  EXPECT_TRUE(cfa->out(error).empty());
  EXPECT_EQ((*cfa)[enter].line, 3U);
  EXPECT_EQ((*cfa)[loop].name, "loop");
}

TEST_F(Cfas, NothingLeavesTheErrorLocation) {
  builder.add_edge(error, step, loop);
  builder.set_initial(start);
  builder.set_error(error);
  EXPECT_EQ(std::move(builder).freeze().error().message, "an edge leaves the error location");
}

TEST_F(Cfas, CommandsSpeakOfTheirVariables) {
  builder.add_edge(start, Command::havoc(t.variable("z", t.int_sort())), loop);
  builder.set_initial(start);
  builder.set_error(error);
  EXPECT_EQ(std::move(builder).freeze().error().message, "'z' is no variable of the automaton");
}

TEST_F(Cfas, BothEndsAreNeeded) {
  builder.set_initial(start);
  EXPECT_FALSE(std::move(builder).freeze().ok());
}

TEST_F(Cfas, VariablesAreDeclaredOnce) {
  builder.add_variable("x", t.int_sort());
  builder.set_initial(start);
  builder.set_error(error);
  EXPECT_EQ(std::move(builder).freeze().error().message, "the variable 'x' is declared twice");
}

}  // namespace
}  // namespace lem
