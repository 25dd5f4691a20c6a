#include "engine/ctigar/seeds.h"

#include <algorithm>
#include <map>

#include "engine/parts/terms/candidates.h"

namespace lem {

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

/// x < y for pairs of states of one sort.
std::vector<Term> pairs(const TermSystem& system, const Domain& domain, std::size_t limit) {
  std::vector<Term> found;
  std::span<const Term> states = system.current();
  for (std::size_t i = 0; i < states.size(); ++i)
    for (std::size_t j = i + 1; j < states.size(); ++j) {
      if (system.terms().sort(states[i]) != system.terms().sort(states[j])) continue;
      for (auto [x, y] : {std::pair(states[i], states[j]), std::pair(states[j], states[i])})
        for (Term less : domain.less(x, y)) found.push_back(less);
    }
  if (found.size() > limit) found.resize(limit);
  return found;
}

/// The domain without Karr's analysis.
std::vector<Term> plain(const TermSystem& system, const Domain& domain, const Problem& problem,
                        const CtigarConfig& config) {
  TermStore& terms = system.terms();
  std::vector<Term> found;
  auto add = [&](Term formula) {
    for (Term part : domain.parts(formula)) found.push_back(part);
  };
  add(system.init());
  add(system.bad());
  for (Term state : system.current())  // locations and flags are predicates as they are
    if (terms.kind(state) == SortKind::Bool) found.push_back(state);
  if (config.hints)
    for (Term hint : problem.source.hints) add(hint);
  for (Term guard : conditions(system, config.guards)) add(guard);
  for (Term pair : pairs(system, domain, config.pairs)) add(pair);
  return found;
}

}  // namespace

Seeds find_seeds(TermSystem& system, const Domain& domain, const Problem& problem,
                 const CtigarConfig& config, const Context& ctx) {
  Seeds seeds{plain(system, domain, problem, config), {}};
  if (!config.karr) return seeds;
  TimerScope timer(ctx.stats.timer("ctigar.karr"));
  KarrAnalysis analysis = analyse(system, seeds.predicates, config.invariants, config.karr_ms, ctx);
  std::vector<Term> found = equations(analysis);
  ctx.stats.counter("ctigar.karr-equations") += found.size();
  ctx.stats.counter("ctigar.karr-complete") += analysis.complete ? 1 : 0;
  if (analysis.complete && config.invariants > 0)
    seeds.invariants = invariants(system, analysis, config.karr_ms, ctx);
  found.insert(found.end(), seeds.invariants.begin(), seeds.invariants.end());
  for (Term formula : found)
    for (Term part : domain.parts(formula)) seeds.predicates.push_back(part);
  return seeds;
}

}  // namespace lem
