#include "writer/c_float.h"

#include <fmt/format.h>

#include <cstdlib>

namespace lem::writer {

namespace {

const char* suffix(FloatFormat format) {
  if (format.bits() < kFloat64.bits()) return "f";
  return format == kFloat64 ? "" : "L";
}

/// 0x1.8p+1. Exact in any precision: a reader that takes it for a double compares with the same
/// number, which is not so for 0.1f.
std::string hexadecimal(const mpq_class& number) {
  // number = whole * 2^exponent, where whole is odd
  mpz_class whole = number.get_num();
  long exponent = -static_cast<long>(mpz_sizeinbase(number.get_den().get_mpz_t(), 2) - 1);
  auto zeros = static_cast<long>(mpz_scan1(whole.get_mpz_t(), 0));
  whole >>= static_cast<unsigned long>(zeros);
  exponent += zeros;
  std::size_t below = mpz_sizeinbase(whole.get_mpz_t(), 2) - 1;  // bits behind the first one
  exponent += static_cast<long>(below);
  std::size_t digits = (below + 3) / 4;
  mpz_class fraction = (whole - (mpz_class(1) << below)) << (4 * digits - below);
  std::string text = digits == 0 ? "" : fraction.get_str(16);
  return fmt::format("0x1{}{}{}p{:+}", digits == 0 ? "" : ".",
                     std::string(digits - text.size(), '0'), text, exponent);
}

/// 3.0, -0.25: decimals that are exact and short; else hexadecimal.
std::string literal(const FloatValue& value) {
  mpq_class number = abs(value.exact());
  std::string sign = value.is_negative() ? "-" : "";
  constexpr long kLarge = 1'000'000;
  mpz_class thousandths = number.get_num() * 1000;
  bool is_short = number < kLarge && thousandths % number.get_den() == 0;
  if (!is_short) return sign + hexadecimal(number) + suffix(value.format());
  thousandths /= number.get_den();
  mpz_class whole = thousandths / 1000;
  std::string fraction = fmt::format("{:03}", mpz_class(thousandths % 1000).get_ui());
  while (fraction.size() > 1 && fraction.back() == '0') fraction.pop_back();
  return sign + whole.get_str() + "." + fraction + suffix(value.format());
}

}  // namespace

std::string c_float_constraint(const std::string& name, const FloatValue& value) {
  const FloatFormat format = value.format();
  if (value.is_nan()) return fmt::format("{0} != {0}", name);
  if (value.is_infinite()) {
    mpz_class top = FloatValue::infinity(format, false).bits() - 1;  // the number below infinity
    std::string largest = literal(FloatValue(format, top));
    return value.is_negative() ? fmt::format("{} < -{}", name, largest)
                               : fmt::format("{} > {}", name, largest);
  }
  if (value.is_zero() && value.is_negative())
    return fmt::format("{0} == 0.0{1} && 1.0{1} / {0} < 0.0{1}", name, suffix(format));
  return fmt::format("{} == {}", name, literal(value));
}

}  // namespace lem::writer
