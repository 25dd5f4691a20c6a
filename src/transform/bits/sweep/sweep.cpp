// The transform around the prover: latches alone first, which is cheap and often all there is, then
// every signal of what is left.
#include <ctime>
#include <string>

#include "transform/bits/rebuild.h"
#include "transform/bits/sweep/prover.h"
#include "transform/passes.h"

namespace lem::transform {

namespace {

/// Refuting latches one by one is hopeless after this many rounds, and quick with all signals.
constexpr std::uint64_t kLatchRounds = 48;
constexpr std::uint64_t kRounds = 400;
constexpr std::uint64_t kConflicts = 100;  // for one query

Transformed sweep(const Problem& problem, const Context& ctx, SweepScope scope,
                  const std::string& prefix) {
  auto budget = ctx.options.get<std::clock_t>("transform.sweep-ms");
  std::uint64_t rounds = scope == SweepScope::Latches ? kLatchRounds : kRounds;
  SweepProver prover(problem.aig(), scope,
                     {budget * (CLOCKS_PER_SEC / 1000), kConflicts, rounds, ctx.stop});
  std::optional<SignalSubstitution> proved = prover.prove();
  ctx.stats.counter(prefix + "rounds") += prover.counts().rounds;
  ctx.stats.counter(prefix + "queries") += prover.counts().queries;
  ctx.stats.counter(prefix + "refuted") += prover.counts().refuted;
  ctx.stats.counter(prefix + "abandoned") += prover.counts().abandoned;
  ctx.stats.counter(prefix + "wakes") += prover.counts().wakes;
  ctx.stats.counter(prefix + "timeouts") += proved ? 0 : 1;
  return rebuild_with_way_back(problem, proved ? *proved : no_substitution(problem.aig()));
}

}  // namespace

Transformed apply_latch_sweep(const Problem& problem, const Context& ctx) {
  return sweep(problem, ctx, SweepScope::Latches, "transform.latches.");
}

Transformed apply_sweep(const Problem& problem, const Context& ctx) {
  return sweep(problem, ctx, SweepScope::AllSignals, "transform.sweep.");
}

}  // namespace lem::transform
