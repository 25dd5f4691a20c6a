#include "writer/dot.h"

#include <gtest/gtest.h>

namespace lem::writer {
namespace {

TEST(Dot, ShowsLocationsAndCommands) {
  CfaBuilder builder(std::make_shared<TermStore>());
  TermStore& t = builder.terms();
  Term x = builder.add_variable("x", t.int_sort());
  LocationId start = builder.add_location("start", 3);
  LocationId error = builder.add_location("error");
  Command either = Command::choice({Command::assign(x, t.integer(0)), Command::havoc(x)});
  builder.add_edge(start, Command::sequence({either, Command::assume(t.make_le(x, t.integer(9)))}),
                   error);
  builder.set_initial(start);
  builder.set_error(error);
  auto cfa = std::move(builder).freeze();
  ASSERT_TRUE(cfa.ok());
  std::string text = write_dot(*cfa);
  EXPECT_NE(text.find("n0 [label=\"3\", shape=doublecircle]"), std::string::npos) << text;
  EXPECT_NE(text.find("label=\"error\", shape=octagon"), std::string::npos);
  EXPECT_NE(text.find("n0 -> n1 [label=\"{\\l  x = 0\\l}\\l{\\l  x = *\\l}\\l[x <= 9]\\l\"]"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace lem::writer
