// AbsRelInd [Cimatti14 formula 3] and what the generalizer asks.
//
// With a label x_p for every predicate, F(X) & c(X) & EQ(X, X~) & T(X~, X~') & EQ(X~', X') & !c(X')
// needs no second copy of the states: F and c speak of labels only, so taking X = X~ and X' = X~'
// loses nothing, and EQ is the definition of the labels. `ic3ia.encoding=eq` keeps the copies.
#include <algorithm>
#include <array>
#include <cassert>

#include "engine/ic3ia/search.h"

namespace lem {

smt::Answer Ic3iaSearch::ask(smt::SmtSolver& solver, std::span<const Term> assumptions) {
  ++stats_.queries;
  TimerScope timer(stats_.solve);
  smt::Answer answer = solver.solve(assumptions);
  if (answer == smt::Answer::Unknown) gave_up_ = true;
  return answer;
}

void Ic3iaSearch::add_predicates(std::span<const Term> atoms) {
  for (Term atom : atoms) {
    if (terms_.is_value(atom) || predicates_.contains(atom)) continue;
    sat::Var p = predicates_.add(atom);
    activity_.push_back(config_.seed == 0 ? 0 : std::uniform_real_distribution<>()(random_));
    if (lazy_) step_->add(lazy_->demand(atom));
    if (config_.eq_encoding) {
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
    AtInit at = AtInit::Either;
    for (bool negative : {false, true}) {
      std::array query{initial_, predicates_.label(Lit(p, negative))};
      if (ask(*state_, query) == smt::Answer::Unsat) at = negative ? AtInit::True : AtInit::False;
    }
    at_init_.push_back(at);
  }
  stats_.predicates.value = predicates_.size();
  seen_.reset(predicates_.size());
}

Term Ic3iaSearch::frame_switch(Level level) {
  while (switches_.size() <= index(level)) {
    switches_.push_back(terms_.fresh("frame", terms_.bool_sort()));
    if (switches_.size() < 2) continue;
    Term chain = terms_.make_implies(switches_[switches_.size() - 2], switches_.back());
    step_->add(chain);
    state_->add(chain);
  }
  return switches_[index(level)];
}

/// F_level: Init, or the lists from `level` on.
void Ic3iaSearch::assume_frame(Level level, std::vector<Term>& assumptions) {
  if (level == Level{0}) {
    assumptions.push_back(initial_);
    return;
  }
  assumptions.push_back(frame_switch(level));
}

Induction Ic3iaSearch::inductive(Level i, std::span<const Lit> cube) {
  if (stopped()) return {Induction::Stopped};
  if (config_.seen_steps) {
    if (auto state = seen_.find(previous(i), cube)) {
      ++stats_.seen;
      last_state_ = std::move(*state);
      return {Induction::Fails};
    }
  }
  std::vector<Term> assumptions;
  std::vector<Term> clause;
  for (Lit lit : cube) {
    assumptions.push_back(predicates_.next_label(lit));
    clause.push_back(predicates_.label(!lit));
  }
  assume_frame(previous(i), assumptions);
  smt::Answer answer = smt::Answer::Unknown;
  {
    smt::Scope scope(*step_);
    step_->add(terms_.make_or(clause));
    answer = ask(*step_, assumptions);
    if (answer == smt::Answer::Sat) note_step(previous(i));
  }
  if (answer == smt::Answer::Unknown) return {Induction::Stopped};
  if (answer == smt::Answer::Sat) return {Induction::Fails};
  core_.clear();
  const std::vector<Term>& failed = step_->core();
  for (Lit lit : cube)
    if (std::find(failed.begin(), failed.end(), predicates_.next_label(lit)) != failed.end())
      core_.push_back(lit);
  repair_initiation(cube);
  return {Induction::Holds, core_};
}

/// Puts literals of the cube back until no initial state is in core_.
///   require: the cube itself meets no initial state
void Ic3iaSearch::repair_initiation(std::span<const Lit> cube) {
  if (!core_.empty() && !meets_initial(core_)) return;
  for (Lit lit : cube) {
    bool excluded = at_init_[lit.var()] == (lit.negative() ? AtInit::True : AtInit::False);
    if (!excluded) continue;
    core_.push_back(lit);
    return;
  }
  std::vector<Term> assumptions{initial_};
  for (Lit lit : cube) assumptions.push_back(predicates_.label(lit));
  if (ask(*state_, assumptions) != smt::Answer::Unsat) {
    core_.assign(cube.begin(), cube.end());
    return;
  }
  const std::vector<Term>& failed = state_->core();
  for (Lit lit : cube) {
    bool needed = std::find(failed.begin(), failed.end(), predicates_.label(lit)) != failed.end();
    if (needed && std::find(core_.begin(), core_.end(), lit) == core_.end()) core_.push_back(lit);
  }
}

bool Ic3iaSearch::meets_initial(std::span<const Lit> cube) {
  for (Lit lit : cube)
    if (at_init_[lit.var()] == (lit.negative() ? AtInit::True : AtInit::False)) return false;
  std::vector<Term> assumptions{initial_};
  for (Lit lit : cube)
    if (at_init_[lit.var()] == AtInit::Either) assumptions.push_back(predicates_.label(lit));
  return ask(*state_, assumptions) != smt::Answer::Unsat;
}

std::vector<Lit> Ic3iaSearch::model_cube(smt::SmtSolver& solver) {
  std::vector<Lit> cube;
  for (sat::Var p = 0; p < predicates_.size(); ++p)
    cube.push_back(Lit(p, terms_.is_false(solver.value(predicates_.label(Lit(p, false))))));
  return cube;
}

/// Remembers the step that the last query's model takes from F_level.
void Ic3iaSearch::note_step(Level level) {
  last_state_ = model_cube(*step_);
  if (!config_.seen_steps) return;
  std::vector<bool> from, to;
  for (Lit lit : last_state_) {
    from.push_back(!lit.negative());
    to.push_back(terms_.is_true(step_->value(predicates_.next_label(Lit(lit.var(), false)))));
  }
  seen_.add(level, from, to);
}

/// A part of the cube that still implies Bad: the predicates that Bad is made of decide it.
std::vector<Lit> Ic3iaSearch::shrink_bad(std::vector<Lit> cube) {
  std::vector<Term> assumptions{terms_.make_not(bad_)};
  for (Lit lit : cube) assumptions.push_back(predicates_.label(lit));
  if (ask(*state_, assumptions) != smt::Answer::Unsat) return cube;
  const std::vector<Term>& failed = state_->core();
  std::erase_if(cube, [&](Lit lit) {
    return std::find(failed.begin(), failed.end(), predicates_.label(lit)) == failed.end();
  });
  return cube;
}

/// Literals that rarely occur in lemmas are dropped first.
void Ic3iaSearch::order(std::vector<Lit>& cube) const {
  std::stable_sort(cube.begin(), cube.end(),
                   [&](Lit a, Lit b) { return activity_[a.var()] < activity_[b.var()]; });
}

bool Ic3iaSearch::block_ctg(Level i, const Effort& effort, std::uint32_t depth) {
  std::vector<Lit> state = counterexample();
  if (meets_initial(state)) return false;
  Induction answer = inductive(i, state);
  if (!answer.holds()) return false;
  std::vector<Lit> core(answer.core.begin(), answer.core.end());
  core = generalizer_.generalize(i, std::move(core), effort, depth);
  BlockedCube blocked = push_up(*this, {i, std::move(core)}, frames_.top());
  if (stopped()) return false;
  ++stats_.ctgs;
  add_lemma(blocked.level, Cube(std::move(blocked.cube)));
  return true;
}

}  // namespace lem
