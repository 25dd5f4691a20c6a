#include "term/float_value.h"

#include <array>
#include <bit>
#include <cassert>
#include <charconv>
#include <utility>

#include "base/assert.h"

namespace lem {

static mpz_class power(std::uint32_t exponent) {
  return mpz_class(1) << exponent;
}

static mpq_class scaled(const mpz_class& number, long exponent) {
  mpq_class out(number);
  if (exponent >= 0)
    mpq_mul_2exp(out.get_mpq_t(), out.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  else
    mpq_div_2exp(out.get_mpq_t(), out.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  return out;
}

static long bias(FloatFormat format) {
  return (1L << (format.exponent - 1)) - 1;
}

// Encoding --------------------------------------------------------------------------------------

FloatValue::FloatValue(FloatFormat format, mpz_class bits)
    : format_(format), bits_(std::move(bits)) {
  assert(format.is_supported() && bits_ >= 0 && bits_ < power(format.bits()) && "not a float");
  if (is_nan()) bits_ = infinite_magnitude() + power(format.significand - 2);
}

/// What is left of the encoding without its sign; it grows with the absolute value.
mpz_class FloatValue::magnitude() const {
  mpz_class out;
  mpz_fdiv_r_2exp(out.get_mpz_t(), bits_.get_mpz_t(), format_.bits() - 1);
  return out;
}

mpz_class FloatValue::infinite_magnitude() const {
  return (power(format_.exponent) - 1) << (format_.significand - 1);
}

bool FloatValue::is_negative() const {
  return mpz_tstbit(bits_.get_mpz_t(), format_.bits() - 1) != 0;
}

FloatValue FloatValue::zero(FloatFormat format, bool negative) {
  return {format, negative ? power(format.bits() - 1) : mpz_class(0)};
}

FloatValue FloatValue::infinity(FloatFormat format, bool negative) {
  FloatValue out = zero(format, negative);
  out.bits_ += out.infinite_magnitude();
  return out;
}

FloatValue FloatValue::nan(FloatFormat format) {
  return {format, infinity(format, false).bits_ + 1};
}

FloatValue FloatValue::smallest_normal(FloatFormat format) {
  return {format, power(format.significand - 1)};
}

mpq_class FloatValue::exact() const {
  assert(is_finite() && "neither NaN nor an infinity is a number");
  mpz_class field = magnitude() >> (format_.significand - 1);
  mpz_class fraction;
  mpz_fdiv_r_2exp(fraction.get_mpz_t(), bits_.get_mpz_t(), format_.significand - 1);
  long exponent = field.get_si() - bias(format_) - static_cast<long>(format_.significand - 1);
  mpq_class out = field == 0 ? scaled(fraction, exponent + 1)
                             : scaled(fraction + power(format_.significand - 1), exponent);
  return is_negative() ? mpq_class(-out) : out;
}

// Rounding --------------------------------------------------------------------------------------

/// The integer next to a number that is not negative; `negative` is the sign that was taken away.
static mpz_class nearest(const mpq_class& number, bool negative, Rounding rounding) {
  mpz_class down, rest;
  mpz_fdiv_qr(down.get_mpz_t(), rest.get_mpz_t(), number.get_num_mpz_t(), number.get_den_mpz_t());
  int half = cmp(mpz_class(rest * 2), number.get_den());
  bool up = false;
  switch (rounding) {
    case Rounding::NearestEven:
      up = half > 0 || (half == 0 && mpz_odd_p(down.get_mpz_t()) != 0);
      break;
    case Rounding::NearestAway:
      up = half >= 0;
      break;
    case Rounding::Up:
      up = rest != 0 && !negative;
      break;
    case Rounding::Down:
      up = rest != 0 && negative;
      break;
    case Rounding::Zero:
      break;
  }
  return up ? mpz_class(down + 1) : down;
}

/// The largest k with 2^k <= number.  require: number > 0
static long binary_logarithm(const mpq_class& number) {
  auto size = [](const mpz_class& n) {
    return static_cast<long>(mpz_sizeinbase(n.get_mpz_t(), 2));
  };
  long guess = size(number.get_num()) - size(number.get_den());
  return scaled(1, guess) <= number ? guess : guess - 1;
}

/// The encoding of significands continues from one exponent to the next and into infinity, so that
/// a carry needs no special case; only values beyond infinity are cut.
FloatValue FloatValue::rounded(FloatFormat format, const mpq_class& exact, Rounding rounding) {
  bool negative = exact < 0;
  mpq_class size = abs(exact);
  if (size == 0) return zero(format, false);
  FloatValue top = infinity(format, negative);
  long least = 1 - bias(format);
  long exponent = std::max(binary_logarithm(size), least);
  long unit = exponent - static_cast<long>(format.significand - 1);
  mpz_class digits = nearest(size * scaled(1, -unit), negative, rounding);
  mpz_class encoded = (mpz_class(exponent - least) << (format.significand - 1)) + digits;
  if (encoded >= top.magnitude()) {
    bool kept = rounding == Rounding::Zero || (rounding == Rounding::Up && negative) ||
                (rounding == Rounding::Down && !negative);
    if (kept) --top.bits_;  // the largest number
    return top;
  }
  return {format, zero(format, negative).bits_ + encoded};
}

// Arithmetic ------------------------------------------------------------------------------------

FloatValue FloatValue::negated() const {
  if (is_nan()) return *this;
  mpz_class flipped = bits_;
  mpz_combit(flipped.get_mpz_t(), format_.bits() - 1);
  return {format_, flipped};
}

FloatValue FloatValue::absolute() const {
  return is_negative() ? negated() : *this;
}

FloatValue FloatValue::plus(const FloatValue& other, Rounding rounding) const {
  if (is_nan() || other.is_nan()) return nan(format_);
  bool alike = is_negative() == other.is_negative();
  if (is_infinite()) return other.is_infinite() && !alike ? nan(format_) : *this;
  if (other.is_infinite()) return other;
  mpq_class sum = exact() + other.exact();
  if (sum != 0) return rounded(format_, sum, rounding);
  return zero(format_, alike ? is_negative() : rounding == Rounding::Down);
}

FloatValue FloatValue::times(const FloatValue& other, Rounding rounding) const {
  bool negative = is_negative() != other.is_negative();
  if (is_nan() || other.is_nan() || (is_infinite() && other.is_zero()) ||
      (is_zero() && other.is_infinite()))
    return nan(format_);
  if (is_infinite() || other.is_infinite()) return infinity(format_, negative);
  if (is_zero() || other.is_zero()) return zero(format_, negative);
  return rounded(format_, exact() * other.exact(), rounding);
}

FloatValue FloatValue::divided_by(const FloatValue& other, Rounding rounding) const {
  bool negative = is_negative() != other.is_negative();
  if (is_nan() || other.is_nan() || (is_infinite() && other.is_infinite()) ||
      (is_zero() && other.is_zero()))
    return nan(format_);
  if (is_infinite() || other.is_zero()) return infinity(format_, negative);
  if (is_zero() || other.is_infinite()) return zero(format_, negative);
  return rounded(format_, exact() / other.exact(), rounding);
}

/// An inexact root lies strictly between two numbers of many more digits than are kept; what is
/// between them rounds like it.
FloatValue FloatValue::square_root(Rounding rounding) const {
  if (is_nan() || is_zero()) return *this;
  if (is_negative()) return nan(format_);
  if (is_infinite()) return *this;
  mpq_class square = exact();
  long shift = static_cast<long>(format_.significand) + 4 - binary_logarithm(square) / 2;
  mpq_class large = square * scaled(1, 2 * shift);
  mpz_class whole = nearest(large, false, Rounding::Zero), root, rest;
  mpz_sqrtrem(root.get_mpz_t(), rest.get_mpz_t(), whole.get_mpz_t());
  bool is_root = rest == 0 && large == whole;
  return rounded(format_,
                 scaled(is_root ? mpz_class(root * 2) : mpz_class(root * 2 + 1), -shift - 1),
                 rounding);
}

FloatValue FloatValue::integral(Rounding rounding) const {
  if (!is_finite()) return *this;
  mpz_class whole = nearest(abs(exact()), is_negative(), rounding);
  FloatValue out = rounded(format_, whole, Rounding::NearestEven);
  return is_negative() ? out.negated() : out;
}

FloatValue FloatValue::in_format(FloatFormat format, Rounding rounding) const {
  if (is_nan()) return nan(format);
  if (is_infinite()) return infinity(format, is_negative());
  if (is_zero()) return zero(format, is_negative());
  return rounded(format, exact(), rounding);
}

std::optional<mpz_class> FloatValue::truncated() const {
  if (!is_finite()) return std::nullopt;
  mpq_class number = exact();
  mpz_class out;
  mpz_tdiv_q(out.get_mpz_t(), number.get_num_mpz_t(), number.get_den_mpz_t());
  return out;
}

// Order -----------------------------------------------------------------------------------------

/// Grows with the number; both zeros are 0.
mpz_class FloatValue::order() const {
  return is_negative() ? mpz_class(-magnitude()) : magnitude();
}

bool FloatValue::equals(const FloatValue& other) const {
  return !is_nan() && !other.is_nan() && order() == other.order();
}

bool FloatValue::is_less(const FloatValue& other) const {
  return !is_nan() && !other.is_nan() && order() < other.order();
}

bool FloatValue::is_at_most(const FloatValue& other) const {
  return !is_nan() && !other.is_nan() && order() <= other.order();
}

// Text ------------------------------------------------------------------------------------------

template <class Host, class Word>
static std::string shortest(const mpz_class& bits) {
  std::array<char, 40> text{};
  auto value = std::bit_cast<Host>(static_cast<Word>(bits.get_ui()));
  auto [end, failed] = std::to_chars(text.data(), text.data() + text.size(), value);
  assert(failed == std::errc{} && "the shortest text of a double has 24 characters");
  std::string out(text.data(), end);
  return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
}

std::string FloatValue::text() const {
  std::string sign = is_negative() ? "-" : "";
  if (is_nan()) return "nan";
  if (is_infinite()) return sign + "inf";
  if (format_ == kFloat32) return shortest<float, std::uint32_t>(bits_);
  if (format_ == kFloat64) return shortest<double, std::uint64_t>(bits_);
  mpq_class size = abs(exact());
  std::size_t exponent = mpz_sizeinbase(size.get_den_mpz_t(), 2) - 1;
  return sign + "0x" + size.get_num().get_str(16) + "p-" + std::to_string(exponent);
}

}  // namespace lem
