#include "arith/simplex.h"

#include <algorithm>
#include <cassert>

namespace lem::arith {

// Columns and atoms -------------------------------------------------------------------------------

Column Simplex::add_column(Integral integral) {
  const Column column = tableau_.add_column();
  values_.emplace_back();
  lower_.emplace_back();
  upper_.emplace_back();
  integral_.push_back(integral == Integral::Yes ? 1 : 0);
  definition_.emplace_back();
  by_column_.emplace_back();
  is_suspect_.push_back(0);
  return column;
}

static std::size_t hash_of(const LinearForm& form) {
  std::size_t hash = form.size();
  for (const Summand& summand : form)
    hash = (hash ^ summand.factor.hash() ^ summand.column) * 0x9E3779B97F4A7C15ULL;
  return hash;
}

Column Simplex::add_form(const LinearForm& form) {
  assert(form.size() >= 2 && "a form has several summands");
  const std::size_t hash = hash_of(form);
  for (auto [at, end] = forms_.equal_range(hash); at != end; ++at)
    if (definition_[at->second] == form) return at->second;
  const bool integral = std::all_of(form.begin(), form.end(), [&](const Summand& summand) {
    return is_integral(summand.column) && summand.factor.is_integer();
  });
  const Column column = add_column(integral ? Integral::Yes : Integral::No);
  definition_[column] = form;
  forms_.emplace(hash, column);
  for (const Summand& summand : form) {
    assert(definition_[summand.column].empty() && "forms are over columns of variables");
    values_[column].add_product(values_[summand.column], summand.factor);
  }
  tableau_.add_row(column, form);
  return column;
}

AtomIndex Simplex::add_atom(Column column, Number bound, bool strict) {
  Atom atom{column, 0, {}, {}};
  if (is_integral(column)) {
    Number rounded = strict ? bound.ceil() - 1 : bound.floor();
    atom.lower = Delta(rounded + 1);
    atom.upper = Delta(std::move(rounded));
  } else {
    atom.upper = Delta(bound, strict ? -1 : 0);
    atom.lower = Delta(std::move(bound), strict ? 0 : 1);
  }
  std::vector<AtomIndex>& list = by_column_[column];
  auto at = std::lower_bound(list.begin(), list.end(), atom.upper,
                             [&](AtomIndex a, const Delta& b) { return atoms_[a].upper < b; });
  if (at != list.end() && atoms_[*at].upper == atom.upper) return *at;
  auto index = static_cast<AtomIndex>(atoms_.size());
  auto position = static_cast<std::uint32_t>(at - list.begin());
  list.insert(at, index);
  atoms_.push_back(std::move(atom));
  for (std::uint32_t i = position; i < list.size(); ++i) atoms_[list[i]].position = i;
  weaker_.resize(2 * atoms_.size());
  return index;
}

// Bounds ------------------------------------------------------------------------------------------

bool Simplex::assert_bound(BoundId bound) {
  const Column column = atoms_[bound.atom()].column;
  const Delta& limit = bound_value(bound);
  const bool is_lower = bound.is_lower();
  BoundId& mine = is_lower ? lower_[column] : upper_[column];
  const BoundId opposite = is_lower ? upper_[column] : lower_[column];
  if (!mine.is_none()) {
    const int order = compare(limit, bound_value(mine));
    if (is_lower ? order <= 0 : order >= 0) return true;
  }
  if (!opposite.is_none()) {
    const int order = compare(limit, bound_value(opposite));
    if (is_lower ? order > 0 : order < 0) {
      conflict_.clear();
      conflict_.push_back({bound, 1});
      conflict_.push_back({opposite, 1});
      gap_ = is_lower ? limit - bound_value(opposite) : bound_value(opposite) - limit;
      relax_conflict(gap_);
      return false;
    }
  }
  trail_.push_back({mine, bound});
  weaker_[bound.code()] = mine;
  mine = bound;
  const int order = compare(values_[column], limit);
  if (is_lower ? order >= 0 : order <= 0) return true;
  if (tableau_.is_basic(column))
    suspect(column);
  else
    update(column, limit);
  return true;
}

void Simplex::backtrack(std::size_t trail_size) {
  while (trail_.size() > trail_size) {
    const Undo& undo = trail_.back();
    const Column column = atoms_[undo.bound.atom()].column;
    (undo.bound.is_lower() ? lower_ : upper_)[column] = undo.previous;
    trail_.pop_back();
  }
}

void Simplex::suspect(Column basic) {
  if (is_suspect_[basic] != 0) return;
  is_suspect_[basic] = 1;
  suspects_.push_back(basic);
  std::push_heap(suspects_.begin(), suspects_.end(), std::greater<>());
}

/// The basic column of the least index that is outside its bounds; UINT32_MAX: there is none.
Column Simplex::next_suspect() {
  while (!suspects_.empty()) {
    const Column column = suspects_.front();
    if (tableau_.is_basic(column) && !within_bounds(column)) return column;
    std::pop_heap(suspects_.begin(), suspects_.end(), std::greater<>());
    suspects_.pop_back();
    is_suspect_[column] = 0;
  }
  return UINT32_MAX;
}

// Values ------------------------------------------------------------------------------------------

/// The base of `row` follows a column with that factor in the row, which moved.
void Simplex::shift_base(RowIndex row, const Number& factor, const Delta& by) {
  const Number& divisor = tableau_.base_factor(row);
  const Column base = tableau_.base_of(row);
  Number ratio = -factor;
  if (!divisor.is_one()) ratio /= divisor;
  Delta& value = values_[base];
  value.add_product(by, ratio);
  if (is_suspect_[base] == 0 && (above(base, value) || below(base, value))) suspect(base);
}

void Simplex::update(Column column, const Delta& to) {
  LEM_DASSERT(!tableau_.is_basic(column));
  Delta by = to - values_[column];
  values_[column] = to;
  for (const Tableau::Occurrence& at : tableau_.column(column))
    shift_base(at.row, tableau_.factor(at.row, at.place), by);
}

void Simplex::shorten_values() {
  for (Column column = 0; column < values_.size(); ++column) {
    if (values_[column].real.is_small() || tableau_.is_basic(column)) continue;
    Delta to;
    if (below(column, to)) to = bound_value(lower_[column]);
    if (above(column, to)) to = bound_value(upper_[column]);
    if (!(to == values_[column])) update(column, to);
  }
}

/// The base of `row` takes the value `to` and leaves; the column at `place` becomes basic.
void Simplex::pivot_and_update(RowIndex row, std::uint32_t place, const Delta& to) {
  const Column leaving = tableau_.base_of(row);
  const Column entering = tableau_.row(row)[place].column;
  Delta by = to - values_[leaving];
  by *= -tableau_.base_factor(row) / tableau_.factor(row, place);
  values_[leaving] = to;
  values_[entering] += by;
  for (const Tableau::Occurrence& at : tableau_.column(entering))
    if (at.row != row) shift_base(at.row, tableau_.factor(at.row, at.place), by);
  tableau_.pivot(row, place);
  ++pivots_;
  if (!within_bounds(entering)) suspect(entering);
}

// Check -------------------------------------------------------------------------------------------

/// A place in the row whose column can move so that the base increases (or decreases): one of few
/// occurrences, or, for Bland's rule, of the least index. UINT32_MAX: none.
std::uint32_t Simplex::select_entering(RowIndex row, bool increase, bool bland) const {
  const Column base = tableau_.base_of(row);
  const bool base_positive = tableau_.base_factor(row).sign() > 0;
  std::uint32_t best = UINT32_MAX;
  std::size_t best_size = 0;
  Column best_column = 0;
  const std::vector<Tableau::Entry>& entries = tableau_.row(row);
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    const Column column = entries[i].column;
    if (column == base) continue;
    // base = sum of -factor / base_factor * column
    const bool same_direction = (entries[i].factor.sign() > 0) != base_positive;
    const BoundId limit = same_direction == increase ? upper_[column] : lower_[column];
    if (!limit.is_none() && values_[column] == bound_value(limit)) continue;
    const std::size_t size = bland ? 0 : tableau_.column(column).size();
    if (best == UINT32_MAX || size < best_size || (size == best_size && column < best_column)) {
      best = i;
      best_size = size;
      best_column = column;
    }
  }
  return best;
}

/// All columns of the row are at the bounds that keep its base outside: a Farkas combination.
void Simplex::explain(RowIndex row, bool increase) {
  const Column base = tableau_.base_of(row);
  const bool base_positive = tableau_.base_factor(row).sign() > 0;
  conflict_.clear();
  for (const Tableau::Entry& entry : tableau_.row(row)) {
    const bool same_direction = (entry.factor.sign() > 0) != base_positive;
    const bool use_lower = entry.column == base ? increase : same_direction != increase;
    const BoundId bound = use_lower ? lower_[entry.column] : upper_[entry.column];
    LEM_DASSERT(!bound.is_none());
    conflict_.push_back({bound, entry.factor.absolute()});
  }
  const BoundId violated = increase ? lower_[base] : upper_[base];
  gap_ = bound_value(violated) - values_[base];
  gap_ *= tableau_.base_factor(row).absolute();
  if (!increase) gap_ *= -1;
  relax_conflict(gap_);
}

/// Replaces bounds of the conflict by weaker ones, asserted earlier, while it stays a conflict.
///   require: gap is the amount by which the weighted bounds contradict each other
void Simplex::relax_conflict(Delta gap) {
  for (Weighted& each : conflict_) {
    while (true) {
      // A bound that was refused is not on the trail yet: it replaces the one that is in force.
      const Column column = atoms_[each.bound.atom()].column;
      const BoundId force = each.bound.is_lower() ? lower_[column] : upper_[column];
      const bool on_trail = !force.is_none() &&
                            (each.bound.is_lower() ? bound_value(each.bound) <= bound_value(force)
                                                   : bound_value(each.bound) >= bound_value(force));
      const BoundId next = on_trail ? weaker_[each.bound.code()] : force;
      if (next.is_none()) break;
      Delta cost = bound_value(each.bound) - bound_value(next);
      cost *= each.bound.is_lower() ? each.weight : -each.weight;
      if (cost >= gap) break;
      gap -= cost;
      each.bound = next;
    }
  }
  LEM_CHECKED(refutes(conflict_), "a conflict must be a contradiction");
}

Simplex::Outcome Simplex::check() {
  constexpr std::uint64_t kBlandAfter = 200;
  constexpr std::uint64_t kPollEvery = 64;
  const std::uint64_t start = pivots_;
  while (true) {
    const Column base = next_suspect();
    if (base == UINT32_MAX) break;
    const std::uint64_t done = pivots_ - start;
    if (pivots_ >= pivot_limit_ || (done % kPollEvery == kPollEvery - 1 && stop_ && stop_()))
      return Outcome::Stopped;
    const RowIndex row = tableau_.row_of(base);
    const bool increase = below(base, values_[base]);
    const std::uint32_t place = select_entering(row, increase, done > kBlandAfter);
    if (place == UINT32_MAX) {
      explain(row, increase);
      return Outcome::Conflict;
    }
    pivot_and_update(row, place, bound_value(increase ? lower_[base] : upper_[base]));
  }
  LEM_CHECKED(is_consistent(), "values must fit the tableau after a check");
  return Outcome::Feasible;
}

Number Simplex::epsilon() const {
  Number epsilon = 1;
  auto limit = [&](const Delta& less, const Delta& more) {
    // less <= more as Deltas; the same with numbers needs a small epsilon if the deltas disagree.
    if (less.delta <= more.delta) return;
    Number most = (more.real - less.real) / (less.delta - more.delta);
    if (most < epsilon) epsilon = std::move(most);
  };
  for (Column column = 0; column < values_.size(); ++column) {
    const bool strict = !values_[column].delta.is_zero();
    if (!lower_[column].is_none()) {
      const Delta& bound = bound_value(lower_[column]);
      if (strict || !bound.delta.is_zero()) limit(bound, values_[column]);
    }
    if (!upper_[column].is_none()) {
      const Delta& bound = bound_value(upper_[column]);
      if (strict || !bound.delta.is_zero()) limit(values_[column], bound);
    }
  }
  assert(epsilon.sign() > 0 && "the values satisfy the bounds");
  if (epsilon == Number(1)) return epsilon;
  // A power of two: engines compute with the values, and other fractions would grow there.
  const Number inverse = epsilon.inverse();
  Number power = 1;
  while (power < inverse) power += power;
  return power.inverse();
}

// For assertions ----------------------------------------------------------------------------------

bool Simplex::refutes(std::span<const Weighted> bounds) const {
  std::vector<Number> sum(values_.size());
  Delta limit;
  for (const Weighted& each : bounds) {
    if (each.weight.sign() <= 0) return false;
    const Number factor = each.bound.is_lower() ? -each.weight : each.weight;
    const Column column = atoms_[each.bound.atom()].column;
    limit.add_product(bound_value(each.bound), factor);
    if (definition_[column].empty()) sum[column] += factor;
    for (const Summand& summand : definition_[column])
      sum[summand.column].add_product(summand.factor, factor);
  }
  return limit < Delta() &&
         std::all_of(sum.begin(), sum.end(), [](const Number& n) { return n.is_zero(); });
}

bool Simplex::is_consistent() const {
  if (!tableau_.is_consistent()) return false;
  for (RowIndex row = 0; row < tableau_.rows(); ++row) {
    Delta sum;
    for (const Tableau::Entry& entry : tableau_.row(row))
      sum.add_product(values_[entry.column], entry.factor);
    if (!(sum == Delta())) return false;
  }
  for (Column column = 0; column < values_.size(); ++column) {
    if (!tableau_.is_basic(column) && !within_bounds(column)) return false;
    if (tableau_.is_basic(column) && !within_bounds(column) && is_suspect_[column] == 0)
      return false;
    Delta sum;
    for (const Summand& summand : definition_[column])
      sum.add_product(values_[summand.column], summand.factor);
    if (!definition_[column].empty() && !(sum == values_[column])) return false;
  }
  return true;
}

}  // namespace lem::arith
