// Integers: what simplex finds over the rationals must be integral where variables are.
//
// In this order: rows that no integers satisfy (common divisors), cuts, branches. A branch is a new
// atom `x <= floor(value)` that the search decides; a cut is a clause. Each query has a limit of
// such rounds, after which it is Unknown. Proofs allow branches alone.
#include <algorithm>
#include <cassert>

#include "arith/dpllt.h"

namespace lem::arith {

Dpllt::Integers Dpllt::check_integers() {
  constexpr std::uint32_t kCutEvery = 4;
  Column found = UINT32_MAX;
  for (Column column = 0; column < simplex_.columns(); ++column) {
    if (!simplex_.is_integral(column) || !simplex_.tableau().is_basic(column)) continue;
    if (simplex_.value(column).is_integer()) continue;
    if (!simplex_.definition(column).empty() || !column_in_cone(column)) continue;
    found = column;
    break;
  }
  if (found == UINT32_MAX) return Integers::Fine;
  if (out_of_resources()) return Integers::GaveUp;
  if (++integer_rounds_ > integer_limit_) {
    gave_up_on_integers_ = true;
    return Integers::GaveUp;
  }
  if (!proof_) {
    if (!divisible_rows()) return Integers::Conflict;
    if (integer_rounds_ % kCutEvery == 0 && cut(found)) return Integers::Changed;
  }
  branch(found);
  return Integers::Changed;
}

/// False: conflict_ has the bounds that fix columns of a row that has no integral solution.
bool Dpllt::divisible_rows() {
  for (RowIndex row = 0; row < simplex_.tableau().rows(); ++row)
    if (!row_is_divisible(row)) return false;
  return true;
}

/// sum of factor * column = 0 with some columns fixed: the greatest common divisor of the factors
/// of the others divides the rest.
bool Dpllt::row_is_divisible(RowIndex row) {
  Number divisor = 0;
  Number rest = 0;
  auto is_fixed = [&](Column column) {
    const BoundId lower = simplex_.lower(column);
    const BoundId upper = simplex_.upper(column);
    return !lower.is_none() && !upper.is_none() &&
           simplex_.bound_value(lower) == simplex_.bound_value(upper);
  };
  for (const Tableau::Entry& entry : simplex_.tableau().row(row)) {
    if (!simplex_.is_integral(entry.column)) return true;
    if (is_fixed(entry.column)) {
      rest.add_product(entry.factor, simplex_.value(entry.column).real);
    } else {
      divisor = gcd(divisor, entry.factor);
      if (divisor.is_one()) return true;
    }
  }
  if (divisor.is_zero() || (rest / divisor).is_integer()) return true;
  ++counts_.divisions;
  conflict_.clear();
  for (const Tableau::Entry& entry : simplex_.tableau().row(row)) {
    if (!is_fixed(entry.column)) continue;
    conflict_.push_back(!literal_of(simplex_.lower(entry.column)));
    conflict_.push_back(!literal_of(simplex_.upper(entry.column)));
  }
  return false;
}

/// The query is about `var`, too. Variables from `known` on are new and in no clause. Older ones
/// may have been assigned without simplex, and clauses skipped for them: the search then starts
/// again from level 0, where nothing is skipped, and the result is false.
bool Dpllt::widen_cone(Var var, Var known) {
  const std::size_t before = cone_vars_.size();
  add_cone(var, cone_stamp_);
  const auto added = std::span(cone_vars_).subspan(before);
  if (std::all_of(added.begin(), added.end(), [&](Var each) { return each >= known; })) return true;
  backtrack(0);
  for (Var each : added) queue_.push(each);
  return false;
}

void Dpllt::branch(Column basic) {
  ++counts_.branches;
  const Delta value = simplex_.value(basic);
  Number below = value.real.floor();
  if (value.real.is_integer() && value.delta.sign() < 0) below -= 1;
  const bool up = value.real - below > Number(mpq_class(1, 2));
  const Var known = num_vars();
  const Lit lit = literal_of_atom(simplex_.add_atom(basic, below, false)) ^ up;
  if (!widen_cone(lit.var(), known)) return;
  assert(truth(lit) == 0 && "an atom that is decided excludes the value");
  decide_literal(lit);
}

/// A Gomory cut of the basic column's row: with columns t_j >= 0 counted from the bounds that they
/// are at, x + sum of a_j t_j = v and f_0 the fraction of v, every integral solution has
///   sum of f_j / f_0 t_j (f_j <= f_0)  +  sum of (1 - f_j) / (1 - f_0) t_j (others)  >=  1.
/// It becomes a clause: the bounds imply the cut. False if the row allows none.
bool Dpllt::cut(Column basic) {
  constexpr std::size_t kMostSummands = 24;
  const RowIndex row = simplex_.tableau().row_of(basic);
  const Number base_factor = simplex_.tableau().base_factor(row);
  const Number value = simplex_.value(basic).real;
  const Number f0 = value - value.floor();
  if (f0.is_zero()) return false;
  LinearForm form;  // of the negated cut, so that it is an upper bound
  Number limit = -1;
  clause_.assign(1, Lit());
  for (const Tableau::Entry& entry : simplex_.tableau().row(row)) {
    const Column column = entry.column;
    if (!simplex_.is_integral(column)) return false;
    if (column == basic) continue;
    const Delta& at = simplex_.value(column);
    const BoundId lower = simplex_.lower(column);
    const bool at_lower = !lower.is_none() && simplex_.bound_value(lower) == at;
    const BoundId bound = at_lower ? lower : simplex_.upper(column);
    // x = sum of -factor / base_factor * column, so a_j = factor / base_factor, from below.
    Number a = entry.factor / base_factor;
    if (!at_lower) a.negate();
    const Number f = a - a.floor();
    if (f.is_zero()) continue;  // the bound does not matter
    if (bound.is_none() || !(simplex_.bound_value(bound) == at)) return false;
    Number weight = f <= f0 ? f / f0 : (Number(1) - f) / (Number(1) - f0);
    if (weight.is_long()) return false;
    if (at_lower) weight.negate();
    limit.add_product(weight, at.real);
    if (simplex_.definition(column).empty()) form.push_back({weight, column});
    for (const Summand& summand : simplex_.definition(column))
      form.push_back({summand.factor * weight, summand.column});
    const Lit reason = literal_of(bound);
    if (level_[reason.var()] > 0) clause_.push_back(!reason);
  }
  if (form.size() > kMostSummands || limit.is_long()) return false;
  const Var known = num_vars();
  const Lit lit = at_most(std::move(form), std::move(limit), false);
  if (lit.var() == 0) return false;
  if (!widen_cone(lit.var(), known)) return true;
  if (truth(lit) != 0) return false;
  ++counts_.cuts;
  clause_[0] = lit;
  learn_lemma();
  return true;
}

/// Stores clause_, whose first literal is open and whose others are false, and asserts the first
/// where the others became false.
void Dpllt::learn_lemma() {
  if (clause_.size() == 1) {
    backtrack(0);
    assign(clause_[0], Reason());
    return;
  }
  for (std::size_t i = 2; i < clause_.size(); ++i)
    if (level_[clause_[i].var()] > level_[clause_[1].var()]) std::swap(clause_[1], clause_[i]);
  backtrack(level_[clause_[1].var()]);
  const Ref ref = allocate(clause_, Kind::Learnt, static_cast<std::uint32_t>(clause_.size()));
  attach(ref);
  learnt_.push_back(ref);
  assign(clause_[0], Reason::clause(ref));
}

}  // namespace lem::arith
