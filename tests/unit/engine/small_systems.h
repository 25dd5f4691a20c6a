// Small transition systems of every theory, safe and unsafe, and the truth about random ones.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/explicit_terms.h"
#include "support/random_system.h"
#include "unit/engine/engine_support.h"

namespace lem::test {

struct NamedSystem {
  std::string name;
  bool safe;
  Problem problem;
};

/// Freezes what `build` says; it returns Bad.
template <class Build>
NamedSystem named_system(std::string name, bool safe, Build&& build) {
  auto store = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(store);
  Term bad = build(builder, *store);
  auto system = std::move(builder).freeze();
  EXPECT_TRUE(system.ok()) << name;
  return {std::move(name), safe, {std::move(*system), {{"bad", bad}}, {}}};
}

/// Int: at `second` b is one ahead, else a = b. An equation for each location, none for both.
inline NamedSystem two_locations() {
  return named_system("locations", true, [](TransitionSystemBuilder& builder, TermStore& t) {
    Term second = builder.add_state("second", t.bool_sort());
    Term a = builder.add_state("a", t.int_sort());
    Term b = builder.add_state("b", t.int_sort());
    builder.set_init(second, t.boolean(false));
    builder.set_init(b, a);
    builder.set_update(second, t.make_not(second));
    Term more = t.integer(1);
    builder.set_update(a, t.make_ite(second, t.make_add(a, more), a));
    builder.set_update(b, t.make_ite(second, b, t.make_add(b, more)));
    return t.make_lt(b, a);
  });
}

/// Int: x and y start at 0; x grows by 1 and y by 2 whenever the input says so.
inline NamedSystem two_counters(bool safe) {
  return named_system("two counters", safe, [&](TransitionSystemBuilder& b, TermStore& t) {
    Term x = b.add_state("x", t.int_sort());
    Term y = b.add_state("y", t.int_sort());
    Term go = b.add_input("go", t.bool_sort());
    for (Term v : {x, y}) b.set_init(v, t.integer(0));
    b.set_update(x, t.make_ite(go, t.make_add(x, t.integer(1)), x));
    b.set_update(y, t.make_ite(go, t.make_add(y, t.integer(2)), y));
    return safe ? t.make_lt(y, x) : t.make_eq(t.make_add(x, y), t.integer(9));
  });
}

/// Real: a tank is heated below 2 and cools above 8 degrees.
inline NamedSystem thermostat(bool safe) {
  return named_system("thermostat", safe, [&](TransitionSystemBuilder& b, TermStore& t) {
    Term heat = b.add_state("heat", t.real_sort());
    Term on = b.add_state("on", t.bool_sort());
    Term half = t.real(mpq_class(1, 2));
    b.add_init(t.make_le(t.real(4), heat));
    b.add_init(t.make_le(heat, t.real(5)));
    b.set_update(heat, t.make_ite(on, t.make_add(heat, half), t.make_sub(heat, half)));
    b.set_update(on, t.make_ite(t.make_le(heat, t.real(2)), t.boolean(true),
                                t.make_and(on, t.make_lt(heat, t.real(8)))));
    return t.make_gt(heat, t.real(safe ? 10 : 7));
  });
}

/// BitVec: counts to 10 and stays there.
inline NamedSystem saturating_counter(bool safe) {
  return named_system("saturating counter", safe, [&](TransitionSystemBuilder& b, TermStore& t) {
    Term x = b.add_state("x", t.bv_sort(8));
    b.set_init(x, t.bv(0, 8));
    Term more = t.make(Op::BvAdd, {x, t.bv(1, 8)});
    b.set_update(x, t.make_ite(t.make(Op::BvUlt, {x, t.bv(10, 8)}), more, x));
    return t.make_eq(x, t.bv(safe ? 20 : 7, 8));
  });
}

/// Bool, Int and Real, told by a relation that leaves values open and has states without successor.
inline NamedSystem open_relation(bool safe) {
  return named_system("open relation", safe, [&](TransitionSystemBuilder& b, TermStore& t) {
    Term mode = t.variable("mode", t.bool_sort()), mode2 = t.variable("mode2", t.bool_sort());
    Term n = t.variable("n", t.int_sort()), n2 = t.variable("n2", t.int_sort());
    Term r = t.variable("r", t.real_sort()), r2 = t.variable("r2", t.real_sort());
    b.add_state(mode, mode2);
    b.add_state(n, n2);
    b.add_state(r, r2);
    b.add_init(t.make_and(t.make_not(mode), t.make_eq(n, t.integer(3))));
    b.add_init(t.make_eq(r, t.real(1)));
    Term grow = t.make_and(std::array{t.make_not(mode), t.make_lt(n, n2), mode2,
                                      t.make_le(n2, t.integer(6)), t.make_eq(r2, r)});
    Term fall = t.make_and(std::array{mode, t.make_not(mode2), t.make_eq(n2, n),
                                      t.make_le(r2, t.make_add(r, t.real(mpq_class(1, 3))))});
    b.add_trans(t.make_or(grow, fall));
    Term high = t.make_gt(r, t.real(mpq_class(17, 10)));
    return t.make_and(high, t.make_lt(n, t.integer(safe ? 6 : 7)));
  });
}

/// The constraint and Bad mention inputs, and the constraint forbids the step that would violate.
inline NamedSystem constrained(bool safe) {
  return named_system("constrained", safe, [&](TransitionSystemBuilder& b, TermStore& t) {
    Term x = b.add_state("x", t.int_sort());
    Term step = b.add_input("step", t.int_sort());
    b.set_init(x, t.integer(0));
    b.set_update(x, t.make_add(x, step));
    b.add_constraint(t.make_le(t.integer(safe ? 0 : -1), step));
    return t.make_lt(t.make_add(x, step), t.integer(0));
  });
}

inline std::vector<NamedSystem> small_systems() {
  std::vector<NamedSystem> all;
  for (bool safe : {true, false}) {
    all.push_back(two_counters(safe));
    all.push_back(thermostat(safe));
    all.push_back(saturating_counter(safe));
    all.push_back(open_relation(safe));
    all.push_back(constrained(safe));
  }
  return all;
}

/// The engine decides every small system, with good evidence.
inline void decides_small_systems(const engine::EngineInfo& info, std::string_view settings) {
  for (const NamedSystem& system : small_systems()) {
    SCOPED_TRACE(system.name + (system.safe ? ", safe " : ", unsafe ") + std::string(settings));
    Bench run(info, settings);
    Verdict verdict = run.check(system.problem);
    ASSERT_FALSE(std::holds_alternative<Unknown>(verdict));
    EXPECT_EQ(std::holds_alternative<Safe>(verdict), system.safe);
    EXPECT_TRUE(is_certified(system.problem, verdict));
  }
}

/// The engine's verdict on random finite systems is the truth of explicit search.
inline void agrees_with_search_on_terms(const engine::EngineInfo& info, std::string_view settings,
                                        const RandomSystemParams& params, std::uint64_t first_seed,
                                        std::uint64_t count) {
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + std::string(settings));
    Problem problem = random_system(seed, params);
    ExplicitTerms truth = explore_terms(problem);
    Bench run(info, settings);
    Verdict verdict = run.check(problem);
    ASSERT_FALSE(std::holds_alternative<Unknown>(verdict));
    EXPECT_EQ(std::holds_alternative<Safe>(verdict), !truth.trace.has_value());
    EXPECT_TRUE(is_certified(problem, verdict));
  }
}

}  // namespace lem::test
