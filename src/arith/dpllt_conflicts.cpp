// Conflicts: clauses learnt at the first unique implication point, failed assumptions, and the
// resolution chains of proofs.
#include <algorithm>
#include <cassert>

#include "arith/dpllt.h"

namespace lem::arith {

/// require: conflict_ is false, with a literal of the current level.  ensure: clause_ is implied,
/// false now, its first literal the only one of its level, its second of the level to return to.
void Dpllt::analyze() {
  clause_.assign(1, Lit());
  std::uint32_t open = 0;
  std::size_t at = trail_.size();
  auto visit = [&](Lit lit) {
    const Var var = lit.var();
    if (seen_[var] != 0 || level_[var] == 0) return;
    seen_[var] = 1;
    queue_.bump(var);
    if (level_[var] == decision_level())
      ++open;
    else
      clause_.push_back(lit);
  };
  for (Lit lit : conflict_) {
    LEM_DASSERT(truth(lit) < 0);
    visit(lit);
  }
  Lit implied;
  while (true) {
    while (seen_[trail_[--at].var()] == 0) continue;
    implied = trail_[at];
    seen_[implied.var()] = 0;
    if (--open == 0) break;
    LEM_DASSERT(!reason_[implied.var()].is_none());
    for_each_antecedent(implied, visit);
  }
  clause_[0] = !implied;

  to_clear_.assign(clause_.begin() + 1, clause_.end());
  std::size_t kept = 1;
  for (std::size_t i = 1; i < clause_.size(); ++i)
    if (!redundant(clause_[i])) clause_[kept++] = clause_[i];
  clause_.resize(kept);
  for (Lit lit : to_clear_) seen_[lit.var()] = 0;
  for (std::size_t i = 2; i < kept; ++i)
    if (level_[clause_[i].var()] > level_[clause_[1].var()]) std::swap(clause_[1], clause_[i]);
}

/// Is a literal of the learnt clause implied by the others? ([Soerensson09], without recursion.)
/// seen_: 1 in the clause or shown redundant, 2 shown not to be.
bool Dpllt::redundant(Lit lit) {
  if (reason_[lit.var()].is_none()) return false;
  minimize_stack_.assign(1, lit);
  const std::size_t marked = to_clear_.size();
  while (!minimize_stack_.empty()) {
    const Lit top = minimize_stack_.back();
    minimize_stack_.pop_back();
    bool fails = false;
    for_each_antecedent(top, [&](Lit next) {
      const Var var = next.var();
      if (fails || seen_[var] == 1 || level_[var] == 0) return;
      if (reason_[var].is_none() || seen_[var] == 2) {
        fails = true;
        return;
      }
      seen_[var] = 1;
      to_clear_.push_back(next);
      minimize_stack_.push_back(next);
    });
    if (!fails) continue;
    for (std::size_t k = marked; k < to_clear_.size(); ++k) seen_[to_clear_[k].var()] = 2;
    return false;
  }
  return true;
}

/// The assumptions that together falsify the assumption `last`.
void Dpllt::analyze_final(Lit last) {
  auto fail = [&](Lit lit) {
    if (failed_[lit.code()] == 0) failed_list_.push_back(lit);
    failed_[lit.code()] = 1;
  };
  fail(last);
  if (level_[last.var()] == 0) return;
  seen_[last.var()] = 1;
  for (std::size_t i = trail_.size(); i > levels_[0].trail; --i) {
    const Lit lit = trail_[i - 1];
    if (seen_[lit.var()] == 0) continue;
    seen_[lit.var()] = 0;
    if (reason_[lit.var()].is_none()) {
      fail(lit);
      continue;
    }
    for_each_antecedent(lit, [&](Lit next) {
      if (level_[next.var()] > 0) seen_[next.var()] = 1;
    });
  }
}

/// Backjumps, stores clause_ and asserts its first literal.
void Dpllt::learn() {
  const ProofId id = proof_ ? record_derivation(clause_) : 0;
  if (clause_.size() == 1) {
    backtrack(0);
    assign(clause_[0], Reason());
    if (proof_) unit_ids_[clause_[0].var()] = id;
    return;
  }
  ++level_stamp_now_;
  std::uint32_t glue = 0;
  Scope* scope = nullptr;  // the innermost that the clause depends on
  for (Lit lit : clause_) {
    const std::uint32_t level = level_[lit.var()];
    if (level_stamp_.size() <= level) level_stamp_.resize(2 * level + 1);
    glue += level_stamp_[level] == level_stamp_now_ ? 0 : 1;
    level_stamp_[level] = level_stamp_now_;
  }
  for (std::size_t i = scopes_.size(); i-- > 0 && scope == nullptr;)
    for (Lit lit : clause_)
      if (lit.var() == scopes_[i].guard) scope = &scopes_[i];
  backtrack(level_[clause_[1].var()]);
  const Ref ref = allocate(clause_, scope != nullptr ? Kind::Scoped : Kind::Learnt, glue);
  attach(ref);
  (scope != nullptr ? scope->clauses : learnt_).push_back(ref);
  if (proof_) clause_ids_.emplace_back(ref, id);
  assign(clause_[0], Reason::clause(ref));
}

// Proofs ------------------------------------------------------------------------------------------

ProofId Dpllt::id_of_reason(Lit implied) {
  const Reason reason = reason_[implied.var()];
  if (reason.is_none()) {
    assert(unit_ids_[implied.var()] != Proof::kNone && "a decision has no proof");
    return unit_ids_[implied.var()];
  }
  if (!reason.is_clause())
    return proof_->add(
        {ProofStep::Kind::Theory, 0, {implied, !reason.lit()}, {Number(1), Number(1)}, {}, {}});
  auto at = std::lower_bound(clause_ids_.begin(), clause_ids_.end(), std::pair(reason.ref(), 0U));
  assert(at != clause_ids_.end() && at->first == reason.ref() && "every clause has a proof");
  return at->second;
}

/// Walks the trail backwards and resolves away all that is not in the target: literals of the
/// conflict's level, redundant ones, and those of level 0.
ProofId Dpllt::record_derivation(std::span<const Lit> target) {
  ProofStep step{ProofStep::Kind::Chain, 0, {target.begin(), target.end()}, {}, {conflict_id_}, {}};
  std::vector<std::uint8_t> marked(num_vars(), 0);
  for (Lit lit : conflict_) marked[lit.var()] = 1;
  std::vector<std::uint8_t> kept(num_vars(), 0);
  for (Lit lit : target) kept[lit.var()] = 1;
  for (std::size_t i = trail_.size(); i-- > 0;) {
    const Lit lit = trail_[i];
    if (marked[lit.var()] == 0 || kept[lit.var()] != 0) continue;
    step.premises.push_back(id_of_reason(lit));
    step.pivots.push_back(lit);
    if (!reason_[lit.var()].is_none())
      for_each_antecedent(lit, [&](Lit next) { marked[next.var()] = 1; });
  }
  return proof_->add(std::move(step));
}

bool is_resolution_proof(const Proof& proof) {
  if (proof.refutation == Proof::kNone || !proof.steps[proof.refutation].clause.empty())
    return false;
  for (std::size_t id = 0; id < proof.steps.size(); ++id) {
    const ProofStep& step = proof.steps[id];
    if (step.kind != ProofStep::Kind::Chain) continue;
    std::vector<Lit> clause = proof.steps[step.premises[0]].clause;
    for (std::size_t i = 0; i < step.pivots.size(); ++i) {
      const std::vector<Lit>& other = proof.steps[step.premises[i + 1]].clause;
      if (std::erase(clause, !step.pivots[i]) == 0 ||
          std::count(other.begin(), other.end(), step.pivots[i]) == 0)
        return false;
      for (Lit lit : other)
        if (lit != step.pivots[i] && std::count(clause.begin(), clause.end(), lit) == 0)
          clause.push_back(lit);
    }
    std::vector<Lit> claimed = step.clause;
    std::sort(clause.begin(), clause.end());
    std::sort(claimed.begin(), claimed.end());
    if (clause != claimed) return false;
  }
  return true;
}

}  // namespace lem::arith
