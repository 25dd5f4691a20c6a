#include "engine/treeic3/interpolants.h"

#include <algorithm>
#include <cassert>

#include "engine/parts/terms/interpolant_sources.h"
#include "term/traverse.h"

namespace lem::engine {

PathInterpolants::PathInterpolants(TermStore& terms, std::span<const Term> current,
                                   std::span<const Term> next, std::uint32_t milliseconds,
                                   const Context& ctx)
    : terms_(terms),
      current_(current),
      next_(next),
      milliseconds_(milliseconds),
      ctx_(ctx),
      asked_(ctx.stats.counter("treeic3.interpolations")),
      served_(ctx.stats.counter("treeic3.interpolants")),
      time_(ctx.stats.timer("treeic3.interpolate")) {
  assert(current.size() == next.size() && "every variable has a next value");
}

/// Without weakest preconditions: projection gives those anyway.
void PathInterpolants::collect_sources() {
  for (Source each : {Source::Farkas, Source::Integers, Source::Spacer})
    for (auto& made : make_sources(terms_, current_, each, milliseconds_, ctx_.stop))
      sources_.push_back({std::move(made)});
}

bool PathInterpolants::due() {
  if (sources_.empty()) collect_sources();
  bool any = false;
  for (Asked& source : sources_) {
    source.due = source.back_off.due();
    any = any || source.due;
  }
  return any;
}

/// Positions of variables that the conjuncts speak of, before or after a step.
std::vector<std::size_t> PathInterpolants::mentioned(
    const std::vector<std::vector<Term>>& core) const {
  std::vector<Term> roots;
  for (const std::vector<Term>& step : core) roots.insert(roots.end(), step.begin(), step.end());
  std::vector<Term> used = variables_of(terms_, roots);
  auto is_used = [&](Term variable) {
    return std::binary_search(used.begin(), used.end(), variable);
  };
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < current_.size(); ++i)
    if (is_used(current_[i]) || is_used(next_[i])) result.push_back(i);
  return result;
}

std::optional<smt::Sequence> PathInterpolants::along(const std::vector<std::vector<Term>>& core) {
  assert(!core.empty() && "a path has a step");
  TimerScope timer(time_);
  std::vector<Term> current, next;
  for (std::size_t i : mentioned(core)) {
    current.push_back(current_[i]);
    next.push_back(next_[i]);
  }
  smt::Path path{current, next, terms_.boolean(true), {}, terms_.boolean(true)};
  for (const std::vector<Term>& step : core) path.steps.push_back(terms_.make_and(step));
  for (Asked& source : sources_) {
    if (ctx_.stopped()) return {};
    if (!source.due) continue;
    ++asked_;
    std::optional<smt::Sequence> sequence = source.interpolator->interpolate(path);
    source.back_off.record(sequence.has_value());
    if (!sequence) continue;
    ++served_;
    sequence->erase(sequence->begin());  // before the first step
    return sequence;
  }
  return {};
}

}  // namespace lem::engine
