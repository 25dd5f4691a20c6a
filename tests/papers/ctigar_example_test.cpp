// CTIGAR [Birgmeier14]: the example of section 3.1, the abstraction failures of Figure 1, the four
// triggers of section 3.3 and what refinement promises there.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/ctigar/domain.h"
#include "engine/ctigar/lifting.h"
#include "engine/ctigar/refine.h"
#include "engine/registry.h"
#include "unit/engine/small_systems.h"

namespace lem::engine {
namespace {

using test::Bench;
using test::is_certified;

/// The parts of a search on one system, without the search.
struct Pieces {
  explicit Pieces(test::NamedSystem named, std::string_view settings = "")
      : bench(kCtigarInfo, settings),
        problem(std::move(named.problem)),
        ctx{bench.options, bench.stats, bench.log, bench.progress, bench.stop.get_token()},
        config(bench.options),
        system(problem),
        terms(system.terms()),
        frames(system, ctx, config.frames),
        domain(system, frames),
        lifting(system, frames, ctx),
        refiner(system, domain, config, ctx) {}

  Assignment state(std::initializer_list<int> values) const {
    Assignment result;
    std::size_t at = 0;
    for (int value : values) result.values[system.current()[at++]] = terms.integer(value);
    return result;
  }
  std::vector<Term> formulas(const std::vector<Lit>& cube) const {
    std::vector<Term> result = frames.atoms().formulas(cube);
    std::sort(result.begin(), result.end());
    return result;
  }

  Bench bench;
  Problem problem;
  Context ctx;
  CtigarConfig config;
  TermSystem system;
  TermStore& terms;
  TermFrames frames;
  Domain domain;
  Lifting lifting;
  CtigarRefiner refiner;
};

/// Counts by two from 0; 5 is never reached.
test::NamedSystem evens() {
  return test::named_system("evens", true, [](TransitionSystemBuilder& b, TermStore& t) {
    Term x = b.add_state("x", t.int_sort());
    b.set_init(x, t.integer(0));
    b.set_update(x, t.make_add(x, t.integer(2)));
    return t.make_eq(x, t.integer(5));
  });
}

/// Section 3.1: x = 1, y = -1, z = 0 over {x < y, x < z}; y < w says nothing of a partial state.
TEST(CtigarPaper, AbstractsAssignmentsByWhatTheyDecide) {
  Pieces pieces(test::named_system("four", true, [](TransitionSystemBuilder& b, TermStore& t) {
    for (const char* name : {"x", "y", "z", "w"}) b.add_state(name, t.int_sort());
    return t.boolean(false);
  }));
  TermStore& t = pieces.terms;
  std::span<const Term> v = pieces.system.current();
  Term xy = t.make_lt(v[0], v[1]), xz = t.make_lt(v[0], v[2]), yw = t.make_lt(v[1], v[3]);
  pieces.domain.add(std::array{xy, xz, yw});
  std::vector<Term> expected{t.make_not(xy), t.make_not(xz)};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(pieces.formulas(pieces.domain.abstract(pieces.state({1, -1, 0}))), expected);
  EXPECT_EQ(pieces.domain.abstract(pieces.state({1, -1, 0, 9})).size(), 3U);
}

/// Figure 1(a): the abstraction of s has a state that steps elsewhere, s itself has not.
TEST(CtigarPaper, LiftingFailsInTheAbstractAlone) {
  Pieces pieces(evens());
  TermStore& t = pieces.terms;
  Term x = pieces.system.current()[0];
  pieces.domain.add(std::array{t.make_le(x, t.integer(4)), t.make_le(x, t.integer(0))});
  Assignment s = pieces.state({3});
  TermMap step = s.values;
  step[pieces.system.next()[0]] = t.integer(5);
  Term preimage = pieces.lifting.preimage(step, std::array{pieces.system.bad()});
  EXPECT_EQ(preimage, t.make_eq(x, t.integer(3)));
  EXPECT_FALSE(pieces.lifting.lift(pieces.domain.abstract(s), preimage)) << "0 < x <= 4";
  EXPECT_EQ(pieces.lifting.lift(s, preimage).values.size(), 1U) << "x = 3";
  // After the refinement, abstract lifting succeeds.
  auto passes = [&](std::span<const Lit> cube) {
    return pieces.lifting.lift(cube, preimage).has_value();
  };
  EXPECT_GT(pieces.domain.add(pieces.refiner.lifting(s, preimage, passes)), 0U);
  EXPECT_TRUE(passes(pieces.domain.abstract(s)));
}

/// A part of the assignment is enough where the step does not depend on the rest.
TEST(CtigarPaper, ConcreteLiftingGivesPartialAssignments) {
  Pieces pieces(test::two_counters(true));
  TermStore& t = pieces.terms;
  Term x = pieces.system.current()[0];
  TermMap step = pieces.state({1, 7}).values;
  step[pieces.system.inputs()[0]] = t.boolean(true);
  for (Term next : pieces.system.next())
    step[next] = t.integer(next == pieces.system.next()[0] ? 2 : 9);
  Term preimage = pieces.lifting.preimage(step, std::array{t.make_eq(x, t.integer(2))});
  EXPECT_EQ(pieces.lifting.lift(pieces.state({1, 7}), preimage).values.size(), 1U);
}

/// What no step leaves is no preimage: Trans need not be total (docs/errata.md on [Wolff Listing
/// 6]).
TEST(CtigarErrata, StatesWithoutSuccessorsAreNoPreimage) {
  Pieces pieces(test::named_system("partial", true, [](TransitionSystemBuilder& b, TermStore& t) {
    Term x = t.variable("x", t.int_sort()), next = t.variable("x'", t.int_sort());
    b.add_state(x, next);
    b.add_init(t.make_eq(x, t.integer(0)));
    Term up = t.make_and(t.make_le(x, t.integer(2)), t.make_eq(next, t.make_add(x, t.integer(1))));
    Term down = t.make_and(t.make_gt(x, t.integer(9)), t.make_eq(next, t.integer(1)));
    b.add_trans(t.make_or(up, down));
    return t.make_le(x, t.integer(-1));
  }));
  TermStore& t = pieces.terms;
  Term x = pieces.system.current()[0];
  TermMap step{{x, t.integer(1)}, {pieces.system.next()[0], t.integer(2)}};
  Term preimage = pieces.lifting.preimage(step, std::array{t.make_le(x, t.integer(8))});
  auto holds_at = [&](int value) {
    return t.is_true(evaluate(t, preimage, {{x, t.integer(value)}}));
  };
  EXPECT_TRUE(holds_at(1));
  EXPECT_FALSE(holds_at(5)) << "5 has no successor at all";
  EXPECT_FALSE(holds_at(12)) << "12 goes another way";
}

/// Figure 1(b): a state outside of the abstraction steps into it, but not into s.
TEST(CtigarPaper, ConsecutionFailsInTheAbstractAlone) {
  Pieces pieces(evens());
  TermStore& t = pieces.terms;
  Term x = pieces.system.current()[0];
  pieces.domain.add(std::array{t.make_le(x, t.integer(4)), t.make_le(x, t.integer(0))});
  Assignment s = pieces.state({3});
  EXPECT_TRUE(pieces.frames.inductive(Level{1}, pieces.domain.abstract(s)).fails()) << "0 to 2";
  EXPECT_FALSE(pieces.frames.steps_into(Level{1}, s.literals(pieces.system)));
  // After the refinement, abstract consecution succeeds.
  auto passes = [&](std::span<const Lit> cube) {
    return !pieces.frames.meets_initial(cube) && pieces.frames.inductive(Level{1}, cube).holds();
  };
  Term preimage = t.make_eq(x, t.integer(3));
  pieces.domain.add(
      pieces.refiner.consecution(s, preimage, pieces.frames.clauses().frame(Level{0}), passes));
  EXPECT_TRUE(passes(pieces.domain.abstract(s)));
}

/// Without other seeds than Init and Bad.
constexpr const char* kBare = "ctigar.karr=off,ctigar.pairs=0,ctigar.guards=0,";

struct Triggers {
  std::uint64_t counterexample, initial, spurious, unlifted;
  bool operator==(const Triggers&) const = default;
};
Triggers triggers(Bench& run) {
  auto count = [&](const char* name) {
    return run.stats.counter("ctigar.triggered-by-" + std::string(name)).value;
  };
  return {count("counterexample"), count("initial"), count("spurious"), count("unlifted")};
}
Triggers triggers_of(const test::NamedSystem& example, const std::string& settings) {
  Bench run(kCtigarInfo, kBare + settings);
  Verdict verdict = run.check(example.problem);
  EXPECT_EQ(std::holds_alternative<Safe>(verdict), example.safe) << settings;
  EXPECT_TRUE(is_certified(example.problem, verdict));
  return triggers(run);
}

/// In all four, the CTI x = 3 before 5 is abstracted to 0 < x <= 4, which 2 belongs to as well.
TEST(CtigarTriggers, CounterexampleWithASpuriousStep) {
  for (const char* refine : {"lifting", "consecution"}) {
    Triggers seen = triggers_of(evens(), "ctigar.permit=1,ctigar.refine=" + std::string(refine));
    EXPECT_GE(seen.counterexample, 1U);
    EXPECT_EQ(seen.initial + seen.spurious + seen.unlifted, 0U);
  }
}

TEST(CtigarTriggers, SpuriousTransitionsReachTheThreshold) {
  for (const char* refine : {"lifting", "consecution"}) {
    Triggers seen = triggers_of(evens(), "ctigar.permit=0,ctigar.refine=" + std::string(refine));
    EXPECT_GE(seen.spurious, 1U);
    EXPECT_EQ(seen.counterexample + seen.initial + seen.unlifted, 0U);
  }
}

TEST(CtigarTriggers, LiftingFailuresReachTheThreshold) {
  Triggers seen = triggers_of(evens(), "ctigar.permit=0,ctigar.refine=lifting,ctigar.trigger=laf");
  EXPECT_GE(seen.unlifted, 1U);
  EXPECT_EQ(seen.counterexample + seen.initial + seen.spurious, 0U) << "footnote 8";
}

/// Init does not mention y alone: y = 3 has no initial state, its abstraction y <= 4 has.
TEST(CtigarTriggers, AbstractionAloneMeetsInit) {
  auto example = test::named_system("sum", true, [](TransitionSystemBuilder& b, TermStore& t) {
    Term x = b.add_state("x", t.int_sort());
    Term y = b.add_state("y", t.int_sort());
    b.add_init(t.make_eq(x, t.integer(0)));
    b.add_init(t.make_eq(t.make_add(x, y), t.integer(0)));
    b.set_update(x, x);
    b.set_update(y, t.make_add(y, t.integer(2)));
    return t.make_eq(y, t.integer(5));
  });
  Triggers seen = triggers_of(example, "ctigar.permit=3");
  EXPECT_GE(seen.initial, 1U);
  EXPECT_EQ(seen.unlifted, 0U);
}

/// A chain without spurious steps is a counterexample whatever could not be lifted.
TEST(CtigarPaper, CounterexamplesNeedNoLifting) {
  auto example = test::named_system("odd", false, [](TransitionSystemBuilder& b, TermStore& t) {
    Term x = b.add_state("x", t.int_sort());
    b.set_init(x, t.integer(1));
    b.set_update(x, t.make_add(x, t.integer(2)));
    return t.make_eq(x, t.integer(9));
  });
  Bench run(kCtigarInfo, std::string(kBare) + "ctigar.weakest=off");
  Verdict verdict = run.check(example.problem);
  ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
  EXPECT_TRUE(is_certified(example.problem, verdict));
  EXPECT_LT(run.stats.counter("ctigar.liftings-successful").value,
            run.stats.counter("ctigar.liftings").value);
}

}  // namespace
}  // namespace lem::engine
