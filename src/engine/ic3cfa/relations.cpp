#include "engine/ic3cfa/relations.h"

#include "smt/solvers.h"

#include <algorithm>
#include <cassert>

namespace lem::engine {

namespace {
constexpr std::size_t kMostVariables = 6;  // of a cube: pairs of them are asked about
}  // namespace

CfaRelations::CfaRelations(TermStore& terms, CfaLiterals& literals, std::uint32_t patience,
                           std::uint32_t limit, const Context& ctx)
    : terms_(terms),
      literals_(literals),
      limit_(limit),
      scratch_(smt::Solvers(ctx).make(terms, smt::Workload::Stream)),
      shapes_(patience) {}

bool CfaRelations::is_number(Term variable) const {
  SortKind kind = terms_.kind(variable);
  return kind == SortKind::Int || kind == SortKind::Real ||
         (kind == SortKind::BitVec && terms_.width(variable) > 1);
}

/// Operators and variables, without the values. Shapes that share a hash cost quality, never
/// soundness.
std::uint64_t CfaRelations::shape(LocationId at, std::span<const Lit> cube) {
  std::uint64_t all = lem::index(at);
  for (Lit lit : cube) {
    std::uint64_t hash = lit.negative() ? 1 : 0;
    Term atom = terms_.atom_of(literals_.formula(lit));
    for_each_subterm(terms_, {&atom, 1}, [&](Term term) {
      if (terms_.is_value(term) || terms_.op(term) == Op::BvAdd || terms_.op(term) == Op::Add)
        return;  // a sum appears when its constant is not zero
      auto op = static_cast<std::uint64_t>(terms_.op(term));
      hash +=
          (op * 0x9E3779B97F4A7C15U) ^ (terms_.is_variable(term) ? term.id() * 0x100000001B3U : 0);
    });
    all += hash * hash;  // whatever the order of literals
  }
  return all;
}

std::vector<Lit> CfaRelations::implied_by(LocationId at, std::span<const Lit> cube) {
  if (!shapes_.enabled()) return {};
  const std::uint64_t shape = this->shape(at, cube);
  Term formula = literals_.conjunction(cube);
  if (shapes_.count(shape) == 1) first_[shape] = values_in(formula);
  if (!shapes_.diverges(shape)) return {};
  Point now = values_in(formula);
  std::vector<Term> found;
  for (Lit lit : cube) shifts(literals_.formula(lit), now, found);
  assert(first_.contains(shape) && "the first cube of a shape is kept");
  lines(first_.at(shape), now, found);
  orders(formula, found);
  std::vector<Lit> relations;
  for (Term each : found) {
    if (!literals_.is_literal(each)) continue;
    Lit lit = literals_.of(each);
    if (std::find(relations.begin(), relations.end(), lit) == relations.end() &&
        std::find(cube.begin(), cube.end(), lit) == cube.end())
      relations.push_back(lit);
  }
  return relations;
}

CfaRelations::Point CfaRelations::values_in(Term cube) {
  std::vector<Term> variables = variables_of(terms_, cube);
  std::erase_if(variables, [&](Term each) { return !is_number(each); });
  Point point;
  if (variables.size() > kMostVariables) return point;
  {
    smt::Scope scope(*scratch_);
    scratch_->limit_time(limit_);
    scratch_->add(cube);
    if (scratch_->solve() != smt::Answer::Sat) return point;
    for (Term variable : variables) point.emplace_back(variable, scratch_->value(variable));
  }
  std::erase_if(point, [&](const auto& each) {
    return !follows(cube, terms_.make_eq(each.first, each.second));
  });
  return point;
}

bool CfaRelations::follows(Term cube, Term formula) {
  assert(terms_.kind(formula) == SortKind::Bool && "formulas follow");
  if (terms_.is_true(formula)) return true;
  smt::Scope scope(*scratch_);
  scratch_->limit_time(limit_);
  scratch_->add(cube);
  scratch_->add(terms_.make_not(formula));
  return scratch_->solve() == smt::Answer::Unsat;
}

Term CfaRelations::sum(Term a, Term b) {
  bool bits = terms_.kind(a) == SortKind::BitVec;
  return bits ? terms_.make(Op::BvAdd, {a, b}) : terms_.make_add(a, b);
}

Term CfaRelations::difference(Term a, Term b) {
  bool bits = terms_.kind(a) == SortKind::BitVec;
  return bits ? terms_.make_bv_sub(a, b) : terms_.make_sub(a, b);
}

Term CfaRelations::times(Term factor, Term a) {
  bool bits = terms_.kind(a) == SortKind::BitVec;
  return bits ? terms_.make(Op::BvMul, {factor, a}) : terms_.make_mul(factor, a);
}

std::size_t CfaRelations::constants(Term formula) {
  std::size_t count = 0;
  for_each_subterm(terms_, {&formula, 1}, [&](Term term) { count += terms_.is_value(term); });
  return count;
}

/// Of equations and their negations: x - v is zero, so it may be added to either side.
void CfaRelations::shifts(Term literal, const Point& point, std::vector<Term>& found) {
  Term atom = terms_.atom_of(literal);
  if (terms_.op(atom) != Op::Eq || !is_number(terms_.arg(atom, 0))) return;
  Term a = terms_.arg(atom, 0), b = terms_.arg(atom, 1);
  for (auto [variable, value] : point) {
    if (terms_.sort(variable) != terms_.sort(a) || a == variable || b == variable) continue;
    for (auto [left, right] : {std::pair{a, b}, std::pair{b, a}}) {
      Term shifted = terms_.make_eq(sum(difference(left, value), variable), right);
      if (terms_.is_value(shifted) || constants(shifted) >= constants(atom)) continue;
      found.push_back(atom == literal ? shifted : terms_.make_not(shifted));
    }
  }
}

/// Divides both by what they have in common.
void CfaRelations::reduce(Term& a, Term& b) {
  SortKind kind = terms_.kind(a);
  if (kind == SortKind::Real) return;
  bool bits = kind == SortKind::BitVec;
  mpz_class x = bits ? terms_.signed_value(a) : terms_.integer_value(a);
  mpz_class y = bits ? terms_.signed_value(b) : terms_.integer_value(b);
  mpz_class common = gcd(x, y);
  assert(common != 0 && "one of them is not zero");
  auto as_term = [&](const mpz_class& value) {
    return bits ? terms_.bv(value, terms_.width(a)) : terms_.integer(value);
  };
  Term left = as_term(x / common), right = as_term(y / common);
  a = left;
  b = right;
}

/// dy * (x - x0) = dx * (y - y0), where (dx, dy) leads from the first point to this one. Lines
/// along an axis are left out: they are equations of one variable, which the cube has already.
void CfaRelations::lines(const Point& first, const Point& now, std::vector<Term>& found) {
  auto value_then = [&](Term variable) {
    auto at = std::find_if(first.begin(), first.end(),
                           [&](const auto& each) { return each.first == variable; });
    return at == first.end() ? Term() : at->second;
  };
  for (std::size_t i = 0; i < now.size(); ++i)
    for (std::size_t j = i + 1; j < now.size(); ++j) {
      auto [x, x0] = now[i];
      auto [y, y0] = now[j];
      Term x1 = value_then(x), y1 = value_then(y);
      if (!x1 || !y1 || terms_.sort(x) != terms_.sort(y)) continue;
      Term dx = difference(x0, x1), dy = difference(y0, y1), zero = difference(x0, x0);
      if (dx == zero || dy == zero) continue;
      reduce(dx, dy);
      Term constant = difference(times(dy, x0), times(dx, y0));
      if (dx == dy)
        found.push_back(terms_.make_eq(difference(x, y), difference(x0, y0)));
      else if (sum(dx, dy) == zero)
        found.push_back(terms_.make_eq(sum(x, y), sum(x0, y0)));
      else
        found.push_back(terms_.make_eq(difference(times(dy, x), times(dx, y)), constant));
    }
}

void CfaRelations::orders(Term cube, std::vector<Term>& found) {
  std::vector<Term> variables = variables_of(terms_, cube);
  std::erase_if(variables, [&](Term each) { return !is_number(each); });
  if (variables.size() > kMostVariables) return;
  auto less = [&](Op op, Term x, Term y) { return terms_.make(op, {x, y}); };
  for (Term x : variables)
    for (Term y : variables) {
      if (x == y || terms_.sort(x) != terms_.sort(y)) continue;
      bool bits = terms_.kind(x) == SortKind::BitVec;
      for (Op op : bits ? std::vector{Op::BvSlt, Op::BvUlt} : std::vector{Op::Lt}) {
        Term strict = less(op, x, y), loose = terms_.make_not(less(op, y, x));
        if (!follows(cube, loose)) continue;
        found.push_back(loose);
        if (follows(cube, strict)) found.push_back(strict);
      }
    }
}

}  // namespace lem::engine
