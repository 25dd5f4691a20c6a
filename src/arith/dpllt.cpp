// Search: propagation of clauses and bounds, decisions, answers and models.
#include "arith/dpllt.h"

#include <algorithm>
#include <cassert>
#include <chrono>

namespace lem::arith {

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Dpllt::Dpllt(Proofs proofs) {
  if (proofs == Proofs::Yes) proof_ = std::make_unique<Proof>();
  const Var constant = new_var();
  const Lit unit(constant, false);
  add_clause({&unit, 1}, Role::Assertion);
  simplex_.set_stop([this] { return out_of_resources(); });
}

Var Dpllt::new_var() {
  const Var var = num_vars();
  values_.insert(values_.end(), 2, 0);
  failed_.insert(failed_.end(), 2, 0);
  level_.push_back(0);
  reason_.emplace_back();
  phase_.push_back(1);
  seen_.push_back(0);
  cone_.push_back(0);
  depends_.emplace_back();
  atom_of_.push_back(kNoAtom);
  watches_.resize(values_.size());
  queue_.add_var();
  if (proof_) unit_ids_.push_back(Proof::kNone);
  return var;
}

// Assignment --------------------------------------------------------------------------------------

inline void Dpllt::assign(Lit lit, Reason reason) {
  LEM_DASSERT(values_[lit.code()] == 0);
  values_[lit.code()] = 1;
  values_[(!lit).code()] = -1;
  level_[lit.var()] = decision_level();
  reason_[lit.var()] = reason;
  trail_.push_back(lit);
}

void Dpllt::open_level() {
  LEM_DASSERT(theory_head_ == trail_.size());
  levels_.push_back({static_cast<std::uint32_t>(trail_.size()),
                     static_cast<std::uint32_t>(simplex_.trail_size())});
}

void Dpllt::backtrack(std::uint32_t level) {
  if (decision_level() <= level) return;
  const std::uint32_t keep = levels_[level].trail;
  for (std::size_t i = trail_.size(); i > keep; --i) {
    const Lit lit = trail_[i - 1];
    values_[lit.code()] = 0;
    values_[(!lit).code()] = 0;
    phase_[lit.var()] = lit.negative() ? 1 : 0;
    if (queue_filled_ && in_cone(lit.var())) queue_.push(lit.var());
  }
  trail_.resize(keep);
  simplex_.backtrack(levels_[level].bounds);
  head_ = std::min(head_, trail_.size());
  theory_head_ = std::min(theory_head_, trail_.size());
  levels_.resize(level);
}

// Propagation -------------------------------------------------------------------------------------

bool Dpllt::propagate() {
  while (true) {
    if (!propagate_clauses() || !propagate_bounds()) return false;
    if (head_ < trail_.size()) continue;
    if (feasible_) return true;
    ++counts_.checks;
    switch (simplex_.check()) {
      case Simplex::Outcome::Feasible:
        feasible_ = true;
        return true;
      case Simplex::Outcome::Conflict:
        take_theory_conflict();
        return false;
      case Simplex::Outcome::Stopped:
        return true;  // search() sees that resources are used up
    }
  }
}

bool Dpllt::propagate_clauses() {
  while (head_ < trail_.size()) {
    ++counts_.propagations;
    if (!visit_watches(!trail_[head_++])) return false;
  }
  return true;
}

bool Dpllt::visit_watches(Lit falsified) {
  // At level 0 nothing may be skipped: those assignments outlive the query and its cone.
  const bool skip_outside = !levels_.empty();
  sat::Watch* list = watches_[falsified].data();  // again after push(), which may move the pool
  const std::size_t end = watches_[falsified].size();
  std::size_t in = 0;
  std::size_t out = 0;
  Ref conflict = UINT32_MAX;
  while (in < end) {
    const sat::Watch watch = list[in++];
    list[out++] = watch;
    const std::int8_t blocked = values_[watch.blocker.code()];
    if (blocked > 0 || (skip_outside && !in_cone(watch.blocker.var()))) continue;
    const Ref clause = watch.clause();
    if (watch.binary()) {
      if (blocked < 0) {
        conflict = clause;
        break;
      }
      assign(watch.blocker, Reason::clause(clause));
      continue;
    }
    Lit* const at = lits(clause);
    if (at[0] == falsified) std::swap(at[0], at[1]);
    const Lit other = at[0];
    const std::int8_t other_value = values_[other.code()];
    if (other_value > 0) {
      list[out - 1].blocker = other;
      continue;
    }
    const std::uint32_t count = size(clause);
    std::uint32_t i = 2;
    while (i < count && values_[at[i].code()] < 0) ++i;
    if (i < count) {
      std::swap(at[1], at[i]);
      --out;
      watches_.push(at[1], sat::Watch(other, clause, false));
      list = watches_[falsified].data();
    } else if (other_value < 0) {
      conflict = clause;
      break;
    } else {
      assign(other, Reason::clause(clause));
    }
  }
  while (in < end) list[out++] = list[in++];
  watches_.shrink(falsified, out);
  if (conflict == UINT32_MAX) return true;
  conflict_.assign(lits(conflict), lits(conflict) + size(conflict));
  if (proof_) {
    auto at = std::lower_bound(clause_ids_.begin(), clause_ids_.end(), std::pair(conflict, 0U));
    conflict_id_ = at->second;
  }
  return false;
}

/// Tells simplex the new bounds, in the order of the trail.
bool Dpllt::propagate_bounds() {
  while (theory_head_ < trail_.size()) {
    const Lit lit = trail_[theory_head_++];
    const AtomIndex atom = atom_of_[lit.var()];
    if (atom == kNoAtom || (!levels_.empty() && !in_cone(lit.var()))) continue;
    const BoundId bound = bound_of(lit);
    const std::size_t before = simplex_.trail_size();
    if (feasible_ && !simplex_.holds(bound)) feasible_ = false;
    if (!simplex_.assert_bound(bound)) {
      take_theory_conflict();
      return false;
    }
    if (simplex_.trail_size() > before) imply_atoms(bound);
  }
  return true;
}

/// Other atoms of the column that a bound decides. Atoms that an earlier bound decided are
/// assigned; the walk ends there.
void Dpllt::imply_atoms(BoundId bound) {
  const Atom& atom = simplex_.atom(bound.atom());
  const std::span<const AtomIndex> all = simplex_.atoms_of(atom.column);
  const Lit cause = literal_of(bound);
  auto imply = [&](AtomIndex other) {  // false: the walk may end
    const Var var = var_of_[other];
    if (var == 0 || (!levels_.empty() && !in_cone(var))) return true;
    if (values_[2 * var] != 0) return values_[Lit(var, bound.is_lower()).code()] < 0;
    ++counts_.implied;
    assign(Lit(var, bound.is_lower()), Reason::bound(cause));
    return true;
  };
  std::uint32_t i = atom.position;
  if (bound.is_lower()) {  // column >= lower: false are the atoms below
    while (i-- > 0 && imply(all[i])) continue;
  } else {  // column <= upper: true are the atoms above
    while (++i < all.size() && imply(all[i])) continue;
  }
}

void Dpllt::take_theory_conflict() {
  ++counts_.theory_conflicts;
  conflict_.clear();
  for (const Weighted& each : simplex_.conflict()) conflict_.push_back(!literal_of(each.bound));
  if (!proof_) return;
  ProofStep step{ProofStep::Kind::Theory, 0, conflict_, {}, {}, {}};
  for (const Weighted& each : simplex_.conflict()) step.weights.push_back(each.weight);
  conflict_id_ = proof_->add(std::move(step));
}

// Search ------------------------------------------------------------------------------------------

static std::uint64_t luby(std::uint64_t i) {
  std::uint64_t size = 1;
  std::uint64_t power = 0;
  while (size < i + 1) {
    size = 2 * size + 1;
    ++power;
  }
  while (size - 1 != i) {
    size = (size - 1) / 2;
    --power;
    i %= size;
  }
  return std::uint64_t{1} << power;
}

bool Dpllt::out_of_resources() {
  if (stop_.stop_requested()) return true;
  if (time_limit_ > 0 && now() > deadline_) return true;
  return work_limit_ > 0 &&
         counts_.propagations + 16 * simplex_.pivots() - work_start_ > work_limit_;
}

/// The answer if the conflict ends the query.
std::optional<Answer> Dpllt::handle_conflict() {
  ++counts_.conflicts;
  std::uint32_t level = 0;
  for (Lit lit : conflict_) level = std::max(level, level_[lit.var()]);
  backtrack(level);
  if (level == 0) {
    ok_ = false;
    if (proof_) proof_->refutation = record_derivation({});
    return Answer::Unsat;
  }
  analyze();
  if (clause_.size() == 1) {
    for (Scope& scope : scopes_) {
      if (clause_[0] != Lit(scope.guard, true)) continue;
      scope.inconsistent = true;
      return Answer::Unsat;
    }
  }
  learn();
  queue_.decay();
  return {};
}

Answer Dpllt::search() {
  constexpr std::uint64_t kRestartUnit = 128;
  constexpr std::uint64_t kPollEvery = 64;
  std::uint64_t restarts = 0;
  std::uint64_t until_restart = kRestartUnit;
  std::uint64_t steps = 0;
  while (true) {
    if (!propagate()) {
      if (std::optional<Answer> answer = handle_conflict()) return *answer;
      if (--until_restart == 0) {
        until_restart = kRestartUnit * luby(++restarts);
        ++counts_.restarts;
        backtrack(std::min<std::uint32_t>(decision_level(),
                                          static_cast<std::uint32_t>(assumptions_.size())));
      }
      continue;
    }
    if ((!feasible_ || ++steps % kPollEvery == 0) && out_of_resources()) return Answer::Unknown;
    assert(feasible_ && "simplex stops for lack of resources alone");
    switch (decide()) {
      case Step::Decided:
        break;
      case Step::Conflict:
        return Answer::Unsat;
      case Step::Model:
        switch (check_integers()) {
          case Integers::Fine:
            return Answer::Sat;
          case Integers::GaveUp:
            return Answer::Unknown;
          case Integers::Conflict:
            if (std::optional<Answer> answer = handle_conflict()) return *answer;
            break;
          case Integers::Changed:
            break;
        }
    }
  }
}

void Dpllt::decide_literal(Lit lit) {
  open_level();
  assign(lit, Reason());
}

Dpllt::Step Dpllt::decide() {
  while (decision_level() < assumptions_.size()) {
    const Lit lit = assumptions_[decision_level()];
    if (truth(lit) > 0) {
      open_level();  // keeps levels and assumptions in step
      continue;
    }
    if (truth(lit) < 0) {
      analyze_final(lit);
      return Step::Conflict;
    }
    decide_literal(lit);
    return Step::Decided;
  }
  if (!queue_filled_) fill_queue();
  Var var = 0;
  while (queue_.pop(var)) {
    if (values_[2 * var] != 0) continue;
    ++counts_.decisions;
    const AtomIndex atom = atom_of_[var];
    const bool negative =
        atom == kNoAtom ? phase_[var] != 0 : !simplex_.holds(BoundId(atom, false));
    decide_literal(Lit(var, negative));
    return Step::Decided;
  }
  return Step::Model;
}

void Dpllt::fill_queue() {
  queue_filled_ = true;
  for (Var var : always_vars_) queue_.push(var);
  for (Var var : cone_vars_) queue_.push(var);
}

/// Ends the last query: its assignment, core and decision queue are gone.
void Dpllt::settle() {
  if (queue_filled_) queue_.clear();
  queue_filled_ = false;
  backtrack(0);
  for (Lit lit : failed_list_) failed_[lit.code()] = 0;
  failed_list_.clear();
}

Answer Dpllt::solve(std::span<const Lit> assumptions) {
  settle();
  ++counts_.queries;
  auto answered = [&](Answer answer) {
    counts_.unsat += answer == Answer::Unsat ? 1 : 0;
    counts_.unknown += answer == Answer::Unknown ? 1 : 0;
    return answer;
  };
  if (stop_.stop_requested()) return answered(Answer::Unknown);
  if (!ok_) return answered(Answer::Unsat);
  assert((!proof_ || (assumptions.empty() && scopes_.empty())) && "proofs are of assertions");
  if (time_limit_ > 0) deadline_ = now() + time_limit_;
  work_start_ = counts_.propagations + 16 * simplex_.pivots();
  integer_rounds_ = 0;
  gave_up_on_integers_ = false;
  feasible_ = false;
  simplex_.shorten_values();
  if (!proof_) collect_garbage();
  if (!ok_) return answered(Answer::Unsat);
  for (const Scope& scope : scopes_)
    if (scope.inconsistent || truth(Lit(scope.guard, true)) > 0) return answered(Answer::Unsat);
  assumptions_.clear();
  for (const Scope& scope : scopes_)
    if (!scope.clauses.empty()) assumptions_.push_back(Lit(scope.guard, false));
  assumptions_.insert(assumptions_.end(), assumptions.begin(), assumptions.end());
  enter_cone(assumptions);
  // One level per assumption and one per decision; branches make variables and levels.
  level_stamp_.resize(std::max(level_stamp_.size(), assumptions_.size() + 2 * num_vars() + 64));
  const Answer answer = search();
  if (answer == Answer::Sat) keep_model();
  return answered(answer);
}

void Dpllt::keep_model() {
  LEM_CHECKED(simplex_.is_consistent(), "a model needs a consistent tableau");
  model_.resize(num_vars());
  for (Var var = 0; var < num_vars(); ++var)
    model_[var] = in_cone(var) || level_[var] == 0 ? values_[2 * var] : 0;
  const Number epsilon = simplex_.epsilon();
  numbers_.resize(simplex_.columns());
  for (Column column = 0; column < numbers_.size(); ++column) {
    numbers_[column] = simplex_.concrete(column, epsilon);
    // Columns that the query is not about may have any value of their sort.
    if (simplex_.is_integral(column)) numbers_[column] = numbers_[column].floor();
  }
}

}  // namespace lem::arith
