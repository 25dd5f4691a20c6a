// The floating-point operations of Op, on values.
#pragma once

#include "term/term_store.h"

namespace lem {

enum class FloatSign : std::uint8_t { Signed, Unsigned };

Term make_fp_sub(TermStore& terms, Term a, Term b, Rounding rounding);
Term make_fp_is_nan(TermStore& terms, Term a);
Term make_fp_is_infinite(TermStore& terms, Term a);
Term make_fp_is_zero(TermStore& terms, Term a);
Term make_fp_is_subnormal(TermStore& terms, Term a);
Term make_fp_is_normal(TermStore& terms, Term a);
Term make_fp_is_negative(TermStore& terms, Term a);  // by its sign: -0 is, NaN is not
Term make_fp_is_positive(TermStore& terms, Term a);

/// low <= x < high, or low < x < high where strict: x without its fraction is an integer of that
/// many bits.
struct FloatRange {
  FloatValue low, high;
  bool strict;
};
FloatRange fp_range(FloatFormat format, std::uint32_t width, FloatSign sign);
/// Whether the float without its fraction is an integer of that many bits.
Term make_fp_fits(TermStore& terms, Term a, std::uint32_t width, FloatSign sign);

}  // namespace lem
