// Preimages of CTIGAR: every state in one must step into the target, under the inputs of the model.
#include "engine/ctigar/lifting.h"

#include <gtest/gtest.h>

#include "engine/ctigar/options.h"
#include "engine/registry.h"
#include "unit/engine/small_systems.h"

namespace lem::engine {
namespace {

struct Lifted {
  explicit Lifted(Problem made)
      : bench(kCtigarInfo),
        problem(std::move(made)),
        ctx{bench.options, bench.stats, bench.log, bench.progress, {}},
        system(problem),
        frames(system, ctx, CtigarConfig(bench.options).frames),
        lifting(system, frames, ctx) {}
  bool holds(Term formula, const TermMap& values) {
    return system.terms().is_true(evaluate(system.terms(), formula, values));
  }

  test::Bench bench;
  Problem problem;
  Context ctx;
  TermSystem system;
  TermFrames frames;
  Lifting lifting;
};

/// x' = x + 1, but only up to 5 and on an even `key`: conditions of every step, whichever way it
/// goes. States beyond have no successor and are in no preimage.
TEST(CtigarLifting, PreimagesKeepWhatEveryStepNeeds) {
  Term x, next, key, key_next;
  Lifted each(test::named_system("guarded", true, [&](TransitionSystemBuilder& b, TermStore& t) {
                x = t.variable("x", t.int_sort());
                next = t.variable("x2", t.int_sort());
                key = t.variable("key", t.bool_sort());
                key_next = t.variable("key2", t.bool_sort());
                b.add_state(x, next);
                b.add_state(key, key_next);
                b.add_init(t.make_eq(x, t.integer(0)));
                b.add_trans(t.make_le(x, t.integer(5)));
                b.add_trans(key);
                Term one = t.make_eq(next, t.make_add(x, t.integer(1)));
                Term two = t.make_eq(next, t.make_add(x, t.integer(2)));
                b.add_trans(t.make_or(one, two));
                return t.make_lt(x, t.integer(0));
              }).problem);
  TermStore& t = each.system.terms();
  Term yes = t.boolean(true), no = t.boolean(false);
  TermMap model{{x, t.integer(3)}, {next, t.integer(4)}, {key, yes}, {key_next, no}};
  std::vector<Term> target{t.make_lt(t.integer(1), x)};
  Term preimage = each.lifting.preimage(model, target);
  auto contains = [&](int value, Term flag) {
    return each.holds(preimage, {{x, t.integer(value)}, {key, flag}});
  };
  EXPECT_TRUE(contains(3, yes)) << "the model itself";
  EXPECT_TRUE(contains(1, yes) && contains(5, yes));
  EXPECT_FALSE(contains(0, yes)) << "the step of the model leads to 1";
  EXPECT_FALSE(contains(6, yes)) << "no step leaves 6";
  EXPECT_FALSE(contains(3, no)) << "no step without the key";
}

/// By enumeration on random systems, with relations and without.
TEST(CtigarLifting, EveryStateOfAPreimageStepsIntoTheTarget) {
  std::size_t preimages = 0, states_in = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::RandomSystemParams params{2, 1, 2, 3, seed % 3 != 0};
    Lifted each(test::random_system(seed, params));
    TermSystem& system = each.system;
    TermStore& t = system.terms();
    std::vector<Term> current(system.current().begin(), system.current().end());
    std::vector<Term> next(system.next().begin(), system.next().end());
    std::vector<Term> inputs(system.inputs().begin(), system.inputs().end());
    Term target = system.bad(), primed = system.prime(target);
    auto states = test::all_valuations(t, current), choices = test::all_valuations(t, inputs);
    auto assign = [](TermMap& map, const std::vector<Term>& names, const std::vector<Term>& to) {
      for (std::size_t i = 0; i < names.size(); ++i) map[names[i]] = to[i];
    };
    // Under each input: which states step into the target.
    for (const auto& choice : choices) {
      std::vector<TermMap> models;
      std::vector<bool> steps(states.size());
      for (std::size_t s = 0; s < states.size(); ++s)
        for (const auto& after : states) {
          TermMap map;
          assign(map, current, states[s]);
          assign(map, inputs, choice);
          assign(map, next, after);
          if (!each.holds(system.trans(), map) || !each.holds(primed, map)) continue;
          if (!steps[s] && models.size() < 4) models.push_back(std::move(map));
          steps[s] = true;
        }
      for (const TermMap& model : models) {
        Term preimage = each.lifting.preimage(model, std::vector{target});
        ASSERT_TRUE(each.holds(preimage, model)) << "the model itself";
        ++preimages;
        for (std::size_t s = 0; s < states.size(); ++s) {
          TermMap map;
          assign(map, current, states[s]);
          if (!each.holds(preimage, map)) continue;
          ++states_in;
          ASSERT_TRUE(steps[s]) << "a state that does not step into the target";
        }
      }
    }
  }
  EXPECT_GT(preimages, 30U);
  EXPECT_GT(states_in, preimages) << "more than models alone";
}

}  // namespace
}  // namespace lem::engine
