// The loops of IC3+IA [Cimatti14 Fig. 2]. Tests: tests/unit/engine/term_engines_test.cpp,
// tests/papers/ic3ia_example_test.cpp.
#include "engine/ic3ia/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "engine/ic3ia/ic3ia.h"
#include "engine/ic3ia/seeds.h"
#include "engine/parts/terms/candidates.h"
#include "smt/cache.h"

namespace lem {

Ic3iaSearch::Ic3iaSearch(const Problem& problem, const Context& ctx)
    : ctx_(ctx),
      config_(ctx.options),
      stats_(ctx.stats),
      system_(problem),
      terms_(system_.terms()),
      predicates_(system_),
      copies_(system_, "eq:"),
      refiner_(system_, config_, ctx),
      obligations_(ObligationQueue::Ties::Shallow),
      generalizer_(*this),
      step_(make_solver()),
      state_(make_solver()),
      initial_(terms_.fresh("init", terms_.bool_sort())),
      bad_(terms_.fresh("bad", terms_.bool_sort())),
      random_(config_.seed) {
  Term init = terms_.make_implies(initial_, system_.init());
  step_->add(init);
  step_->add(terms_.make_not(system_.bad()));
  if (config_.lazy_steps) lazy_.emplace(system_);
  step_->add(lazy_ ? lazy_->base() : system_.trans());
  state_->add(init);
  state_->add(terms_.make_eq(bad_, system_.bad()));
  std::vector<Term> seeds = initial_predicates(system_, problem, config_, ctx);
  std::erase_if(seeds, [&](Term seed) { return !system_.is_over_states(seed); });
  if (config_.invariants > 0) assume_invariants(seeds);
  add_predicates(seeds);
  frames_.extend();
}

/// What is known before the search is part of all frames but F_0.
void Ic3iaSearch::assume_invariants(std::vector<Term> predicates) {
  TimerScope timer(ctx_.stats.timer("ic3ia.invariants"));
  constexpr std::size_t kMostConditions = 60;
  for (Term atom : conditions(system_, kMostConditions)) predicates.push_back(atom);
  KarrAnalysis analysis =
      analyse(system_, predicates, config_.invariants, config_.invariants_ms, ctx_);
  if (!analysis.complete) return;
  known_ = invariants(system_, analysis, config_.invariants_ms, ctx_);
  ctx_.stats.counter("ic3ia.invariants-known") += known_.size();
  for (Term each : known_) {
    step_->add(each);
    state_->add(each);
  }
}

std::unique_ptr<smt::SmtSolver> Ic3iaSearch::make_solver() {
  auto make = [this] { return smt::make_z3(terms_, smt::Workload::Stream, ctx_.stop); };
  if (config_.query_cache == 0) return make();
  return std::make_unique<smt::CachedSolver>(terms_, make, config_.query_cache, ctx_.stats,
                                             ctx_.stop);
}

/// Lines 4 to 15. The first frame is F_1; Init & Bad is looked for by find_bad's simulation.
Verdict Ic3iaSearch::run() {
  if (!meets_initial({})) return Safe{TermInvariant{terms_.boolean(false)}};  // no state at all
  std::array start{initial_, bad_};
  switch (ask(*state_, start)) {
    case smt::Answer::Sat:
      return Unsafe{system_.trace(1, [&](Term v, std::size_t) { return state_->value(v); })};
    case smt::Answer::Unsat:
      break;
    case smt::Answer::Unknown:
      return unknown();
  }
  while (!stopped()) {
    switch (strengthen()) {  // until F_k & Bad is unsatisfiable
      case Blocked::All:
      case Blocked::Refined:
        break;
      case Blocked::Counterexample:
        return Unsafe{std::move(*trace_)};
      case Blocked::Stopped:
        return unknown();
    }
    extend();
    if (auto fixpoint = propagate()) return Safe{TermInvariant{invariant(*fixpoint)}};
  }
  return unknown();
}

Verdict Ic3iaSearch::unknown() const {
  return Unknown{ctx_.stopped() ? Reason::Stopped : Reason::GaveUp};
}

void Ic3iaSearch::extend() {
  frames_.extend();
  stats_.depth.value = index(frames_.top());
}

/// Lines 5 to 9: blocks P-cubes of the top frame that violate the property; spurious abstract
/// counterexamples refine, and the search goes on with all it has learnt.
Ic3iaSearch::Blocked Ic3iaSearch::strengthen() {
  TimerScope timer(stats_.block);
  while (!stopped()) {
    auto popped = obligations_.pop(frames_.top());
    if (!popped) {
      std::optional<Cube> violation = find_bad();
      if (!violation) return stopped() ? Blocked::Stopped : Blocked::All;
      obligations_.push(obligations_.make({std::move(*violation)}).id(), frames_.top());
      continue;
    }
    Blocked outcome = discharge(popped->obligation.id(), popped->level);
    if (outcome == Blocked::Refined) {
      // Cubes over the old predicates may be too coarse now: the search starts anew from Bad.
      while (obligations_.pop(frames_.top())) continue;
    }
    if (outcome == Blocked::Counterexample || outcome == Blocked::Stopped) return outcome;
  }
  return Blocked::Stopped;
}

std::optional<Cube> Ic3iaSearch::find_bad() {
  std::vector<Term> assumptions{bad_};
  assume_frame(frames_.top(), assumptions);
  if (ask(*state_, assumptions) != smt::Answer::Sat) return {};
  return Cube(shrink_bad(model_cube(*state_)));
}

/// recBlock with a queue instead of recursion.
Ic3iaSearch::Blocked Ic3iaSearch::discharge(ObligationId id, Level level) {
  if (ctx_.progress.due()) report_progress();
  ++stats_.obligations;
  const Cube& cube = obligations_[id].cube;
  if (meets_initial(cube.lits())) return simulate(id);
  if (auto blocked = frames_.blocked_at(level, cube)) {
    if (*blocked < frames_.top()) obligations_.push(id, next(*blocked));
    return Blocked::All;
  }
  Induction answer = inductive(level, cube.lits());
  if (answer.stopped()) return Blocked::Stopped;
  if (answer.fails()) return enqueue_predecessor(id, level);
  std::vector<Lit> core(answer.core.begin(), answer.core.end());
  {
    TimerScope timer(stats_.generalize);
    core = generalizer_.generalize(level, std::move(core), config_.effort);
  }
  BlockedCube blocked = push_up(*this, {level, std::move(core)}, frames_.top());
  if (stopped()) return Blocked::Stopped;
  add_lemma(blocked.level, Cube(std::move(blocked.cube)));
  if (blocked.level < frames_.top()) obligations_.push(id, next(blocked.level));
  return Blocked::All;
}

Ic3iaSearch::Blocked Ic3iaSearch::enqueue_predecessor(ObligationId id, Level level) {
  std::uint32_t depth = obligations_[id].depth + 1;
  ObligationHandle predecessor = obligations_.make({Cube(counterexample()), {}, id, depth});
  if (level == Level{1}) return simulate(predecessor.id());  // from F_0: abstractly initial
  obligations_.push(predecessor.id(), previous(level));
  obligations_.push(id, level);
  return Blocked::All;
}

/// An abstract counterexample: concrete, or the reason for new predicates (lines 7 to 9).
Ic3iaSearch::Blocked Ic3iaSearch::simulate(ObligationId id) {
  TimerScope timer(stats_.refine);
  std::vector<std::vector<Term>> path;
  for (; id != ObligationId::None; id = obligations_[id].successor) {
    std::vector<Term>& cube = path.emplace_back();
    for (Lit lit : obligations_[id].cube.lits()) cube.push_back(predicates_.formula(lit));
  }
  Refinement refinement = refiner_.refine(path, predicates_);
  if (refinement.trace) {
    trace_ = std::move(refinement.trace);
    return Blocked::Counterexample;
  }
  if (refinement.predicates.empty()) {
    gave_up_ = true;
    return Blocked::Stopped;
  }
  ++stats_.refinements;
  add_predicates(refinement.predicates);
  return Blocked::Refined;
}

/// Lines 11 to 15.
std::optional<Level> Ic3iaSearch::propagate() {
  TimerScope timer(stats_.propagate);
  for (Level level{1}; level < frames_.top() && !stopped(); ++level) {
    std::vector<Lemma> lemmas = frames_.at(level);  // a copy: pushing changes the list
    for (const Lemma& lemma : lemmas) {
      if (stopped()) return {};
      if (frames_.subsuming(level, lemma.cube) == nullptr) continue;  // gone meanwhile
      if (Induction answer = inductive(next(level), lemma.cube.lits()); answer.holds())
        add_lemma(next(level), Cube({answer.core.begin(), answer.core.end()}));
    }
    if (!stopped() && frames_.at(level).empty()) return level;
  }
  return {};
}

void Ic3iaSearch::add_lemma(Level level, Cube cube) {
  assert(!cube.empty() && "the empty clause would exclude every state");
  if (!frames_.add(level, Lemma{cube})) return;
  ++stats_.lemmas;
  seen_.exclude(level, cube.lits());
  std::vector<Term> clause{terms_.make_not(frame_switch(level))};
  for (Lit lit : cube.lits()) {
    clause.push_back(predicates_.label(!lit));
    activity_[lit.var()] += 1;
  }
  Term lemma = terms_.make_or(clause);
  step_->add(lemma);
  state_->add(lemma);
}

/// require: F_level = F_level+1.
Term Ic3iaSearch::invariant(Level level) const {
  std::vector<Term> clauses = known_;
  for (Level i = next(level); i <= frames_.top(); ++i) {
    for (const Lemma& lemma : frames_.at(i)) {
      std::vector<Term> clause;
      for (Lit lit : lemma.cube.lits()) clause.push_back(predicates_.formula(!lit));
      clauses.push_back(terms_.make_or(clause));
    }
  }
  return terms_.make_and(clauses);
}

void Ic3iaSearch::report_progress() {
  std::string per_frame;
  for (Level i{1}; i <= frames_.top(); ++i)
    if (index(i) + 10 > index(frames_.top())) per_frame += fmt::format(" {}", frames_.at(i).size());
  ctx_.progress.publish(
      fmt::format("ic3ia: frame {}, predicates {}, refinements {}, obligations {}, lemmas{}",
                  index(frames_.top()), predicates_.size(), stats_.refinements.value,
                  obligations_.size(), per_frame));
}

namespace {

class Ic3ia final : public Engine {
 public:
  Verdict check(const Problem& problem, const Context& ctx) override {
    return Ic3iaSearch(problem, ctx).run();
  }
};

constexpr std::array kPresets = {
    Preset{"paper", "ic3ia.encoding=eq,ic3ia.hints=off", "as printed, with EQ [Cimatti14]"},
    Preset{"all-predicates", "ic3ia.minimize=off", "no predicate minimization [Cimatti14 Fig. 5]"},
    Preset{"seeded", "ic3ia.seed-bounds=on,ic3ia.seed-equalities=on,ic3ia.seed-affine=on",
           "with initial predicates beyond Init and the property"},
};

}  // namespace

const EngineInfo kIc3iaInfo = {
    "ic3ia",
    "IC3 modulo theories by implicit predicate abstraction",
    "[Cimatti14]",
    kIc3iaOptions,
    kPresets,
    Rung::Terms,
    []() -> std::unique_ptr<Engine> { return std::make_unique<Ic3ia>(); }};

}  // namespace lem
