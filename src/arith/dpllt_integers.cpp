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

void Dpllt::branch(Column basic) {
  ++counts_.branches;
  const Delta value = simplex_.value(basic);
  Number below = value.real.floor();
  if (value.real.is_integer() && value.delta.sign() < 0) below -= 1;
  const bool up = value.real - below > Number(mpq_class(1, 2));
  const Lit lit = literal_of_atom(simplex_.add_atom(basic, below, false)) ^ up;
  add_cone(lit.var(), cone_stamp_);
  assert(truth(lit) == 0 && "an atom that is decided excludes the value");
  decide_literal(lit);
}

bool Dpllt::cut(Column) {
  return false;
}

}  // namespace lem::arith
