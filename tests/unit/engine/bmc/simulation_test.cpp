#include "engine/bmc/simulation.h"

#include <gtest/gtest.h>

#include "unit/engine/engine_support.h"

namespace lem::engine {
namespace {

using namespace lem::test;

constexpr Simulation::Seconds kPlenty{20};

struct Simulated {
  Options options;
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, {}};
};

/// x = *; assume low < x < high; error if bad(x).
template <typename Bad>
Problem input(Sort (*sort_of)(TermStore&), const mpq_class& low, const mpq_class& high, Op less,
              Bad bad) {
  auto store = std::make_shared<TermStore>();
  TermStore& t = *store;
  CfaBuilder builder(store);
  Sort sort = sort_of(t);
  Term x = builder.add_variable("x", sort);
  LocationId start = builder.add_location("start"), read = builder.add_location("read"),
             end = builder.add_location("end"), error = builder.add_location("error");
  builder.set_initial(start);
  builder.set_error(error);
  Term within =
      t.make_and(t.make(less, {t.number(low, sort), x}), t.make(less, {x, t.number(high, sort)}));
  builder.add_edge(start, Command::sequence({Command::havoc(x), Command::assume(within)}), read);
  builder.add_edge(read, Command::assume(bad(t, x)), error);
  builder.add_edge(read, Command::assume(t.make_not(bad(t, x))), end);
  Result<Cfa> cfa = std::move(builder).freeze();
  EXPECT_TRUE(cfa.ok());
  return {*std::move(cfa), {{"error", ErrorLocation{}}}, {}};
}

Sort float_of(TermStore& t) {
  return t.float_sort(kFloat32);
}
Sort word_of(TermStore& t) {
  return t.bv_sort(32);
}

TEST(Simulation, FindsFloatsBetweenConstants) {
  Problem problem =
      input(float_of, mpq_class(-8, 10), mpq_class(8, 10), Op::FpLt, [](TermStore& t, Term x) {
        Term limit = t.number(mpq_class(3, 4), t.sort(x));
        return t.make(Op::FpLt, {limit, x});
      });
  Simulated world;
  std::optional<CfaTrace> run = Simulation(problem.cfa(), world.ctx).search(kPlenty);
  ASSERT_TRUE(run);
  EXPECT_TRUE(is_certified(problem, Unsafe{*run}));
}

TEST(Simulation, FindsWordsBesideConstants) {
  Problem problem = input(word_of, 0, mpq_class(0x7fffffff), Op::BvUlt,
                          [](TermStore& t, Term x) { return t.make_eq(x, t.bv(123457, 32)); });
  Simulated world;
  std::optional<CfaTrace> run = Simulation(problem.cfa(), world.ctx).search(kPlenty);
  ASSERT_TRUE(run);
  EXPECT_TRUE(is_certified(problem, Unsafe{*run}));
}

TEST(Simulation, FindsNothingWhereNothingIs) {
  Problem problem =
      input(word_of, 5, 5, Op::BvUlt, [](TermStore& t, Term) { return t.boolean(true); });
  Simulated world;
  Simulation simulation(problem.cfa(), world.ctx);
  EXPECT_FALSE(simulation.search(Simulation::Seconds{0.05}));
  EXPECT_GT(simulation.num_runs(), 0U);
}

/// Arrays and choices: values of every step are those of the automaton.
TEST(Simulation, WritesArrays) {
  auto store = std::make_shared<TermStore>();
  TermStore& t = *store;
  CfaBuilder builder(store);
  Term a = builder.add_variable("a", t.array_sort(t.bv_sort(8), t.bv_sort(8)));
  Term i = builder.add_variable("i", t.bv_sort(8));
  LocationId start = builder.add_location("start"), head = builder.add_location("head"),
             after = builder.add_location("after"), error = builder.add_location("error");
  builder.set_initial(start);
  builder.set_error(error);
  Term more = t.make(Op::BvUlt, {i, t.bv(20, 8)});
  Command write = Command::choice({Command::assign(a, t.make(Op::Store, {a, i, i})),
                                   Command::assign(a, t.make(Op::Store, {a, i, t.bv(9, 8)}))});
  builder.add_edge(start, Command::sequence({Command::havoc(a), Command::assign(i, t.bv(0, 8))}),
                   head);
  builder.add_edge(head,
                   Command::sequence({Command::assume(more), write,
                                      Command::assign(i, t.make(Op::BvAdd, {i, t.bv(1, 8)}))}),
                   head);
  builder.add_edge(head, Command::assume(t.make_not(more)), after);
  Term same = t.make_eq(t.make_select(a, t.bv(3, 8)), t.make_select(a, t.bv(4, 8)));
  builder.add_edge(after, Command::assume(same), error);
  Result<Cfa> cfa = std::move(builder).freeze();
  ASSERT_TRUE(cfa.ok());
  Problem problem{*std::move(cfa), {{"error", ErrorLocation{}}}, {}};
  Simulated world;
  std::optional<CfaTrace> run = Simulation(problem.cfa(), world.ctx).search(kPlenty);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->edges.size(), 23U);
  EXPECT_TRUE(is_certified(problem, Unsafe{*run}));
}

}  // namespace
}  // namespace lem::engine
