// Runs one engine on a small problem and checks what it says against the truth.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "check/certify.h"
#include "engine/engine.h"
#include "smt/solvers.h"
#include "support/explicit.h"
#include "support/random_aig.h"

namespace lem::test {

/// Everything a Context refers to.
struct Bench {
  explicit Bench(const engine::EngineInfo& info, std::string_view settings = {}) : engine(info) {
    options.declare(info.options);
    options.declare(smt::kSolverOptions);
    Status set = options.set_all(settings);
    EXPECT_TRUE(set.ok()) << settings;
  }
  Verdict check(const Problem& problem) {
    return engine::check_one(engine, problem, {options, stats, log, progress, stop.get_token()});
  }
  const engine::EngineInfo& engine;
  Options options;
  Stats stats;
  Log log;
  Progress progress;
  std::stop_source stop;
};

/// The judge of tests: what the checker rejects, or does not decide, is a failure, whatever another
/// answer might make good.
inline bool is_certified(const Problem& problem, const Verdict& verdict) {
  Result<check::Certified> outcome = check::certify(problem, verdict, {});
  EXPECT_TRUE(outcome.ok()) << outcome.error().message;
  return outcome.ok() && outcome->verdict() == verdict;
}

inline bool proves(Bench& run, const Problem& problem) {
  Verdict verdict = run.check(problem);
  return std::holds_alternative<Safe>(verdict) && is_certified(problem, verdict);
}

/// A counter of `bits` bits from 0 that wraps; bad when it reaches `limit`.
inline Problem counter(std::uint32_t bits, std::uint32_t limit) {
  AigBuilder builder;
  std::vector<AigLit> latches;
  for (std::uint32_t i = 0; i < bits; ++i) latches.push_back(builder.add_latch(Reset::Zero));
  AigLit carry = kAigTrue;
  AigLit bad = kAigTrue;
  for (std::uint32_t i = 0; i < bits; ++i) {
    builder.set_next(latches[i], builder.xor_gate(latches[i], carry));
    carry = builder.and_gate(carry, latches[i]);
    bad = builder.and_gate(bad, latches[i] ^ ((limit >> i & 1) == 0));
  }
  return {std::move(builder).freeze(), {{"limit", bad}}, {}};
}

/// A ring of `size` latches with one token, passed on at the environment's wish; bad when two
/// neighbours hold it.
inline Problem token_ring(std::uint32_t size) {
  AigBuilder builder;
  AigLit move = builder.add_input();
  std::vector<AigLit> ring;
  for (std::uint32_t i = 0; i < size; ++i)
    ring.push_back(builder.add_latch(i == 0 ? Reset::One : Reset::Zero));
  AigLit bad = kAigFalse;
  for (std::uint32_t i = 0; i < size; ++i) {
    std::uint32_t next = (i + 1) % size;
    builder.set_next(ring[next], builder.mux_gate(move, ring[i], ring[next]));
    bad = builder.or_gate(bad, builder.and_gate(ring[i], ring[next]));
  }
  return {std::move(builder).freeze(), {{"exclusive", bad}}, {}};
}

/// The engine's verdict on random problems is the truth of explicit search, with good evidence.
/// `complete` engines must decide every problem.
enum class Complete { No, Yes };
inline void agrees_with_search(const engine::EngineInfo& info, std::string_view settings,
                               Complete complete, std::uint64_t first_seed, std::uint64_t count) {
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    Problem problem = random_problem(seed, varied_params(seed));
    ExplicitResult truth = explore(problem);
    Bench run(info, settings);
    Verdict verdict = run.check(problem);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + std::string(settings));
    if (std::holds_alternative<Unknown>(verdict)) {
      EXPECT_EQ(complete, Complete::No);
      continue;
    }
    EXPECT_EQ(std::holds_alternative<Safe>(verdict), truth.safe());
    EXPECT_TRUE(is_certified(problem, verdict));
  }
}

}  // namespace lem::test
