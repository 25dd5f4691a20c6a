#include "engine/bmc/program_search.h"

#include <algorithm>
#include <cassert>

#include "engine/parts/common/outcome.h"
#include "term/traverse.h"

namespace lem::engine {

namespace {

constexpr std::uint32_t kFirstBound = 4;

bool has_bits(const TermStore& terms, Sort sort) {
  if (terms.kind(sort) == SortKind::Array)
    return has_bits(terms, terms.index_sort(sort)) && has_bits(terms, terms.element_sort(sort));
  return terms.kind(sort) == SortKind::Bool || terms.kind(sort) == SortKind::BitVec;
}

std::unique_ptr<Decider> decider_for(const Cfa& cfa, const Context& ctx) {
  TermStore& terms = cfa.terms();
  bool bits = arrays_are_simple(cfa);
  for (Term variable : cfa.variables()) bits = bits && has_bits(terms, terms.sort(variable));
  return bits ? make_bit_decider(terms, ctx.stop) : make_smt_decider(terms, ctx.stop);
}

}  // namespace

ProgramSearch::ProgramSearch(const Problem& problem, const Context& ctx)
    : cfa_(problem.cfa()),
      ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      decider_(decider_for(cfa_, ctx)),
      unwinding_(cfa_, ctx, [this](Term condition) { return feasible(condition); }),
      bounds_(cfa_.locations().size(), kFirstBound) {}

smt::Answer ProgramSearch::ask(Term condition, Patience patience) {
  for (Term fact : unwinding_.arrays().take_facts()) decider_->add(fact);
  ++stats_.queries;
  TimerScope time(stats_.solve);
  return decider_->solve(condition, patience);
}

bool ProgramSearch::feasible(Term condition) {
  return ask(condition, Patience::Short) != smt::Answer::Unsat;
}

Verdict ProgramSearch::run() {
  if (cfa_.initial() == cfa_.error()) {
    std::vector<Term> values;
    for (Term variable : cfa_.variables())
      values.push_back(cfa_.terms().default_value(cfa_.terms().sort(variable)));
    return Unsafe{CfaTrace{{}, {values}}};
  }
  while (!ctx_.stopped()) {
    unwinding_.run(bounds_);
    stats_.visits += unwinding_.num_visits();
    if (ctx_.stopped()) break;
    switch (reach_error()) {
      case smt::Answer::Sat:
        return Unsafe{trace()};
      case smt::Answer::Unknown:
        return unknown(ctx_);
      case smt::Answer::Unsat:
        break;
    }
    if (unwinding_.unfinished().empty()) return proof();
    if (!raise_bounds()) return Unknown{Reason::BoundReached};
  }
  return Unknown{Reason::Stopped};
}

smt::Answer ProgramSearch::reach_error() {
  std::vector<Term> some;
  for (const Unwinding::Arrival& each : unwinding_.errors())
    some.push_back(unwinding_.executor().paths().formula(each.state.path));
  Term reached = cfa_.terms().make_or(some);
  if (cfa_.terms().is_false(reached)) return smt::Answer::Unsat;
  smt::Answer answer = ask(reached, Patience::Endless);
  if (answer == smt::Answer::Unsat) decider_->add(cfa_.terms().make_not(reached));
  return answer;
}

/// Only loops that can go on; false at the limit.
bool ProgramSearch::raise_bounds() {
  for (LocationId head : unwinding_.unfinished()) {
    std::uint32_t& bound = bounds_[index(head)];
    if (config_.max_depth != 0 && bound >= config_.max_depth) return false;
    bound *= 2;
    if (config_.max_depth != 0) bound = std::min(bound, config_.max_depth);
    stats_.depth.value = std::max<std::uint64_t>(stats_.depth.value, bound);
  }
  if (ctx_.progress.due())
    ctx_.progress.publish("bmc: loops up to " + std::to_string(stats_.depth.value));
  return true;
}

/// That no loop goes on is for the checker to find out: it gets the number of rounds as a hint.
Safe ProgramSearch::proof() const {
  LocationInvariants claim{std::vector<Term>(cfa_.locations().size()), unwinding_.rounds()};
  claim.at[index(cfa_.initial())] = cfa_.terms().boolean(true);
  claim.at[index(cfa_.error())] = cfa_.terms().boolean(false);
  return {std::move(claim)};
}

/// Back from the error along the arrivals whose conditions hold.
CfaTrace ProgramSearch::trace() {
  TermStore& terms = cfa_.terms();
  TermMap model;
  for (Term variable : cfa_.variables())
    if (terms.kind(variable) != SortKind::Array || !unwinding_.executor().resolves_arrays())
      model[variable] = decider_->value(variable);
  for (Term input : unwinding_.inputs()) model[input] = decider_->value(input);
  for (Term element : unwinding_.arrays().elements()) model[element] = decider_->value(element);
  Substitution values(terms, std::move(model));
  auto value = [&](Term term) { return values.apply(term); };
  auto taken = [&](const std::vector<Unwinding::Arrival>& arrivals) {
    auto at = std::find_if(arrivals.begin(), arrivals.end(), [&](const auto& arrival) {
      return terms.is_true(value(unwinding_.executor().paths().formula(arrival.state.path)));
    });
    assert(at != arrivals.end() && "a model takes one of the ways");
    return &*at;
  };
  CfaTrace run;
  std::vector<const SymbolicState*> states;
  const Unwinding::Arrival* last = taken(unwinding_.errors());
  states.push_back(&last->state);
  while (last->from != Unwinding::VisitId::None) {
    const Unwinding::Visit& visit = unwinding_.visit(last->from);
    run.edges.push_back(last->edge);
    states.push_back(&visit.state);
    last = taken(visit.arrivals);
  }
  std::reverse(run.edges.begin(), run.edges.end());
  std::reverse(states.begin(), states.end());
  std::vector<Arrays::Valued> arrays(cfa_.variables().size());
  for (const SymbolicState* state : states) {
    std::vector<Term>& all = run.values.emplace_back();
    for (std::uint32_t i = 0; i < cfa_.variables().size(); ++i) {
      if (unwinding_.executor().is_array(i)) {
        arrays[i] = unwinding_.arrays().evaluate(state->arrays[i], arrays[i], value);
        all.push_back(arrays[i].value);
      } else {
        all.push_back(value(state->scalars[i]));
      }
    }
  }
  return run;
}

}  // namespace lem::engine
