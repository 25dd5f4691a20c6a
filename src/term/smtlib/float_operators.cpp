#include "term/smtlib/float_operators.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "term/floats.h"
#include "term/smtlib/operators.h"
#include "term/smtlib/printer.h"

namespace lem::smtlib {

namespace {

Error bad(const FloatCall& call, const std::string& message) {
  return {{}, "'" + std::string(call.name) + "' " + message, ErrorKind::BadInput};
}

std::uint32_t mode(const FloatCall& call) {
  return static_cast<std::uint32_t>(*call.rounding);
}

/// What a call must look like.
enum class Shape : std::uint8_t {
  One,          // a float
  OneRounded,   // a rounding mode and a float
  TwoRounded,   // a rounding mode and two floats
  Chain,        // two floats or more
  Parts,        // sign, exponent, significand
  ToFloat,      // indices of a format; the rest depends on the argument
  FromInteger,  // indices of a format, a rounding mode, a bit-vector
  ToInteger,    // index of a width, a rounding mode, a float
};

struct FloatRow {
  std::string_view name;
  Shape shape;
  Result<Term> (*build)(TermStore& t, const FloatCall& call);
};

template <Op op>
Result<Term> plain(TermStore& t, const FloatCall& call) {
  return t.make(op, call.args);
}
template <Op op>
Result<Term> rounded(TermStore& t, const FloatCall& call) {
  return t.make(op, call.args, mode(call));
}
Result<Term> difference(TermStore& t, const FloatCall& call) {
  return make_fp_sub(t, call.args[0], call.args[1], *call.rounding);
}
using Predicate = Term (*)(TermStore&, Term);
template <Predicate predicate>
Result<Term> test(TermStore& t, const FloatCall& call) {
  return predicate(t, call.args[0]);
}
enum class Order : std::uint8_t { Given, Reversed };
template <Op op, Order order>
Result<Term> chain(TermStore& t, const FloatCall& call) {
  std::vector<Term> links;
  for (std::size_t i = 0; i + 1 < call.args.size(); ++i) {
    Term a = call.args[i], b = call.args[i + 1];
    links.push_back(order == Order::Given ? t.make(op, {a, b}) : t.make(op, {b, a}));
  }
  return t.make_and(links);
}

Result<Term> from_parts(TermStore& t, const FloatCall& call) {
  FloatFormat format{t.width(call.args[1]), t.width(call.args[2]) + 1};
  if (t.width(call.args[0]) != 1) return bad(call, "expects a sign of one bit");
  if (!format.is_supported()) return bad(call, "has an unsupported number of bits");
  Term bits = t.make_concat(call.args[0], t.make_concat(call.args[1], call.args[2]));
  return t.make(Op::FpFromBits, {bits}, format.packed());
}

/// to_fp: a bit pattern, another float, a constant number, or a signed integer.
Result<Term> to_float(TermStore& t, const FloatCall& call) {
  FloatFormat format{call.indices[0], call.indices[1]};
  if (!format.is_supported()) return bad(call, "has an unsupported number of bits");
  Term arg = call.args[0];
  if (!call.rounding) {
    if (t.kind(arg) != SortKind::BitVec || t.width(arg) != format.bits())
      return bad(call, "without a rounding mode expects a bit-vector of " +
                           std::to_string(format.bits()) + " bits");
    return t.make(Op::FpFromBits, {arg}, format.packed());
  }
  switch (t.kind(arg)) {
    case SortKind::Float:
      return t.make(Op::FpToFp, {arg}, format.packed(), mode(call));
    case SortKind::BitVec:
      return t.make(Op::FpFromSigned, {arg}, format.packed(), mode(call));
    case SortKind::Int:
    case SortKind::Real:
      if (!t.is_value(arg)) break;
      return t.floating(FloatValue::rounded(format, t.number_value(arg), *call.rounding));
    case SortKind::Bool:
    case SortKind::Array:
      break;
  }
  return bad(call,
             "expects a float, a bit-vector or a constant, found " + sort_text(t, t.sort(arg)));
}

Result<Term> from_unsigned(TermStore& t, const FloatCall& call) {
  FloatFormat format{call.indices[0], call.indices[1]};
  if (!format.is_supported()) return bad(call, "has an unsupported number of bits");
  return t.make(Op::FpFromUnsigned, call.args, format.packed(), mode(call));
}

/// Rounded to an integral number first, where the mode is another than towards zero.
template <Op op>
Result<Term> to_integer(TermStore& t, const FloatCall& call) {
  std::uint32_t width = call.indices[0];
  if (width == 0 || width > kMaxWidth)
    return bad(call, "has an unsupported width of " + std::to_string(width) + " bits");
  bool exact = call.rounding == Rounding::Zero;
  Term arg = exact ? call.args[0] : t.make(Op::FpRound, call.args, mode(call));
  return t.make(op, {arg}, width);
}

constexpr auto kFloatOperators = std::to_array<FloatRow>({
    {"fp.neg", Shape::One, plain<Op::FpNeg>},
    {"fp.abs", Shape::One, plain<Op::FpAbs>},
    {"fp.add", Shape::TwoRounded, rounded<Op::FpAdd>},
    {"fp.sub", Shape::TwoRounded, difference},
    {"fp.mul", Shape::TwoRounded, rounded<Op::FpMul>},
    {"fp.div", Shape::TwoRounded, rounded<Op::FpDiv>},
    {"fp.sqrt", Shape::OneRounded, rounded<Op::FpSqrt>},
    {"fp.roundToIntegral", Shape::OneRounded, rounded<Op::FpRound>},
    {"fp.eq", Shape::Chain, chain<Op::FpEq, Order::Given>},
    {"fp.leq", Shape::Chain, chain<Op::FpLe, Order::Given>},
    {"fp.lt", Shape::Chain, chain<Op::FpLt, Order::Given>},
    {"fp.geq", Shape::Chain, chain<Op::FpLe, Order::Reversed>},
    {"fp.gt", Shape::Chain, chain<Op::FpLt, Order::Reversed>},
    {"fp.isNaN", Shape::One, test<make_fp_is_nan>},
    {"fp.isInfinite", Shape::One, test<make_fp_is_infinite>},
    {"fp.isZero", Shape::One, test<make_fp_is_zero>},
    {"fp.isNormal", Shape::One, test<make_fp_is_normal>},
    {"fp.isSubnormal", Shape::One, test<make_fp_is_subnormal>},
    {"fp.isNegative", Shape::One, test<make_fp_is_negative>},
    {"fp.isPositive", Shape::One, test<make_fp_is_positive>},
    {"fp", Shape::Parts, from_parts},
    {"to_fp", Shape::ToFloat, to_float},
    {"to_fp_unsigned", Shape::FromInteger, from_unsigned},
    {"fp.to_sbv", Shape::ToInteger, to_integer<Op::FpToSigned>},
    {"fp.to_ubv", Shape::ToInteger, to_integer<Op::FpToUnsigned>},
});

const FloatRow* find_row(std::string_view name) {
  const auto* at = std::find_if(kFloatOperators.begin(), kFloatOperators.end(),
                                [&](const FloatRow& row) { return row.name == name; });
  return at == kFloatOperators.end() ? nullptr : at;
}

struct Wanted {
  std::size_t indices, args, most;
  bool rounding;
  SortKind kind;
};

Wanted wanted(Shape shape) {
  constexpr SortKind kFloat = SortKind::Float, kBits = SortKind::BitVec;
  switch (shape) {
    case Shape::One:
      return {0, 1, 1, false, kFloat};
    case Shape::OneRounded:
      return {0, 1, 1, true, kFloat};
    case Shape::TwoRounded:
      return {0, 2, 2, true, kFloat};
    case Shape::Chain:
      return {0, 2, SIZE_MAX, false, kFloat};
    case Shape::Parts:
      return {0, 3, 3, false, kBits};
    case Shape::ToFloat:
      return {2, 1, 1, false, kFloat};
    case Shape::FromInteger:
      return {2, 1, 1, true, kBits};
    case Shape::ToInteger:
      return {1, 1, 1, true, kFloat};
  }
  unreachable();
}

Status check(const TermStore& t, const FloatCall& call, Shape shape) {
  Wanted want = wanted(shape);
  if (call.indices.size() != want.indices)
    return bad(call, "expects " + std::to_string(want.indices) + " indices, found " +
                         std::to_string(call.indices.size()));
  if (call.args.size() < want.args || call.args.size() > want.most)
    return bad(call, "expects " + std::to_string(want.args) + " arguments, found " +
                         std::to_string(call.args.size()));
  if (shape == Shape::ToFloat) return Ok{};
  if (call.rounding.has_value() != want.rounding)
    return bad(call, want.rounding ? "expects a rounding mode" : "has no rounding mode");
  for (Term arg : call.args) {
    bool same = shape == Shape::Parts || t.sort(arg) == t.sort(call.args[0]);
    if (t.kind(arg) != want.kind || !same)
      return bad(call, std::string("expects ") +
                           (want.kind == SortKind::Float ? "floats of one sort" : "bit-vectors") +
                           ", found " + sort_text(t, t.sort(arg)));
  }
  return Ok{};
}

}  // namespace

bool is_float_operator(std::string_view name) {
  return find_row(name) != nullptr;
}

std::optional<Rounding> rounding_of(std::string_view name) {
  struct Mode {
    std::string_view brief, full;
  };
  constexpr auto kModes = std::to_array<Mode>({{"RNE", "roundNearestTiesToEven"},
                                               {"RNA", "roundNearestTiesToAway"},
                                               {"RTP", "roundTowardPositive"},
                                               {"RTN", "roundTowardNegative"},
                                               {"RTZ", "roundTowardZero"}});
  for (std::size_t i = 0; i < kModes.size(); ++i)
    if (name == kModes[i].brief || name == kModes[i].full) return static_cast<Rounding>(i);
  return {};
}

Result<Term> apply_float(TermStore& terms, const FloatCall& call) {
  const FloatRow* row = find_row(call.name);
  if (Status ok = check(terms, call, row->shape); !ok) return ok.error();
  return row->build(terms, call);
}

}  // namespace lem::smtlib
