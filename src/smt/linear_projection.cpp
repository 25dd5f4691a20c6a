// Model-based projection for linear arithmetic: an implicant of the formula as rows, from which one
// variable after the other is eliminated. All arithmetic is exact, and every row holds in the model
// at all times. Tests: tests/unit/smt/projection_test.cpp.
#include <algorithm>
#include <cassert>

#include "arith/number.h"
#include "smt/projection.h"
#include "term/implicant.h"

namespace lem::smt {

namespace {

using arith::Number;

/// sum of factor * part  <= 0, < 0 or = 0. Parts are variables, and terms without eliminated ones.
struct LinearRow {
  enum class Kind : std::uint8_t { AtMost, Less, Equal };
  std::vector<std::pair<Term, Number>> summands;  // by ascending part, no factor is 0
  Number constant;
  Kind kind = Kind::AtMost;
  bool integral = false;  // factors, parts and constant are integers, and the kind is not Less
  Term literal{};         // that it was, if it still is

  const Number* factor_of(Term part) const {
    for (const auto& [each, factor] : summands)
      if (each == part) return &factor;
    return nullptr;
  }
};

class LinearProjection {
 public:
  LinearProjection(TermStore& terms, std::span<const Term> eliminate, const TermMap& model)
      : terms_(terms), eliminate_(eliminate.begin(), eliminate.end()), model_(model) {
    std::sort(eliminate_.begin(), eliminate_.end());
  }

  std::optional<std::vector<Term>> run(Term formula) {
    std::optional<std::vector<Term>> literals = implicant(terms_, formula, model_);
    if (!literals) return {};
    for (Term literal : *literals)
      if (!take(literal)) return {};
    for (Term variable : eliminate_)
      if (terms_.is_numeric(terms_.sort(variable)) && !eliminate(variable)) return {};
    for (const LinearRow& row : rows_) kept_.push_back(row.literal ? row.literal : term_of(row));
    std::sort(kept_.begin(), kept_.end());
    kept_.erase(std::unique(kept_.begin(), kept_.end()), kept_.end());
    std::erase_if(kept_, [&](Term literal) { return terms_.is_true(literal); });
    return std::move(kept_);
  }

 private:
  bool is_eliminated(Term variable) const {
    return std::binary_search(eliminate_.begin(), eliminate_.end(), variable);
  }
  bool mentions_eliminated(Term term) const {
    const std::vector<Term> all = variables_of(terms_, term);
    return std::any_of(all.begin(), all.end(), [&](Term each) { return is_eliminated(each); });
  }

  // Literals as rows ------------------------------------------------------------------------------

  /// False: the literal is none that rows can say, and mentions an eliminated variable.
  bool take(Term literal) {
    const bool concerned = mentions_eliminated(literal);
    // A row is one side of a disequation, and says more than that.
    const bool weaker =
        terms_.op(literal) == Op::Not && terms_.op(terms_.atom_of(literal)) == Op::Eq;
    if (!concerned && weaker) {
      kept_.push_back(literal);
      return true;
    }
    if (std::optional<LinearRow> row = row_of(literal)) {
      if (!concerned) row->literal = literal;
      keep(std::move(*row));
      return true;
    }
    if (!concerned) kept_.push_back(literal);
    // An eliminated Boolean may have the value that it has.
    return !concerned || terms_.is_variable(terms_.atom_of(literal));
  }

  std::optional<LinearRow> row_of(Term literal) {
    const bool negative = terms_.op(literal) == Op::Not;
    const Term atom = terms_.atom_of(literal);
    const Op op = terms_.op(atom);
    if (op != Op::Le && op != Op::Lt && op != Op::Eq) return {};
    if (!terms_.is_numeric(terms_.sort(terms_.arg(atom, 0)))) return {};
    LinearRow row;
    Number one = 1;
    const bool flip = negative && op != Op::Eq;  // not (a <= b) is b < a
    if (!add(terms_.arg(atom, 0), flip ? -one : one, row)) return {};
    if (!add(terms_.arg(atom, 1), flip ? one : -one, row)) return {};
    const bool strict = op == Op::Eq || (op == Op::Lt) != negative;
    row.kind = op == Op::Eq && !negative ? LinearRow::Kind::Equal
               : strict                  ? LinearRow::Kind::Less
                                         : LinearRow::Kind::AtMost;
    merge(row);
    if (op == Op::Eq && negative && value(row).sign() > 0) scale(row, -1);
    row.integral = terms_.kind(terms_.arg(atom, 0)) == SortKind::Int;
    normalize(row);
    return row;
  }

  /// Of inequalities about the same sum the tightest one is enough.
  void keep(LinearRow row) {
    if (row.summands.empty()) return;
    for (LinearRow& other : rows_) {
      if (other.kind == LinearRow::Kind::Equal || row.kind == LinearRow::Kind::Equal) continue;
      if (other.summands != row.summands) continue;
      const int order = compare(row.constant, other.constant);
      if (order > 0 || (order == 0 && row.kind == LinearRow::Kind::Less)) other = std::move(row);
      return;
    }
    rows_.push_back(std::move(row));
  }

  bool add(Term term, const Number& factor, LinearRow& row) {
    switch (terms_.op(term)) {
      case Op::IntValue:
      case Op::RealValue:
        row.constant.add_product(Number(terms_.number_value(term)), factor);
        return true;
      case Op::Add: {
        const std::span<const Term> args = terms_.args(term);
        return std::all_of(args.begin(), args.end(),
                           [&](Term arg) { return add(arg, factor, row); });
      }
      case Op::Mul:
        if (terms_.args(term).size() == 2 && terms_.is_value(terms_.arg(term, 0)))
          return add(terms_.arg(term, 1), factor * Number(terms_.number_value(terms_.arg(term, 0))),
                     row);
        break;
      case Op::ToReal:
        return add(terms_.arg(term, 0), factor, row);
      default:
        break;
    }
    if (!terms_.is_variable(term) && mentions_eliminated(term)) return false;
    row.summands.emplace_back(term, factor);
    return true;
  }

  /// One summand for each part.
  static void merge(LinearRow& row) {
    std::sort(row.summands.begin(), row.summands.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::pair<Term, Number>> merged;
    for (auto& [part, factor] : row.summands) {
      if (!merged.empty() && merged.back().first == part)
        merged.back().second += factor;
      else
        merged.emplace_back(part, std::move(factor));
    }
    std::erase_if(merged, [](const auto& each) { return each.second.is_zero(); });
    row.summands = std::move(merged);
  }

  static void scale(LinearRow& row, const Number& by) {
    for (auto& [part, factor] : row.summands) factor *= by;
    row.constant *= by;
  }

  /// Coprime integer factors; over integers, bounds that are rounded and not strict.
  static void normalize(LinearRow& row) {
    Number denominators = 1;
    Number common = 0;
    for (const auto& [part, factor] : row.summands) {
      const Number denominator = factor.denominator();
      denominators *= denominator / gcd(denominators, denominator);
    }
    for (const auto& [part, factor] : row.summands) common = gcd(common, factor * denominators);
    if (common.is_zero()) return;
    scale(row, denominators / common);
    if (!row.integral || row.kind == LinearRow::Kind::Equal) return;
    if (row.kind == LinearRow::Kind::Less) {  // sum < -c: sum <= ceil(-c) - 1
      row.constant = row.constant.floor() + Number(1);
      row.kind = LinearRow::Kind::AtMost;
    } else {
      row.constant = row.constant.ceil();
    }
  }

  Number value(Term part) const {
    const auto known = model_.find(part);
    return Number(terms_.number_value(known != model_.end() ? known->second
                                                            : evaluate(terms_, part, model_)));
  }
  Number value(const LinearRow& row) const {
    Number sum = row.constant;
    for (const auto& [part, factor] : row.summands) sum.add_product(value(part), factor);
    return sum;
  }
  bool holds(const LinearRow& row) const {
    const int sign = value(row).sign();
    return row.kind == LinearRow::Kind::Equal  ? sign == 0
           : row.kind == LinearRow::Kind::Less ? sign < 0
                                               : sign <= 0;
  }

  // Elimination -----------------------------------------------------------------------------------

  /// False: no row says exactly what values the variable may have.
  bool eliminate(Term variable) {
    std::vector<LinearRow> about;
    std::erase_if(rows_, [&](LinearRow& row) {
      if (row.factor_of(variable) == nullptr) return false;
      about.push_back(std::move(row));
      return true;
    });
    const bool integral = terms_.kind(variable) == SortKind::Int;
    auto may_define = [&](const LinearRow& row) {
      if (!integral) return true;
      return row.integral && row.constant.is_integer() &&
             row.factor_of(variable)->absolute().is_one();
    };
    bool equations = false;
    bool below = false, above = false;
    for (const LinearRow& row : about) {
      equations = equations || row.kind == LinearRow::Kind::Equal;
      (row.factor_of(variable)->sign() > 0 ? above : below) = true;
    }
    if (!equations && (!below || !above)) return true;  // it can be as large or small as is needed
    for (std::size_t i = 0; i < about.size(); ++i) {
      if (equations && about[i].kind != LinearRow::Kind::Equal) continue;
      if (!may_define(about[i])) continue;
      if (std::optional<std::vector<LinearRow>> rest = with_bound(about, i, variable)) {
        for (LinearRow& row : *rest) keep(std::move(row));
        return true;
      }
    }
    return false;
  }

  /// The other rows when the variable is at the bound of row `at`, or next to it if that is strict;
  /// nullopt if one of them would then not hold in the model.
  std::optional<std::vector<LinearRow>> with_bound(const std::vector<LinearRow>& about,
                                                   std::size_t at, Term variable) const {
    const LinearRow& bound = about[at];
    const Number& divisor = *bound.factor_of(variable);
    const bool strict = bound.kind == LinearRow::Kind::Less;
    std::vector<LinearRow> rest;
    for (std::size_t i = 0; i < about.size(); ++i) {
      if (i == at) continue;
      LinearRow row = about[i];
      row.literal = Term();
      const Number factor = *row.factor_of(variable);
      const Number ratio = -(factor / divisor);
      for (const auto& [part, each] : bound.summands) row.summands.emplace_back(part, each * ratio);
      row.constant.add_product(bound.constant, ratio);
      merge(row);
      assert(row.factor_of(variable) == nullptr && "it was replaced");
      const bool same_side = (factor.sign() > 0) == (divisor.sign() > 0);
      // Next to a strict bound, those of the same side hold where theirs is no tighter, and those
      // of the other side where there is room between the two.
      if (strict) row.kind = same_side ? LinearRow::Kind::AtMost : LinearRow::Kind::Less;
      row.integral = row.integral && bound.integral;
      if (row.integral && !row.constant.is_integer()) row.integral = false;
      normalize(row);
      if (!holds(row)) return {};
      rest.push_back(std::move(row));
    }
    return rest;
  }

  Term term_of(const LinearRow& row) {
    const bool integers = row.constant.is_integer() &&
                          std::all_of(row.summands.begin(), row.summands.end(), [&](auto& each) {
                            return terms_.kind(each.first) == SortKind::Int;
                          });
    const Sort sort = integers ? terms_.int_sort() : terms_.real_sort();
    std::vector<Term> args{terms_.number(0, sort)};
    for (const auto& [part, factor] : row.summands) {
      const Term of_sort =
          integers || terms_.kind(part) == SortKind::Real ? part : terms_.make_to_real(part);
      args.push_back(terms_.make_mul(terms_.number(factor.rational(), sort), of_sort));
    }
    const Term left = terms_.make(Op::Add, args);
    const Term right = terms_.number((-row.constant).rational(), sort);
    switch (row.kind) {
      case LinearRow::Kind::Equal:
        return terms_.make_eq(left, right);
      case LinearRow::Kind::Less:
        return terms_.make_lt(left, right);
      case LinearRow::Kind::AtMost:
        return terms_.make_le(left, right);
    }
    unreachable();
  }

  TermStore& terms_;
  std::vector<Term> eliminate_;
  const TermMap& model_;
  std::vector<Term> kept_;
  std::vector<LinearRow> rows_;
};

class LinearProjector final : public ModelProjector {
 public:
  explicit LinearProjector(TermStore& terms) : terms_(terms) {}
  std::optional<std::vector<Term>> project(Term formula, std::span<const Term> eliminate,
                                           const TermMap& model) override {
    return LinearProjection(terms_, eliminate, model).run(formula);
  }

 private:
  TermStore& terms_;
};

}  // namespace

std::unique_ptr<ModelProjector> make_linear_projector(TermStore& terms) {
  return std::make_unique<LinearProjector>(terms);
}

}  // namespace lem::smt
