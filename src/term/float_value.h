// IEEE 754 binary numbers of any format, computed exactly with GMP and rounded once, whatever the
// registers and the rounding mode of the host. There is one NaN, as in SMT-LIB, quiet and without a
// sign. Tests: tests/unit/term/float_value_test.cpp, against the hardware and Z3.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>

namespace lem {

struct FloatFormat {
  std::uint32_t exponent;     // bits
  std::uint32_t significand;  // bits, with the hidden one, as SMT-LIB counts them

  constexpr std::uint32_t bits() const { return exponent + significand; }
  /// As one parameter of a term, and back.
  constexpr std::uint32_t packed() const { return exponent << 16 | significand; }
  static constexpr FloatFormat unpacked(std::uint32_t word) { return {word >> 16, word & 0xFFFF}; }
  /// Up to four times the precision of double: a short text cannot ask for any memory.
  constexpr bool is_supported() const {
    return exponent >= 2 && exponent <= 15 && significand >= 2 && significand <= 113;
  }
  friend constexpr bool operator==(FloatFormat, FloatFormat) = default;
};
inline constexpr FloatFormat kFloat32{8, 24};
inline constexpr FloatFormat kFloat64{11, 53};
inline constexpr FloatFormat kFloat80{15, 64};  // x87; its leading bit is hidden here

enum class Rounding : std::uint8_t { NearestEven, NearestAway, Up, Down, Zero };
inline constexpr std::uint32_t kRoundings = 5;

class FloatValue {
 public:
  /// Any encoding of NaN becomes the only one.  require: 0 <= bits < 2^format.bits()
  FloatValue(FloatFormat format, mpz_class bits);
  static FloatValue nan(FloatFormat format);
  static FloatValue infinity(FloatFormat format, bool negative);
  static FloatValue zero(FloatFormat format, bool negative);
  /// The zero of an exact 0 is positive.
  static FloatValue rounded(FloatFormat format, const mpq_class& exact, Rounding rounding);
  static FloatValue smallest_normal(FloatFormat format);

  FloatFormat format() const { return format_; }
  const mpz_class& bits() const { return bits_; }
  bool is_nan() const { return magnitude() > infinite_magnitude(); }
  bool is_infinite() const { return magnitude() == infinite_magnitude(); }
  bool is_finite() const { return magnitude() < infinite_magnitude(); }
  bool is_zero() const { return magnitude() == 0; }
  bool is_negative() const;  // by its sign bit: -0 is, NaN is not
  mpq_class exact() const;   // require: is_finite()

  FloatValue negated() const;
  FloatValue absolute() const;
  FloatValue plus(const FloatValue& other, Rounding rounding) const;
  FloatValue times(const FloatValue& other, Rounding rounding) const;
  FloatValue divided_by(const FloatValue& other, Rounding rounding) const;
  FloatValue square_root(Rounding rounding) const;
  FloatValue integral(Rounding rounding) const;
  FloatValue in_format(FloatFormat format, Rounding rounding) const;
  /// Rounded towards zero; nullopt for NaN and infinities.
  std::optional<mpz_class> truncated() const;

  /// As C compares: nothing is less than, at most or equal to NaN, and -0 equals 0.
  bool equals(const FloatValue& other) const;
  bool is_less(const FloatValue& other) const;
  bool is_at_most(const FloatValue& other) const;

  /// The shortest decimal that reads back as this value, for float and double; hexadecimal for
  /// others. `nan`, `inf`, `-inf`.
  std::string text() const;

 private:
  mpz_class magnitude() const;
  mpz_class infinite_magnitude() const;
  mpz_class order() const;

  FloatFormat format_;
  mpz_class bits_;
};

}  // namespace lem
