#include "engine/ic3ia/frames.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/assert.h"
#include "smt/solvers.h"

namespace lem::engine {

PredicateFrames::PredicateFrames(TermSystem& system, const Ic3iaConfig& config, const Context& ctx)
    : config_(config),
      system_(system),
      terms_(system.terms()),
      queries_(ctx, "ic3ia."),
      predicates_(system),
      clauses_(system, predicates_.atoms(), ctx, "ic3ia."),
      copies_(system, "eq:"),
      step_(smt::Solvers(ctx).make(terms_, smt::Workload::Stream)),
      state_(smt::Solvers(ctx).make(terms_, smt::Workload::Stream)),
      initial_(terms_.fresh("init", terms_.bool_sort())),
      bad_(terms_.fresh("bad", terms_.bool_sort())),
      switches_(terms_, "frame"),
      random_(config.seed),
      predicate_count_(ctx.stats.counter("ic3ia.predicates")),
      spared_(ctx.stats.counter("ic3ia.queries-spared")) {
  Term init = terms_.make_implies(initial_, system_.init());
  step_->add(init);
  step_->add(terms_.make_not(system_.bad()));
  if (config_.lazy_steps) lazy_.emplace(system_);
  step_->add(lazy_ ? lazy_->base() : system_.trans());
  state_->add(init);
  state_->add(terms_.make_eq(bad_, system_.bad()));
}

void PredicateFrames::add_predicates(std::span<const Term> atoms) {
  for (Term atom : atoms) {
    if (terms_.is_value(atom) || predicates_.contains(atom)) continue;
    assert(system_.is_over_states(atom) && "predicates speak of states");
    sat::Var p = predicates_.add(atom);
    activity_.start(p, config_.seed == 0 ? 0 : std::uniform_real_distribution<>()(random_));
    if (lazy_) step_->add(lazy_->demand(atom));
    if (config_.encoding == Ic3iaConfig::Encoding::Eq) {
      // EQ(X, X~) and EQ(X~', X') as printed; X~ are the variables that Trans speaks of.
      Term before = copies_.at(atom, 0);
      Term after = copies_.at(atom, 1);
      step_->add(terms_.make_eq(predicates_.label(Lit(p, false)), before));
      step_->add(terms_.make_eq(before, atom));
      step_->add(terms_.make_eq(predicates_.next_label(Lit(p, false)), after));
      step_->add(terms_.make_eq(after, system_.prime(atom)));
    } else {
      step_->add(predicates_.definition(p));
      step_->add(predicates_.next_definition(p));
    }
    state_->add(predicates_.definition(p));
    at_init_.push_back(at_init(p));
  }
  assert(at_init_.size() == predicates_.size() && "Init is asked about every predicate");
  predicate_count_.value = predicates_.size();
  seen_.reset(predicates_.size());
}

PredicateFrames::AtInit PredicateFrames::at_init(sat::Var p) {
  AtInit at = AtInit::Either;
  for (bool negative : {false, true}) {
    std::array query{initial_, predicates_.label(Lit(p, negative))};
    if (queries_.ask(*state_, query) == smt::Answer::Unsat)
      at = negative ? AtInit::True : AtInit::False;
  }
  return at;
}

void PredicateFrames::tell(Term formula) {
  step_->add(formula);
  state_->add(formula);
}

void PredicateFrames::assume_invariants(const std::vector<Term>& invariants) {
  clauses_.assume(invariants);
  for (Term invariant : invariants) tell(invariant);
}

bool PredicateFrames::add_lemma(Level level, const Cube& cube) {
  if (!clauses_.add(level, cube)) return false;
  activity_.bump(cube.lits());
  seen_.exclude(level, cube.lits());
  std::vector<Term> clause{terms_.make_not(frame_switch(level))};
  for (Lit lit : cube.lits()) clause.push_back(predicates_.label(!lit));
  tell(terms_.make_or(clause));
  return true;
}

/// Switches F_level on: a switch implies those of the lists above.
Term PredicateFrames::frame_switch(Level level) {
  return switches_.chained(index(level), [&](Term implication) { tell(implication); });
}

// Queries -----------------------------------------------------------------------------------------

std::optional<TermTrace> PredicateFrames::bad_in_init() {
  std::array start{initial_, bad_};
  if (queries_.ask(*state_, start) != smt::Answer::Sat) return {};
  return system_.trace(1, [&](Term v, std::size_t) { return state_->value(v); });
}

std::optional<Cube> PredicateFrames::bad_in_top() {
  std::array assumptions{bad_, frame_switch(top())};
  if (queries_.ask(*state_, assumptions) != smt::Answer::Sat) return {};
  return Cube(shrink_bad(model_cube(*state_)));
}

/// A part of the cube that still implies Bad: the predicates that Bad is made of decide it.
std::vector<Lit> PredicateFrames::shrink_bad(std::vector<Lit> cube) {
  std::vector<Term> assumptions{terms_.make_not(bad_)};
  for (Lit lit : cube) assumptions.push_back(predicates_.label(lit));
  if (queries_.ask(*state_, assumptions) != smt::Answer::Unsat) return cube;
  const std::vector<Term>& failed = state_->core();
  std::erase_if(cube, [&](Lit lit) { return !is_in_core(failed, predicates_.label(lit)); });
  return cube;
}

Induction PredicateFrames::inductive(Level i, std::span<const Lit> cube) {
  LEM_DASSERT(cube.empty() || cube.data() != core_.data());
  assert(Level{0} < i && i <= top() && "relative to a frame below");
  if (stopped()) return {Induction::Stopped};
  if (auto state = seen_.find(previous(i), cube)) {
    ++spared_;
    last_state_ = std::move(*state);
    return {Induction::Fails};
  }
  std::vector<Term> assumptions;
  std::vector<Term> clause;
  for (Lit lit : cube) {
    assumptions.push_back(predicates_.next_label(lit));
    clause.push_back(predicates_.label(!lit));
  }
  assumptions.push_back(switch_of(previous(i)));
  smt::Answer answer = smt::Answer::Unknown;
  {
    smt::Scope scope(*step_);
    step_->add(terms_.make_or(clause));
    answer = queries_.ask(*step_, assumptions);
    if (answer == smt::Answer::Sat) record_step(previous(i));
  }
  if (answer == smt::Answer::Unknown) return {Induction::Stopped};
  if (answer == smt::Answer::Sat) return {Induction::Fails};
  core_ = needed_of(*step_, cube, [&](Lit lit) { return predicates_.next_label(lit); });
  repair_initiation(cube);
  assert(!core_.empty() && core_.size() <= cube.size() && "a part of the cube, off Init");
  return {Induction::Holds, core_};
}

/// Puts literals of the cube back until no initial state is in core_.
///   require: the cube itself meets no initial state
void PredicateFrames::repair_initiation(std::span<const Lit> cube) {
  if (!core_.empty() && !meets_initial(core_)) return;
  for (Lit lit : cube)
    if (never_initial(lit)) {
      core_.push_back(lit);
      return;
    }
  std::vector<Term> assumptions{initial_};
  for (Lit lit : cube) assumptions.push_back(predicates_.label(lit));
  if (queries_.ask(*state_, assumptions) != smt::Answer::Unsat) {
    core_.assign(cube.begin(), cube.end());
    return;
  }
  const std::vector<Term>& failed = state_->core();
  for (Lit lit : cube)
    if (is_in_core(failed, predicates_.label(lit)) &&
        std::find(core_.begin(), core_.end(), lit) == core_.end())
      core_.push_back(lit);
}

bool PredicateFrames::meets_initial(std::span<const Lit> cube) {
  if (std::any_of(cube.begin(), cube.end(), [&](Lit lit) { return never_initial(lit); }))
    return false;
  std::vector<Term> assumptions{initial_};
  for (Lit lit : cube)
    if (at_init_[lit.var()] == AtInit::Either) assumptions.push_back(predicates_.label(lit));
  return queries_.ask(*state_, assumptions) != smt::Answer::Unsat;
}

std::vector<Lit> PredicateFrames::model_cube(smt::SmtSolver& solver) {
  std::vector<Lit> cube;
  for (sat::Var p = 0; p < predicates_.size(); ++p)
    cube.push_back(Lit(p, terms_.is_false(solver.value(predicates_.label(Lit(p, false))))));
  return cube;
}

/// Remembers the step that the last query's model takes from F_level.
void PredicateFrames::record_step(Level level) {
  last_state_ = model_cube(*step_);
  assert(last_state_.size() == predicates_.size() && "a state gives every predicate a value");
  std::vector<bool> from, to;
  for (Lit lit : last_state_) {
    from.push_back(!lit.negative());
    to.push_back(terms_.is_true(step_->value(predicates_.next_label(Lit(lit.var(), false)))));
  }
  seen_.add(level, from, to);
}

}  // namespace lem::engine
