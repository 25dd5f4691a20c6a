
#include <gtest/gtest.h>

#include <string>

#include "engine/ctigar/domain.h"
#include "engine/ctigar/mining.h"
#include "engine/ctigar/options.h"
#include "engine/registry.h"
#include "unit/engine/small_systems.h"

namespace lem::engine {
namespace {

using test::Bench;
using test::is_certified;

TEST(Ctigar, HasThePresetsOfThePaper) {
  std::string names;
  for (const Preset& preset : kCtigarInfo.presets) names += std::string(preset.name) + " ";
  EXPECT_EQ(names, "LLE LLL LCE LCL CCE CCL CAE CAL ");
}

/// Each with the search alone, which invariants found beforehand would leave little to do.
class CtigarPresets : public testing::TestWithParam<Preset> {
 protected:
  std::string searching() const {
    return std::string(GetParam().settings) + ",ctigar.invariants=0";
  }
};

TEST_P(CtigarPresets, DecideSmallSystems) {
  test::decides_small_systems(kCtigarInfo, GetParam().settings);
  test::decides_small_systems(kCtigarInfo, searching());
}

TEST_P(CtigarPresets, AgreeWithSearchOnRandomSystems) {
  test::RandomSystemParams relational;
  relational.relations = true;
  test::agrees_with_search_on_terms(kCtigarInfo, searching(), {}, 500, 5);
  test::agrees_with_search_on_terms(kCtigarInfo, GetParam().settings, relational, 500, 5);
  test::agrees_with_search_on_terms(kCtigarInfo, searching(), relational, 500, 5);
}

INSTANTIATE_TEST_SUITE_P(Paper, CtigarPresets, testing::ValuesIn(kCtigarInfo.presets),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Ctigar, DecidesSmallSystemsWithEverySwitch) {
  for (const char* settings : {"ctigar.generalize=none", "ctigar.generalize=drop",
                               "ctigar.generalize=ctg", "ctigar.point=bad", "ctigar.weakest=off",
                               "ctigar.predicates=whole", "ctigar.predicates=both",
                               "ctigar.karr=off,ctigar.pairs=0,ctigar.guards=0", "ctigar.mine=4"})
    test::decides_small_systems(kCtigarInfo, std::string(settings) + ",ctigar.invariants=0");
}

TEST(Ctigar, EagerLiftingLeavesNoSpuriousTransitions) {
  // Eager lifting refinement leaves nothing unlifted, so that consecution cannot fail in the
  // abstract alone [Birgmeier14 footnote 8].
  for (const test::NamedSystem& each : test::small_systems()) {
    Bench run(kCtigarInfo,
              "ctigar.refine=lifting,ctigar.trigger=laf,ctigar.permit=0,ctigar.invariants=0");
    run.check(each.problem);
    EXPECT_EQ(run.stats.counter("ctigar.spurious-transitions").value, 0U) << each.name;
  }
}

/// Bounds and the equation y = 2x prove it before the search; without them there are lemmas.
TEST(Ctigar, StartsFromInvariants) {
  test::NamedSystem each = test::two_counters(true);
  Bench known(kCtigarInfo, "ctigar.invariants=20"), searched(kCtigarInfo, "ctigar.invariants=0");
  EXPECT_TRUE(test::proves(known, each.problem) && test::proves(searched, each.problem));
  EXPECT_EQ(known.stats.counter("ctigar.lemmas").value, 0U);
  EXPECT_GT(searched.stats.counter("ctigar.lemmas").value, 0U);
}

TEST(Ctigar, ProvesSystemsWithoutInitialStates) {
  auto each = test::named_system("empty", true, [](TransitionSystemBuilder& b, TermStore& t) {
    Term x = b.add_state("x", t.int_sort());
    b.set_update(x, x);
    b.add_init(t.boolean(false));
    return t.make_le(x, t.integer(0));
  });
  Bench run(kCtigarInfo);
  Verdict verdict = run.check(each.problem);
  ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
  EXPECT_TRUE(is_certified(each.problem, verdict));
}

TEST(Ctigar, TakesPropertiesThatAreConstants) {
  for (bool bad : {false, true}) {
    auto each = test::named_system("constant", !bad, [&](auto& b, TermStore& t) {
      Term x = b.add_state("x", t.int_sort());
      b.set_init(x, t.integer(0));
      b.set_update(x, x);
      return t.boolean(bad);
    });
    Bench run(kCtigarInfo);
    Verdict verdict = run.check(each.problem);
    EXPECT_EQ(std::holds_alternative<Safe>(verdict), each.safe);
    EXPECT_TRUE(is_certified(each.problem, verdict));
  }
}

// The initial domain ------------------------------------------------------------------------------

struct Seeded {
  explicit Seeded(test::NamedSystem named, std::string_view settings)
      : bench(kCtigarInfo, settings),
        problem(std::move(named.problem)),
        ctx{bench.options, bench.stats, bench.log, bench.progress, {}},
        system(problem),
        frames(system, ctx, CtigarConfig(bench.options).frames),
        domain(system, frames) {
    domain.add(
        find_seeds(system, problem, CtigarConfig(bench.options).seeds(domain), ctx).predicates);
  }
  Bench bench;
  Problem problem;
  Context ctx;
  TermSystem system;
  TermFrames frames;
  Domain domain;
};

TEST(CtigarDomain, OrdersPairsOfStates) {
  Seeded with(test::two_counters(false), "ctigar.karr=off,ctigar.guards=0");
  Seeded without(test::two_counters(false), "ctigar.karr=off,ctigar.guards=0,ctigar.pairs=0");
  TermStore& t = with.system.terms();
  Term less = t.make_lt(with.system.current()[0], with.system.current()[1]);
  EXPECT_TRUE(with.domain.contains(less));
  EXPECT_EQ(with.domain.size(), without.domain.size() + 2) << "x < y and y < x";
}

TEST(CtigarDomain, TakesEquationsOfKarrAsTwoInequalities) {
  Seeded with(test::two_counters(false), "ctigar.pairs=0,ctigar.guards=0");
  TermStore& t = with.system.terms();
  Term x = with.system.current()[0], y = with.system.current()[1];
  Term twice = t.make_mul(t.integer(2), x);
  EXPECT_TRUE(with.domain.contains(t.make_le(y, twice)));
  EXPECT_TRUE(with.domain.contains(t.make_le(twice, y)));
  EXPECT_FALSE(with.domain.contains(t.make_eq(y, twice)));
}

TEST(CtigarDomain, TakesHintsOfTheFile) {
  test::NamedSystem named = test::two_counters(false);
  TermStore& t = named.problem.system().terms();
  Term hint = t.make_le(named.problem.system().states()[0].current, t.integer(77));
  named.problem.source.hints.push_back(hint);
  EXPECT_TRUE(Seeded(named, "").domain.contains(hint));
}

TEST(CtigarDomain, ComparesBitVectorsAsTheSystemDoes) {
  Seeded with(test::saturating_counter(true), "");
  BitOrders orders = compared_orders(with.system);
  EXPECT_TRUE(orders.as_unsigned);
  EXPECT_FALSE(orders.as_signed);
  TermStore& t = with.system.terms();
  Term equal = t.make_eq(with.system.current()[0], t.bv(3, 8));
  for (Term part : with.domain.split(equal)) EXPECT_EQ(t.op(part), Op::BvUlt);
}

// Refinement state mining -------------------------------------------------------------------------

TEST(CtigarMining, FindsTheLineThroughMostStatesOfALocation) {
  Problem problem = test::two_counters(true).problem;
  TermSystem system(problem);
  TermStore& t = system.terms();
  Term x = system.current()[0], y = system.current()[1];
  StateMiner miner(system, 5);
  std::vector<Term> found;
  int states[][2] = {{1, 3}, {2, 5}, {4, 4}, {5, 11}, {7, 15}};  // y = 2 x + 1, but for one
  for (auto [a, b] : states) {
    EXPECT_TRUE(found.empty()) << "not before there are enough";
    found = miner.record({{x, t.integer(a)}, {y, t.integer(b)}});
  }
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], t.make_eq(y, t.make_add(t.make_mul(t.integer(2), x), t.integer(1))));
  // The states on the line are gone, the other one is left.
  EXPECT_TRUE(miner.record({{x, t.integer(9)}, {y, t.integer(1)}}).empty());
}

TEST(CtigarMining, NeedsMoreStatesThanALineHasParameters) {
  Problem problem = test::two_counters(true).problem;
  TermSystem system(problem);
  TermStore& t = system.terms();
  StateMiner miner(system, 2);
  for (int i = 0; i < 2; ++i)
    EXPECT_TRUE(miner
                    .record({{system.current()[0], t.integer(i)},
                             {system.current()[1], t.integer(3 * i * i + 1)}})
                    .empty());
}

TEST(CtigarMining, IsOffWithoutAThreshold) {
  Problem problem = test::two_counters(true).problem;
  TermSystem system(problem);
  StateMiner miner(system, 0);
  for (int i = 0; i < 20; ++i)
    EXPECT_TRUE(miner
                    .record({{system.current()[0], system.terms().integer(1)},
                             {system.current()[1], system.terms().integer(i)}})
                    .empty());
}

}  // namespace
}  // namespace lem::engine
