// Lemmas that move along edges, and when their frames end the search. The evidence is checked: an
// answer that the checker rejects fails the test as a wrong one does.
#include <gtest/gtest.h>

#include "support/ic3cfa_run.h"

namespace lem::engine {
namespace {

/// x counts from 0 to 9 in a loop; the error needs x = `bad`. The locations are added in the order
/// of `order`, a permutation of "s", "l", "e": start, loop and error.
Cfa counting(std::string_view order, int bad) {
  CfaBuilder b(std::make_shared<TermStore>());
  TermStore& t = b.terms();
  Term x = b.add_variable("x", t.int_sort());
  std::map<char, LocationId> at;
  for (char each : order) at[each] = b.add_location(std::string(1, each));
  b.set_initial(at['s']);
  b.set_error(at['e']);
  b.add_edge(at['s'], Command::assign(x, t.integer(0)), at['l']);
  Term more = t.make_add(x, t.integer(1));
  Command count =
      Command::sequence({Command::assume(t.make_lt(x, t.integer(9))), Command::assign(x, more)});
  b.add_edge(at['l'], count, at['l']);
  b.add_edge(at['l'], Command::assume(t.make_eq(x, t.integer(bad))), at['e']);
  auto made = std::move(b).freeze();
  EXPECT_TRUE(made.ok());
  return std::move(*made);
}

/// The loop's frames differ from level to level until the error is found: no location may be left
/// out when they are compared.
TEST(Ic3cfaPropagation, AllLocationsCountAtTheEnd) {
  for (std::string_view order : {"sle", "sel", "les", "lse", "esl", "els"})
    for (const char* settings : {"", "ic3cfa.coverage=off", "ic3cfa.push=off,ic3cfa.coverage=off"})
      for (int bad : {1, 2, 4, 12}) {
        SCOPED_TRACE(std::string(order) + " " + settings + " " + std::to_string(bad));
        EXPECT_EQ(test::Ic3cfaRun(settings).reached(counting(order, bad)), bad < 10);
      }
}

/// Two ways into `meet`: on one x is 0, on the other y is 0; the error needs both to be 1. What
/// each way knows does not hold behind `meet`, where only their disjunction does.
TEST(Ic3cfaPropagation, APostconditionNeedsAllEdgesToAgree) {
  for (bool swapped : {false, true}) {
    CfaBuilder b(std::make_shared<TermStore>());
    TermStore& t = b.terms();
    Term x = b.add_variable("x", t.int_sort()), y = b.add_variable("y", t.int_sort());
    if (swapped) std::swap(x, y);
    LocationId start = b.add_location("start"), left = b.add_location("left");
    LocationId right = b.add_location("right"), meet = b.add_location("meet");
    LocationId error = b.add_location("error");
    b.set_initial(start);
    b.set_error(error);
    b.add_edge(start, Command::assign(x, t.integer(0)), left);
    b.add_edge(start, Command::assign(y, t.integer(0)), right);
    b.add_edge(left, Command::skip(), meet);
    b.add_edge(right, Command::skip(), meet);
    b.add_edge(meet, Command::skip(), meet);
    Term both = t.make_and(t.make_eq(x, t.integer(1)), t.make_eq(y, t.integer(1)));
    b.add_edge(meet, Command::assume(both), error);
    auto cfa = std::move(b).freeze();
    ASSERT_TRUE(cfa.ok());
    for (const char* more : {"", ",ic3cfa.push=off", ",ic3cfa.push=off,ic3cfa.coverage=off"})
      EXPECT_FALSE(
          test::Ic3cfaRun("ic3cfa.propagate=postconditions" + std::string(more)).reached(*cfa))
          << more;
  }
}

/// Where one edge alone leads, what it leaves is added without a query.
TEST(Ic3cfaPropagation, APostconditionAlongTheOnlyEdgeNeedsNoQuery) {
  CfaBuilder b(std::make_shared<TermStore>());
  TermStore& t = b.terms();
  Term x = b.add_variable("x", t.int_sort());
  std::vector<LocationId> at;
  for (const char* name : {"start", "one", "two", "three", "error"})
    at.push_back(b.add_location(name));
  b.set_initial(at[0]);
  b.set_error(at[4]);
  b.add_edge(at[0], Command::assign(x, t.integer(0)), at[1]);
  for (std::size_t i = 1; i < 3; ++i)
    b.add_edge(at[i], Command::assign(x, t.make_add(x, t.integer(1))), at[i + 1]);
  b.add_edge(at[3], Command::assume(t.make_lt(x, t.integer(2))), at[4]);
  auto cfa = std::move(b).freeze();
  ASSERT_TRUE(cfa.ok());
  test::Ic3cfaRun run("ic3cfa.propagate=postconditions,ic3cfa.push=off,ic3cfa.coverage=off");
  EXPECT_FALSE(run.reached(*cfa));
}

}  // namespace
}  // namespace lem::engine
