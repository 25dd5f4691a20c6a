#include "check/c/parse.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "ctext/text.h"
#include "term/floats.h"

namespace lem::check {

namespace {

struct CType {
  std::uint32_t bits = 32;
  CSign sign = CSign::Signed;
  std::optional<FloatFormat> format{};  // of float, double and long double

  static CType floating(FloatFormat format) { return {format.bits(), CSign::Signed, format}; }
};

/// A value of an arithmetic type, or the truth that a comparison has found, which is an int too.
struct CValue {
  Term term;
  CType type{};
  bool is_truth = false;
};

struct Operator {
  std::string_view text;
  int strength;
};
constexpr std::array kOperators = {
    Operator{"||", 1}, Operator{"&&", 2}, Operator{"|", 3},  Operator{"^", 4},  Operator{"&", 5},
    Operator{"==", 6}, Operator{"!=", 6}, Operator{"<", 7},  Operator{"<=", 7}, Operator{">", 7},
    Operator{">=", 7}, Operator{"<<", 8}, Operator{">>", 8}, Operator{"+", 9},  Operator{"-", 9},
    Operator{"*", 10}, Operator{"/", 10}, Operator{"%", 10}};

constexpr int kDeepest = 2000;

/// The number that digits, a point and an exponent are; nullopt if they are none, or if the
/// exponent is beyond that of any format (a short text must not ask for much memory).
std::optional<mpq_class> exact_number(std::string_view text) {
  bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::size_t mark = text.find_first_of(hex ? "pP" : "eE");
  std::string digits(text.substr(0, mark));
  long exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view power = text.substr(mark + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    auto [end, wrong] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (wrong != std::errc{} || end != power.data() + power.size()) return {};
  } else if (hex) {
    return {};
  }
  std::size_t point = digits.find('.');
  long after = 0;
  if (point != std::string::npos) {
    after = static_cast<long>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  constexpr long kMost = 20'000;
  if (digits.empty() || digits.size() > kMost || std::abs(exponent) > kMost) return {};
  mpz_class whole;
  if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos ||
      whole.set_str(digits, hex ? 16 : 10) != 0)
    return {};
  long power = exponent - (hex ? 4 * after : after);
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), hex ? 2 : 10, static_cast<unsigned long>(std::abs(power)));
  mpq_class out = power < 0 ? mpq_class(whole, scale) : mpq_class(whole * scale);
  out.canonicalize();
  return out;
}

class Parser {
 public:
  Parser(TermStore& terms, std::string_view text, const CScope& scope, std::uint32_t pointer_bits,
         CNumbers numbers)
      : t_(terms),
        text_(std::string(text)),
        scope_(scope),
        long_bits_(pointer_bits),
        ideal_(numbers == CNumbers::Whole) {}

  Result<Term> condition() {
    CValue value = choice();
    if (at_ < text_.tokens().size()) fail("unexpected '" + std::string(text_[at_]) + "'");
    Term holds = truth(value);
    if (!error_.empty()) return Error{{}, error_};
    return holds;
  }

  Result<mpz_class> constant() {
    CValue value = number_of(choice());
    if (at_ < text_.tokens().size()) fail("unexpected '" + std::string(text_[at_]) + "'");
    if (error_.empty() && (!t_.is_value(value.term) || value.type.format)) fail("no integer");
    if (!error_.empty()) return Error{{}, error_};
    bool is_signed = !ideal_ && value.type.sign == CSign::Signed;
    return is_signed ? t_.signed_value(value.term) : t_.integer_value(value.term);
  }

 private:
  // reading
  CValue choice();
  CValue binary(int least);
  CValue unary();
  CValue primary();
  CValue value_of(const CVariable& variable, Term term, const std::string& words);
  CValue number(std::string_view word);
  CValue decimal(std::string_view word);
  CValue name();
  std::optional<CType> cast_type();
  bool take(std::string_view token) {
    if (text_[at_] != token) return false;
    ++at_;
    return true;
  }
  CValue fail(const std::string& what) {
    if (error_.empty()) error_ = what;
    at_ = text_.tokens().size();
    return zero();
  }

  // meaning
  CValue zero() { return {ideal_ ? t_.integer(0) : t_.bv(0, 32)}; }
  CValue of_truth(Term holds) { return {holds, {}, true}; }
  Term truth(const CValue& value);
  CValue number_of(const CValue& value);
  CValue converted(const CValue& value, CType type);
  CType common(const CValue& a, const CValue& b) const;
  CValue promoted(const CValue& value) {
    CValue plain = number_of(value);
    return plain.type.bits < 32 && !ideal_ ? converted(plain, {}) : plain;
  }
  CValue apply(std::string_view op, const CValue& a, const CValue& b);
  CValue compare(std::string_view op, const CValue& a, const CValue& b);
  CValue shift(std::string_view op, const CValue& a, const CValue& b);
  CValue arithmetic(std::string_view op, const CValue& a, const CValue& b);
  CValue floats(std::string_view op, const CValue& a, const CValue& b);
  Term as_float(const CValue& value, FloatFormat format);
  CValue whole(std::string_view op, const CValue& a, const CValue& b);

  TermStore& t_;
  ctext::CText text_;
  const CScope& scope_;
  std::uint32_t long_bits_;
  bool ideal_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string error_;
};

// Meaning ---------------------------------------------------------------------------------------

Term Parser::truth(const CValue& value) {
  if (value.is_truth) return value.term;
  if (value.type.format) return t_.make_not(make_fp_is_zero(t_, value.term));
  return t_.make_not(t_.make_eq(value.term, t_.default_value(t_.sort(value.term))));
}

CValue Parser::number_of(const CValue& value) {
  if (!value.is_truth) return value;
  Term one = ideal_ ? t_.integer(1) : t_.bv(1, 32);
  return {t_.make_ite(value.term, one, zero().term), {}};
}

/// C rounds to nearest, unless the program asks for something else, which a witness cannot.
constexpr std::uint32_t kNearest = static_cast<std::uint32_t>(Rounding::NearestEven);

Term Parser::as_float(const CValue& value, FloatFormat format) {
  if (value.type.format == format) return value.term;
  if (value.type.format) return t_.make(Op::FpToFp, {value.term}, format.packed(), kNearest);
  bool is_signed = value.type.sign == CSign::Signed && value.type.bits != 1;
  return t_.make(is_signed ? Op::FpFromSigned : Op::FpFromUnsigned, {value.term}, format.packed(),
                 kNearest);
}

CValue Parser::converted(const CValue& value, CType type) {
  CValue from = number_of(value);
  if (ideal_) return {from.term, type};
  if (type.format) return {as_float(from, *type.format), type};
  if (from.type.format && type.bits != 1)
    return {t_.make(type.sign == CSign::Signed ? Op::FpToSigned : Op::FpToUnsigned, {from.term},
                    type.bits),
            type};
  std::uint32_t bits = from.type.bits;
  Term term = from.term;
  if (type.bits == 1) return {t_.make_ite(truth(from), t_.bv(1, 1), t_.bv(0, 1)), type};
  if (type.bits < bits) term = t_.make_extract(term, type.bits - 1, 0);
  if (type.bits > bits) {
    bool is_signed = from.type.sign == CSign::Signed && bits != 1;
    term = t_.make(is_signed ? Op::BvSignExtend : Op::BvZeroExtend, {term}, type.bits - bits);
  }
  return {term, type};
}

/// The usual arithmetic conversions, of what is promoted.
CType Parser::common(const CValue& a, const CValue& b) const {
  if (a.type.format && b.type.format)
    return a.type.format->significand > b.type.format->significand ? a.type : b.type;
  if (a.type.format || b.type.format) return a.type.format ? a.type : b.type;
  if (a.type.bits != b.type.bits) return a.type.bits > b.type.bits ? a.type : b.type;
  bool is_unsigned = a.type.sign == CSign::Unsigned || b.type.sign == CSign::Unsigned;
  return {a.type.bits, is_unsigned ? CSign::Unsigned : CSign::Signed};
}

CValue Parser::compare(std::string_view op, const CValue& a, const CValue& b) {
  auto swapped = op == ">" || op == "<=";  // a > b is b < a, a <= b is not b < a
  Term left = swapped ? b.term : a.term, right = swapped ? a.term : b.term, holds;
  if (op == "==" || op == "!=")
    holds = t_.make_eq(left, right);
  else if (ideal_)
    holds = t_.make_lt(left, right);
  else
    holds = t_.make(a.type.sign == CSign::Unsigned ? Op::BvUlt : Op::BvSlt, {left, right});
  bool negated = op == "!=" || op == "<=" || op == ">=";
  return of_truth(negated ? t_.make_not(holds) : holds);
}

CValue Parser::shift(std::string_view op, const CValue& a, const CValue& b) {
  Op shifts = op == "<<" ? Op::BvShl : a.type.sign == CSign::Unsigned ? Op::BvLshr : Op::BvAshr;
  return {t_.make(shifts, {a.term, converted(b, a.type).term}), a.type};
}

CValue Parser::whole(std::string_view op, const CValue& a, const CValue& b) {
  if (op == "+") return {t_.make_add(a.term, b.term)};
  if (op == "-") return {t_.make_sub(a.term, b.term)};
  if (op == "*") return {t_.make_mul(a.term, b.term)};
  return fail("operator '" + std::string(op) + "' over whole numbers");
}

CValue Parser::arithmetic(std::string_view op, const CValue& a, const CValue& b) {
  bool is_unsigned = a.type.sign == CSign::Unsigned;
  auto make = [&](Op one) { return CValue{t_.make(one, {a.term, b.term}), a.type}; };
  if (op == "+") return make(Op::BvAdd);
  if (op == "-") return {t_.make_bv_sub(a.term, b.term), a.type};
  if (op == "*") return make(Op::BvMul);
  if (op == "/") return make(is_unsigned ? Op::BvUdiv : Op::BvSdiv);
  if (op == "%") return make(is_unsigned ? Op::BvUrem : Op::BvSrem);
  if (op == "&") return make(Op::BvAnd);
  if (op == "|") return make(Op::BvOr);
  return make(Op::BvXor);
}

CValue Parser::floats(std::string_view op, const CValue& a, const CValue& b) {
  auto holds = [&](Op one, Term x, Term y) { return of_truth(t_.make(one, {x, y})); };
  auto rounded = [&](Op one) { return CValue{t_.make(one, {a.term, b.term}, kNearest), a.type}; };
  if (op == "==") return holds(Op::FpEq, a.term, b.term);
  if (op == "!=") return of_truth(t_.make_not(t_.make(Op::FpEq, {a.term, b.term})));
  if (op == "<") return holds(Op::FpLt, a.term, b.term);
  if (op == "<=") return holds(Op::FpLe, a.term, b.term);
  if (op == ">") return holds(Op::FpLt, b.term, a.term);
  if (op == ">=") return holds(Op::FpLe, b.term, a.term);
  if (op == "+") return rounded(Op::FpAdd);
  if (op == "-") return {make_fp_sub(t_, a.term, b.term, Rounding::NearestEven), a.type};
  if (op == "*") return rounded(Op::FpMul);
  if (op == "/") return rounded(Op::FpDiv);
  return fail("operator '" + std::string(op) + "' over floats");
}

CValue Parser::apply(std::string_view op, const CValue& a, const CValue& b) {
  if (op == "&&") return of_truth(t_.make_and(truth(a), truth(b)));
  if (op == "||") return of_truth(t_.make_or(truth(a), truth(b)));
  CValue left = promoted(a), right = promoted(b);
  bool shifts = op == "<<" || op == ">>";
  if (shifts && (left.type.format || right.type.format)) return fail("a shift of floats");
  if (!ideal_ && shifts) return shift(op, left, right);
  CType type = common(left, right);
  left = converted(left, type);
  right = converted(right, type);
  if (type.format) return floats(op, left, right);
  bool compares = op == "==" || op == "!=" || op[0] == '<' || op[0] == '>';
  if (compares && !shifts) return compare(op, left, right);
  return ideal_ ? whole(op, left, right) : arithmetic(op, left, right);
}

// Reading ---------------------------------------------------------------------------------------

CValue Parser::choice() {
  if (++depth_ > kDeepest) return fail("too deep");
  CValue condition = binary(1);
  if (take("?")) {
    Term holds = truth(condition);
    CValue yes = choice();
    if (!take(":")) return fail("expected ':'");
    CValue no = choice();
    if (yes.is_truth && no.is_truth) {
      condition = of_truth(t_.make_ite(holds, yes.term, no.term));
    } else {
      yes = promoted(yes);
      no = promoted(no);
      CType type = common(yes, no);
      condition = {t_.make_ite(holds, converted(yes, type).term, converted(no, type).term), type};
    }
  }
  --depth_;
  return condition;
}

CValue Parser::binary(int least) {
  CValue left = unary();
  for (;;) {
    const Operator* found = nullptr;
    for (const Operator& one : kOperators)
      if (one.text == text_[at_] && one.strength >= least) found = &one;
    if (found == nullptr) return left;
    ++at_;
    CValue right = binary(found->strength + 1);
    if (!error_.empty()) return zero();
    left = apply(found->text, left, right);
  }
}

CValue Parser::unary() {
  if (++depth_ > kDeepest) return fail("too deep");
  CValue out;
  if (take("!")) {
    out = of_truth(t_.make_not(truth(unary())));
  } else if (take("-")) {
    CValue of = promoted(unary());
    // 0 - 0.0 is not -0.0
    out = of.type.format ? CValue{t_.make(Op::FpNeg, {of.term}), of.type} : apply("-", zero(), of);
  } else if (take("+")) {
    out = promoted(unary());
  } else if (take("~")) {
    CValue of = promoted(unary());
    out = ideal_ || of.type.format
              ? fail(std::string("operator '~' over ") + (ideal_ ? "whole numbers" : "floats"))
              : CValue{t_.make(Op::BvNot, {of.term}), of.type};
  } else if (std::optional<CType> type = cast_type()) {
    CValue of = unary();
    out = ideal_ ? fail("a cast over whole numbers") : converted(of, *type);
  } else {
    out = primary();
  }
  --depth_;
  return error_.empty() ? out : zero();
}

/// ( type ), of arithmetic types.
std::optional<CType> Parser::cast_type() {
  if (text_[at_] != "(") return {};
  std::size_t at = at_ + 1, longs = 0, words = 0;
  CType type;
  for (; text_[at] != ")"; ++at, ++words) {
    std::string_view word = text_[at];
    if (word == "unsigned")
      type.sign = CSign::Unsigned;
    else if (word == "char")
      type.bits = 8;
    else if (word == "short")
      type.bits = 16;
    else if (word == "long")
      ++longs;
    else if (word == "_Bool")
      type = {1, CSign::Unsigned};
    else if (word == "float")
      type = CType::floating(kFloat32);
    else if (word == "double")
      type = CType::floating(kFloat64);
    else if (word != "signed" && word != "int")
      return {};
  }
  if (words == 0) return {};
  if (type.format && longs > 0) type = CType::floating(kFloat80);
  if (!type.format && longs > 0) type.bits = longs == 1 ? long_bits_ : 64;
  at_ = at + 1;
  return type;
}

CValue Parser::primary() {
  if (take("(")) {
    CValue inner = choice();
    if (!take(")")) return fail("expected ')'");
    return inner;
  }
  std::string_view word = text_[at_];
  if (word.empty()) return fail("unexpected end");
  if (word[0] >= '0' && word[0] <= '9') {
    ++at_;
    return number(word);
  }
  return name();
}

/// 1.5f, 1e-3, 0x1.8p+1L: an exact number, rounded once to the format.
CValue Parser::decimal(std::string_view word) {
  if (ideal_) return fail("a float among whole numbers");
  std::string_view digits = word;
  FloatFormat format = kFloat64;
  bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  // In hexadecimal an f before the exponent is a digit.
  bool exponent = digits.find_first_of(hex ? "pP" : "eE") != std::string_view::npos;
  char last = digits.back();
  if ((last == 'f' || last == 'F') && (!hex || exponent)) format = kFloat32;
  if (last == 'l' || last == 'L') format = kFloat80;
  if (format != kFloat64) digits.remove_suffix(1);
  std::optional<mpq_class> value = exact_number(digits);
  if (!value) return fail("no number: '" + std::string(word) + "'");
  FloatValue rounded = FloatValue::rounded(format, *value, Rounding::NearestEven);
  return {t_.floating(rounded), CType::floating(format)};
}

CValue Parser::number(std::string_view word) {
  bool hex = word.starts_with("0x") || word.starts_with("0X");
  if (word.find_first_of(hex ? ".pP" : ".eE") != std::string_view::npos) return decimal(word);
  std::size_t end = word.find_first_of("uUlL");
  std::string digits(word.substr(0, end));
  std::string_view suffix = end == std::string_view::npos ? "" : word.substr(end);
  mpz_class value;
  if (value.set_str(digits, 0) != 0) return fail("no number: '" + std::string(word) + "'");
  if (ideal_) return {t_.integer(value)};
  CType type;
  auto longs =
      std::count_if(suffix.begin(), suffix.end(), [](char c) { return c == 'l' || c == 'L'; });
  bool is_unsigned = suffix.find_first_of("uU") != std::string_view::npos;
  if (longs > 0) type.bits = longs == 1 ? long_bits_ : 64;
  mpz_class span = mpz_class(1) << (type.bits - (is_unsigned ? 0 : 1));
  if (value >= span) type.bits = 64;
  if (value >= mpz_class(1) << (is_unsigned ? 64 : 63))
    return fail("a number beyond all types: '" + std::string(word) + "'");
  if (is_unsigned) type.sign = CSign::Unsigned;
  return {t_.bv(value, type.bits), type};
}

/// A word, with members and fixed elements.
CValue Parser::name() {
  std::string words(text_[at_++]);
  if (words == "\\") words += text_[at_++];  // \result
  for (;;) {
    if (text_[at_] == ".") {
      words += "." + std::string(text_[at_ + 1]);
      at_ += 2;
    } else if (text_[at_] == "[" && text_[at_ + 2] == "]") {
      words += "[" + std::string(text_[at_ + 1]) + "]";
      at_ += 3;
    } else {
      break;
    }
  }
  if (text_[at_] == "(" && words != "sizeof") return fail("a call of '" + words + "'");
  const CVariable* variable = scope_(words);
  if (variable != nullptr) return value_of(*variable, variable->term, words);
  std::optional<CElement> element = element_of(words);
  // Where the name is also that of a pointer, either may hide the other.
  bool hidden = element && scope_(element->array.substr(0, element->array.find('['))) != nullptr;
  variable = element && !hidden ? scope_(element->array) : nullptr;
  if (variable == nullptr) return fail("unknown name '" + words + "'");
  if (t_.kind(variable->term) != SortKind::Array) return fail("'" + words + "' is no number");
  Sort sort = t_.index_sort(t_.sort(variable->term));
  if (t_.kind(sort) == SortKind::BitVec && element->index >> t_.width(sort) != 0)
    return fail("'" + words + "' is beyond the array");
  Term index = t_.number(mpq_class(element->index), sort);
  return value_of(*variable, t_.make_select(variable->term, index), words);
}

/// A variable, or an element of it.
CValue Parser::value_of(const CVariable& variable, Term term, const std::string& words) {
  switch (t_.kind(term)) {
    case SortKind::Bool:
      return of_truth(term);
    case SortKind::BitVec:
    case SortKind::Int:
      return {term, {variable.bits, variable.sign}};
    case SortKind::Float:
      return {term, CType::floating(t_.format(t_.sort(term)))};
    case SortKind::Real:
    case SortKind::Array:
      break;
  }
  return fail("'" + words + "' is no number");
}

}  // namespace

std::optional<CElement> element_of(std::string_view name) {
  std::size_t open = name.find('[');
  if (open == std::string_view::npos || open != name.rfind('[')) return {};
  std::size_t close = name.find(']', open);
  if (close == std::string_view::npos) return {};
  std::string digits(name.substr(open + 1, close - open - 1));
  // Decimal, as it is written: 010 would be eight. An index has at most the digits of 2^64.
  bool decimal = !digits.empty() && digits.size() <= 20 &&
                 digits.find_first_not_of("0123456789") == std::string::npos &&
                 (digits[0] != '0' || digits.size() == 1);
  if (!decimal) return {};
  return CElement{std::string(name.substr(0, open + 1)) + std::string(name.substr(close)),
                  mpz_class(digits)};
}

Result<Term> parse_condition(TermStore& terms, std::string_view text, const CScope& scope,
                             std::uint32_t pointer_bits, CNumbers numbers) {
  return Parser(terms, text, scope, pointer_bits, numbers).condition();
}

Result<mpz_class> parse_number(TermStore& terms, std::string_view text, std::uint32_t pointer_bits,
                               CNumbers numbers) {
  CScope nothing = [](std::string_view) { return nullptr; };
  return Parser(terms, text, nothing, pointer_bits, numbers).constant();
}

}  // namespace lem::check
