#include "smt/cvc5_terms.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "base/assert.h"
#include "term/postorder.h"

namespace lem::smt {

cvc5::Sort Cvc5Terms::to_cvc5(Sort sort) const {
  switch (terms_.kind(sort)) {
    case SortKind::Bool:
      return solver_.getBooleanSort();
    case SortKind::BitVec:
      return solver_.mkBitVectorSort(terms_.width(sort));
    case SortKind::Int:
      return solver_.getIntegerSort();
    case SortKind::Real:
      return solver_.getRealSort();
    case SortKind::Array:
      return solver_.mkArraySort(to_cvc5(terms_.index_sort(sort)),
                                 to_cvc5(terms_.element_sort(sort)));
  }
  unreachable();
}

cvc5::Term Cvc5Terms::to_cvc5(Term root) {
  if (made_.size() < terms_.size()) made_.resize(terms_.size());
  postorder(
      terms_, root, [&](Term term) { return made_[term.id()].has_value(); },
      [&](Term term) { made_[term.id()] = apply(term); });
  return *made_[root.id()];
}

namespace {

// long: flat switch
cvc5::Kind kind_of(Op op) {
  switch (op) {
    case Op::Variable:
    case Op::BoolValue:
    case Op::BvValue:
    case Op::IntValue:
    case Op::RealValue:
    case Op::ConstArray:
      break;
    case Op::Eq:
      return cvc5::EQUAL;
    case Op::Ite:
      return cvc5::ITE;
    case Op::Not:
      return cvc5::NOT;
    case Op::And:
      return cvc5::AND;
    case Op::Or:
      return cvc5::OR;
    case Op::BvNot:
      return cvc5::BITVECTOR_NOT;
    case Op::BvNeg:
      return cvc5::BITVECTOR_NEG;
    case Op::BvAnd:
      return cvc5::BITVECTOR_AND;
    case Op::BvOr:
      return cvc5::BITVECTOR_OR;
    case Op::BvXor:
      return cvc5::BITVECTOR_XOR;
    case Op::BvAdd:
      return cvc5::BITVECTOR_ADD;
    case Op::BvMul:
      return cvc5::BITVECTOR_MULT;
    case Op::BvUdiv:
      return cvc5::BITVECTOR_UDIV;
    case Op::BvUrem:
      return cvc5::BITVECTOR_UREM;
    case Op::BvSdiv:
      return cvc5::BITVECTOR_SDIV;
    case Op::BvSrem:
      return cvc5::BITVECTOR_SREM;
    case Op::BvSmod:
      return cvc5::BITVECTOR_SMOD;
    case Op::BvShl:
      return cvc5::BITVECTOR_SHL;
    case Op::BvLshr:
      return cvc5::BITVECTOR_LSHR;
    case Op::BvAshr:
      return cvc5::BITVECTOR_ASHR;
    case Op::BvUlt:
      return cvc5::BITVECTOR_ULT;
    case Op::BvSlt:
      return cvc5::BITVECTOR_SLT;
    case Op::BvConcat:
      return cvc5::BITVECTOR_CONCAT;
    case Op::BvExtract:
      return cvc5::BITVECTOR_EXTRACT;
    case Op::BvZeroExtend:
      return cvc5::BITVECTOR_ZERO_EXTEND;
    case Op::BvSignExtend:
      return cvc5::BITVECTOR_SIGN_EXTEND;
    case Op::Add:
      return cvc5::ADD;
    case Op::Mul:
      return cvc5::MULT;
    case Op::Le:
      return cvc5::LEQ;
    case Op::Lt:
      return cvc5::LT;
    case Op::IntDiv:
      return cvc5::INTS_DIVISION;
    case Op::IntMod:
      return cvc5::INTS_MODULUS;
    case Op::ToReal:
      return cvc5::TO_REAL;
    case Op::ToInt:
      return cvc5::TO_INTEGER;
    case Op::Select:
      return cvc5::SELECT;
    case Op::Store:
      return cvc5::STORE;
  }
  assert(false && "leaves and constant arrays are no applications");
  unreachable();
}

}  // namespace

cvc5::Term Cvc5Terms::leaf(Term term) {
  switch (terms_.kind(term)) {
    case SortKind::Bool:
      return solver_.mkBoolean(terms_.is_true(term));
    case SortKind::BitVec:
      return solver_.mkBitVector(terms_.width(term), terms_.integer_value(term).get_str(), 10);
    case SortKind::Int:
      return solver_.mkInteger(terms_.integer_value(term).get_str());
    case SortKind::Real:
      return solver_.mkReal(terms_.real_value(term).get_str());
    case SortKind::Array:
      break;
  }
  assert(false && "arrays are no leaves");
  unreachable();
}

cvc5::Term Cvc5Terms::apply(Term term) {
  std::vector<cvc5::Term> args;
  for (Term arg : terms_.args(term)) args.push_back(*made_[arg.id()]);
  switch (Op op = terms_.op(term)) {
    case Op::Variable:
      variables_.push_back(term);
      return solver_.mkConst(to_cvc5(terms_.sort(term)), "v" + std::to_string(term.id()));
    case Op::BoolValue:
    case Op::BvValue:
    case Op::IntValue:
    case Op::RealValue:
      return leaf(term);
    case Op::ConstArray:
      return solver_.mkConstArray(to_cvc5(terms_.sort(term)), args[0]);
    case Op::BvExtract:
      return solver_.mkTerm(
          solver_.mkOp(kind_of(op), {terms_.param(term, 0), terms_.param(term, 1)}), args);
    case Op::BvZeroExtend:
    case Op::BvSignExtend:
      return solver_.mkTerm(solver_.mkOp(kind_of(op), {terms_.param(term, 0)}), args);
    default:
      return solver_.mkTerm(kind_of(op), args);
  }
}

// Back --------------------------------------------------------------------------------------------

std::optional<Term> Cvc5Terms::from_cvc5(const cvc5::Term& value, Sort sort) {
  switch (terms_.kind(sort)) {
    case SortKind::Bool:
      if (!value.isBooleanValue()) return {};
      return terms_.boolean(value.getBooleanValue());
    case SortKind::BitVec:
      if (!value.isBitVectorValue()) return {};
      return terms_.bv(mpz_class(value.getBitVectorValue(10)), terms_.width(sort));
    case SortKind::Int:
      if (!value.isIntegerValue()) return {};
      return terms_.integer(mpz_class(value.getIntegerValue()));
    case SortKind::Real: {
      if (!value.isRealValue()) return {};
      mpq_class number(value.getRealValue());
      number.canonicalize();
      return terms_.real(number);
    }
    case SortKind::Array:
      return array_from_cvc5(value, sort);
  }
  unreachable();
}

/// Stores over a constant array, the last one outermost.
std::optional<Term> Cvc5Terms::array_from_cvc5(const cvc5::Term& value, Sort sort) {
  std::vector<cvc5::Term> stores;
  cvc5::Term base = value;
  while (base.getKind() == cvc5::STORE) {
    stores.push_back(base);
    base = cvc5::Term(base[0]);
  }
  if (!base.isConstArray()) return {};
  std::optional<Term> element = from_cvc5(base.getConstArrayBase(), terms_.element_sort(sort));
  if (!element) return {};
  Term array = terms_.make_const_array(sort, *element);
  for (std::size_t i = stores.size(); i-- > 0;) {
    std::optional<Term> index = from_cvc5(stores[i][1], terms_.index_sort(sort));
    element = from_cvc5(stores[i][2], terms_.element_sort(sort));
    if (!index || !element) return {};
    array = terms_.make_store(array, *index, *element);
  }
  return array;
}

}  // namespace lem::smt
