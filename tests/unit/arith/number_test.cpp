// Numbers against GMP, with operands around the limits of 64 bits so that every operation falls
// over and comes back.
#include "arith/number.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/random_aig.h"

namespace lem::arith {
namespace {

mpz_class power(unsigned bits) {
  return mpz_class(1) << bits;
}

/// Small numbers, fractions, and numbers near 2^31, 2^62, 2^63 and far beyond.
mpq_class random_rational(test::Random& random) {
  auto integer = [&]() -> mpz_class {
    mpz_class near = static_cast<int>(random.below(7)) - 3;
    switch (random.below(6)) {
      case 0:
        return near + power(31);
      case 1:
        return near + power(62);
      case 2:
        return near + power(63);
      case 3:
        return near * power(70);
      default:
        return near;
    }
  };
  mpz_class numerator = integer();
  if (random.percent(50)) numerator = -numerator;
  mpz_class denominator = random.percent(60) ? mpz_class(1) : abs(integer());
  if (denominator == 0) denominator = 3;
  mpq_class result(numerator, denominator);
  result.canonicalize();
  return result;
}

bool fits(const mpz_class& value) {
  return abs(value) < power(63);
}

void expect_is(const Number& number, const mpq_class& value) {
  ASSERT_EQ(number.rational(), value);
  EXPECT_EQ(number.is_long(), !fits(value.get_num()) || !fits(value.get_den())) << value;
  EXPECT_EQ(number.sign(), sgn(value));
  EXPECT_EQ(number.is_integer(), value.get_den() == 1);
  EXPECT_EQ(number.is_zero(), value == 0);
}

TEST(ArithNumber, AgreesWithGmpAroundTheLimits) {
  test::Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const mpq_class a = random_rational(random), b = random_rational(random),
                    c = random_rational(random);
    const Number x(a), y(b), z(c);
    expect_is(x, a);
    expect_is(x + y, a + b);
    expect_is(x - y, a - b);
    expect_is(x * y, a * b);
    if (b != 0) expect_is(x / y, a / b);
    expect_is(-x, -a);
    expect_is(x.absolute(), abs(a));
    Number sum = z;
    sum.add_product(x, y);
    expect_is(sum, c + a * b);
    EXPECT_EQ(compare(x, y) < 0, a < b);
    EXPECT_EQ(x == y, a == b);
    mpz_class down;
    mpz_fdiv_q(down.get_mpz_t(), a.get_num_mpz_t(), a.get_den_mpz_t());
    expect_is(x.floor(), mpq_class(down));
    if (a.get_den() == 1 && b.get_den() == 1)
      expect_is(gcd(x, y), mpq_class(gcd(a.get_num(), b.get_num())));
    expect_is(x.numerator(), mpq_class(a.get_num()));
    expect_is(x.denominator(), mpq_class(a.get_den()));
  }
}

TEST(ArithNumber, FallsOverAndComesBack) {
  Number n = INT64_MAX;
  EXPECT_FALSE(n.is_long());
  n += 1;
  EXPECT_TRUE(n.is_long());
  n -= 1;
  EXPECT_FALSE(n.is_long());
  EXPECT_EQ(n, Number(INT64_MAX));
  EXPECT_TRUE(Number(INT64_MIN).is_long()) << "so that short numbers can be negated";
  EXPECT_EQ(-Number(INT64_MIN), Number(INT64_MAX) + 1);
}

TEST(ArithNumber, CopiesAndMovesLongNumbers) {
  const Number big = Number(INT64_MAX) * 1000;
  std::vector<Number> all(5, big);
  all[1] = all[0];
  all[2] = 7;
  all[3] = std::move(all[4]);
  all[0] = *&all[0];
  EXPECT_EQ(all[0], big);
  EXPECT_EQ(all[1], big);
  EXPECT_EQ(all[2], Number(7));
  EXPECT_EQ(all[3], big);
  all[2] = big;
  EXPECT_EQ(all[2] - big, Number(0));
}

TEST(ArithNumber, DeltasOrderStrictBounds) {
  const Delta one(1), above(1, 1), below(1, -1);
  EXPECT_LT(below, one);
  EXPECT_LT(one, above);
  EXPECT_LT(above, Delta(Number(mpq_class(1000001, 1000000)), -1000));
  EXPECT_FALSE(above.is_integer());
}

}  // namespace
}  // namespace lem::arith
