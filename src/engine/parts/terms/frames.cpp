#include "engine/parts/terms/frames.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

#include "base/assert.h"
#include "smt/solvers.h"
#include "term/implicant.h"

namespace lem::engine {

TermFrames::TermFrames(TermSystem& system, const Context& ctx, const Settings& settings)
    : ctx_(ctx),
      settings_(settings),
      system_(system),
      terms_(system.terms()),
      queries_(ctx, settings.prefix),
      atoms_(terms_),
      clauses_(system, atoms_, ctx, settings.prefix),
      states_(system.current().begin(), system.current().end()),
      labels_(terms_, "l"),
      switches_(terms_, "frame"),
      initial_(terms_.fresh("init", terms_.bool_sort())),
      atom_count_(ctx.stats.counter(prefixed(settings.prefix, "atoms"))),
      valued_(ctx.stats.counter(prefixed(settings.prefix, "valued-preimages"))),
      restarts_(ctx.stats.counter(prefixed(settings.prefix, "restarts"))),
      project_(ctx.stats.timer(prefixed(settings.prefix, "project"))) {
  if (settings_.lazy_steps) lazy_.emplace(system_);
  step_base_ = lazy_ ? lazy_->base() : system_.trans();
  start_step();
  start_state();
  start_initial();
}

Lit TermFrames::literal(Term formula) {
  Lit lit = atoms_.literal(formula);
  never_initial_.resize(atoms_.codes(), false);
  atom_count_.value = atoms_.size();
  return lit;
}

void TermFrames::order(std::vector<Lit>& cube) const {
  std::stable_sort(cube.begin(), cube.end(), [](Lit a, Lit b) { return b.code() < a.code(); });
  activity_.order(cube);
}

void TermFrames::assume_invariants(const std::vector<Term>& invariants) {
  clauses_.assume(invariants);
  for (Term invariant : invariants) {
    step_.solver->add(invariant);
    state_.solver->add(invariant);
  }
}

bool TermFrames::learn(Level level, std::vector<Lit> cube) {
  activity_.bump(cube);
  return add_lemma(level, Cube(std::move(cube)));
}

bool TermFrames::add_lemma(Level level, const Cube& cube) {
  if (!clauses_.add(level, cube)) return false;
  tell_lemma(step_, level, cube);
  tell_lemma(state_, level, cube);
  return true;
}

// Solvers -----------------------------------------------------------------------------------------

void TermFrames::start_step() {
  step_ = {smt::Solvers(ctx_).make(terms_, smt::Workload::Stream)};
  step_.solver->add(terms_.make_implies(initial_, system_.init()));
  step_.solver->add(terms_.make_not(system_.bad()));
  step_.solver->add(step_base_);
  for (Term variable : equation_order_) step_.solver->add(equations_.at(variable));
  for (Term invariant : clauses_.invariants()) step_.solver->add(invariant);
}

void TermFrames::start_state() {
  state_ = {smt::Solvers(ctx_).make(terms_, smt::Workload::Stream)};
  for (Term invariant : clauses_.invariants()) state_.solver->add(invariant);
}

void TermFrames::start_initial() {
  at_init_ = {smt::Solvers(ctx_).make(terms_, smt::Workload::Stream)};
  at_init_.solver->add(system_.init());
}

/// Labels and lemmas of the past weigh on every query: solvers start afresh with what frames hold.
void TermFrames::restart_if_due() {
  if (settings_.rebuild == 0) return;
  const Frames& lists = clauses_.lists();
  auto is_due = [&](const Asker& target) {
    return target.formulas > settings_.rebuild && target.formulas > 4 * lists.size();
  };
  auto tell_all = [&](Asker& target) {
    ++restarts_;
    for (Level i{1}; i <= top(); ++i)
      for (const Lemma& lemma : lists.at(i)) tell_lemma(target, i, lemma.cube);
  };
  if (is_due(step_)) {
    start_step();
    tell_all(step_);
  }
  if (is_due(state_)) {
    start_state();
    tell_all(state_);
  }
  if (is_due(at_init_)) start_initial();
}

/// The label of a literal, which implies `meaning` in that solver from now on.
Term TermFrames::assume(Asker& target, Lit lit, Term meaning) {
  if (terms_.is_variable(terms_.atom_of(meaning))) return meaning;
  Term label = labels_.of(lit.code());
  if (target.literals.insert(lit.code())) target.add(terms_.make_implies(label, meaning));
  return label;
}

/// Assumptions that switch F_level on.
std::vector<Term> TermFrames::switches_of(Level level) {
  if (level == Level{0}) return {initial_};
  assert(level <= top() && "a frame that exists");
  std::vector<Term> switches;
  for (Level i = level; i <= top(); ++i)
    if (!clauses_.lists().at(i).empty()) switches.push_back(switches_.in_order(index(i)));
  return switches;
}

void TermFrames::tell_lemma(Asker& target, Level level, const Cube& cube) {
  Term clause = clauses_.clause(cube);
  target.add(terms_.make_implies(switches_.in_order(index(level)), clause));
}

/// Gives the step solver the equations of the next values that a formula mentions.
void TermFrames::demand_steps(Term formula) {
  if (!lazy_) return;
  for (Term variable : variables_of(terms_, formula)) {
    auto [at, added] = equations_.try_emplace(variable);
    if (!added) continue;
    at->second = lazy_->demand(variable);
    equation_order_.push_back(variable);
    step_.solver->add(at->second);
  }
}

// Queries -----------------------------------------------------------------------------------------

std::optional<TermTrace> TermFrames::bad_in_init() {
  smt::Scope scope(*at_init_.solver);
  at_init_.solver->add(system_.bad());
  if (queries_.ask(*at_init_.solver, {}) != smt::Answer::Sat) return {};
  return system_.trace(1, [&](Term v, std::size_t) { return at_init_.solver->value(v); });
}

std::optional<std::vector<Term>> TermFrames::bad_in_top() {
  std::vector<Term> assumptions = switches_of(top());
  {
    smt::Scope scope(*state_.solver);
    state_.solver->add(system_.bad());
    if (queries_.ask(*state_.solver, assumptions) != smt::Answer::Sat) return {};
  }
  return cube_around_model(*state_.solver, system_.bad(), {});
}

bool TermFrames::excludes(Level level, std::span<const Lit> cube) {
  assert(level <= top() && "a frame that exists");
  std::vector<Term> assumptions = switches_of(level);
  for (Lit lit : cube) assumptions.push_back(assume(state_, lit, atoms_.formula(lit)));
  return queries_.ask(*state_.solver, assumptions) == smt::Answer::Unsat;
}

Induction TermFrames::inductive(Level i, std::span<const Lit> cube) {
  LEM_DASSERT(cube.empty() || cube.data() != core_.data());
  assert(Level{0} < i && i <= top() && "relative to a frame below");
  if (stopped()) return {Induction::Stopped};
  restart_if_due();
  std::vector<Term> assumptions;
  std::vector<Term> clause;
  for (Lit lit : cube) {
    demand_steps(atoms_[lit.var()]);
    assumptions.push_back(assume(step_, lit, system_.prime(atoms_.formula(lit))));
    clause.push_back(atoms_.formula(!lit));
  }
  std::size_t literals = assumptions.size();
  std::vector<Term> frame = switches_of(previous(i));
  assumptions.insert(assumptions.end(), frame.begin(), frame.end());
  smt::Answer answer = smt::Answer::Unknown;
  {
    smt::Scope scope(*step_.solver);
    step_.solver->add(terms_.make_or(clause));
    answer = queries_.ask(*step_.solver, assumptions);
  }
  last_cube_.assign(cube.begin(), cube.end());
  if (answer == smt::Answer::Unknown) return {Induction::Stopped};
  if (answer == smt::Answer::Sat) return {Induction::Fails};
  core_.clear();
  const std::vector<Term>& failed = step_.solver->core();
  for (std::size_t at = 0; at < literals; ++at)
    if (is_in_core(failed, assumptions[at])) core_.push_back(cube[at]);
  repair_initiation(cube);
  assert(!core_.empty() && core_.size() <= cube.size() && "a part of the cube, off Init");
  return {Induction::Holds, core_};
}

bool TermFrames::steps_into(Level i, std::span<const Term> state) {
  assert(Level{0} < i && i <= top() && "relative to a frame below");
  std::vector<Term> assumptions = switches_of(previous(i));
  Term here = terms_.make_and(state);
  demand_steps(here);
  smt::Scope scope(*step_.solver);
  step_.solver->add(terms_.make_not(here));
  step_.solver->add(system_.prime(here));
  return queries_.ask(*step_.solver, assumptions) == smt::Answer::Sat;
}

std::vector<Term> TermFrames::assume_at_init(std::span<const Lit> cube) {
  std::vector<Term> assumptions;
  for (Lit lit : cube) assumptions.push_back(assume(at_init_, lit, atoms_.formula(lit)));
  return assumptions;
}

/// Puts literals of the cube back until no initial state is in core_.
///   require: the cube itself meets no initial state
void TermFrames::repair_initiation(std::span<const Lit> cube) {
  if (!core_.empty() && !meets_initial(core_)) return;
  std::vector<Term> assumptions = assume_at_init(cube);
  if (queries_.ask(*at_init_.solver, assumptions) != smt::Answer::Unsat) {
    core_.assign(cube.begin(), cube.end());
    return;
  }
  const std::vector<Term>& failed = at_init_.solver->core();
  for (std::size_t at = 0; at < cube.size(); ++at)
    if (is_in_core(failed, assumptions[at]) &&
        std::find(core_.begin(), core_.end(), cube[at]) == core_.end())
      core_.push_back(cube[at]);
}

bool TermFrames::meets_initial(std::span<const Lit> cube) {
  for (Lit lit : cube) {
    assert(lit.code() < never_initial_.size() && "a literal that was made here");
    if (never_initial_[lit.code()]) return false;
  }
  std::vector<Term> assumptions = assume_at_init(cube);
  if (queries_.ask(*at_init_.solver, assumptions) != smt::Answer::Unsat) return true;
  const std::vector<Term>& failed = at_init_.solver->core();
  if (failed.size() == 1)
    for (std::size_t at = 0; at < cube.size(); ++at)
      if (assumptions[at] == failed[0]) never_initial_[cube[at].code()] = true;
  return false;
}

std::vector<Lit> TermFrames::counterexample() {
  std::vector<Lit> state;
  for (Lit lit : last_cube_) {
    Term value = step_.solver->value(atoms_[lit.var()]);
    state.push_back(Lit(lit.var(), terms_.is_false(value)));
  }
  return state;
}

std::vector<Term> TermFrames::predecessor() {
  assert(!last_cube_.empty() && "a query failed about a cube");
  std::vector<Term> parts{step_base_};
  std::vector<Term> targets = atoms_.formulas(last_cube_);
  if (lazy_)
    for (Term variable : variables_of(terms_, targets)) parts.push_back(equations_.at(variable));
  for (Term target : targets) parts.push_back(system_.prime(target));
  Term step = terms_.make_and(parts);
  std::vector<Term> others;
  for (Term variable : variables_of(terms_, step))
    if (!states_.contains(variable)) others.push_back(variable);
  return cube_around_model(*step_.solver, step, others);
}

/// Literals over X that hold in the model and imply (exists eliminate. formula).
std::vector<Term> TermFrames::cube_around_model(smt::SmtSolver& solver, Term formula,
                                                std::span<const Term> eliminate) {
  TimerScope timer(project_);
  assert(solver.projector() != nullptr && "the factory's solvers project");
  if (settings_.preimage == Preimage::Values) return values(solver);
  TermMap model;
  for (Term variable : variables_of(terms_, formula)) model[variable] = solver.value(variable);
  if (auto literals = implicant(terms_, formula, std::move(model)))
    formula = terms_.make_and(*literals);
  std::optional<std::vector<Term>> literals = solver.projector()->project(formula, eliminate);
  if (!literals) {
    ++valued_;
    return values(solver);
  }
  if (settings_.convex)
    for (Term& literal : *literals) literal = side_of(solver, literal);
  // Denied, as value() says false of what Z3 cannot evaluate (equalities of arrays).
  LEM_CHECKED(
      std::none_of(literals->begin(), literals->end(),
                   [&](Term each) { return terms_.is_true(solver.value(terms_.make_not(each))); }),
      "a CTI is not in its preimage");
  return std::move(*literals);
}

/// For a != b between numbers: a < b or b < a, as the model has it.
Term TermFrames::side_of(smt::SmtSolver& solver, Term literal) {
  Term atom = terms_.atom_of(literal);
  if (atom == literal || terms_.op(atom) != Op::Eq) return literal;
  Term left = terms_.arg(atom, 0);
  Term right = terms_.arg(atom, 1);
  if (!terms_.is_numeric(terms_.sort(left))) return literal;
  Term below = terms_.make_lt(left, right);
  return terms_.is_true(solver.value(below)) ? below : terms_.make_lt(right, left);
}

/// The model's state as a point.
std::vector<Term> TermFrames::values(smt::SmtSolver& solver) {
  std::vector<Term> literals;
  for (Term variable : system_.current())
    literals.push_back(terms_.make_eq(variable, solver.value(variable)));
  return literals;
}

}  // namespace lem::engine
