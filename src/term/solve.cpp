#include "term/solve.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "term/traverse.h"

namespace lem {

namespace {

/// Reads a conjunct as a definition of one of some variables.
class Solver {
 public:
  Solver(TermStore& terms, const std::function<bool(Term)>& wanted)
      : terms_(terms), wanted_(wanted) {}

  std::optional<Definition> solve(Term conjunct) const {
    bool holds = terms_.op(conjunct) != Op::Not;
    Term atom = terms_.atom_of(conjunct);
    if (auto found = as_variable(atom, terms_.boolean(holds))) return found;
    if (terms_.op(atom) != Op::Eq) return std::nullopt;
    Term a = terms_.arg(atom, 0);
    Term b = terms_.arg(atom, 1);
    if (terms_.kind(a) == SortKind::Bool) {
      if (auto found = as_variable(a, holds ? b : terms_.make_not(b))) return found;
      return as_variable(b, holds ? a : terms_.make_not(a));
    }
    if (!holds) return std::nullopt;
    for (auto [side, other] : {std::pair(a, b), std::pair(b, a)})
      if (is_wanted(side) && !mentions(other, side)) return Definition{side, other};
    if (terms_.is_numeric(terms_.sort(a))) return solve_sum(a, b);
    return std::nullopt;
  }

 private:
  bool is_wanted(Term term) const { return terms_.is_variable(term) && wanted_(term); }
  bool mentions(Term term, Term variable) const {
    std::vector<Term> all = variables_of(terms_, term);
    return std::binary_search(all.begin(), all.end(), variable);
  }
  /// `formula` has the truth value `value`: a Bool variable, or a bit-vector of one bit that is 1.
  std::optional<Definition> as_variable(Term formula, Term value) const {
    bool negated = terms_.op(formula) == Op::Not;
    Term atom = terms_.atom_of(formula);
    if (negated) value = terms_.make_not(value);
    if (is_wanted(atom) && !mentions(value, atom)) return Definition{atom, value};
    if (terms_.op(atom) != Op::Eq) return std::nullopt;
    return single_bit(terms_.arg(atom, 0), value, terms_.arg(atom, 1));
  }
  /// `bit` = `constant` has the truth value `value`.
  std::optional<Definition> single_bit(Term bit, Term value, Term constant) const {
    bool fits = is_wanted(bit) && terms_.kind(bit) == SortKind::BitVec && terms_.width(bit) == 1 &&
                terms_.is_value(constant) && !mentions(value, bit);
    if (!fits) return std::nullopt;
    Term other = terms_.make(Op::BvNot, {constant});
    return Definition{bit, terms_.make_ite(value, constant, other)};
  }
  std::optional<Definition> solve_sum(Term a, Term b) const;

  TermStore& terms_;
  const std::function<bool(Term)>& wanted_;
};

/// Over Int only a factor 1 or -1 can be divided by.
std::optional<Definition> Solver::solve_sum(Term a, Term b) const {
  Sort sort = terms_.sort(a);
  std::vector<Term> parts{a};
  if (terms_.op(a) == Op::Add) parts.assign(terms_.args(a).begin(), terms_.args(a).end());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    mpq_class factor = 1;
    Term variable = parts[i];
    if (terms_.op(variable) == Op::Mul && terms_.args(variable).size() == 2 &&
        terms_.is_value(terms_.arg(variable, 0))) {
      factor = terms_.number_value(terms_.arg(variable, 0));
      variable = terms_.arg(variable, 1);
    }
    bool divides = terms_.kind(sort) == SortKind::Real || factor == 1 || factor == -1;
    if (!is_wanted(variable) || !divides) continue;
    Term rest = b;
    for (std::size_t j = 0; j < parts.size(); ++j)
      if (j != i) rest = terms_.make_sub(rest, parts[j]);
    if (mentions(rest, variable)) continue;
    return Definition{variable, terms_.make_mul(terms_.number(mpq_class(1 / factor), sort), rest)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Definition> solve_for(TermStore& terms, Term formula,
                                    const std::function<bool(Term variable)>& wanted) {
  return Solver(terms, wanted).solve(formula);
}

}  // namespace lem
