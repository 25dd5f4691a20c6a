// bmc, kind and ic3ia on transition systems; ic3smt, ctigar and ipdr have folders of their own.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "engine/registry.h"
#include "unit/engine/small_systems.h"

namespace lem::engine {
namespace {

using test::Bench;
using test::is_certified;

TEST(BmcOnTerms, FindsShortestTraces) {
  for (const test::NamedSystem& each : test::small_systems()) {
    if (each.safe) continue;
    SCOPED_TRACE(each.name);
    Bench run(kBmcInfo);
    Verdict verdict = run.check(each.problem);
    ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
    EXPECT_TRUE(is_certified(each.problem, verdict));
    std::size_t length = run_as<TermTrace>(verdict).steps.size();
    if (length == 1) continue;
    Bench shorter(kBmcInfo, "bmc.max-depth=" + std::to_string(length - 2));
    EXPECT_EQ(shorter.check(each.problem), Verdict(Unknown{Reason::BoundReached}));
  }
}

TEST(KindOnTerms, ProvesWhatIsKInductive) {
  for (const test::NamedSystem& each : {test::saturating_counter(true), test::constrained(true)}) {
    SCOPED_TRACE(each.name);
    Bench run(kKindInfo);
    Verdict verdict = run.check(each.problem);
    ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
    EXPECT_TRUE(is_certified(each.problem, verdict));
  }
}

/// 2 -> 3 -> 4, which is bad, and nothing leads to 2: three good steps are needed, and fewer are no
/// proof.
TEST(KindOnTerms, SaysHowManyStepsItNeeds) {
  auto each = test::named_system("chain", true, [](TransitionSystemBuilder& b, TermStore& t) {
    Term n = b.add_state("n", t.int_sort());
    b.set_init(n, t.integer(0));
    auto is = [&](int value) { return t.make_eq(n, t.integer(value)); };
    b.set_update(n, t.make_ite(is(2), t.integer(3), t.make_ite(is(3), t.integer(4), t.integer(0))));
    return is(4);
  });
  Bench run(kKindInfo);
  Verdict verdict = run.check(each.problem);
  ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
  EXPECT_EQ(certificate_as<TermInvariant>(verdict).k, 3U);
  EXPECT_TRUE(is_certified(each.problem, verdict));
}

TEST(KindOnTerms, FindsTraces) {
  for (const test::NamedSystem& each : test::small_systems()) {
    if (each.safe) continue;
    SCOPED_TRACE(each.name);
    Bench run(kKindInfo);
    Verdict verdict = run.check(each.problem);
    ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
    EXPECT_TRUE(is_certified(each.problem, verdict));
  }
}

TEST(KindOnTerms, StopsAtItsBound) {
  // Odd numbers lead to 7 by a path of any length.
  auto even = test::named_system("even", true, [](TransitionSystemBuilder& b, TermStore& t) {
    Term x = b.add_state("x", t.int_sort());
    b.set_init(x, t.integer(0));
    b.set_update(x, t.make_add(x, t.integer(2)));
    return t.make_eq(x, t.integer(7));
  });
  Bench run(kKindInfo, "kind.max-k=3");
  EXPECT_EQ(run.check(even.problem), Verdict(Unknown{Reason::BoundReached}));
}

TEST(Ic3ia, DecidesSmallSystemsWithEverySourceAlone) {
  test::decides_small_systems(kIc3iaInfo, "");
  for (const char* source : {"spacer", "backward", "wp"})
    for (bool safe : {true, false}) {
      // Weakest preconditions of inputs that are left open say nothing: a system without.
      test::NamedSystem each = test::thermostat(safe);
      SCOPED_TRACE(source);
      Bench run(kIc3iaInfo, "ic3ia.interpolant=" + std::string(source));
      Verdict verdict = run.check(each.problem);
      ASSERT_FALSE(std::holds_alternative<Unknown>(verdict));
      EXPECT_EQ(std::holds_alternative<Safe>(verdict), safe);
      EXPECT_TRUE(is_certified(each.problem, verdict));
    }
}

TEST(Ic3ia, DecidesSmallSystemsWithEverySwitch) {
  for (const char* settings :
       {"ic3ia.generalize=none", "ic3ia.generalize=core", "ic3ia.generalize=drop",
        "ic3ia.generalize=ctg", "ic3ia.minimize=off", "ic3ia.path-core=off", "ic3ia.seed=5",
        "ic3ia.commands-first=on", "ic3ia.invariants=20", "ic3ia.invariants=20,ic3ia.encoding=eq"})
    test::decides_small_systems(kIc3iaInfo, settings);
}

TEST(Ic3ia, StartsFromInvariantsIfAsked) {
  test::NamedSystem each = test::two_counters(true);
  Bench known(kIc3iaInfo, "ic3ia.invariants=20"), searched(kIc3iaInfo);
  EXPECT_TRUE(test::proves(known, each.problem) && test::proves(searched, each.problem));
  EXPECT_GT(known.stats.counter("ic3ia.invariants-known").value, 0U);
  EXPECT_EQ(known.stats.counter("ic3ia.lemmas").value, 0U);
  EXPECT_GT(searched.stats.counter("ic3ia.lemmas").value, 0U);
}

TEST(Ic3ia, ProvesSystemsWithoutInitialStates) {
  for (bool by_constraint : {false, true}) {
    auto each = test::named_system("empty", true, [&](TransitionSystemBuilder& b, TermStore& t) {
      Term x = b.add_state("x", t.int_sort());
      b.set_update(x, x);
      if (by_constraint) {
        b.add_constraint(t.boolean(false));
      } else {
        b.add_init(t.boolean(false));
      }
      return t.make_le(x, t.integer(0));
    });
    Bench run(kIc3iaInfo);
    Verdict verdict = run.check(each.problem);
    ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
    EXPECT_TRUE(is_certified(each.problem, verdict));
  }
}

TEST(Ic3ia, StopsWhenAsked) {
  // x * y grows out of every bound that is found: the search does not end by itself.
  auto each = test::named_system("endless", true, [](TransitionSystemBuilder& b, TermStore& t) {
    Term x = b.add_state("x", t.int_sort());
    Term y = b.add_state("y", t.int_sort());
    Term by = b.add_input("by", t.int_sort());
    b.set_init(x, t.integer(1));
    b.set_init(y, t.integer(1));
    b.set_update(x, t.make_add(x, t.make_mul(y, by)));
    b.set_update(y, t.make_add(y, t.make_mul(x, by)));
    return t.make_eq(t.make_sub(t.make_mul(x, x), t.make_mul(y, y)), t.integer(7));
  });
  Bench run(kIc3iaInfo);
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    run.stop.request_stop();
  });
  auto start = std::chrono::steady_clock::now();
  Verdict verdict = run.check(each.problem);
  EXPECT_FALSE(std::holds_alternative<Safe>(verdict));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace lem::engine
