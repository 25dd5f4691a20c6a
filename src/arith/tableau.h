// The rows of simplex: sum of factor * column = 0, one basic column for each row, integer factors.
//
// Sparse both ways: a row lists its entries and a column the rows it is in; each side knows its
// place in the other, so that an entry is removed without a search. Rows are kept primitive (their
// factors coprime), which keeps numbers short. Tests: tests/unit/arith/simplex_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arith/number.h"

namespace lem::arith {

using Column = std::uint32_t;
using RowIndex = std::uint32_t;

/// factor * column: a summand of a linear form.
struct Summand {
  Number factor;
  Column column = 0;
  friend bool operator==(const Summand&, const Summand&) = default;
};
using LinearForm = std::vector<Summand>;  // by ascending column, no factor is 0

class Tableau {
 public:
  static constexpr RowIndex kNoRow = UINT32_MAX;
  struct Entry {
    Number factor;
    Column column;
    std::uint32_t place;  // in the column's list
  };
  struct Occurrence {
    RowIndex row;
    std::uint32_t place;  // in the row's list
  };

  Column add_column();
  /// A row whose basic column is `base`: base = form, over columns that may be basic themselves.
  ///   require: base is in no row
  void add_row(Column base, std::span<const Summand> form);

  std::size_t columns() const { return row_of_.size(); }
  std::size_t rows() const { return rows_.size(); }
  bool is_basic(Column column) const { return row_of_[column] != kNoRow; }
  RowIndex row_of(Column basic) const { return row_of_[basic]; }
  Column base_of(RowIndex row) const { return base_[row]; }
  const std::vector<Entry>& row(RowIndex row) const { return rows_[row]; }
  const Number& factor(RowIndex row, std::uint32_t place) const { return rows_[row][place].factor; }
  const Number& base_factor(RowIndex row) const { return rows_[row][base_place_[row]].factor; }
  const std::vector<Occurrence>& column(Column column) const { return columns_[column]; }

  /// `entering`, an entry of `row` at `place`, becomes its basic column and leaves all other rows.
  void pivot(RowIndex row, std::uint32_t place);

  /// Every invariant of the lists; for assertions.
  bool is_consistent() const;

 private:
  void append(RowIndex row, Column column, Number factor);
  void remove(RowIndex row, std::uint32_t place);
  /// target := target * scale + source * factor, and primitive again.
  void combine(RowIndex target, const Number& scale, RowIndex source, const Number& factor);
  void make_primitive(RowIndex row);

  std::vector<std::vector<Entry>> rows_;
  std::vector<Column> base_;               // by row
  std::vector<std::uint32_t> base_place_;  // by row
  std::vector<std::vector<Occurrence>> columns_;
  std::vector<RowIndex> row_of_;      // by column; kNoRow: not basic
  std::vector<std::uint32_t> where_;  // by column: place in the row being changed
};

}  // namespace lem::arith
