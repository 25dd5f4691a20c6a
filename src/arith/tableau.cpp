#include "arith/tableau.h"

#include <cassert>

namespace lem::arith {

static constexpr std::uint32_t kNowhere = UINT32_MAX;

Column Tableau::add_column() {
  columns_.emplace_back();
  row_of_.push_back(kNoRow);
  where_.push_back(kNowhere);
  return static_cast<Column>(row_of_.size() - 1);
}

void Tableau::append(RowIndex row, Column column, Number factor) {
  auto place = static_cast<std::uint32_t>(columns_[column].size());
  columns_[column].push_back({row, static_cast<std::uint32_t>(rows_[row].size())});
  rows_[row].push_back({std::move(factor), column, place});
}

void Tableau::remove(RowIndex row, std::uint32_t place) {
  std::vector<Entry>& entries = rows_[row];
  std::vector<Occurrence>& list = columns_[entries[place].column];
  const std::uint32_t hole = entries[place].place;
  if (hole + 1 != list.size()) {
    list[hole] = list.back();
    rows_[list[hole].row][list[hole].place].place = hole;
  }
  list.pop_back();
  if (place + 1 != entries.size()) {
    entries[place] = std::move(entries.back());
    columns_[entries[place].column][entries[place].place].place = place;
    if (base_place_[row] + 1 == entries.size()) base_place_[row] = place;
  }
  entries.pop_back();
}

void Tableau::add_row(Column base, std::span<const Summand> form) {
  assert(!is_basic(base) && columns_[base].empty() && "a new row defines a new column");
  auto row = static_cast<RowIndex>(rows_.size());
  rows_.emplace_back();
  base_.push_back(base);
  base_place_.push_back(0);
  Number scale = 1;  // of the whole row: factors of the form may be fractions
  for (const Summand& summand : form) {
    const Number denominator = summand.factor.denominator();
    scale *= denominator / gcd(scale, denominator);
  }
  append(row, base, -scale);
  for (const Summand& summand : form) append(row, summand.column, summand.factor * scale);
  row_of_[base] = row;
  // Basic columns are replaced by their rows. combine() may append, never another basic column.
  for (const Summand& summand : form) {
    if (!is_basic(summand.column)) continue;
    const RowIndex source = row_of_[summand.column];
    std::uint32_t place = 0;
    while (rows_[row][place].column != summand.column) ++place;
    const Number at = rows_[row][place].factor;
    const Number divisor = base_factor(source);
    const Number common = gcd(at, divisor);
    combine(row, divisor / common, source, -(at / common));
  }
  make_primitive(row);
}

void Tableau::combine(RowIndex target, const Number& scale, RowIndex source, const Number& factor) {
  std::vector<Entry>& entries = rows_[target];
  for (std::uint32_t i = 0; i < entries.size(); ++i) where_[entries[i].column] = i;
  if (!scale.is_one())
    for (Entry& entry : entries) entry.factor *= scale;
  const std::size_t before = entries.size();
  for (const Entry& entry : rows_[source]) {
    const std::uint32_t at = where_[entry.column];
    if (at == kNowhere)
      append(target, entry.column, entry.factor * factor);
    else
      entries[at].factor.add_product(entry.factor, factor);
  }
  for (std::size_t i = 0; i < before; ++i) where_[entries[i].column] = kNowhere;
  for (std::size_t i = before; i-- > 0;)
    if (entries[i].factor.is_zero()) remove(target, static_cast<std::uint32_t>(i));
  make_primitive(target);
}

void Tableau::make_primitive(RowIndex row) {
  Number common = 0;
  for (const Entry& entry : rows_[row]) {
    common = gcd(common, entry.factor);
    if (common.is_one()) return;
  }
  for (Entry& entry : rows_[row]) entry.factor /= common;
}

void Tableau::pivot(RowIndex row, std::uint32_t place) {
  const Column entering = rows_[row][place].column;
  assert(!is_basic(entering) && "a basic column enters");
  row_of_[base_[row]] = kNoRow;
  row_of_[entering] = row;
  base_[row] = entering;
  base_place_[row] = place;
  const Number divisor = rows_[row][place].factor;
  const std::vector<Occurrence>& list = columns_[entering];
  // Each combination removes the occurrence that it is about and moves another one there.
  for (std::uint32_t i = 0; i < list.size();) {
    if (list[i].row == row) {
      ++i;
      continue;
    }
    const RowIndex target = list[i].row;
    const Number& at = rows_[target][list[i].place].factor;
    if (divisor.is_one()) {
      combine(target, 1, row, -at);
    } else {
      const Number common = gcd(at, divisor);
      combine(target, divisor / common, row, -(at / common));
    }
  }
}

bool Tableau::is_consistent() const {
  for (RowIndex row = 0; row < rows_.size(); ++row) {
    if (row_of_[base_[row]] != row || rows_[row][base_place_[row]].column != base_[row])
      return false;
    for (std::uint32_t i = 0; i < rows_[row].size(); ++i) {
      const Entry& entry = rows_[row][i];
      if (entry.factor.is_zero() || !entry.factor.is_integer()) return false;
      if (is_basic(entry.column) && entry.column != base_[row]) return false;
      const Occurrence& back = columns_[entry.column][entry.place];
      if (back.row != row || back.place != i) return false;
    }
  }
  for (Column column = 0; column < columns_.size(); ++column)
    for (std::uint32_t i = 0; i < columns_[column].size(); ++i) {
      const Occurrence& at = columns_[column][i];
      if (rows_[at.row][at.place].column != column || rows_[at.row][at.place].place != i)
        return false;
    }
  return true;
}

}  // namespace lem::arith
