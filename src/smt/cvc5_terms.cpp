#include "smt/cvc5_terms.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <tuple>
#include <utility>

#include "base/assert.h"
#include "term/floats.h"
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
    case SortKind::Float: {
      auto [exponent, significand] = terms_.format(sort);
      // cvc5 1.0.3 takes the least number of such formats for 0.
      if (exponent < 3) throw cvc5::CVC5ApiException("floats of two exponent bits");
      return solver_.mkFloatingPointSort(exponent, significand);
    }
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
    case Op::FpValue:
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
    case Op::FpNeg:
      return cvc5::FLOATINGPOINT_NEG;
    case Op::FpAbs:
      return cvc5::FLOATINGPOINT_ABS;
    case Op::FpAdd:
      return cvc5::FLOATINGPOINT_ADD;
    case Op::FpMul:
      return cvc5::FLOATINGPOINT_MULT;
    case Op::FpDiv:
      return cvc5::FLOATINGPOINT_DIV;
    case Op::FpSqrt:
      return cvc5::FLOATINGPOINT_SQRT;
    case Op::FpRound:
      return cvc5::FLOATINGPOINT_RTI;
    case Op::FpEq:
      return cvc5::FLOATINGPOINT_EQ;
    case Op::FpLe:
      return cvc5::FLOATINGPOINT_LEQ;
    case Op::FpLt:
      return cvc5::FLOATINGPOINT_LT;
    case Op::FpToFp:
      return cvc5::FLOATINGPOINT_TO_FP_FROM_FP;
    case Op::FpFromBits:
      return cvc5::FLOATINGPOINT_TO_FP_FROM_IEEE_BV;
    case Op::FpFromSigned:
      return cvc5::FLOATINGPOINT_TO_FP_FROM_SBV;
    case Op::FpFromUnsigned:
      return cvc5::FLOATINGPOINT_TO_FP_FROM_UBV;
    case Op::FpToSigned:
      return cvc5::FLOATINGPOINT_TO_SBV;
    case Op::FpToUnsigned:
      return cvc5::FLOATINGPOINT_TO_UBV;
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
    case SortKind::Float:
      return float_constant(terms_.float_value(term));
    case SortKind::Array:
      break;
  }
  assert(false && "arrays are no leaves");
  unreachable();
}

cvc5::Term Cvc5Terms::float_constant(const FloatValue& value) const {
  auto [exponent, significand] = value.format();
  if (value.is_nan()) return solver_.mkFloatingPointNaN(exponent, significand);
  cvc5::Term bits = solver_.mkBitVector(exponent + significand, value.bits().get_str(), 10);
  return solver_.mkFloatingPoint(exponent, significand, bits);
}

cvc5::Term Cvc5Terms::rounding_mode(std::uint32_t rounding) const {
  switch (static_cast<Rounding>(rounding)) {
    case Rounding::NearestEven:
      return solver_.mkRoundingMode(cvc5::ROUND_NEAREST_TIES_TO_EVEN);
    case Rounding::NearestAway:
      return solver_.mkRoundingMode(cvc5::ROUND_NEAREST_TIES_TO_AWAY);
    case Rounding::Up:
      return solver_.mkRoundingMode(cvc5::ROUND_TOWARD_POSITIVE);
    case Rounding::Down:
      return solver_.mkRoundingMode(cvc5::ROUND_TOWARD_NEGATIVE);
    case Rounding::Zero:
      return solver_.mkRoundingMode(cvc5::ROUND_TOWARD_ZERO);
  }
  unreachable();
}

cvc5::Term Cvc5Terms::apply_float(Term term, std::vector<cvc5::Term> args) const {
  Op op = terms_.op(term);
  std::uint32_t p0 = terms_.param(term, 0);
  auto indexed = [&](const std::vector<std::uint32_t>& indices) {
    return solver_.mkTerm(solver_.mkOp(kind_of(op), indices), args);
  };
  switch (op) {
    case Op::FpAdd:
    case Op::FpMul:
    case Op::FpDiv:
    case Op::FpSqrt:
    case Op::FpRound:
      args.insert(args.begin(), rounding_mode(p0));
      return solver_.mkTerm(kind_of(op), args);
    case Op::FpToFp:
    case Op::FpFromSigned:
    case Op::FpFromUnsigned:
      args.insert(args.begin(), rounding_mode(terms_.param(term, 1)));
      [[fallthrough]];
    case Op::FpFromBits:
      return indexed({FloatFormat::unpacked(p0).exponent, FloatFormat::unpacked(p0).significand});
    case Op::FpToSigned:
    case Op::FpToUnsigned: {  // SMT-LIB leaves open what does not fit
      FloatSign sign = op == Op::FpToSigned ? FloatSign::Signed : FloatSign::Unsigned;
      auto [low, high, strict] =
          fp_range(terms_.format(terms_.sort(terms_.arg(term, 0))), p0, sign);
      cvc5::Term above = solver_.mkTerm(strict ? cvc5::FLOATINGPOINT_LT : cvc5::FLOATINGPOINT_LEQ,
                                        {float_constant(low), args[0]});
      cvc5::Term below = solver_.mkTerm(cvc5::FLOATINGPOINT_LT, {args[0], float_constant(high)});
      args.insert(args.begin(), rounding_mode(static_cast<std::uint32_t>(Rounding::Zero)));
      return solver_.mkTerm(cvc5::ITE, {solver_.mkTerm(cvc5::AND, {above, below}), indexed({p0}),
                                        solver_.mkBitVector(p0, 0)});
    }
    default:
      return solver_.mkTerm(kind_of(op), args);
  }
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
    case Op::FpValue:
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
      if (op > Op::FpValue) return apply_float(term, std::move(args));
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
    case SortKind::Float: {
      if (!value.isFloatingPointValue()) return {};
      cvc5::Term bits = std::get<2>(value.getFloatingPointValue());
      return terms_.floating({terms_.format(sort), mpz_class(bits.getBitVectorValue(10))});
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
