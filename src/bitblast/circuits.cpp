#include "bitblast/circuits.h"

#include <algorithm>

namespace lem::bitblast {

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

AigLit Circuits::all_of(AigWord literals) {
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

AigLit Circuits::any_of(AigWord literals) {
  return !all_of(complement(literals));
}

AigWord Circuits::complement(AigWordView a) const {
  AigWord result;
  for (AigLit bit : a) result.push_back(!bit);
  return result;
}

AigWord Circuits::mux(AigLit condition, AigWordView a, AigWordView b) {
  assert(a.size() == b.size() && "words of one width");
  AigWord result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(out_.mux_gate(condition, a[i], b[i]));
  return result;
}

AigLit Circuits::equal(AigWordView a, AigWordView b) {
  assert(a.size() == b.size() && "words of one width");
  AigWord same;
  for (std::size_t i = 0; i < a.size(); ++i) same.push_back(!exclusive(a[i], b[i]));
  return all_of(std::move(same));
}

/// The highest bit that differs decides.
AigLit Circuits::less(AigWordView a, AigWordView b) {
  assert(a.size() == b.size() && "words of one width");
  AigLit result = kAigFalse;
  for (std::size_t i = 0; i < a.size(); ++i) {
    AigLit below = out_.and_gate(!a[i], b[i]);
    AigLit tie = out_.and_gate(!exclusive(a[i], b[i]), result);
    result = out_.or_gate(below, tie);
  }
  return result;
}

AigLit Circuits::signed_less(AigWordView a, AigWordView b) {
  AigWord left(a.begin(), a.end());
  AigWord right(b.begin(), b.end());
  std::swap(left.back(), right.back());
  return less(left, right);
}

AigWord Circuits::add(AigWordView a, AigWordView b, AigLit carry) {
  assert(a.size() == b.size() && "words of one width");
  AigWord sum;
  for (std::size_t i = 0; i < a.size(); ++i) {
    AigLit differ = exclusive(a[i], b[i]);
    sum.push_back(exclusive(differ, carry));
    if (i + 1 == a.size()) break;
    carry = out_.or_gate(out_.and_gate(a[i], b[i]), out_.and_gate(differ, carry));
  }
  return sum;
}

AigWord Circuits::negate(AigWordView a) {
  return add(complement(a), AigWord(a.size(), kAigFalse), kAigTrue);
}

AigWord Circuits::negate_if(AigLit condition, AigWordView a) {
  AigWord flipped;
  for (AigLit bit : a) flipped.push_back(exclusive(bit, condition));
  return add(flipped, AigWord(a.size(), kAigFalse), condition);
}

/// Shift and add; rows come from the word with fewer bits that may be 1.
AigWord Circuits::multiply(AigWordView a, AigWordView b) {
  assert(a.size() == b.size() && "words of one width");
  auto zeros = [](AigWordView word) { return std::count(word.begin(), word.end(), kAigFalse); };
  if (zeros(a) > zeros(b)) std::swap(a, b);
  std::size_t width = a.size();
  AigWord product(width, kAigFalse);
  for (std::size_t row = 0; row < width; ++row) {
    if (b[row] == kAigFalse) continue;
    AigWord addend;
    for (std::size_t i = 0; i < width - row; ++i) addend.push_back(out_.and_gate(a[i], b[row]));
    AigWord sum = add(AigWordView(product).subspan(row), addend, kAigFalse);
    std::copy(sum.begin(), sum.end(), product.begin() + static_cast<std::ptrdiff_t>(row));
  }
  return product;
}

/// A stage for every bit of the amount that is below the width; one of the others being set clears
/// the word.
AigWord Circuits::shift(AigWordView a, AigWordView amount, ShiftKind kind) {
  std::size_t width = a.size();
  AigLit fill = kind == ShiftKind::RightSigned ? a.back() : kAigFalse;
  AigWord word(a.begin(), a.end());
  std::size_t stage = 0;
  for (; stage < amount.size() && (std::size_t{1} << stage) < width; ++stage) {
    std::size_t by = std::size_t{1} << stage;
    AigWord moved(width, fill);
    for (std::size_t i = 0; i + by < width; ++i) {
      if (kind == ShiftKind::Left) moved[i + by] = word[i];
      if (kind != ShiftKind::Left) moved[i] = word[i + by];
    }
    word = mux(amount[stage], moved, word);
  }
  AigLit gone = any_of(AigWord(amount.begin() + static_cast<std::ptrdiff_t>(stage), amount.end()));
  return mux(gone, AigWord(width, fill), word);
}

/// Restoring division: one subtraction for each bit of the quotient, from the top. A divisor of 0
/// always fits, which gives the results that SMT-LIB defines.
const Circuits::Division& Circuits::divide(AigWordView a, AigWordView b) {
  std::size_t width = a.size();
  auto [entry, fresh] =
      divisions_.try_emplace({AigWord(a.begin(), a.end()), AigWord(b.begin(), b.end())});
  Division& result = entry->second;
  if (!fresh) return result;
  AigWord divisor(b.begin(), b.end());
  divisor.push_back(kAigFalse);
  AigWord rest(width, kAigFalse);
  result.quotient.assign(width, kAigFalse);
  for (std::size_t i = width; i-- > 0;) {
    rest.insert(rest.begin(), a[i]);
    AigLit fits = !less(rest, divisor);
    AigWord difference = add(rest, complement(divisor), kAigTrue);
    rest = mux(fits, difference, rest);
    rest.pop_back();  // the rest is below the divisor, or a part of the dividend
    result.quotient[i] = fits;
  }
  result.remainder = std::move(rest);
  return result;
}

AigWord Circuits::signed_quotient(AigWordView a, AigWordView b) {
  AigLit negative = exclusive(a.back(), b.back());
  return negate_if(negative, divide(magnitude(a), magnitude(b)).quotient);
}

AigWord Circuits::signed_remainder(AigWordView a, AigWordView b) {
  return negate_if(a.back(), divide(magnitude(a), magnitude(b)).remainder);
}

AigWord Circuits::signed_modulo(AigWordView a, AigWordView b) {
  const AigWord& rest = divide(magnitude(a), magnitude(b)).remainder;
  AigLit correct = out_.and_gate(exclusive(a.back(), b.back()), any_of(rest));
  AigWord correction = mux(correct, b, AigWord(b.size(), kAigFalse));
  return add(negate_if(a.back(), rest), correction, kAigFalse);
}

}  // namespace lem::bitblast
