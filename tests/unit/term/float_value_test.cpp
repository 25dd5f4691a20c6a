// IEEE arithmetic against the host's: SSE registers hold floats and doubles as IEEE 754 says, and
// x87 registers extended ones. Rounding alone is tested against its definition on a small format.
#include "term/float_value.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace lem {
namespace {

template <class Host>
using Word = std::conditional_t<sizeof(Host) == 4, std::uint32_t, std::uint64_t>;
template <class Host>
constexpr FloatFormat kFormat = sizeof(Host) == 4 ? kFloat32 : kFloat64;

template <class Host>
FloatValue ours(Host value) {
  return {kFormat<Host>, mpz_class(static_cast<unsigned long>(std::bit_cast<Word<Host>>(value)))};
}

struct HostMode {
  int mode;
  Rounding rounding;
};
constexpr HostMode kModes[] = {{FE_TONEAREST, Rounding::NearestEven},
                               {FE_UPWARD, Rounding::Up},
                               {FE_DOWNWARD, Rounding::Down},
                               {FE_TOWARDZERO, Rounding::Zero}};

/// The host computes in that mode; volatile keeps the compiler from computing before.
template <class Host, class Apply>
FloatValue by_host(const HostMode& mode, Host a, Host b, Apply apply) {
  volatile Host x = a, y = b;
  std::fesetround(mode.mode);
  volatile Host result = apply(x, y);
  std::fesetround(FE_TONEAREST);
  return ours<Host>(result);
}

template <class Host>
class FloatOfHost : public testing::Test {
 protected:
  Host any() {
    using Limits = std::numeric_limits<Host>;
    static const Host kEdges[] = {0,
                                  1,
                                  2,
                                  Host(0.5),
                                  Host(0.1),
                                  3,
                                  Limits::max(),
                                  Limits::min(),
                                  Limits::denorm_min(),
                                  Limits::infinity(),
                                  Limits::quiet_NaN(),
                                  Limits::epsilon()};
    Host value = random_() % 3 == 0   ? kEdges[random_() % std::size(kEdges)]
                 : random_() % 2 == 0 ? static_cast<Host>(random_() % 1000) / 8
                                      : std::bit_cast<Host>(static_cast<Word<Host>>(random_()));
    if (random_() % 4 == 0) value = std::nextafter(value, Host(random_() % 2 == 0 ? 0 : 9));
    return random_() % 2 == 0 ? value : -value;
  }
  std::mt19937_64 random_{11};
};
using Hosts = testing::Types<float, double>;
TYPED_TEST_SUITE(FloatOfHost, Hosts);

TYPED_TEST(FloatOfHost, CalculatesInEveryMode) {
  using Host = TypeParam;
  for (int i = 0; i < 40000; ++i) {
    Host a = this->any(), b = this->any();
    const HostMode& mode = kModes[i % 4];
    Rounding r = mode.rounding;
    auto expect = [&](const FloatValue& got, auto apply, const char* what) {
      FloatValue wanted = by_host(mode, a, b, apply);
      ASSERT_EQ(got.bits(), wanted.bits())
          << what << ' ' << ours(a).text() << ' ' << ours(b).text() << " is " << got.text()
          << " and not " << wanted.text() << " in mode " << static_cast<int>(r);
    };
    FloatValue x = ours(a), y = ours(b);
    expect(
        x.plus(y, r), [](Host p, Host q) { return p + q; }, "+");
    expect(
        x.times(y, r), [](Host p, Host q) { return p * q; }, "*");
    expect(
        x.divided_by(y, r), [](Host p, Host q) { return p / q; }, "/");
    expect(
        x.square_root(r), [](Host p, Host) { return std::sqrt(p); }, "sqrt");
    expect(
        x.integral(r), [](Host p, Host) { return std::nearbyint(p); }, "rint");
    expect(
        x.negated(), [](Host p, Host) { return -p; }, "-");
    expect(
        x.absolute(), [](Host p, Host) { return std::fabs(p); }, "abs");
    FloatValue rounded_away = x.integral(Rounding::NearestAway);
    ASSERT_EQ(rounded_away.bits(), ours<Host>(std::round(a)).bits()) << x.text();
    ASSERT_EQ(x.equals(y), a == b);
    ASSERT_EQ(x.is_less(y), a < b);
    ASSERT_EQ(x.is_at_most(y), a <= b);
  }
}

TYPED_TEST(FloatOfHost, ConvertsBothWays) {
  using Host = TypeParam;
  for (int i = 0; i < 40000; ++i) {
    const HostMode& mode = kModes[i % 4];
    volatile double wide = static_cast<double>(this->any());
    std::fesetround(mode.mode);
    volatile float narrow = static_cast<float>(wide);
    volatile auto integer = static_cast<long>(this->random_() >> (this->random_() % 64));
    volatile Host number = static_cast<Host>(integer);
    std::fesetround(FE_TONEAREST);
    FloatValue made = ours<double>(wide).in_format(kFloat32, mode.rounding);
    ASSERT_EQ(made.bits(), ours<float>(narrow).bits()) << made.text();
    ASSERT_EQ(made.in_format(kFloat64, mode.rounding).bits(),
              ours<double>(static_cast<double>(narrow)).bits());
    FloatValue from =
        FloatValue::rounded(kFormat<Host>, mpz_class(static_cast<long>(integer)), mode.rounding);
    ASSERT_EQ(from.bits(), ours<Host>(number).bits()) << integer;
    Host value = this->any();
    if (std::fabs(value) < Host(1e18)) {
      ASSERT_EQ(*ours(value).truncated(), static_cast<long>(value));
    }
    ASSERT_EQ(ours(value).truncated().has_value(), std::isfinite(value));
  }
}

TYPED_TEST(FloatOfHost, WritesTheShortestText) {
  for (int i = 0; i < 5000; ++i) {
    TypeParam value = this->any();
    if (std::isnan(value)) continue;
    std::string text = ours(value).text();
    ASSERT_EQ(static_cast<TypeParam>(std::strtold(text.c_str(), nullptr)), value) << text;
  }
  EXPECT_EQ(ours(TypeParam(0.1)).text(), "0.1");
  EXPECT_EQ(ours(TypeParam(-3)).text(), "-3.0");
  EXPECT_EQ(ours(-std::numeric_limits<TypeParam>::infinity()).text(), "-inf");
  EXPECT_EQ(ours(std::numeric_limits<TypeParam>::quiet_NaN()).text(), "nan");
  EXPECT_EQ(FloatValue::rounded(kFloat80, mpq_class(-5, 8), Rounding::Zero).text(), "-0x5p-3");
}

/// long double of x86 has the leading bit that other formats hide.
FloatValue extended(long double value) {
  if (std::isnan(value)) return FloatValue::nan(kFloat80);
  struct Parts {
    std::uint64_t significand;
    std::uint16_t top;
  } parts{};
  std::memcpy(&parts, &value, 10);
  mpz_class bits = parts.top;
  bits = (bits << 63) + mpz_class(static_cast<unsigned long>(parts.significand << 1 >> 1));
  return {kFloat80, bits};
}

TEST(FloatExtended, CalculatesAsX87) {
  std::mt19937_64 random(5);
  auto any = [&] {
    auto base = static_cast<long double>(random()) / (static_cast<long double>(random() >> 32) + 1);
    long double value = std::ldexp(base, static_cast<int>(random() % 40) * 820 - 16400);
    return random() % 20 == 0 ? 0.0L : random() % 2 == 0 ? value : -value;
  };
  for (int i = 0; i < 20000; ++i) {
    volatile long double a = any(), b = any();
    FloatValue x = extended(a), y = extended(b);
    constexpr Rounding kNearest = Rounding::NearestEven;
    ASSERT_EQ(x.plus(y, kNearest).bits(), extended(a + b).bits());
    ASSERT_EQ(x.times(y, kNearest).bits(), extended(a * b).bits());
    ASSERT_EQ(x.divided_by(y, kNearest).bits(), extended(a / b).bits());
    ASSERT_EQ(x.square_root(kNearest).bits(), extended(std::sqrt(a)).bits());
    ASSERT_EQ(x.in_format(kFloat64, kNearest).bits(), ours(static_cast<double>(a)).bits());
  }
}

/// Every eighth between the numbers of a small format, in every mode, by looking at all numbers.
TEST(FloatRounding, TakesTheRightNeighbour) {
  constexpr FloatFormat kSmall{3, 3};
  std::vector<FloatValue> finite;
  for (unsigned bits = 0; bits < 64; ++bits)
    if (FloatValue value(kSmall, bits); value.is_finite()) finite.push_back(value);
  for (int n = -1300; n <= 1300; ++n) {
    mpq_class exact(n, 64);
    exact.canonicalize();
    mpq_class below = -100, above = 100;
    for (const FloatValue& value : finite) {
      if (value.exact() <= exact) below = std::max(below, value.exact());
      if (value.exact() >= exact) above = std::min(above, value.exact());
    }
    auto number = [&](Rounding rounding) { return FloatValue::rounded(kSmall, exact, rounding); };
    FloatValue up = number(Rounding::Up), down = number(Rounding::Down);
    if (above < 100) {
      EXPECT_EQ(up.exact(), above) << exact;
    } else {
      EXPECT_TRUE(up.is_infinite() && !up.is_negative()) << exact;
    }
    if (below > -100) {
      EXPECT_EQ(down.exact(), below) << exact;
    } else {
      EXPECT_TRUE(down.is_infinite() && down.is_negative()) << exact;
    }
    EXPECT_EQ(number(Rounding::Zero).bits(), (n > 0 ? down : up).bits()) << exact;
    for (Rounding nearest : {Rounding::NearestEven, Rounding::NearestAway}) {
      FloatValue got = number(nearest);
      if (below == -100 || above == 100) continue;
      mpq_class to_above = above - exact, to_below = exact - below;
      ASSERT_TRUE(got.is_finite());
      if (to_above == 0) {
        EXPECT_EQ(got.exact(), exact);
      } else if (to_above != to_below) {
        EXPECT_EQ(got.exact(), to_above < to_below ? above : below) << exact;
      } else if (nearest == Rounding::NearestAway) {
        EXPECT_EQ(got.exact(), n > 0 ? above : below) << exact;
      } else {
        EXPECT_EQ(mpz_odd_p(got.bits().get_mpz_t()), 0) << exact;
      }
    }
  }
  // The largest number is 14; from 15 on, half a unit above, it is infinite.
  EXPECT_EQ(FloatValue::rounded(kSmall, mpq_class(29, 2), Rounding::NearestEven).exact(), 14);
  EXPECT_TRUE(FloatValue::rounded(kSmall, 15, Rounding::NearestEven).is_infinite());
}

TEST(FloatValue, HasOneNan) {
  EXPECT_EQ(FloatValue(kFloat32, 0xFFFFFFFFUL).bits(), 0x7FC00000UL);
  EXPECT_EQ(FloatValue(kFloat32, 0x7F800001UL).bits(), 0x7FC00000UL);
  EXPECT_FALSE(FloatValue(kFloat32, 0xFFFFFFFFUL).is_negative());
  EXPECT_EQ(FloatValue::nan({2, 2}).bits(), 7);
}

}  // namespace
}  // namespace lem
