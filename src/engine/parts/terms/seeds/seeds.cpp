#include "engine/parts/terms/seeds/seeds.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/assert.h"
#include "engine/parts/terms/seeds/chains.h"
#include "engine/parts/terms/seeds/samples.h"
#include "engine/parts/terms/seeds/sources.h"

namespace lem::engine {

namespace {

constexpr std::size_t kMaxEquations = 40;

/// Equations that hold at the most locations first.
std::vector<Term> equations(const KarrAnalysis& analysis) {
  std::map<Term, std::size_t> times;
  for (const KarrAnalysis::Location& location : analysis.locations)
    for (Term equation : location.equations) ++times[equation];
  std::vector<std::pair<std::size_t, Term>> ranked;
  for (auto [equation, count] : times) ranked.emplace_back(count, equation);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (ranked.size() > kMaxEquations) ranked.resize(kMaxEquations);
  std::vector<Term> found;
  for (const auto& [count, equation] : ranked) found.push_back(equation);
  return found;
}

std::vector<Term> formulas_of(SeedSource source, TermSystem& system, const Problem& problem,
                              const SeedSettings& settings, const Context& ctx) {
  switch (source) {
    case SeedSource::Init:
      return {system.init()};
    case SeedSource::Bad:
      return {system.bad()};
    case SeedSource::BoolStates: {
      std::vector<Term> states(system.current().begin(), system.current().end());
      std::erase_if(states, [&](Term s) { return system.terms().kind(s) != SortKind::Bool; });
      return states;
    }
    case SeedSource::Hints:
      return problem.source.hints;
    case SeedSource::Conditions:
      return conditions(system, settings.conditions);
    case SeedSource::Pairs:
      return pairs(system, settings.pairs);
    case SeedSource::Bounds:
      return bounds(system);
    case SeedSource::Equalities:
      return equalities(system);
    case SeedSource::Samples:
      return affine_relations(system, settings.random, settings.engine, ctx);
  }
  unreachable();
}

/// The seeds with what Karr's analysis knows.
Seeds with_karr(Seeds seeds, TermSystem& system, const SeedSettings& settings, const Context& ctx) {
  const SeedSettings::Karr& karr = *settings.karr;
  const std::string engine(settings.engine);
  TimerScope timer(ctx.stats.timer(engine + "." + std::string(karr.timer)));
  std::vector<Term> candidates = seeds.predicates;
  for (Term atom : conditions(system, karr.conditions)) candidates.push_back(atom);
  KarrAnalysis analysis = analyse(system, candidates, karr.invariants, karr.milliseconds, ctx);
  if (analysis.complete && karr.invariants > 0)
    seeds.invariants = invariants(system, analysis, karr.milliseconds, ctx);
  ctx.stats.counter(engine + ".invariants-known") += seeds.invariants.size();
  if (!karr.equations) return seeds;
  std::vector<Term> found = equations(analysis);
  ctx.stats.counter(engine + ".karr-equations") += found.size();
  ctx.stats.counter(engine + ".karr-complete") += analysis.complete ? 1 : 0;
  found.insert(found.end(), seeds.invariants.begin(), seeds.invariants.end());
  for (Term formula : found)
    for (Term part : settings.predicates_of(formula)) seeds.predicates.push_back(part);
  return seeds;
}

}  // namespace

Seeds find_seeds(TermSystem& system, const Problem& problem, const SeedSettings& settings,
                 const Context& ctx) {
  Seeds seeds;
  for (SeedSource source : settings.sources)
    for (Term formula : formulas_of(source, system, problem, settings, ctx))
      for (Term part : settings.predicates_of(formula))
        if (system.is_over_states(part)) seeds.predicates.push_back(part);
  return settings.karr ? with_karr(std::move(seeds), system, settings, ctx) : seeds;
}

}  // namespace lem::engine
