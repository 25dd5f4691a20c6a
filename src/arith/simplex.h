// Incremental simplex for DPLL(T) [Dutertre06]: a tableau of equations, bounds on its columns that
// are asserted and retracted in the order of a stack, and conflicts explained by bounds.
//
// Invariants: columns that are not basic are within their bounds; a basic column that is not is on
// the list of the next check(). Retracting only widens bounds, so it changes neither values nor
// tableau. Bounds are numbered: each atom `column <= c` has two, one for either truth value.
// Tests: tests/unit/arith/simplex_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "arith/tableau.h"

namespace lem::arith {

using AtomIndex = std::uint32_t;

/// 2 * atom for its upper bound, + 1 for the lower bound that is the atom's negation.
class BoundId {
 public:
  constexpr BoundId() = default;
  constexpr BoundId(AtomIndex atom, bool lower) : code_(2 * atom + (lower ? 1 : 0)) {}
  constexpr AtomIndex atom() const { return code_ >> 1; }
  constexpr bool is_lower() const { return (code_ & 1) != 0; }
  constexpr bool is_none() const { return code_ == UINT32_MAX; }
  constexpr std::uint32_t code() const { return code_; }
  friend constexpr bool operator==(BoundId, BoundId) = default;

 private:
  std::uint32_t code_ = UINT32_MAX;  // no bound
};

/// column <= upper, and its negation column >= lower.
struct Atom {
  Column column = 0;
  std::uint32_t position = 0;  // among the atoms of the column, by ascending bound
  Delta upper;
  Delta lower;
};

/// A bound of a conflict with its Farkas coefficient, which is positive: the weighted sum of the
/// bounds is 0 <= c with a negative c.
struct Weighted {
  BoundId bound;
  Number weight;
};

class Simplex {
 public:
  enum class Integral : std::uint8_t { No, Yes };
  enum class Outcome : std::uint8_t { Feasible, Conflict, Stopped };

  Column add_column(Integral integral);
  /// The column that equals the form; an earlier one if there is.  require: two summands or more,
  /// over columns that are not such forms themselves
  Column add_form(const LinearForm& form);
  /// `column <= bound`, or `<` if strict; the same atom for the same bound. Over integral columns
  /// the bound is rounded, and never strict.
  AtomIndex add_atom(Column column, Number bound, bool strict);

  std::size_t columns() const { return values_.size(); }
  std::size_t atoms() const { return atoms_.size(); }
  const Atom& atom(AtomIndex atom) const { return atoms_[atom]; }
  const Delta& bound_value(BoundId bound) const {
    const Atom& atom = atoms_[bound.atom()];
    return bound.is_lower() ? atom.lower : atom.upper;
  }
  bool is_integral(Column column) const { return integral_[column] != 0; }
  /// Empty unless the column stands for a form.
  const LinearForm& definition(Column column) const { return definition_[column]; }
  std::span<const AtomIndex> atoms_of(Column column) const { return by_column_[column]; }
  const Tableau& tableau() const { return tableau_; }

  /// False: in conflict with the opposite bound, see conflict(). Bounds that are weaker than what
  /// is asserted are accepted and have no effect.
  bool assert_bound(BoundId bound);
  Outcome check();
  std::span<const Weighted> conflict() const { return conflict_; }

  /// Bounds of other atoms that the last assert_bound() implied: `first` to `last` in atoms_of().
  std::size_t trail_size() const { return trail_.size(); }
  void backtrack(std::size_t trail_size);

  BoundId lower(Column column) const { return lower_[column]; }
  BoundId upper(Column column) const { return upper_[column]; }
  const Delta& value(Column column) const { return values_[column]; }
  /// Would asserting the bound leave all values as they are?
  bool holds(BoundId bound) const {
    const Delta& value = values_[atoms_[bound.atom()].column];
    return bound.is_lower() ? value >= bound_value(bound) : value <= bound_value(bound);
  }
  /// What epsilon stands for so that the values satisfy all bounds as rational numbers.
  Number epsilon() const;
  Number concrete(Column column, const Number& epsilon) const {
    Number result = values_[column].real;
    if (!values_[column].delta.is_zero()) result.add_product(values_[column].delta, epsilon);
    return result;
  }
  /// Moves a column that is not basic; basic ones follow.  require: within its bounds
  void move(Column column, const Delta& to) { update(column, to); }
  bool within_bounds(Column column) const {
    return !below(column, values_[column]) && !above(column, values_[column]);
  }
  bool below(Column column, const Delta& value) const {
    return !lower_[column].is_none() && value < bound_value(lower_[column]);
  }
  bool above(Column column, const Delta& value) const {
    return !upper_[column].is_none() && value > bound_value(upper_[column]);
  }

  /// Columns that are not basic and have long values get short ones, as far as bounds allow. Values
  /// outlive the query that needed them, and in models of later ones they would grow.
  void shorten_values();

  std::uint64_t pivots() const { return pivots_; }
  /// check() answers Stopped after so many pivots; UINT64_MAX: no limit.
  void limit_pivots(std::uint64_t pivots) { pivot_limit_ = pivots; }
  void set_stop(std::function<bool()> stop) { stop_ = std::move(stop); }

  /// The weighted sum of the bounds is a contradiction; for assertions and tests.
  bool refutes(std::span<const Weighted> bounds) const;
  /// Tableau and values fit, columns that are not basic are within their bounds.
  bool is_consistent() const;

 private:
  struct Undo {
    BoundId previous;
    BoundId bound;
  };
  void update(Column column, const Delta& to);
  void shift_base(RowIndex row, const Number& factor, const Delta& by);
  void pivot_and_update(RowIndex row, std::uint32_t place, const Delta& to);
  std::uint32_t select_entering(RowIndex row, bool increase, bool bland) const;
  void explain(RowIndex row, bool increase);
  void relax_conflict(Delta gap);
  void suspect(Column basic);
  Column next_suspect();

  Tableau tableau_;
  std::vector<Delta> values_;
  std::vector<BoundId> lower_, upper_;  // by column
  std::vector<std::uint8_t> integral_;
  std::vector<LinearForm> definition_;
  std::unordered_multimap<std::size_t, Column> forms_;  // by hash
  std::vector<Atom> atoms_;
  std::vector<std::vector<AtomIndex>> by_column_;  // ascending
  std::vector<BoundId> weaker_;                    // by bound: what it replaced when asserted
  std::vector<Undo> trail_;
  std::vector<Column> suspects_;  // a heap: basic columns that may be outside their bounds
  std::vector<std::uint8_t> is_suspect_;
  std::vector<Weighted> conflict_;
  Delta gap_;
  std::uint64_t pivots_ = 0;
  std::uint64_t pivot_limit_ = UINT64_MAX;
  std::function<bool()> stop_;
};

}  // namespace lem::arith
