#include "engine/parts/terms/seeds/affine.h"

#include <algorithm>
#include <cassert>

namespace lem::engine {

namespace {

/// Brings the rows into reduced echelon form.   ensure: the pivot column of each row left
std::vector<std::size_t> reduce(std::vector<AffinePoint>& rows) {
  std::vector<std::size_t> pivots;
  std::size_t columns = rows.empty() ? 0 : rows[0].size();
  for (std::size_t column = 0; column < columns && pivots.size() < rows.size(); ++column) {
    std::size_t rank = pivots.size();
    auto from = rows.begin() + static_cast<std::ptrdiff_t>(rank);
    auto at = std::find_if(from, rows.end(), [&](const auto& row) { return row[column] != 0; });
    if (at == rows.end()) continue;
    std::iter_swap(from, at);
    mpq_class lead = rows[rank][column];
    for (mpq_class& entry : rows[rank]) entry /= lead;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == rank || rows[r][column] == 0) continue;
      mpq_class factor = rows[r][column];
      for (std::size_t c = column; c < columns; ++c) rows[r][c] -= factor * rows[rank][c];
    }
    pivots.push_back(column);
  }
  rows.resize(pivots.size());
  return pivots;
}

/// What all factors must be multiplied with to become integers.
mpz_class scale_of(const AffineEquation& equation) {
  mpz_class scale = equation.constant.get_den();
  for (const mpq_class& factor : equation.coefficients) scale = lcm(scale, factor.get_den());
  return scale;
}

}  // namespace

bool AffineEquation::holds_at(const AffinePoint& point) const {
  mpq_class sum = -constant;
  for (std::size_t i = 0; i < point.size(); ++i) sum += coefficients[i] * point[i];
  return sum == 0;
}

std::vector<AffineEquation> affine_hull(const std::vector<AffinePoint>& points, std::size_t spare) {
  if (points.empty()) return {};
  std::vector<AffinePoint> rows;
  for (const AffinePoint& point : points) {
    rows.push_back({1});
    rows.back().insert(rows.back().end(), point.begin(), point.end());
  }
  std::vector<std::size_t> pivots = reduce(rows);
  if (points.size() < pivots.size() + spare) return {};
  assert(!pivots.empty() && pivots[0] == 0 && "the first column is all ones");
  std::vector<AffineEquation> equations;
  std::size_t n = points[0].size();
  for (std::size_t column = 1; column <= n; ++column) {
    if (std::find(pivots.begin(), pivots.end(), column) != pivots.end()) continue;
    // A free column is the combination of the pivot columns that its entries say.
    AffineEquation equation{std::vector<mpq_class>(n), rows[0][column]};
    equation.coefficients[column - 1] = 1;
    for (std::size_t r = 1; r < pivots.size(); ++r)
      equation.coefficients[pivots[r] - 1] = -rows[r][column];
    equations.push_back(std::move(equation));
  }
  return equations;
}

mpq_class affine_coordinate(const TermStore& terms, Term value) {
  if (terms.kind(value) == SortKind::BitVec) return terms.signed_value(value);
  return terms.number_value(value);
}

AffineSize size_of(const AffineEquation& equation) {
  mpz_class scale = scale_of(equation);
  AffineSize size{0, 0};
  for (const mpq_class& factor : equation.coefficients) {
    if (factor == 0) continue;
    ++size.variables;
    mpz_class scaled = mpz_class(abs(factor * scale));
    if (scaled > size.factor) size.factor = scaled;
  }
  return size;
}

std::optional<std::pair<Term, Term>> affine_sides(TermStore& terms, std::span<const Term> variables,
                                                  const AffineEquation& equation) {
  assert(variables.size() == equation.coefficients.size() && "a factor for each variable");
  mpz_class scale = scale_of(equation);
  Term sum, bound;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (equation.coefficients[i] == 0) continue;
    Sort sort = terms.sort(variables[i]);
    bool bits = terms.kind(sort) == SortKind::BitVec;
    if (sum && terms.sort(sum) != sort) return {};
    Term factor = terms.number(equation.coefficients[i] * scale, sort);
    Term part = terms.make(bits ? Op::BvMul : Op::Mul, {factor, variables[i]});
    if (!sum) bound = terms.number(equation.constant * scale, sort);
    sum = sum ? terms.make(bits ? Op::BvAdd : Op::Add, {sum, part}) : part;
  }
  if (!sum) return {};
  return std::pair{sum, bound};
}

}  // namespace lem::engine
