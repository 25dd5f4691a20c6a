// The paths of Number that are not inline: proper fractions, and what GMP holds.
#include "arith/number.h"

#include <bit>
#include <functional>

namespace lem::arith {

namespace {

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
}

std::uint64_t gcd64(std::uint64_t a, std::uint64_t b) {
  if (a == 0) return b;
  if (b == 0) return a;
  const int shift = std::countr_zero(a | b);
  a >>= std::countr_zero(a);
  while (b != 0) {
    b >>= std::countr_zero(b);
    if (a > b) std::swap(a, b);
    b -= a;
  }
  return a << shift;
}

mpz_class integer(__int128 value) {
  const bool negative = value < 0;
  auto size =
      negative ? ~static_cast<unsigned __int128>(value) + 1 : static_cast<unsigned __int128>(value);
  mpz_class result(static_cast<unsigned long>(size >> 64));
  result <<= 64;
  result += static_cast<unsigned long>(size);
  if (negative) result = -result;
  return result;
}

bool fits(__int128 value) {
  return value >= -INT64_MAX && value <= INT64_MAX;
}

bool fits(const mpz_class& value) {
  return mpz_fits_slong_p(value.get_mpz_t()) != 0 && value.get_si() != INT64_MIN;
}

}  // namespace

Number::Number(std::int64_t value) : numerator_(value) {
  if (value != INT64_MIN) return;
  numerator_ = 0;
  set(mpq_class(mpz_class(static_cast<long>(value))));
}

Number::Number(const mpq_class& value) {
  mpq_class canonical = value;
  canonical.canonicalize();
  set(canonical);
}

mpq_class Number::rational() const {
  if (is_long()) return *pointer();
  mpq_class result(mpz_class(static_cast<long>(numerator_)),
                   mpz_class(static_cast<long>(denominator_)));
  return result;
}

void Number::set(const mpq_class& value) {
  if (fits(value.get_num()) && fits(value.get_den())) {
    std::int64_t numerator = value.get_num().get_si();
    std::int64_t denominator = value.get_den().get_si();
    if (is_long()) free_long();
    numerator_ = numerator;
    denominator_ = denominator;
  } else if (is_long()) {
    *pointer() = value;
  } else {
    numerator_ = reinterpret_cast<std::int64_t>(std::make_unique<mpq_class>(value).release());
    denominator_ = 0;
  }
}

/// require: coprime, denominator positive, this is short
void Number::set_fraction(__int128 numerator, __int128 denominator) {
  if (fits(numerator) && fits(denominator)) {
    numerator_ = static_cast<std::int64_t>(numerator);
    denominator_ = static_cast<std::int64_t>(denominator);
    return;
  }
  set(mpq_class(integer(numerator), integer(denominator)));
}

Number& Number::assign_long(const Number& other) {
  if (this == &other) return *this;
  if (other.is_long()) {
    set(*other.pointer());
  } else {
    free_long();
    numerator_ = other.numerator_;
    denominator_ = other.denominator_;
  }
  return *this;
}

void Number::copy_long(const Number& other) {
  numerator_ = 0;
  denominator_ = 1;
  set(*other.pointer());
}

void Number::free_long() {
  const std::unique_ptr<mpq_class> owned(pointer());
  numerator_ = 0;
  denominator_ = 1;
}

void Number::negate_long() {
  set(-*pointer());
}
bool Number::long_is_integer() const {
  return pointer()->get_den() == 1;
}
int Number::long_sign() const {
  return sgn(*pointer());
}

Number& Number::add(const Number& other) {
  if (is_long() || other.is_long()) {
    set(rational() + other.rational());
    return *this;
  }
  // a/b + c/d with g = gcd(b, d): what cancels divides g.
  const std::int64_t g = static_cast<std::int64_t>(gcd64(
      static_cast<std::uint64_t>(denominator_), static_cast<std::uint64_t>(other.denominator_)));
  const std::int64_t left = denominator_ / g;
  const std::int64_t right = other.denominator_ / g;
  const __int128 sum =
      static_cast<__int128>(numerator_) * right + static_cast<__int128>(other.numerator_) * left;
  const std::int64_t common = static_cast<std::int64_t>(
      gcd64(magnitude(static_cast<std::int64_t>(sum % g)), static_cast<std::uint64_t>(g)));
  set_fraction(sum / common, static_cast<__int128>(left) * (other.denominator_ / common));
  return *this;
}

Number& Number::subtract(const Number& other) {
  return add(-other);
}

Number& Number::multiply(const Number& other) {
  if (is_long() || other.is_long()) {
    set(rational() * other.rational());
    return *this;
  }
  const auto cross = [](std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(gcd64(magnitude(a), magnitude(b)));
  };
  const std::int64_t g = cross(numerator_, other.denominator_);
  const std::int64_t h = cross(other.numerator_, denominator_);
  set_fraction(static_cast<__int128>(numerator_ / g) * (other.numerator_ / h),
               static_cast<__int128>(denominator_ / h) * (other.denominator_ / g));
  return *this;
}

Number& Number::operator/=(const Number& other) {
  assert(!other.is_zero() && "division by zero");
  if (is_long() || other.is_long()) {
    set(rational() / other.rational());
    return *this;
  }
  Number inverse;
  inverse.numerator_ = other.numerator_ < 0 ? -other.denominator_ : other.denominator_;
  inverse.denominator_ = other.numerator_ < 0 ? -other.numerator_ : other.numerator_;
  return *this *= inverse;
}

void Number::add_long_product(const Number& a, const Number& b) {
  Number product = a;
  product *= b;
  *this += product;
}

int Number::compare_long(const Number& a, const Number& b) {
  if (a.is_long() || b.is_long()) return cmp(a.rational(), b.rational());
  const __int128 left = static_cast<__int128>(a.numerator_) * b.denominator_;
  const __int128 right = static_cast<__int128>(b.numerator_) * a.denominator_;
  return left < right ? -1 : left > right ? 1 : 0;
}

Number Number::floor() const {
  if (denominator_ == 1) return *this;
  if (is_long()) {
    mpz_class result;
    mpz_fdiv_q(result.get_mpz_t(), pointer()->get_num_mpz_t(), pointer()->get_den_mpz_t());
    return Number(mpq_class(result));
  }
  const std::int64_t quotient = numerator_ / denominator_;
  return {quotient - (numerator_ < 0 && numerator_ % denominator_ != 0 ? 1 : 0)};
}

Number Number::numerator() const {
  return is_long() ? Number(mpq_class(pointer()->get_num())) : Number(numerator_);
}

Number Number::denominator() const {
  return is_long() ? Number(mpq_class(pointer()->get_den())) : Number(denominator_);
}

std::size_t Number::hash() const {
  if (is_long()) {
    const std::size_t low = mpz_get_ui(pointer()->get_num_mpz_t());
    return low * 0x9E3779B97F4A7C15ULL + mpz_get_ui(pointer()->get_den_mpz_t());
  }
  return static_cast<std::size_t>(numerator_) * 0x9E3779B97F4A7C15ULL +
         static_cast<std::size_t>(denominator_);
}

Number gcd(const Number& a, const Number& b) {
  assert(a.is_integer() && b.is_integer() && "divisors of integers");
  if (a.is_long() || b.is_long())
    return Number(mpq_class(gcd(a.rational().get_num(), b.rational().get_num())));
  return {static_cast<std::int64_t>(gcd64(magnitude(a.numerator_), magnitude(b.numerator_)))};
}

}  // namespace lem::arith
