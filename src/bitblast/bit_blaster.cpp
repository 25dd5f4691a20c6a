#include "bitblast/bit_blaster.h"
#include "term/postorder.h"

#include <utility>

namespace lem::bitblast {

std::uint32_t BitBlaster::size_of(const TermStore& terms, Sort sort) {
  if (terms.kind(sort) == SortKind::Bool) return 1;
  assert(terms.kind(sort) == SortKind::BitVec && "only Bool and BitVec have bits");
  return terms.width(sort);
}

void BitBlaster::keep(Term term, AigWord bits) {
  assert(bits.size() == size_of(terms_, terms_.sort(term)) && "a bit for each place");
  auto [entry, fresh] = cache_.emplace(term, std::move(bits));
  assert(fresh && "terms are translated once");
  order_.push_back({term, &entry->second});  // nodes of the map do not move
}

void BitBlaster::define(Term variable, AigWord bits) {
  assert(terms_.is_variable(variable) && "only variables are defined");
  keep(variable, std::move(bits));
}

const AigWord& BitBlaster::bits(Term root) {
  postorder(
      terms_, root, [&](Term term) { return cache_.contains(term); },
      [&](Term term) { keep(term, translate(term)); });
  return cache_.at(root);
}

template <class Combine>
AigWord BitBlaster::fold(Term term, Combine combine) {
  AigWord result = of(term, 0);
  for (std::size_t k = 1; k < terms_.args(term).size(); ++k) {
    const AigWord& next = of(term, k);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = combine(result[i], next[i]);
  }
  return result;
}

/// a - b is written a + (-b): one adder does both.
AigWord BitBlaster::translate_sum(Term term) {
  auto is_negated = [&](std::size_t i) { return terms_.op(terms_.arg(term, i)) == Op::BvNeg; };
  std::size_t size = terms_.args(term).size();
  std::size_t first = is_negated(0) && !is_negated(size - 1) ? size - 1 : 0;
  AigWord sum = of(term, first);
  for (std::size_t i = 0; i < size; ++i) {
    if (i == first) continue;
    if (is_negated(i)) {
      const AigWord& positive = cache_.at(terms_.arg(terms_.arg(term, i), 0));
      sum = circuits_.add(sum, circuits_.complement(positive), kAigTrue);
    } else {
      sum = circuits_.add(sum, of(term, i), kAigFalse);
    }
  }
  return sum;
}

AigWord BitBlaster::translate_logic(Term term) {
  AigWord literals;
  for (Term arg : terms_.args(term)) literals.push_back(cache_.at(arg).front());
  bool all = terms_.op(term) == Op::And;
  return {all ? circuits_.all_of(std::move(literals)) : circuits_.any_of(std::move(literals))};
}

// long: flat switch
AigWord BitBlaster::translate(Term term) {
  auto arg = [&](std::size_t i) -> const AigWord& { return of(term, i); };
  switch (terms_.op(term)) {
    case Op::BoolValue:
      return {terms_.is_true(term) ? kAigTrue : kAigFalse};
    case Op::BvValue: {
      const mpz_class& value = terms_.integer_value(term);
      AigWord result;
      for (std::uint32_t i = 0; i < terms_.width(term); ++i)
        result.push_back(mpz_tstbit(value.get_mpz_t(), i) != 0 ? kAigTrue : kAigFalse);
      return result;
    }
    case Op::Eq:
      return {circuits_.equal(arg(0), arg(1))};
    case Op::Ite:
      return circuits_.mux(arg(0).front(), arg(1), arg(2));
    case Op::Not:
    case Op::BvNot:
      return circuits_.complement(arg(0));
    case Op::And:
    case Op::Or:
      return translate_logic(term);
    case Op::BvNeg:
      return circuits_.negate(arg(0));
    case Op::BvAnd:
      return fold(term, [&](AigLit a, AigLit b) { return out_.and_gate(a, b); });
    case Op::BvOr:
      return fold(term, [&](AigLit a, AigLit b) { return out_.or_gate(a, b); });
    case Op::BvXor:
      return fold(term, [&](AigLit a, AigLit b) { return circuits_.exclusive(a, b); });
    case Op::BvAdd:
      return translate_sum(term);
    case Op::BvMul: {
      AigWord product = arg(0);
      for (std::size_t i = 1; i < terms_.args(term).size(); ++i)
        product = circuits_.multiply(product, arg(i));
      return product;
    }
    case Op::BvUdiv:
      return circuits_.divide(arg(0), arg(1)).quotient;
    case Op::BvUrem:
      return circuits_.divide(arg(0), arg(1)).remainder;
    case Op::BvSdiv:
      return circuits_.signed_quotient(arg(0), arg(1));
    case Op::BvSrem:
      return circuits_.signed_remainder(arg(0), arg(1));
    case Op::BvSmod:
      return circuits_.signed_modulo(arg(0), arg(1));
    case Op::BvShl:
      return circuits_.shift(arg(0), arg(1), ShiftKind::Left);
    case Op::BvLshr:
      return circuits_.shift(arg(0), arg(1), ShiftKind::Right);
    case Op::BvAshr:
      return circuits_.shift(arg(0), arg(1), ShiftKind::RightSigned);
    case Op::BvUlt:
      return {circuits_.less(arg(0), arg(1))};
    case Op::BvSlt:
      return {circuits_.signed_less(arg(0), arg(1))};
    case Op::BvConcat: {
      AigWord result = arg(1);
      result.insert(result.end(), arg(0).begin(), arg(0).end());
      return result;
    }
    case Op::BvExtract: {
      auto low = arg(0).begin() + terms_.param(term, 1);
      return {low, arg(0).begin() + terms_.param(term, 0) + 1};
    }
    case Op::BvZeroExtend:
    case Op::BvSignExtend: {
      AigWord result = arg(0);
      AigLit fill = terms_.op(term) == Op::BvSignExtend ? result.back() : kAigFalse;
      result.insert(result.end(), terms_.param(term, 0), fill);
      return result;
    }
    case Op::Variable:
      assert(leaf_ && "the variable is defined");
      return leaf_(term);
    case Op::IntValue:
    case Op::RealValue:
    case Op::Add:
    case Op::Mul:
    case Op::Le:
    case Op::Lt:
    case Op::IntDiv:
    case Op::IntMod:
    case Op::ToReal:
    case Op::ToInt:
    case Op::Select:
    case Op::Store:
    case Op::ConstArray:
    case Op::FpValue:
    case Op::FpNeg:
    case Op::FpAbs:
    case Op::FpAdd:
    case Op::FpMul:
    case Op::FpDiv:
    case Op::FpSqrt:
    case Op::FpRound:
    case Op::FpEq:
    case Op::FpLe:
    case Op::FpLt:
    case Op::FpToFp:
    case Op::FpFromBits:
    case Op::FpFromSigned:
    case Op::FpFromUnsigned:
    case Op::FpToSigned:
    case Op::FpToUnsigned:
      break;
  }
  assert(false && "only operators over Bool and BitVec have bits");
  unreachable();
}

}  // namespace lem::bitblast
