// Conflict-driven clause learning after MiniSat [Een03], confined to cones after [Su25].
#include "sat/cdcl.h"

#include <algorithm>
#include <cassert>

namespace lem::sat {

Dependencies::Dependencies(std::vector<std::vector<Var>> of) {
  begin_.reserve(of.size() + 1);
  begin_.push_back(0);
  for (const std::vector<Var>& vars : of) {
    flat_.insert(flat_.end(), vars.begin(), vars.end());
    begin_.push_back(static_cast<std::uint32_t>(flat_.size()));
  }
}

Cdcl::Cdcl() {
  arena_.reserve(1024);
}

Var Cdcl::new_var() {
  Var var = num_vars();
  values_.insert(values_.end(), 2, 0);
  failed_.insert(failed_.end(), 2, 0);
  level_.push_back(0);
  reason_.push_back(kNoClause);
  phase_.push_back(1);
  seen_.push_back(0);
  cone_.push_back(0);
  is_always_.push_back(0);
  tracked_.push_back(0);
  watches_.resize(values_.size());
  queue_.add_var();
  return var;
}

// ---------------------------------------------------------------------------- clauses

Cdcl::Ref Cdcl::allocate(std::span<const Lit> clause, Kind kind, std::uint32_t glue) {
  auto ref = static_cast<Ref>(arena_.size());
  assert(arena_.size() + clause.size() + 2 < (std::size_t{1} << 31) && "clause memory is full");
  arena_.push_back(static_cast<std::uint32_t>(clause.size()));
  arena_.push_back((glue << 2) | static_cast<std::uint32_t>(kind));
  for (Lit lit : clause) arena_.push_back(lit.code());
  return ref;
}

void Cdcl::attach(Ref clause) {
  const Lit* at = lits(clause);
  bool binary = size(clause) == 2;
  watches_.push(at[0], Watch(at[1], clause, binary));
  watches_.push(at[1], Watch(at[0], clause, binary));
}

void Cdcl::remove(Ref clause) {
  const Lit* at = lits(clause);
  watches_.remove(at[0], clause);
  watches_.remove(at[1], clause);
  wasted_ += size(clause) + 2;
}

void Cdcl::add_clause(std::span<const Lit> clause) {
  settle();
  if (!ok_) return;
  clause_.assign(clause.begin(), clause.end());
  std::sort(clause_.begin(), clause_.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < clause_.size(); ++i) {
    Lit lit = clause_[i];
    assert(lit.var() < num_vars() && "clause over an unknown variable");
    if (truth(lit) == Truth::True) return;
    if (kept > 0 && clause_[kept - 1] == !lit) return;
    if (truth(lit) == Truth::False || (kept > 0 && clause_[kept - 1] == lit)) continue;
    clause_[kept++] = lit;
  }
  clause_.resize(kept);
  if (kept == 0) {
    ok_ = false;
  } else if (kept == 1) {
    assign(clause_[0], kNoClause);
    ok_ = propagate() == kNoClause;
  } else {
    Ref ref = allocate(clause_, Kind::Problem, 0);
    attach(ref);
    problem_.push_back(ref);
    for (Lit lit : clause_) {
      if (tracked_[lit.var()] != 0) occurrences_[lit.code()].push_back(ref);
    }
  }
}

void Cdcl::track(Var var) {
  tracked_[var] = 1;
  if (occurrences_.size() < values_.size()) occurrences_.resize(values_.size());
}

// ---------------------------------------------------------------------------- assignment

inline void Cdcl::assign(Lit lit, Ref reason) {
  LEM_DASSERT(values_[lit.code()] == 0);
  values_[lit.code()] = 1;
  values_[(!lit).code()] = -1;
  level_[lit.var()] = decision_level();
  reason_[lit.var()] = reason;
  trail_.push_back(lit);
}

void Cdcl::backtrack(std::uint32_t level) {
  if (decision_level() <= level) return;
  for (std::size_t i = trail_.size(); i > levels_[level]; --i) {
    Lit lit = trail_[i - 1];
    values_[lit.code()] = 0;
    values_[(!lit).code()] = 0;
    phase_[lit.var()] = lit.negative() ? 1 : 0;
    if (queue_filled_ && (!confined_ || in_cone(lit.var()))) queue_.push(lit.var());
  }
  trail_.resize(levels_[level]);
  head_ = trail_.size();
  levels_.resize(level);
}

Cdcl::Ref Cdcl::propagate() {
  while (head_ < trail_.size()) {
    ++counts_.propagations;
    Ref conflict = visit_watches(!trail_[head_++]);
    if (conflict != kNoClause) {
      head_ = trail_.size();
      return conflict;
    }
  }
  return kNoClause;
}

/// Restores the watch invariant for the clauses that watch a literal that has become false.
Cdcl::Ref Cdcl::visit_watches(Lit falsified) {
  // At level 0 nothing may be skipped: those assignments outlive the query and its cone.
  const bool skip_outside = confined_ && !levels_.empty();
  Watch* list = watches_[falsified].data();  // fetched again after push(), which may move the pool
  const std::size_t end = watches_[falsified].size();
  std::size_t in = 0;
  std::size_t out = 0;
  Ref conflict = kNoClause;
  while (in < end) {
    const Watch watch = list[in++];
    list[out++] = watch;
    const std::int8_t blocked = values_[watch.blocker.code()];
    if (blocked > 0 || (skip_outside && !in_cone(watch.blocker.var()))) continue;
    const Ref clause = watch.clause();
    if (watch.binary()) {
      if (blocked < 0) {
        conflict = clause;
        break;
      }
      assign(watch.blocker, clause);
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
      watches_.push(at[1], Watch(other, clause, false));
      list = watches_[falsified].data();
    } else if (other_value < 0) {
      conflict = clause;
      break;
    } else {
      assign(other, clause);
    }
  }
  while (in < end) list[out++] = list[in++];
  watches_.shrink(falsified, out);
  return conflict;
}

// ---------------------------------------------------------------------------- conflicts

/// First unique implication point. ensure: clause_ is implied, false now, its first literal the
/// only one of the current level, its second of the level to return to.
void Cdcl::analyze(Ref conflict) {
  clause_.assign(1, Lit());
  std::uint32_t open = 0;
  std::size_t at = trail_.size();
  Lit implied;
  bool first = true;
  do {
    LEM_DASSERT(conflict != kNoClause);
    const Lit* begin = lits(conflict);
    for (std::uint32_t i = 0; i < size(conflict); ++i) {
      Lit lit = begin[i];
      Var var = lit.var();
      if ((!first && var == implied.var()) || seen_[var] != 0 || level_[var] == 0) continue;
      seen_[var] = 1;
      queue_.bump(var);
      if (level_[var] == decision_level()) {
        ++open;
      } else {
        clause_.push_back(lit);
      }
    }
    while (seen_[trail_[--at].var()] == 0) {
    }
    implied = trail_[at];
    conflict = reason_[implied.var()];
    seen_[implied.var()] = 0;
    first = false;
  } while (--open > 0);
  clause_[0] = !implied;

  to_clear_.assign(clause_.begin() + 1, clause_.end());
  std::size_t kept = 1;
  for (std::size_t i = 1; i < clause_.size(); ++i) {
    if (!redundant(clause_[i])) clause_[kept++] = clause_[i];
  }
  clause_.resize(kept);
  for (Lit lit : to_clear_) seen_[lit.var()] = 0;
  for (std::size_t i = 2; i < kept; ++i) {
    if (level_[clause_[i].var()] > level_[clause_[1].var()]) std::swap(clause_[1], clause_[i]);
  }
}

/// Is a literal of the learnt clause implied by the others? ([Soerensson09], without recursion.)
/// seen_: 1 in the clause or shown redundant, 2 shown not to be.
bool Cdcl::redundant(Lit lit) {
  if (reason_[lit.var()] == kNoClause) return false;
  minimize_stack_.assign(1, lit);
  std::size_t marked = to_clear_.size();
  while (!minimize_stack_.empty()) {
    Lit top = minimize_stack_.back();
    minimize_stack_.pop_back();
    Ref reason = reason_[top.var()];
    for (std::uint32_t i = 0; i < size(reason); ++i) {
      Lit next = lits(reason)[i];
      Var var = next.var();
      if (var == top.var() || seen_[var] == 1 || level_[var] == 0) continue;
      if (reason_[var] == kNoClause || seen_[var] == 2) {
        for (std::size_t k = marked; k < to_clear_.size(); ++k) seen_[to_clear_[k].var()] = 2;
        return false;
      }
      seen_[var] = 1;
      to_clear_.push_back(next);
      minimize_stack_.push_back(next);
    }
  }
  return true;
}

/// The assumptions that together falsify the assumption `last`.
void Cdcl::analyze_final(Lit last) {
  auto fail = [&](Lit lit) {
    if (failed_[lit.code()] == 0) failed_list_.push_back(lit);
    failed_[lit.code()] = 1;
  };
  fail(last);
  if (level_[last.var()] == 0) return;
  seen_[last.var()] = 1;
  for (std::size_t i = trail_.size(); i > levels_[0]; --i) {
    Lit lit = trail_[i - 1];
    if (seen_[lit.var()] == 0) continue;
    seen_[lit.var()] = 0;
    Ref reason = reason_[lit.var()];
    if (reason == kNoClause) {
      fail(lit);
      continue;
    }
    for (std::uint32_t k = 0; k < size(reason); ++k) {
      Var var = lits(reason)[k].var();
      if (var != lit.var() && level_[var] > 0) seen_[var] = 1;
    }
  }
}

/// Backjumps, stores clause_ and asserts its first literal.
void Cdcl::learn() {
  if (clause_.size() == 1) {
    backtrack(0);
    assign(clause_[0], kNoClause);
    return;
  }
  ++level_stamp_now_;
  std::uint32_t glue = 0;
  bool temporary = false;
  for (Lit lit : clause_) {
    temporary = temporary || lit.var() == guard_;
    std::uint32_t& stamp = level_stamp_[level_[lit.var()]];
    glue += stamp == level_stamp_now_ ? 0 : 1;
    stamp = level_stamp_now_;
  }
  temporary = temporary && guard_ != 0;
  backtrack(level_[clause_[1].var()]);
  Ref ref = allocate(clause_, temporary ? Kind::Temporary : Kind::Learnt, glue);
  attach(ref);
  (temporary ? temporary_ : learnt_).push_back(ref);
  assign(clause_[0], ref);
}

// ---------------------------------------------------------------------------- search

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

SatResult Cdcl::search() {
  constexpr std::uint64_t kRestartUnit = 128;
  constexpr std::uint64_t kPollEvery = 256;
  // One level per assumption, repeated ones too, and one per decision.
  level_stamp_.resize(std::max(level_stamp_.size(), assumptions_.size() + num_vars() + 1));
  std::uint64_t restarts = 0;
  std::uint64_t until_restart = kRestartUnit;
  std::uint64_t steps = 0;
  std::uint64_t conflicts = 0;
  while (true) {
    Ref conflict = propagate();
    if (conflict != kNoClause) {
      ++counts_.conflicts;
      if (decision_level() == 0) {
        ok_ = false;
        return SatResult::Unsat;
      }
      // Before learning: a unit left unpropagated would break what the next query relies on.
      if (++conflicts > conflict_limit_) return SatResult::Stopped;
      analyze(conflict);
      if (clause_.size() == 1 && clause_[0] == Lit(guard_, true) && guard_ != 0) {
        return SatResult::Unsat;  // the temporary clause alone is false: no assumption failed
      }
      learn();
      queue_.decay();
      if (--until_restart == 0) {
        until_restart = kRestartUnit * luby(++restarts);
        ++counts_.restarts;
        backtrack(0);
      }
      continue;
    }
    if (++steps % kPollEvery == 0 && stop_.stop_requested()) return SatResult::Stopped;
    switch (decide()) {
      case Step::Decided:
        break;
      case Step::Model:
        return SatResult::Sat;
      case Step::Conflict:
        return SatResult::Unsat;
    }
  }
}

Cdcl::Step Cdcl::decide() {
  while (decision_level() < assumptions_.size()) {
    Lit lit = assumptions_[decision_level()];
    switch (truth(lit)) {
      case Truth::True:
        open_level();
        continue;  // keeps levels and assumptions in step
      case Truth::False:
        analyze_final(lit);
        return Step::Conflict;
      case Truth::Unassigned:
        open_level();
        assign(lit, kNoClause);
        return Step::Decided;
    }
  }
  if (!queue_filled_) fill_queue();
  Var var = 0;
  while (queue_.pop(var)) {
    if (values_[2 * var] != 0) continue;
    ++counts_.decisions;
    open_level();
    assign(Lit(var, phase_[var] != 0), kNoClause);
    return Step::Decided;
  }
  return Step::Model;
}

void Cdcl::fill_queue() {
  queue_filled_ = true;
  if (confined_) {
    for (Var var : cone_vars_) queue_.push(var);
  } else {
    for (Var var = 0; var < num_vars(); ++var) {
      if (var != guard_ || guard_ == 0) queue_.push(var);
    }
  }
}

/// Ends the last query: its assignment, core, decision queue and temporary clause are gone.
void Cdcl::settle() {
  if (queue_filled_) queue_.clear();
  queue_filled_ = false;
  backtrack(0);
  forget_temporary();
  for (Lit lit : failed_list_) failed_[lit.code()] = 0;
  failed_list_.clear();
  confined_ = false;
}

SatResult Cdcl::solve(std::span<const Lit> assumptions) {
  settle();
  ++counts_.queries;
  if (!ok_) return SatResult::Unsat;
  if (stop_.stop_requested()) return SatResult::Stopped;
  collect_garbage();
  assumptions_.assign(assumptions.begin(), assumptions.end());
  return search();
}

// ---------------------------------------------------------------------------- confined queries

void Cdcl::set_dependencies(std::shared_ptr<const Dependencies> dependencies) {
  settle();
  assert(!dependencies_ && "dependencies are set once");
  dependencies_ = std::move(dependencies);
  guard_ = new_var();
  assert(guard_ != 0 && "the guard must not be variable 0");
}

void Cdcl::always(Var var) {
  if (is_always_[var] != 0) return;
  is_always_[var] = 1;
  always_vars_.push_back(var);
}

void Cdcl::add_cone(Var root) {
  if (in_cone(root)) return;
  cone_[root] = cone_stamp_;
  for (std::size_t at = cone_vars_.size(); true; ++at) {
    if (at == cone_vars_.size()) cone_vars_.push_back(root);
    Var var = cone_vars_[at];
    for (Var next : (*dependencies_)[var]) {
      if (in_cone(next)) continue;
      cone_[next] = cone_stamp_;
      cone_vars_.push_back(next);
    }
    if (at + 1 == cone_vars_.size()) return;
  }
}

void Cdcl::enter_cone(std::span<const Lit> roots) {
  ++cone_stamp_;
  cone_vars_.clear();
  cone_[guard_] = cone_stamp_;
  for (Var var : always_vars_) add_cone(var);
  for (Lit lit : roots) add_cone(lit.var());
}

/// False if the temporary clause is false already.
bool Cdcl::install_temporary(std::span<const Lit> temporary) {
  clause_.assign(1, Lit(guard_, true));
  for (Lit lit : temporary) {
    if (truth(lit) == Truth::True) return true;
    if (truth(lit) == Truth::Unassigned) clause_.push_back(lit);
  }
  if (clause_.size() == 1) return false;
  assumptions_.push_back(Lit(guard_, false));
  Ref ref = allocate(clause_, Kind::Temporary, 0);
  attach(ref);
  temporary_.push_back(ref);
  return true;
}

/// require: level 0, fully propagated.
void Cdcl::forget_temporary() {
  for (Ref clause : temporary_) remove(clause);
  temporary_.clear();
  if (guard_ == 0 || truth(Lit(guard_, true)) == Truth::Unassigned) return;
  // Units learnt during the query made a temporary clause fix its guard. Nothing follows from
  // that, as every clause with the guard is temporary, and the next query needs it free.
  std::erase(trail_, Lit(guard_, true));
  head_ = trail_.size();
  values_[Lit(guard_, false).code()] = 0;
  values_[Lit(guard_, true).code()] = 0;
}

SatResult Cdcl::solve_confined(std::span<const Lit> assumptions, std::span<const Lit> temporary) {
  assert(dependencies_ && "confined queries need dependencies");
  settle();
  ++counts_.queries;
  if (!ok_) return SatResult::Unsat;
  if (stop_.stop_requested()) return SatResult::Stopped;
  collect_garbage();
  enter_cone(assumptions);
  for (Lit lit : temporary) add_cone(lit.var());
  confined_ = true;
  assumptions_.clear();
  if (!temporary.empty() && !install_temporary(temporary)) return SatResult::Unsat;
  assumptions_.insert(assumptions_.end(), assumptions.begin(), assumptions.end());
  return search();
}

bool Cdcl::drop_from_model(Lit lit) {
  assert(tracked_[lit.var()] != 0 && truth(lit) == Truth::True && "drops tracked true literals");
  if (level_[lit.var()] == 0) return false;
  for (Ref clause : occurrences_[lit.code()]) {
    const Lit* at = lits(clause);
    bool satisfied = false;
    for (std::uint32_t i = 0; i < size(clause) && !satisfied; ++i) {
      bool outside = confined_ && !in_cone(at[i].var());
      satisfied = outside || (at[i] != lit && truth(at[i]) == Truth::True);
    }
    if (!satisfied) return false;
  }
  values_[lit.code()] = 0;
  values_[(!lit).code()] = 0;
  return true;
}

// ---------------------------------------------------------------------------- housekeeping

/// Forgets the worse half of the learnt clauses. require: level 0, no temporary clauses.
void Cdcl::reduce_learnts() {
  ++counts_.reductions;
  std::stable_sort(learnt_.begin(), learnt_.end(), [&](Ref a, Ref b) { return glue(a) < glue(b); });
  std::size_t kept = learnt_.size() / 2;
  while (kept < learnt_.size() && glue(learnt_[kept]) <= 2) ++kept;
  for (std::size_t i = kept; i < learnt_.size(); ++i) remove(learnt_[i]);
  learnt_.resize(kept);
  learnt_limit_ += learnt_limit_ / 10;
}

/// At level 0 between queries: forgets learnt clauses, then, when it pays, rewrites the arena
/// without removed clauses, satisfied clauses and false literals.
void Cdcl::collect_garbage() {
  LEM_DASSERT(decision_level() == 0 && temporary_.empty());
  if (learnt_.size() > learnt_limit_) reduce_learnts();
  std::size_t fixed_since = trail_.size() - fixed_at_collection_;
  bool pays = 4 * wasted_ > arena_.size() + 4096 || 20 * fixed_since > num_vars();
  if (!pays) {
    if (watches_.wasteful()) watches_.compact();
    return;
  }
  ++counts_.collections;
  std::vector<std::uint32_t> old;
  old.swap(arena_);
  arena_.reserve(old.size());
  watches_.clear();
  for (Lit lit : trail_) reason_[lit.var()] = kNoClause;
  for (std::vector<Ref>& list : occurrences_) list.clear();
  auto move = [&](std::vector<Ref>& refs) {
    std::size_t kept = 0;
    for (Ref ref : refs) {
      clause_.clear();
      bool satisfied = false;
      for (std::uint32_t i = 0; i < old[ref]; ++i) {
        Lit lit = Lit::from_code(old[ref + 2 + i]);
        satisfied = satisfied || truth(lit) == Truth::True;
        if (truth(lit) == Truth::Unassigned) clause_.push_back(lit);
      }
      if (satisfied) continue;
      assert(clause_.size() >= 2 && "level 0 was fully propagated");
      Ref fresh = allocate(clause_, static_cast<Kind>(old[ref + 1] & 3), old[ref + 1] >> 2);
      attach(fresh);
      refs[kept++] = fresh;
    }
    refs.resize(kept);
  };
  move(problem_);
  move(learnt_);
  for (Ref ref : problem_) {
    for (std::uint32_t i = 0; i < size(ref); ++i) {
      if (tracked_[lits(ref)[i].var()] != 0) occurrences_[lits(ref)[i].code()].push_back(ref);
    }
  }
  wasted_ = 0;
  fixed_at_collection_ = trail_.size();
}

}  // namespace lem::sat
