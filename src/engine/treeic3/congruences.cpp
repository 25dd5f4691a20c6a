#include "engine/treeic3/congruences.h"

#include <algorithm>
#include <cassert>

#include "term/traverse.h"

namespace lem::engine {

bool Congruences::is_equation(Term formula) const {
  return terms_.op(formula) == Op::Eq && terms_.kind(terms_.arg(formula, 0)) == SortKind::BitVec &&
         terms_.width(terms_.arg(formula, 0)) > 1;
}

std::size_t Congruences::weaken(LocationId at, std::vector<Lit>& cube,
                                const IsBlocked& is_blocked) {
  if (!equations_.enabled()) return 0;
  std::size_t replaced = 0;
  for (Lit lit : std::vector<Lit>(cube)) {
    Term equation = literals_.formula(lit);
    if (!is_equation(equation)) continue;
    std::pair shape(at, variables_of(terms_, equation));
    equations_.count(shape);
    if (!equations_.diverges(shape)) continue;
    bool weaker = weaken(cube, lit, is_blocked);
    equations_.record(shape, weaker);
    replaced += weaker ? 1 : 0;
  }
  return replaced;
}

bool Congruences::weaken(std::vector<Lit>& cube, Lit equation, const IsBlocked& is_blocked) {
  auto at = std::find(cube.begin(), cube.end(), equation);
  assert(at != cube.end() && "the equation is in the cube");
  Term left = terms_.arg(literals_.formula(equation), 0);
  Term right = terms_.arg(literals_.formula(equation), 1);
  for (std::uint32_t bits = 1; bits <= 4 && bits < terms_.width(left); bits *= 2) {
    Term congruence = terms_.make_eq(low(left, bits), low(right, bits));
    if (terms_.is_value(congruence)) continue;
    *at = literals_.of(congruence);
    if (is_blocked(cube)) return true;
  }
  *at = equation;
  return false;
}

Term Congruences::low(Term term, std::uint32_t bits) {
  assert(0 < bits && bits <= terms_.width(term) && "some of its bits");
  switch (terms_.op(term)) {
    case Op::BvAdd:
    case Op::BvMul:
    case Op::BvNeg:
    case Op::BvNot:
    case Op::BvAnd:
    case Op::BvOr:
    case Op::BvXor: {
      std::vector<Term> args;
      for (Term arg : terms_.args(term)) args.push_back(low(arg, bits));
      return terms_.make(terms_.op(term), args);
    }
    default:
      return terms_.make_extract(term, bits - 1, 0);
  }
}

}  // namespace lem::engine
