// Clauses: memory, scopes, cones of queries, atoms.
#include <algorithm>
#include <cassert>

#include "arith/dpllt.h"

namespace lem::arith {

Dpllt::Ref Dpllt::allocate(std::span<const Lit> clause, Kind kind, std::uint32_t glue) {
  const auto ref = static_cast<Ref>(arena_.size());
  assert(arena_.size() + clause.size() + 2 < (std::size_t{1} << 30) && "clause memory is full");
  arena_.push_back(static_cast<std::uint32_t>(clause.size()));
  arena_.push_back((glue << 2) | static_cast<std::uint32_t>(kind));
  for (Lit lit : clause) arena_.push_back(lit.code());
  return ref;
}

void Dpllt::attach(Ref clause) {
  const Lit* at = lits(clause);
  const bool binary = size(clause) == 2;
  watches_.push(at[0], sat::Watch(at[1], clause, binary));
  watches_.push(at[1], sat::Watch(at[0], clause, binary));
}

void Dpllt::remove(Ref clause) {
  const Lit* at = lits(clause);
  watches_.remove(at[0], clause);
  watches_.remove(at[1], clause);
  wasted_ += size(clause) + 2;
}

void Dpllt::add_clause(std::span<const Lit> clause, Role role, std::uint32_t part) {
  settle();
  Scope* scope = role == Role::Assertion && !scopes_.empty() ? &scopes_.back() : nullptr;
  for (Lit lit : clause) {
    assert(lit.var() < num_vars() && "clause over an unknown variable");
    if (role == Role::Definition) break;
    if (scope != nullptr)
      scope->roots.push_back(lit.var());
    else
      add_cone(lit.var(), kAlways);
  }
  if (!ok_) return;
  clause_.assign(clause.begin(), clause.end());
  if (scope != nullptr) clause_.push_back(Lit(scope->guard, true));
  std::sort(clause_.begin(), clause_.end());
  clause_.erase(std::unique(clause_.begin(), clause_.end()), clause_.end());
  for (std::size_t i = 0; i + 1 < clause_.size(); ++i)
    if (clause_[i + 1] == !clause_[i]) return;
  ProofId id = 0;
  if (proof_) {
    id = proof_->add({ProofStep::Kind::Input, part, clause_, {}, {}, {}});
  } else {
    for (Lit lit : clause_)
      if (truth(lit) > 0) return;
    std::erase_if(clause_, [&](Lit lit) { return truth(lit) < 0; });
  }
  const bool contradicts = clause_.size() == 1 && truth(clause_[0]) < 0;
  if (clause_.empty() || contradicts) {
    ok_ = false;
    if (!proof_) return;
    conflict_ = clause_;
    conflict_id_ = id;
    proof_->refutation = record_derivation({});
  } else if (clause_.size() == 1) {
    if (clause_[0] == Lit(scope != nullptr ? scope->guard : 0, true)) {
      scope->inconsistent = true;
    } else if (truth(clause_[0]) == 0) {
      assign(clause_[0], Reason());
      if (proof_) unit_ids_[clause_[0].var()] = id;
    }
  } else {
    const Ref ref = allocate(clause_, scope != nullptr ? Kind::Scoped : Kind::Problem, 0);
    attach(ref);
    (scope != nullptr ? scope->clauses : problem_).push_back(ref);
    if (proof_) clause_ids_.emplace_back(ref, id);
  }
}

// Scopes ------------------------------------------------------------------------------------------

void Dpllt::push() {
  settle();
  if (guards_.size() == scopes_.size()) guards_.push_back(new_var());
  scopes_.emplace_back();
  scopes_.back().guard = guards_[scopes_.size() - 1];
}

void Dpllt::pop() {
  assert(!scopes_.empty() && "no scope is open");
  settle();
  for (Ref clause : scopes_.back().clauses) remove(clause);
  // Facts may have fixed the guard. Nothing follows from that, as all clauses with it are gone.
  const Lit off(scopes_.back().guard, true);
  if (truth(off) != 0) {
    const auto at = std::find(trail_.begin(), trail_.end(), off);
    assert(at != trail_.end() && "a guard is never asserted");
    const auto place = static_cast<std::size_t>(at - trail_.begin());
    trail_.erase(at);
    head_ -= place < head_ ? 1 : 0;
    theory_head_ -= place < theory_head_ ? 1 : 0;
    values_[off.code()] = 0;
    values_[(!off).code()] = 0;
  }
  scopes_.pop_back();
}

// Cones -------------------------------------------------------------------------------------------

void Dpllt::depends(Var var, std::span<const Var> on) {
  depends_[var].insert(depends_[var].end(), on.begin(), on.end());
  if (cone_[var] == kAlways)
    for (Var each : on) add_cone(each, kAlways);
}

void Dpllt::column_depends(Column column, std::span<const Var> on) {
  if (column_depends_.size() <= column) column_depends_.resize(column + 1);
  column_depends_[column].insert(column_depends_[column].end(), on.begin(), on.end());
}

void Dpllt::add_cone(Var root, std::uint32_t stamp) {
  if (cone_[root] >= stamp) return;
  std::vector<Var>& list = stamp == kAlways ? always_vars_ : cone_vars_;
  std::size_t at = list.size();
  auto enter = [&](Var var) {
    if (cone_[var] >= stamp) return;
    cone_[var] = stamp;
    list.push_back(var);
  };
  auto enter_column = [&](Column column) {
    if (column_cone_.size() <= column) column_cone_.resize(simplex_.columns(), 0);
    if (column_cone_[column] >= stamp) return;
    column_cone_[column] = stamp;
    if (column < column_depends_.size())
      for (Var var : column_depends_[column]) enter(var);
  };
  enter(root);
  for (; at < list.size(); ++at) {
    const Var var = list[at];
    for (Var next : depends_[var]) enter(next);
    if (atom_of_[var] == kNoAtom) continue;
    const Column column = simplex_.atom(atom_of_[var]).column;
    if (simplex_.definition(column).empty()) enter_column(column);
    for (const Summand& summand : simplex_.definition(column)) enter_column(summand.column);
  }
}

void Dpllt::enter_cone(std::span<const Lit> assumptions) {
  if (++cone_stamp_ == kAlways) {  // wrapped around: old stamps must not count
    cone_stamp_ = 1;
    for (std::uint32_t& stamp : cone_) stamp = stamp == kAlways ? kAlways : 0;
    for (std::uint32_t& stamp : column_cone_) stamp = stamp == kAlways ? kAlways : 0;
    ++cone_stamp_;
  }
  cone_vars_.clear();
  for (const Scope& scope : scopes_)
    for (Var var : scope.roots) add_cone(var, cone_stamp_);
  for (Lit lit : assumptions) add_cone(lit.var(), cone_stamp_);
}

// Atoms -------------------------------------------------------------------------------------------

Lit Dpllt::literal_of_atom(AtomIndex atom) {
  if (var_of_.size() <= atom) var_of_.resize(simplex_.atoms(), 0);
  if (var_of_[atom] == 0) {
    var_of_[atom] = new_var();
    atom_of_[var_of_[atom]] = atom;
  }
  return Lit(var_of_[atom], false);
}

Lit Dpllt::at_most(LinearForm form, Number bound, bool strict) {
  std::sort(form.begin(), form.end(),
            [](const Summand& a, const Summand& b) { return a.column < b.column; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (kept > 0 && form[kept - 1].column == form[i].column)
      form[kept - 1].factor += form[i].factor;
    else
      form[kept++] = std::move(form[i]);
    if (form[kept - 1].factor.is_zero() &&
        (i + 1 == form.size() || form[i + 1].column != form[kept - 1].column))
      --kept;
  }
  form.resize(kept);
  if (form.empty()) {
    const int sign = bound.sign();
    return true_literal() ^ (strict ? sign <= 0 : sign < 0);
  }
  // Coprime integer factors, the first one positive: forms that differ by a factor share a column.
  Number denominators = 1;
  for (const Summand& summand : form) {
    const Number denominator = summand.factor.denominator();
    denominators *= denominator / gcd(denominators, denominator);
  }
  Number common = 0;
  for (const Summand& summand : form) common = gcd(common, summand.factor * denominators);
  Number scale = denominators / common;
  const bool flip = form[0].factor.sign() < 0;
  if (flip) scale.negate();
  for (Summand& summand : form) summand.factor *= scale;
  bound *= scale;
  const Column column = form.size() == 1 ? form[0].column : simplex_.add_form(form);
  // -s <= c is not (s < -c)
  return literal_of_atom(simplex_.add_atom(column, std::move(bound), strict != flip)) ^ flip;
}

// Housekeeping ------------------------------------------------------------------------------------

/// Forgets the worse half of the learnt clauses.  require: level 0
void Dpllt::reduce_learnts() {
  std::stable_sort(learnt_.begin(), learnt_.end(), [&](Ref a, Ref b) { return glue(a) < glue(b); });
  std::size_t kept = learnt_.size() / 2;
  while (kept < learnt_.size() && glue(learnt_[kept]) <= 2) ++kept;
  for (std::size_t i = kept; i < learnt_.size(); ++i) remove(learnt_[i]);
  learnt_.resize(kept);
  learnt_limit_ += learnt_limit_ / 10;
}

/// At level 0 between queries: forgets learnt clauses, then, when it pays, rewrites the arena
/// without removed clauses, satisfied clauses and false literals.
void Dpllt::collect_garbage() {
  LEM_DASSERT(decision_level() == 0);
  if (learnt_.size() > learnt_limit_) reduce_learnts();
  const std::size_t fixed_since = trail_.size() - std::min(trail_.size(), fixed_at_collection_);
  const bool pays = 4 * wasted_ > arena_.size() + 4096 || 20 * fixed_since > num_vars();
  if (!pays) {
    if (watches_.wasteful()) watches_.compact();
    return;
  }
  for (Lit lit : trail_) reason_[lit.var()] = Reason();
  if (!propagate()) {  // clauses are shortened by facts, which must be complete
    ok_ = false;
    return;
  }
  for (Lit lit : trail_) reason_[lit.var()] = Reason();
  std::vector<std::uint32_t> old;
  old.swap(arena_);
  arena_.reserve(old.size());
  watches_.clear();
  auto move = [&](std::vector<Ref>& refs) {
    std::size_t kept = 0;
    for (Ref ref : refs) {
      clause_.clear();
      bool satisfied = false;
      for (std::uint32_t i = 0; i < old[ref]; ++i) {
        const Lit lit = Lit::from_code(old[ref + 2 + i]);
        satisfied = satisfied || truth(lit) > 0;
        if (truth(lit) == 0) clause_.push_back(lit);
      }
      if (satisfied) continue;
      assert(clause_.size() >= 2 && "level 0 was fully propagated");
      const Ref fresh = allocate(clause_, static_cast<Kind>(old[ref + 1] & 3), old[ref + 1] >> 2);
      attach(fresh);
      refs[kept++] = fresh;
    }
    refs.resize(kept);
  };
  move(problem_);
  move(learnt_);
  for (Scope& scope : scopes_) move(scope.clauses);
  wasted_ = 0;
  fixed_at_collection_ = trail_.size();
}

}  // namespace lem::arith
