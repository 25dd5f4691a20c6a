#include "transform/bitblast/circuits.h"

#include <algorithm>

namespace lem {

/// Signs are taken out first, so that a ^ b and a ^ !b are one gate.
AigLit Circuits::exclusive(AigLit a, AigLit b) {
  bool flip = a.negative() != b.negative();
  return out_.xor_gate(a ^ a.negative(), b ^ b.negative()) ^ flip;
}

AigLit Circuits::choose(AigLit condition, AigLit a, AigLit b) {
  if (a == b) return a;
  if (a == !b) return !exclusive(condition, a);
  return out_.mux_gate(condition, a, b);
}

AigLit Circuits::all_of(Bits literals) {
  if (literals.empty()) return kAigTrue;
  while (literals.size() > 1) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i + 1 < literals.size(); i += 2)
      literals[kept++] = out_.and_gate(literals[i], literals[i + 1]);
    if (literals.size() % 2 == 1) literals[kept++] = literals.back();
    literals.resize(kept);
  }
  return literals.front();
}

AigLit Circuits::any_of(Bits literals) {
  return !all_of(complement(literals));
}

Bits Circuits::complement(BitSpan a) const {
  Bits result;
  for (AigLit bit : a) result.push_back(!bit);
  return result;
}

Bits Circuits::mux(AigLit condition, BitSpan a, BitSpan b) {
  assert(a.size() == b.size() && "words of one width");
  Bits result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(out_.mux_gate(condition, a[i], b[i]));
  return result;
}

AigLit Circuits::equal(BitSpan a, BitSpan b) {
  assert(a.size() == b.size() && "words of one width");
  Bits same;
  for (std::size_t i = 0; i < a.size(); ++i) same.push_back(!exclusive(a[i], b[i]));
  return all_of(std::move(same));
}

/// The highest bit that differs decides.
AigLit Circuits::less(BitSpan a, BitSpan b) {
  assert(a.size() == b.size() && "words of one width");
  AigLit result = kAigFalse;
  for (std::size_t i = 0; i < a.size(); ++i) {
    AigLit below = out_.and_gate(!a[i], b[i]);
    AigLit tie = out_.and_gate(!exclusive(a[i], b[i]), result);
    result = out_.or_gate(below, tie);
  }
  return result;
}

AigLit Circuits::signed_less(BitSpan a, BitSpan b) {
  Bits left(a.begin(), a.end());
  Bits right(b.begin(), b.end());
  std::swap(left.back(), right.back());
  return less(left, right);
}

Bits Circuits::add(BitSpan a, BitSpan b, AigLit carry) {
  assert(a.size() == b.size() && "words of one width");
  Bits sum;
  for (std::size_t i = 0; i < a.size(); ++i) {
    AigLit differ = exclusive(a[i], b[i]);
    sum.push_back(exclusive(differ, carry));
    if (i + 1 == a.size()) break;
    carry = out_.or_gate(out_.and_gate(a[i], b[i]), out_.and_gate(differ, carry));
  }
  return sum;
}

Bits Circuits::negate(BitSpan a) {
  return add(complement(a), Bits(a.size(), kAigFalse), kAigTrue);
}

Bits Circuits::negate_if(AigLit condition, BitSpan a) {
  Bits flipped;
  for (AigLit bit : a) flipped.push_back(exclusive(bit, condition));
  return add(flipped, Bits(a.size(), kAigFalse), condition);
}

/// Shift and add; rows come from the word with fewer bits that may be 1.
Bits Circuits::multiply(BitSpan a, BitSpan b) {
  assert(a.size() == b.size() && "words of one width");
  auto zeros = [](BitSpan word) { return std::count(word.begin(), word.end(), kAigFalse); };
  if (zeros(a) > zeros(b)) std::swap(a, b);
  std::size_t width = a.size();
  Bits product(width, kAigFalse);
  for (std::size_t row = 0; row < width; ++row) {
    if (b[row] == kAigFalse) continue;
    Bits addend;
    for (std::size_t i = 0; i < width - row; ++i) addend.push_back(out_.and_gate(a[i], b[row]));
    Bits sum = add(BitSpan(product).subspan(row), addend, kAigFalse);
    std::copy(sum.begin(), sum.end(), product.begin() + static_cast<std::ptrdiff_t>(row));
  }
  return product;
}

/// A stage for every bit of the amount that is below the width; one of the others being set clears
/// the word.
Bits Circuits::shift(BitSpan a, BitSpan amount, ShiftKind kind) {
  std::size_t width = a.size();
  AigLit fill = kind == ShiftKind::RightSigned ? a.back() : kAigFalse;
  Bits word(a.begin(), a.end());
  std::size_t stage = 0;
  for (; stage < amount.size() && (std::size_t{1} << stage) < width; ++stage) {
    std::size_t by = std::size_t{1} << stage;
    Bits moved(width, fill);
    for (std::size_t i = 0; i + by < width; ++i) {
      if (kind == ShiftKind::Left) moved[i + by] = word[i];
      if (kind != ShiftKind::Left) moved[i] = word[i + by];
    }
    word = mux(amount[stage], moved, word);
  }
  AigLit gone = any_of(Bits(amount.begin() + static_cast<std::ptrdiff_t>(stage), amount.end()));
  return mux(gone, Bits(width, fill), word);
}

/// Restoring division: one subtraction for each bit of the quotient, from the top. A divisor of 0
/// always fits, which gives what SMT-LIB wants.
const Circuits::Division& Circuits::divide(BitSpan a, BitSpan b) {
  std::size_t width = a.size();
  auto [entry, fresh] =
      divisions_.try_emplace({Bits(a.begin(), a.end()), Bits(b.begin(), b.end())});
  Division& result = entry->second;
  if (!fresh) return result;
  Bits divisor(b.begin(), b.end());
  divisor.push_back(kAigFalse);
  Bits rest(width, kAigFalse);
  result.quotient.assign(width, kAigFalse);
  for (std::size_t i = width; i-- > 0;) {
    rest.insert(rest.begin(), a[i]);
    AigLit fits = !less(rest, divisor);
    Bits difference = add(rest, complement(divisor), kAigTrue);
    rest = mux(fits, difference, rest);
    rest.pop_back();  // the rest is below the divisor, or a part of the dividend
    result.quotient[i] = fits;
  }
  result.remainder = std::move(rest);
  return result;
}

Bits Circuits::signed_quotient(BitSpan a, BitSpan b) {
  AigLit negative = exclusive(a.back(), b.back());
  return negate_if(negative, divide(magnitude(a), magnitude(b)).quotient);
}

Bits Circuits::signed_remainder(BitSpan a, BitSpan b) {
  return negate_if(a.back(), divide(magnitude(a), magnitude(b)).remainder);
}

Bits Circuits::signed_modulo(BitSpan a, BitSpan b) {
  const Bits& rest = divide(magnitude(a), magnitude(b)).remainder;
  AigLit correct = out_.and_gate(exclusive(a.back(), b.back()), any_of(rest));
  Bits correction = mux(correct, b, Bits(b.size(), kAigFalse));
  return add(negate_if(a.back(), rest), correction, kAigFalse);
}

}  // namespace lem
