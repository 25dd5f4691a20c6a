#include "engine/bmc/program_search.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <unordered_set>

#include "base/assert.h"
#include "engine/parts/common/outcome.h"
#include "smt/solvers.h"
#include "term/traverse.h"

namespace lem::engine {

namespace {

constexpr std::uint32_t kFirstBound = 4;
constexpr Simulation::Seconds kFirstSimulation{0.5};  // the next ones are twice as long each
constexpr Simulation::Seconds kLastSimulation{4};

bool has_bits(const TermStore& terms, Sort sort) {
  if (terms.kind(sort) == SortKind::Array)
    return has_bits(terms, terms.index_sort(sort)) && has_bits(terms, terms.element_sort(sort));
  return terms.kind(sort) == SortKind::Bool || terms.kind(sort) == SortKind::BitVec;
}

std::unique_ptr<Decider> decider_for(const Cfa& cfa, const Context& ctx) {
  TermStore& terms = cfa.terms();
  bool bits = arrays_are_simple(cfa);
  for (Term variable : cfa.variables()) bits = bits && has_bits(terms, terms.sort(variable));
  return bits ? make_bit_decider(terms, ctx.stop) : make_smt_decider(terms, smt::Solvers(ctx));
}

}  // namespace

ProgramSearch::ProgramSearch(const Problem& problem, const Context& ctx)
    : cfa_(problem.cfa()),
      ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      decider_(decider_for(cfa_, ctx)),
      unwinding_(cfa_, ctx, [this](PathId path) { return feasible(path); }),
      connected_(cfa_.terms()),
      next_simulation_(config_.simulate ? kFirstSimulation : Simulation::Seconds{0}),
      bounds_(cfa_.locations().size(), kFirstBound) {}

smt::Answer ProgramSearch::ask(Term condition, Patience patience) {
  for (Term fact : unwinding_.arrays().take_facts()) {
    decider_->add(fact);
    has_facts_ = true;
  }
  ++stats_.queries;
  TimerScope time(stats_.solve);
  return decider_->solve(condition, patience);
}

std::vector<Term> ProgramSearch::conditions(PathId path) {
  std::vector<Term> all = unwinding_.executor().paths().since(PathId::Root, path);
  for (Term condition : all) connected_.add(condition);
  return all;
}

/// require: conditions() gave them
Term ProgramSearch::slice(const std::vector<Term>& conditions, Connected::Class wanted) {
  return cfa_.terms().make_and(connected_.among(conditions, wanted));
}

/// Slice by slice, the last condition's first: what other parts of the program decided was asked
/// there.
bool ProgramSearch::feasible(PathId path) {
  std::vector<Term> all = conditions(path);
  std::unordered_set<Connected::Class> asked;
  for (auto condition = all.rbegin(); condition != all.rend(); ++condition) {
    Connected::Class part = connected_.of(*condition);
    if (!asked.insert(part).second) continue;
    Term some = slice(all, part);
    if (possible_.contains(some)) continue;
    smt::Answer answer = ask(some, Patience::Short);
    if (answer == smt::Answer::Unsat) return false;
    if (answer == smt::Answer::Sat) possible_.insert(some);
  }
  return true;
}

Verdict ProgramSearch::run(const OnRun& found) {
  if (cfa_.initial() == cfa_.error()) {
    std::vector<Term> values;
    for (Term variable : cfa_.variables())
      values.push_back(cfa_.terms().default_value(cfa_.terms().sort(variable)));
    found(CfaTrace{{}, {values}});
    return Unknown{Reason::GaveUp};
  }
  while (!ctx_.stopped()) {
    unwinding_.run(bounds_);
    stats_.visits += unwinding_.num_visits();
    if (ctx_.stopped()) break;
    switch (reach_error(found)) {
      case smt::Answer::Sat:
        return Unknown{Reason::GaveUp};
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

/// Where a question is hard: some runs, for a time that depends on how often it came to this.
std::optional<CfaTrace> ProgramSearch::simulate() {
  if (next_simulation_ == Simulation::Seconds{0} || ctx_.stopped()) return {};
  if (!simulation_) simulation_.emplace(cfa_, ctx_);
  std::optional<CfaTrace> run = simulation_->search(next_simulation_);
  next_simulation_ *= next_simulation_ < kLastSimulation ? 2 : 0;
  stats_.simulated.value = simulation_->num_runs();
  return run;
}

/// One question for all errors whose last conditions are connected.
///   ensure: Sat: runs were found
smt::Answer ProgramSearch::reach_error(const OnRun& found) {
  std::map<Connected::Class, std::vector<PathId>> parts;
  for (const Unwinding::Arrival& each : unwinding_.errors()) conditions(each.state.path);
  for (const Unwinding::Arrival& each : unwinding_.errors()) {
    Term last = unwinding_.executor().paths().last(each.state.path);
    parts[last ? connected_.of(last) : Connected::Class::None].push_back(each.state.path);
  }
  smt::Answer all = smt::Answer::Unsat;
  for (const auto& [part, paths] : parts) {
    auto [answer, run] = reach_one_of(paths);
    if (answer == smt::Answer::Sat) found(*std::move(run));
    if (all != smt::Answer::Sat && answer != smt::Answer::Unsat) all = answer;
  }
  return all;
}

/// The slices first: mostly they exclude it.
ProgramSearch::Reached ProgramSearch::reach_one_of(const std::vector<PathId>& paths) {
  TermStore& terms = cfa_.terms();
  std::vector<Term> slices, whole;
  for (PathId path : paths) {
    whole.push_back(unwinding_.executor().paths().formula(path));
    std::vector<Term> all = conditions(path);
    slices.push_back(all.empty() ? terms.boolean(true) : slice(all, connected_.of(all.back())));
  }
  Term sliced = terms.make_or(slices), reached = terms.make_or(whole);
  for (Term question : {sliced, reached}) {
    if (terms.is_false(question)) return {smt::Answer::Unsat};
    smt::Answer answer = ask(question, Patience::Short);
    if (answer == smt::Answer::Unknown) {
      if (std::optional<CfaTrace> run = simulate()) return {smt::Answer::Sat, std::move(run)};
      answer = ask(question, Patience::Endless);
    }
    if (answer == smt::Answer::Unsat) decider_->add(terms.make_not(question));
    if (answer != smt::Answer::Sat) return {answer};
    if (question == reached) break;
    if (std::optional<TermMap> model = completed(paths, slices))
      return {answer, trace(*std::move(model))};
  }
  TermMap model;
  for (Term unknown : unknowns()) model[unknown] = decider_->value(unknown);
  return {smt::Answer::Sat, trace(std::move(model))};
}

/// What values have to be known of.
std::vector<Term> ProgramSearch::unknowns() {
  std::vector<Term> all = unwinding_.inputs();
  for (Term variable : cfa_.variables())
    if (cfa_.terms().kind(variable) != SortKind::Array || !unwinding_.executor().resolves_arrays())
      all.push_back(variable);
  for (Term element : unwinding_.arrays().elements()) all.push_back(element);
  return all;
}

void ProgramSearch::take_values(Connected::Class part, TermMap& model) {
  for (Term unknown : unknowns()) {
    connected_.add(unknown);
    if (connected_.of(unknown) == part) model[unknown] = decider_->value(unknown);
  }
}

/// The last answer is about a slice of one of the paths; the other slices of that path are asked
/// about one by one, so that no question is large. Nothing if they have no answer.
std::optional<TermMap> ProgramSearch::completed(const std::vector<PathId>& paths,
                                                const std::vector<Term>& slices) {
  TermStore& terms = cfa_.terms();
  std::vector<Term> first = conditions(paths.front());
  if (has_facts_ || first.empty()) return {};
  TermMap model;
  take_values(connected_.of(first.back()), model);
  Substitution values(terms, model);
  std::size_t taken = 0;
  while (taken < paths.size() && !terms.is_true(values.apply(slices[taken]))) ++taken;
  if (taken == paths.size()) return {};
  std::vector<Term> all = conditions(paths[taken]);
  std::unordered_set<Connected::Class> asked{connected_.of(all.back())};
  for (Term condition : all) {
    Connected::Class part = connected_.of(condition);
    if (!asked.insert(part).second) continue;
    if (ask(slice(all, part), Patience::Endless) != smt::Answer::Sat) return {};
    take_values(part, model);
  }
  return model;
}

/// Only loops that can go on; false at the limit.
bool ProgramSearch::raise_bounds() {
  for (LocationId head : unwinding_.unfinished()) {
    std::uint32_t& bound = bounds_[index(head)];
    if (bound >= config_.max_depth) return false;
    bound = std::min(2 * bound, config_.max_depth);
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
CfaTrace ProgramSearch::trace(TermMap model) {
  TermStore& terms = cfa_.terms();
  for (Term unknown : unknowns())
    model.try_emplace(unknown, terms.default_value(terms.sort(unknown)));
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
