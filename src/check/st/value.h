// Values of the interpreter of Structured Text, and what operators do with them. Written apart from
// frontend/st on purpose: the two must agree, and replay shows whether they do.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <string>

#include "model/st/program.h"
#include "term/float_value.h"

namespace lem::check::plc {

/// A number of a type; without a type, a literal that takes the type of what it meets.
struct Value {
  const st::Type* type = nullptr;
  mpz_class number{};                // of everything but reals; TRUE is 1
  std::optional<FloatValue> real{};  // of REAL and LREAL
  std::optional<mpq_class> exact{};  // of a literal with a fraction
};

FloatFormat format_of(const st::Type& type);
/// The number in the range of the type, modulo 2^bits.
mpz_class wrapped(const mpz_class& number, const st::Type& type);
bool in_range(const mpz_class& number, const st::Type& type);
/// A literal or a value of a smaller type as one of `type`; nothing where the kinds do not fit.
std::optional<Value> as_type(const Value& value, const st::Type& type);
/// What X_TO_Y does; nothing for a real that does not fit.
std::optional<Value> converted(const Value& value, const st::Type& to, Rounding rounding);
/// Whether a value of a type is the same number in another one. Bit strings are no numbers: from
/// these, no bit gets lost.
bool keeps_value(const Value& value, const st::Type& to);
Value default_value(const st::Type& type);
/// Literals of at most 64 bits and reals alike.
bool same(const Value& a, const Value& b);
/// -1, 0, 1; nothing where NaN is compared.  require: of one type, or both without
std::optional<int> order(const Value& a, const Value& b);

}  // namespace lem::check::plc
