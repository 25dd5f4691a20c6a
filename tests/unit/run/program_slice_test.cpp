#include "transform/cfa/program_slice.h"

#include <gtest/gtest.h>

#include "check/certify.h"
#include "run/cones.h"
#include "run/search.h"
#include "run/selection.h"

namespace lem::run {
namespace {

using transform::Dependence;
using transform::ProgramSlice;

constexpr std::uint32_t kWidth = 4;

/// For ever, for each channel i: where `go` is chosen, x_i counts to i + 2 and starts again, then
/// assert x_i <= i + 2. Beside them a loop counts y to 3 in every round.
Problem channels(std::uint32_t count) {
  auto store = std::make_shared<TermStore>();
  TermStore& t = *store;
  CfaBuilder builder(store);
  auto word = [&](std::uint32_t value) { return t.bv(value, kWidth); };
  auto plus_one = [&](Term x) { return t.make(Op::BvAdd, {x, word(1)}); };
  Term y = builder.add_variable("y", t.bv_sort(kWidth));
  LocationId at = builder.add_location("start");
  builder.set_initial(at);
  std::vector<Term> xs;
  for (std::uint32_t i = 0; i < count; ++i) {
    xs.push_back(builder.add_variable("x" + std::to_string(i), t.bv_sort(kWidth)));
    LocationId next = builder.add_location("set" + std::to_string(i));
    builder.add_edge(at, Command::assign(xs[i], word(0)), next);
    at = next;
  }
  LocationId head = at;
  LocationId inner = builder.add_location("inner");
  LocationId after = builder.add_location("after");
  builder.add_edge(head, Command::assign(y, word(0)), inner);
  Term done = t.make_eq(y, word(3));
  Command count_on =
      Command::sequence({Command::assume(t.make_not(done)), Command::assign(y, plus_one(y))});
  builder.add_edge(inner, count_on, inner);
  builder.add_edge(inner, Command::assume(done), after);
  at = after;
  std::vector<Property> properties;
  for (std::uint32_t i = 0; i < count; ++i) {
    Term go = builder.add_variable("go" + std::to_string(i), t.bool_sort());
    std::string name = std::to_string(i);
    LocationId chosen = builder.add_location("chosen" + name),
               up = builder.add_location("up" + name), end = builder.add_location("end" + name),
               error = builder.add_location("bad" + name);
    LocationId next = i + 1 == count ? head : builder.add_location("next" + name);
    builder.add_edge(at, Command::havoc(go), chosen);
    builder.add_edge(chosen, Command::assume(go), up);
    builder.add_edge(chosen, Command::assume(t.make_not(go)), end);
    Term full = t.make_eq(xs[i], word(i + 2));
    builder.add_edge(up, Command::assign(xs[i], t.make_ite(full, word(0), plus_one(xs[i]))), end);
    Term good = t.make_not(t.make(Op::BvUlt, {word(i + 2), xs[i]}));
    builder.add_edge(end, Command::assume(good), next);
    builder.add_edge(end, Command::assume(t.make_not(good)), error);
    properties.push_back({"x" + name, ErrorLocation{error}});
    at = next;
  }
  builder.set_error(*std::get<ErrorLocation>(properties[0].target).at);
  Result<Cfa> cfa = std::move(builder).freeze();
  EXPECT_TRUE(cfa.ok());
  SourceMap source;
  return {*std::move(cfa), std::move(properties), source};
}

std::vector<std::size_t> all_of(const Problem& problem) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < problem.properties.size(); ++i) all.push_back(i);
  return all;
}

TEST(ProgramSlice, HasTheVariablesOfItsMembersAlone) {
  Problem problem = channels(3);
  Cones cones(problem, all_of(problem));
  EXPECT_EQ(cones.groups(all_of(problem)).size(), 3U);
  ProgramSlice one(problem, *cones.dependence(), {1});
  EXPECT_EQ(one.size(), 2U);  // x1 and go1
  EXPECT_EQ(ProgramSlice(problem, *cones.dependence(), {0, 2}).size(), 4U);
}

/// The last thing that is found about the only property, by ic3ia.
std::optional<Verdict> found_by_member(const Problem& problem, Asked::Slicing slicing,
                                       const Context& ctx) {
  std::optional<Verdict> verdict;
  Result<Reason> end = search(
      {.problem = problem, .members = {0}, .slicing = slicing},
      {engine::find_engine("ic3ia"), {}, 0, Rung::Terms},
      [&](Found found) { verdict = std::move(found.verdict); }, ctx);
  EXPECT_TRUE(end.ok());
  return verdict;
}

TEST(ProgramSlice, AMemberProvesTheSliceOfItsProgram) {
  Problem problem = channels(3);
  Options options = run::declared_options();
  Log log;
  Progress progress;
  for (Asked::Slicing slicing : {Asked::Slicing::First, Asked::Slicing::No}) {
    Stats stats;
    Context ctx{options, stats, log, progress, {}};
    Problem one = focus(problem, 1);
    std::optional<Verdict> verdict = found_by_member(one, slicing, ctx);
    ASSERT_TRUE(verdict && std::holds_alternative<Safe>(*verdict));
    EXPECT_TRUE(check::certify(one, *std::move(verdict), {}).ok());
    bool all = slicing == Asked::Slicing::No;
    // Other assertions end a run: what they speak of matters, y does not. It is transformed twice:
    // for all members, and for this one.
    EXPECT_EQ(stats.counter("transform.variables-before").value, 2 * (all ? 7U : 6U));
  }
}

/// t = y < 3; assume t; error if x == 5: whether the assumption counts is for the caller to say.
TEST(ProgramSlice, AllAssumptionsMayCount) {
  auto store = std::make_shared<TermStore>();
  TermStore& t = *store;
  CfaBuilder builder(store);
  Term x = builder.add_variable("x", t.bv_sort(kWidth));
  Term y = builder.add_variable("y", t.bv_sort(kWidth));
  Term low = builder.add_variable("low", t.bool_sort());
  LocationId start = builder.add_location("start"), read = builder.add_location("read"),
             after = builder.add_location("after"), end = builder.add_location("end"),
             error = builder.add_location("error");
  builder.set_initial(start);
  builder.set_error(error);
  builder.add_edge(start, Command::assign(low, t.make(Op::BvUlt, {y, t.bv(3, kWidth)})), read);
  builder.add_edge(read, Command::assume(low), after);
  Term five = t.make_eq(x, t.bv(5, kWidth));
  builder.add_edge(after, Command::assume(five), error);
  builder.add_edge(after, Command::assume(t.make_not(five)), end);
  Result<Cfa> cfa = std::move(builder).freeze();
  ASSERT_TRUE(cfa.ok());
  Problem problem{*std::move(cfa), {{"five", ErrorLocation{}}}, SourceMap{}};
  auto size = [&](Dependence::Assumptions assumptions) {
    Dependence dependence(problem.cfa(), {&error, 1}, assumptions);
    return ProgramSlice(problem, dependence, {0}).size();
  };
  EXPECT_EQ(size(Dependence::Assumptions::Related), 1U);
  EXPECT_EQ(size(Dependence::Assumptions::All), 3U);
}

/// A run of the slice need not be one of the program: it is looked for in the whole.
TEST(ProgramSlice, AMemberFindsRunsInTheWholeProgram) {
  auto store = std::make_shared<TermStore>();
  TermStore& t = *store;
  CfaBuilder builder(store);
  Term x = builder.add_variable("x", t.bv_sort(kWidth));
  Term y = builder.add_variable("y", t.bv_sort(kWidth));
  LocationId start = builder.add_location("start"), branch = builder.add_location("branch"),
             left = builder.add_location("left"), after = builder.add_location("after"),
             end = builder.add_location("end"), error = builder.add_location("error");
  builder.set_initial(start);
  builder.set_error(error);
  Term low = t.make(Op::BvUlt, {y, t.bv(3, kWidth)});
  Term five = t.make_eq(x, t.bv(5, kWidth));
  builder.add_edge(start, Command::assign(x, t.bv(5, kWidth)), branch);
  builder.add_edge(branch, Command::assume(low), left);
  builder.add_edge(branch, Command::assume(t.make_not(low)), after);
  builder.add_edge(left, Command::assign(y, t.bv(7, kWidth)), after);
  builder.add_edge(after, Command::assume(five), error);
  builder.add_edge(after, Command::assume(t.make_not(five)), end);
  Result<Cfa> cfa = std::move(builder).freeze();
  ASSERT_TRUE(cfa.ok());
  Problem problem{*std::move(cfa), {{"five", ErrorLocation{}}}, SourceMap{}};
  Options options = run::declared_options();
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, {}};
  std::optional<Verdict> verdict = found_by_member(problem, Asked::Slicing::First, ctx);
  ASSERT_TRUE(verdict && std::holds_alternative<Unsafe>(*verdict));
  EXPECT_TRUE(check::certify(problem, *std::move(verdict), {}).ok());
}

TEST(ProgramSlice, AProofOfTheSliceIsOneOfTheProgram) {
  Problem problem = channels(3);
  Cones cones(problem, all_of(problem));
  Options options = run::declared_options();
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, {}};
  for (const char* engine : {"ic3ia", "ic3", "ic3cfa"}) {
    std::size_t proved = 0;
    Member member{engine::find_engine(engine)};
    auto found = [&](const Found& what) {
      ASSERT_TRUE(std::holds_alternative<Safe>(what.verdict));
      auto outcome = check::certify_together(problem, what.properties,
                                             std::get<Safe>(what.verdict).certificate, {});
      ASSERT_TRUE(outcome.ok()) << engine << ": " << outcome.error().message;
      proved += what.properties.size();
    };
    for (const std::vector<std::size_t>& members : {std::vector<std::size_t>{1}, {0, 2}})
      EXPECT_TRUE(search({.problem = problem,
                          .members = members,
                          .slicing = Asked::Slicing::First,
                          .dependence = cones.dependence()},
                         member, found, ctx)
                      .ok());
    EXPECT_EQ(proved, 3U) << engine;
  }
}

}  // namespace
}  // namespace lem::run
