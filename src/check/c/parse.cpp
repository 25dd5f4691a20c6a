#include "check/c/parse.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ctext/text.h"

namespace lem::check {

namespace {

struct CType {
  std::uint32_t bits = 32;
  CSign sign = CSign::Signed;
};

/// A value of an integer type, or the truth that a comparison has found, which is an int too.
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
    if (error_.empty() && !t_.is_value(value.term)) fail("no number");
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
  CValue number(std::string_view word);
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
  return t_.make_not(t_.make_eq(value.term, t_.default_value(t_.sort(value.term))));
}

CValue Parser::number_of(const CValue& value) {
  if (!value.is_truth) return value;
  Term one = ideal_ ? t_.integer(1) : t_.bv(1, 32);
  return {t_.make_ite(value.term, one, zero().term), {}};
}

CValue Parser::converted(const CValue& value, CType type) {
  CValue from = number_of(value);
  if (ideal_) return {from.term, type};
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

CValue Parser::apply(std::string_view op, const CValue& a, const CValue& b) {
  if (op == "&&") return of_truth(t_.make_and(truth(a), truth(b)));
  if (op == "||") return of_truth(t_.make_or(truth(a), truth(b)));
  CValue left = promoted(a), right = promoted(b);
  if (!ideal_ && (op == "<<" || op == ">>")) return shift(op, left, right);
  CType type = common(left, right);
  left = converted(left, type);
  right = converted(right, type);
  bool compares = op == "==" || op == "!=" || op[0] == '<' || op[0] == '>';
  if (compares && op != "<<" && op != ">>") return compare(op, left, right);
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
    out = apply("-", zero(), promoted(unary()));
  } else if (take("+")) {
    out = promoted(unary());
  } else if (take("~")) {
    CValue of = promoted(unary());
    out = ideal_ ? fail("operator '~' over whole numbers")
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

/// ( type ), of integer types.
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
    else if (word != "signed" && word != "int")
      return {};
  }
  if (words == 0) return {};
  if (longs > 0) type.bits = longs == 1 ? long_bits_ : 64;
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

CValue Parser::number(std::string_view word) {
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
  if (variable == nullptr) return fail("unknown name '" + words + "'");
  switch (t_.kind(variable->term)) {
    case SortKind::Bool:
      return of_truth(variable->term);
    case SortKind::BitVec:
    case SortKind::Int:
      return {variable->term, {variable->bits, variable->sign}};
    case SortKind::Real:
    case SortKind::Float:
    case SortKind::Array:
      break;
  }
  return fail("'" + words + "' is no integer");
}

}  // namespace

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
