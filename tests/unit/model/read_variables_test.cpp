#include "model/read_variables.h"

#include <gtest/gtest.h>

namespace lem {
namespace {

TEST(ReadVariables, FollowsGuardsClaimsAndValues) {
  CfaBuilder builder(std::make_shared<TermStore>());
  TermStore& t = builder.terms();
  Sort word = t.bv_sort(8);
  Term guard = builder.add_variable("guard", t.bool_sort()),
       sum = builder.add_variable("sum", word), part = builder.add_variable("part", word),
       unused = builder.add_variable("unused", word);
  LocationId start = builder.add_location("start"), error = builder.add_location("error");
  builder.set_initial(start);
  builder.set_error(error);
  builder.add_edge(start,
                   Command::sequence({Command::assume(guard), Command::assign(sum, part),
                                      Command::assign(unused, sum)}),
                   error);
  Result<Cfa> cfa = std::move(builder).freeze();
  ASSERT_TRUE(cfa.ok());
  EXPECT_EQ(read_variables(*cfa, {}), std::set<Term>({guard}));
  EXPECT_EQ(read_variables(*cfa, {t.make_eq(sum, t.bv(0, 8))}), std::set<Term>({guard, sum, part}));
}

}  // namespace
}  // namespace lem
