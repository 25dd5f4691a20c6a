// Random small transition systems of every theory: all engines that take terms, all of their
// presets and switches, with and without the transforms, and the bit-level engines behind
// bit-blasting, against explicit-state search where the system is finite and against each other
// where it is not. Every definite verdict is certified on the original problem. Fixed seeds.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "check/certify.h"
#include "engine/engine.h"
#include "support/bounded_options.h"
#include "support/explicit_terms.h"
#include "support/random_system.h"
#include "transform/transform.h"

namespace lem::engine {
namespace {

struct Theory {
  std::string name;
  test::RandomSystemParams params;
  std::uint64_t seeds;
  bool finite = true;
  bool bits = false;  // can be blasted
  friend std::ostream& operator<<(std::ostream& out, const Theory& self) {
    return out << self.name;
  }
};

test::RandomSystemParams shape(std::uint32_t states, std::uint32_t inputs, std::uint32_t width,
                               bool relations, bool arrays = false,
                               test::RandomNumbers numbers = test::RandomNumbers::None) {
  return {states, inputs, width, 3, relations, arrays, numbers, 1};
}

std::vector<Theory> theories() {
  using test::RandomNumbers;
  return {{"words", shape(3, 2, 2, false), 7, true, true},
          {"wide_words", shape(2, 1, 4, false), 6, true, true},
          {"word_relations", shape(3, 1, 2, true), 6, true, true},
          {"arrays", shape(2, 1, 1, false, true), 5, true, true},
          {"array_relations", shape(1, 1, 1, true, true), 5, true, true},
          {"integers", shape(2, 1, 1, false, false, RandomNumbers::ConfinedInt), 6},
          {"integer_relations", shape(2, 1, 1, true, false, RandomNumbers::ConfinedInt), 6},
          {"free_integers", shape(2, 1, 1, false, false, RandomNumbers::Int), 5, false},
          {"reals", shape(2, 1, 1, false, false, RandomNumbers::Real), 5, false},
          {"real_relations", shape(2, 1, 1, true, false, RandomNumbers::Real), 5, false}};
}

struct Configuration {
  std::string engine;
  std::string settings;
  Rungs targets = Rungs::all();
  bool transforms = false;
};

/// Every engine as it is, with its presets and through the pipeline; of its other switches, each
/// value once in a while.
std::vector<Configuration> configurations(const Theory& theory, std::uint64_t seed) {
  std::vector<Configuration> all;
  for (const EngineInfo& engine : all_engines()) {
    std::string id(engine.id);
    if (theory.bits && engine.accepts.has(Rung::Bits)) all.push_back({id, "", Rung::Bits, true});
    if (!engine.accepts.has(Rung::Terms)) continue;
    all.push_back({id, ""});
    all.push_back({id, "", Rungs::all(), true});
    for (const Preset& preset : engine.presets)
      all.push_back({id, all_settings(engine.presets, preset)});
    if (id == "ctigar") all.push_back({id, "ctigar.invariants=0"});  // all is left to the search
    if (id == "ic3ia") all.push_back({id, "ic3ia.invariants=20"});
    std::uint64_t turn = seed;
    for (const OptionRow& row : engine.options) {
      if (row.choices.empty()) continue;
      for (std::int64_t value = 0; value <= row.max; ++value, ++turn) {
        if (value == row.fallback || turn % 8 != 0) continue;
        all.push_back({id, std::string(row.name) + "=" + option_text(row, value)});
      }
    }
  }
  return all;
}

/// Requests a stop when the time is up, unless it goes out of scope before.
class Alarm {
 public:
  explicit Alarm(std::chrono::milliseconds patience)
      : thread_([this, patience](const std::stop_token& done) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any wake;
          if (!wake.wait_for(lock, done, patience, [&] { return done.stop_requested(); }))
            source_.request_stop();
        }) {}
  std::stop_token token() const { return source_.get_token(); }
  bool rang() const { return source_.stop_requested(); }

 private:
  std::stop_source source_;
  std::jthread thread_;
};

Verdict run(const Configuration& configuration, const Problem& problem, std::uint32_t depth,
            const std::stop_token& stop) {
  Options options = test::bounded_options(configuration.settings, depth);
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, stop};
  const EngineInfo& engine = *find_engine(configuration.engine);
  if (!configuration.transforms) return check_one(engine, problem, ctx);
  transform::Pipeline pipeline(problem, ctx, configuration.targets);
  EXPECT_TRUE(pipeline.obstacle().empty()) << pipeline.obstacle();
  if (!pipeline.obstacle().empty()) return Unknown{Reason::GaveUp};
  return pipeline.back(check_one(engine, pipeline.problem(), ctx));
}

class TermEnginesFuzz : public testing::TestWithParam<Theory> {};

TEST_P(TermEnginesFuzz, AgreeWithTheTruthAndEachOther) {
  const Theory& theory = GetParam();
  constexpr std::uint32_t kDepth = 40;  // above the diameter of the finite systems that are drawn
  int definite = 0;
  int open = 0;
  for (std::uint64_t seed = 0; seed < theory.seeds; ++seed) {
    Problem problem = test::random_system(seed, theory.params);
    std::optional<bool> safe;
    if (theory.finite) safe = !test::explore_terms(problem).trace.has_value();
    for (const Configuration& each : configurations(theory, seed)) {
      std::string label = theory.name + " seed " + std::to_string(seed) + " " + each.engine + " " +
                          each.settings + (each.transforms ? " transformed" : "") +
                          (each.targets == Rung::Bits ? " to bits" : "");
      SCOPED_TRACE(label);
      Alarm alarm(std::chrono::milliseconds(theory.finite ? 20'000 : 300));
      Verdict verdict = run(each, problem, theory.finite ? kDepth : 6, alarm.token());
      bool bounded = each.engine == "bmc" || each.engine == "kind";
      if (std::holds_alternative<Unknown>(verdict)) {
        ++open;
        if (theory.finite && bounded) {
          EXPECT_TRUE(*safe) << "a bounded engine missed a trace";
        }
        // Z3 does not always know about memories of two cells; the transforms expand them.
        bool memories = theory.params.arrays && !each.transforms && !alarm.rang();
        EXPECT_TRUE(!theory.finite || bounded || memories)
            << "undecided" << (alarm.rang() ? " in time" : "");
        continue;
      }
      ++definite;
      bool claim = std::holds_alternative<Safe>(verdict);
      if (!safe) safe = claim;
      ASSERT_EQ(claim, *safe);
      Result<check::Certified> certified = check::certify(problem, verdict, {});
      ASSERT_TRUE(certified.ok()) << certified.error().message;
      ASSERT_EQ(certified->verdict(), verdict) << "not decided";
    }
  }
  RecordProperty("definite", definite);
  RecordProperty("open", open);
  EXPECT_GT(definite, open);
}

INSTANTIATE_TEST_SUITE_P(Theories, TermEnginesFuzz, testing::ValuesIn(theories()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace lem::engine
