// Exact rational numbers: 64-bit fractions that fall over to GMP and come back when they fit.
//
// The form is canonical: a value that fits has the short form, so equality compares two words.
// INT64_MIN has the long form, so that a short number can be negated. The inline paths are what
// simplex spends its time in; the rest is in number.cpp. Tests: tests/unit/arith/number_test.cpp.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "base/assert.h"

namespace lem::arith {

class Number {
 public:
  Number() = default;
  Number(int value) : numerator_(value) {}  // NOLINT: a number wherever one is expected
  Number(std::int64_t value);               // NOLINT
  explicit Number(const mpq_class& value);
  Number(const Number& other) : numerator_(other.numerator_), denominator_(other.denominator_) {
    if (other.is_long()) copy_long(other);
  }
  Number(Number&& other) noexcept
      : numerator_(std::exchange(other.numerator_, 0)),
        denominator_(std::exchange(other.denominator_, 1)) {}
  Number& operator=(const Number& other) {
    if (is_long() || other.is_long()) return assign_long(other);
    numerator_ = other.numerator_;
    denominator_ = other.denominator_;
    return *this;
  }
  Number& operator=(Number&& other) noexcept {
    std::swap(numerator_, other.numerator_);
    std::swap(denominator_, other.denominator_);
    return *this;
  }
  ~Number() {
    if (is_long()) free_long();
  }

  mpq_class rational() const;
  bool is_zero() const { return numerator_ == 0; }  // a long number has a non-null pointer here
  bool is_one() const { return numerator_ == 1 && denominator_ == 1; }
  /// Numerator and denominator have few digits.
  bool is_small() const {
    constexpr std::int64_t kSmall = 1 << 12;
    return denominator_ != 0 && denominator_ <= kSmall && -kSmall <= numerator_ &&
           numerator_ <= kSmall;
  }
  bool is_integer() const { return denominator_ == 1 || (is_long() && long_is_integer()); }
  /// Held by GMP.
  bool is_long() const { return denominator_ == 0; }
  int sign() const {
    if (is_long()) return long_sign();
    return numerator_ > 0 ? 1 : numerator_ < 0 ? -1 : 0;
  }

  Number& operator+=(const Number& other) {
    std::int64_t sum = 0;
    if (denominator_ == 1 && other.denominator_ == 1 &&
        !__builtin_add_overflow(numerator_, other.numerator_, &sum) && sum != INT64_MIN) {
      numerator_ = sum;
      return *this;
    }
    return add(other);
  }
  Number& operator-=(const Number& other) {
    std::int64_t sum = 0;
    if (denominator_ == 1 && other.denominator_ == 1 &&
        !__builtin_sub_overflow(numerator_, other.numerator_, &sum) && sum != INT64_MIN) {
      numerator_ = sum;
      return *this;
    }
    return subtract(other);
  }
  Number& operator*=(const Number& other) {
    std::int64_t product = 0;
    if (denominator_ == 1 && other.denominator_ == 1 &&
        !__builtin_mul_overflow(numerator_, other.numerator_, &product) && product != INT64_MIN) {
      numerator_ = product;
      return *this;
    }
    return multiply(other);
  }
  /// require: other is not 0
  Number& operator/=(const Number& other);
  void negate() {
    if (is_long()) return negate_long();
    numerator_ = -numerator_;
  }
  /// this += a * b
  void add_product(const Number& a, const Number& b) {
    std::int64_t product = 0;
    std::int64_t sum = 0;
    if (denominator_ == 1 && a.denominator_ == 1 && b.denominator_ == 1 &&
        !__builtin_mul_overflow(a.numerator_, b.numerator_, &product) &&
        !__builtin_add_overflow(numerator_, product, &sum) && sum != INT64_MIN) {
      numerator_ = sum;
      return;
    }
    add_long_product(a, b);
  }

  friend Number operator+(Number a, const Number& b) { return std::move(a += b); }
  friend Number operator-(Number a, const Number& b) { return std::move(a -= b); }
  friend Number operator*(Number a, const Number& b) { return std::move(a *= b); }
  friend Number operator/(Number a, const Number& b) { return std::move(a /= b); }
  friend Number operator-(Number a) {
    a.negate();
    return a;
  }
  friend bool operator==(const Number& a, const Number& b) {
    if (a.is_long() && b.is_long()) return compare_long(a, b) == 0;
    return a.numerator_ == b.numerator_ && a.denominator_ == b.denominator_;
  }
  /// Negative, 0 or positive as a is less than, equal to or greater than b.
  friend int compare(const Number& a, const Number& b) {
    if (a.denominator_ == b.denominator_ && a.denominator_ != 0)
      return a.numerator_ < b.numerator_ ? -1 : a.numerator_ > b.numerator_ ? 1 : 0;
    return compare_long(a, b);
  }
  friend bool operator<(const Number& a, const Number& b) { return compare(a, b) < 0; }
  friend bool operator<=(const Number& a, const Number& b) { return compare(a, b) <= 0; }
  friend bool operator>(const Number& a, const Number& b) { return compare(a, b) > 0; }
  friend bool operator>=(const Number& a, const Number& b) { return compare(a, b) >= 0; }

  Number floor() const;
  Number ceil() const { return -(-*this).floor(); }
  Number absolute() const { return sign() < 0 ? -*this : *this; }
  Number inverse() const { return Number(1) / *this; }
  Number numerator() const;
  Number denominator() const;
  std::size_t hash() const;
  /// The greatest common divisor of two integers, not negative.
  friend Number gcd(const Number& a, const Number& b);

 private:
  mpq_class* pointer() const { return reinterpret_cast<mpq_class*>(numerator_); }
  void set(const mpq_class& value);
  void set_fraction(__int128 numerator, __int128 denominator);
  Number& assign_long(const Number& other);
  void copy_long(const Number& other);
  void free_long();
  void negate_long();
  bool long_is_integer() const;
  int long_sign() const;
  Number& add(const Number& other);
  Number& subtract(const Number& other);
  Number& multiply(const Number& other);
  void add_long_product(const Number& a, const Number& b);
  static int compare_long(const Number& a, const Number& b);

  std::int64_t numerator_ = 0;    // of the short form; else the address of an mpq_class
  std::int64_t denominator_ = 1;  // positive, coprime; 0: the long form
};
static_assert(sizeof(Number) == 16);

/// A number with an infinitesimal part: strict bounds are weak ones at real + delta * epsilon.
struct Delta {
  Number real;
  Number delta;

  Delta() = default;
  Delta(Number real_) : real(std::move(real_)) {}  // NOLINT: a number is one without delta
  Delta(Number real_, Number delta_) : real(std::move(real_)), delta(std::move(delta_)) {}

  bool is_integer() const { return delta.is_zero() && real.is_integer(); }
  Delta& operator-=(const Delta& other) {
    real -= other.real;
    if (!other.delta.is_zero()) delta -= other.delta;
    return *this;
  }
  Delta& operator+=(const Delta& other) {
    real += other.real;
    if (!other.delta.is_zero()) delta += other.delta;
    return *this;
  }
  Delta& operator*=(const Number& factor) {
    real *= factor;
    if (!delta.is_zero()) delta *= factor;
    return *this;
  }
  void add_product(const Delta& value, const Number& factor) {
    real.add_product(value.real, factor);
    if (!value.delta.is_zero()) delta.add_product(value.delta, factor);
  }
  friend Delta operator-(Delta a, const Delta& b) { return std::move(a -= b); }
  friend int compare(const Delta& a, const Delta& b) {
    int order = compare(a.real, b.real);
    return order != 0 ? order : compare(a.delta, b.delta);
  }
  friend bool operator==(const Delta& a, const Delta& b) {
    return a.real == b.real && a.delta == b.delta;
  }
  friend bool operator<(const Delta& a, const Delta& b) { return compare(a, b) < 0; }
  friend bool operator<=(const Delta& a, const Delta& b) { return compare(a, b) <= 0; }
  friend bool operator>(const Delta& a, const Delta& b) { return compare(a, b) > 0; }
  friend bool operator>=(const Delta& a, const Delta& b) { return compare(a, b) >= 0; }
};

}  // namespace lem::arith
