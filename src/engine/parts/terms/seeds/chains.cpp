#include "engine/parts/terms/seeds/chains.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

namespace lem::engine {

namespace {

/// Ends of ranges of machine words: bounds by them are known or useless.
const mpq_class kTooLarge = (mpz_class(1) << 31) - 1;
constexpr std::size_t kMostVariables = 4;
constexpr std::size_t kMostThresholds = 100;  // those near 0
constexpr std::uint32_t kShareOfSecondTry = 4;

/// Constants of a sort and, of integers, their neighbours: c <= x denied is x <= c - 1, and between
/// two assignments of a loop sums are off by one.
///   ensure: ascending
std::vector<Term> constants_of(const TermSystem& system, Sort sort) {
  TermStore& terms = system.terms();
  bool whole = terms.kind(sort) == SortKind::Int;
  std::array formulas{system.init(), system.trans(), system.bad()};
  std::set<mpq_class> seen{-1, 0, 1};
  for_each_subterm(terms, formulas, [&](Term term) {
    if (!terms.is_value(term) || terms.sort(term) != sort) return;
    mpq_class value = terms.number_value(term);
    if (abs(value) >= kTooLarge) return;
    seen.insert(value);
    if (whole) seen.insert({value - 1, value + 1});
  });
  while (seen.size() > kMostThresholds)
    seen.erase(abs(*seen.begin()) > abs(*seen.rbegin()) ? seen.begin() : std::prev(seen.end()));
  std::vector<Term> result;
  for (const mpq_class& value : seen) result.push_back(terms.number(value, sort));
  return result;
}

/// Sums of `size` variables with factors 1 and -1, each up to its sign.
std::vector<Term> unit_sums(TermStore& terms, std::span<const Term> variables, std::size_t size) {
  if (size == 1) return {variables.begin(), variables.end()};
  std::vector<Term> found;
  for (std::size_t i = 0; i < variables.size(); ++i)
    for (Term rest : unit_sums(terms, variables.subspan(i + 1), size - 1)) {
      found.push_back(terms.make_sub(variables[i], rest));
      found.push_back(terms.make_add(variables[i], rest));
    }
  return found;
}

}  // namespace

std::vector<Chain> bound_chains(const TermSystem& system, std::size_t limit) {
  TermStore& terms = system.terms();
  std::map<Sort, std::vector<Term>> by_sort;
  for (Term state : system.current())
    if (terms.is_numeric(terms.sort(state))) by_sort[terms.sort(state)].push_back(state);
  std::vector<Chain> found;
  for (std::size_t size = 1; size <= kMostVariables && found.size() < limit; ++size)
    for (const auto& [sort, states] : by_sort) {
      std::vector<Term> thresholds = constants_of(system, sort);
      for (Term sum : unit_sums(terms, states, size)) {
        if (found.size() >= limit) return found;
        Chain below, above;
        for (Term threshold : thresholds) below.push_back(terms.make_le(sum, threshold));
        for (Term threshold : thresholds) above.push_back(terms.make_ge(sum, threshold));
        std::reverse(above.begin(), above.end());
        found.push_back(std::move(below));
        found.push_back(std::move(above));
      }
    }
  return found;
}

KarrAnalysis analyse(TermSystem& system, std::span<const Term> predicates, std::size_t sums,
                     std::uint32_t milliseconds, const Context& ctx) {
  KarrLimits limits;
  limits.milliseconds = milliseconds;
  if (sums > 0) {
    std::vector<Chain> chains = bound_chains(system, sums);
    for (Term predicate : predicates) {
      chains.push_back({predicate});
      chains.push_back({system.terms().make_not(predicate)});
    }
    KarrAnalysis analysis = karr(system, chains, limits, ctx);
    if (analysis.complete) return analysis;
    limits.milliseconds /= kShareOfSecondTry;
  }
  return karr(system, {}, limits, ctx);
}

}  // namespace lem::engine
