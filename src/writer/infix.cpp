#include "writer/infix.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/assert.h"
#include "term/smtlib/printer.h"
#include "term/traverse.h"

namespace lem::writer {

namespace {

/// How strongly an operator binds. Unlike in C, comparisons bind weaker than operators on bits, so
/// that (a & b) == c needs no parentheses.
enum class Precedence : std::uint8_t {
  Choice,
  Or,
  And,
  Compare,
  BitOr,
  BitXor,
  BitAnd,
  Shift,
  Sum,
  Product,
  Prefix,
  Leaf
};

class Infix {
 public:
  Infix(const TermStore& terms, const InfixNames& names) : terms_(terms), names_(names) {}

  /// In a place that demands an operator of at least this strength.
  std::string text(Term term, Precedence least) const {
    auto [words, strength] = plain(term);
    return strength < least ? "(" + words + ")" : words;
  }

 private:
  struct Text {
    std::string words;
    Precedence strength;
  };

  static Precedence above(Precedence strength) {
    return static_cast<Precedence>(static_cast<std::uint8_t>(strength) + 1);
  }
  std::string arg(Term term, std::uint32_t i, Precedence least) const {
    return text(terms_.arg(term, i), least);
  }
  Text binary(Term term, const char* sign, Precedence strength) const {
    std::string words = arg(term, 0, strength);
    for (std::uint32_t i = 1; i < terms_.args(term).size(); ++i)
      words += fmt::format(" {} {}", sign, arg(term, i, above(strength)));
    return {std::move(words), strength};
  }
  Text prefix(Term term, const char* sign) const {
    return {sign + arg(term, 0, Precedence::Prefix), Precedence::Prefix};
  }
  Text call(Term term, const std::string& name) const {
    std::string words = name + "(";
    for (std::uint32_t i = 0; i < terms_.args(term).size(); ++i)
      words += (i == 0 ? "" : ", ") + arg(term, i, Precedence::Choice);
    return {words + ")", Precedence::Leaf};
  }
  /// Of floats, `is` and `is not` compare values, NaN and the signs of zeros too; == and != are
  /// C's.
  bool is_float(Term term) const { return terms_.kind(term) == SortKind::Float; }
  Text value(Term term) const;
  Text negation(Term inner) const;
  Text sum(Term term) const;
  Text plain(Term term) const;
  std::string name(Term variable) const {
    std::string other = names_ ? names_(variable) : std::string();
    return other.empty() ? terms_.name(variable) : other;
  }

  const TermStore& terms_;
  const InfixNames& names_;
};

Infix::Text Infix::value(Term term) const {
  std::string words;
  switch (terms_.op(term)) {
    case Op::BoolValue:
      words = terms_.is_true(term) ? "true" : "false";
      break;
    case Op::BvValue:
      words = terms_.signed_value(term).get_str();
      break;
    case Op::IntValue:
      words = terms_.integer_value(term).get_str();
      break;
    case Op::FpValue:
      words = terms_.float_value(term).text();
      break;
    default:
      words = terms_.real_value(term).get_str();
  }
  return {words, words.front() == '-' ? Precedence::Prefix : Precedence::Leaf};
}

std::string rounded(std::uint32_t rounding) {
  switch (static_cast<Rounding>(rounding)) {
    case Rounding::NearestEven:
      return "rint";
    case Rounding::NearestAway:
      return "round";
    case Rounding::Up:
      return "ceil";
    case Rounding::Down:
      return "floor";
    case Rounding::Zero:
      return "trunc";
  }
  unreachable();
}

std::string float_name(FloatFormat format) {
  if (format == kFloat32) return "float";
  if (format == kFloat64) return "double";
  return "f" + std::to_string(format.exponent) + "_" + std::to_string(format.significand);
}

/// !(a == b) is a != b, !(a < b) is a >= b, but for floats, where NaN is neither.
Infix::Text Infix::negation(Term inner) const {
  switch (terms_.op(inner)) {
    case Op::Eq:
      return binary(inner, is_float(terms_.arg(inner, 0)) ? "is not" : "!=", Precedence::Compare);
    case Op::FpEq:
      return binary(inner, "!=", Precedence::Compare);
    case Op::BvSlt:
    case Op::Lt:
      return binary(inner, ">=", Precedence::Compare);
    case Op::BvUlt:
      return binary(inner, ">=u", Precedence::Compare);
    case Op::Le:
      return binary(inner, ">", Precedence::Compare);
    default:
      return {"!" + text(inner, Precedence::Prefix), Precedence::Prefix};
  }
}

/// a + -1 * b is a - b.
Infix::Text Infix::sum(Term term) const {
  std::string words;
  for (Term part : terms_.args(term)) {
    std::string here = text(part, Precedence::Product);
    bool minus = here.front() == '-';
    if (words.empty()) {
      words = here;
    } else {
      words += (minus ? " - " : " + ") + (minus ? here.substr(1) : here);
    }
  }
  return {std::move(words), Precedence::Sum};
}

// long: flat switch
Infix::Text Infix::plain(Term term) const {
  switch (terms_.op(term)) {
    case Op::Variable:
      return {name(term), Precedence::Leaf};
    case Op::BoolValue:
    case Op::BvValue:
    case Op::IntValue:
    case Op::RealValue:
    case Op::FpValue:
      return value(term);
    case Op::Eq:
      return binary(term, is_float(terms_.arg(term, 0)) ? "is" : "==", Precedence::Compare);
    case Op::Ite:
      return {fmt::format("{} ? {} : {}", arg(term, 0, Precedence::Or),
                          arg(term, 1, Precedence::Or), arg(term, 2, Precedence::Choice)),
              Precedence::Choice};
    case Op::Not:
      return negation(terms_.arg(term, 0));
    case Op::And:
      return binary(term, "&&", Precedence::And);
    case Op::Or:
      return binary(term, "||", Precedence::Or);
    case Op::BvNot:
      return prefix(term, "~");
    case Op::BvNeg:
      return prefix(term, "-");
    case Op::BvAnd:
      return binary(term, "&", Precedence::BitAnd);
    case Op::BvOr:
      return binary(term, "|", Precedence::BitOr);
    case Op::BvXor:
      return binary(term, "^", Precedence::BitXor);
    case Op::BvAdd:
    case Op::Add:
      return sum(term);
    case Op::Mul: {
      Term first = terms_.arg(term, 0);
      bool minus = terms_.args(term).size() == 2 && terms_.is_value(first) &&
                   terms_.number_value(first) == -1;
      if (minus) return {"-" + arg(term, 1, Precedence::Prefix), Precedence::Product};
      return binary(term, "*", Precedence::Product);
    }
    case Op::BvMul:
      return binary(term, "*", Precedence::Product);
    case Op::BvUdiv:
      return binary(term, "/u", Precedence::Product);
    case Op::BvUrem:
      return binary(term, "%u", Precedence::Product);
    case Op::BvSdiv:
    case Op::IntDiv:
      return binary(term, "/", Precedence::Product);
    case Op::BvSrem:
    case Op::IntMod:
      return binary(term, "%", Precedence::Product);
    case Op::BvSmod:
      return call(term, "mod");
    case Op::BvShl:
      return binary(term, "<<", Precedence::Shift);
    case Op::BvLshr:
      return binary(term, ">>u", Precedence::Shift);
    case Op::BvAshr:
      return binary(term, ">>", Precedence::Shift);
    case Op::BvUlt:
      return binary(term, "<u", Precedence::Compare);
    case Op::BvSlt:
    case Op::Lt:
      return binary(term, "<", Precedence::Compare);
    case Op::Le:
      return binary(term, "<=", Precedence::Compare);
    case Op::BvConcat:
      return call(term, "concat");
    case Op::BvExtract:
      return {fmt::format("{}[{}:{}]", arg(term, 0, Precedence::Leaf), terms_.param(term, 0),
                          terms_.param(term, 1)),
              Precedence::Leaf};
    case Op::BvZeroExtend:
      return call(term, "u" + std::to_string(terms_.width(terms_.sort(term))));
    case Op::BvSignExtend:
      return call(term, "i" + std::to_string(terms_.width(terms_.sort(term))));
    case Op::ToReal:
      return call(term, "real");
    case Op::ToInt:
      return call(term, "floor");
    case Op::Select:
      return {
          fmt::format("{}[{}]", arg(term, 0, Precedence::Leaf), arg(term, 1, Precedence::Choice)),
          Precedence::Leaf};
    case Op::Store:
      return {fmt::format("{}[{} := {}]", arg(term, 0, Precedence::Leaf),
                          arg(term, 1, Precedence::Choice), arg(term, 2, Precedence::Choice)),
              Precedence::Leaf};
    case Op::ConstArray:
      return call(term, "all");
    case Op::FpNeg:
      return prefix(term, "-");
    case Op::FpAbs:
      return call(term, "fabs");
    case Op::FpAdd:
      return sum(term);
    case Op::FpMul:
      return binary(term, "*", Precedence::Product);
    case Op::FpDiv:
      return binary(term, "/", Precedence::Product);
    case Op::FpSqrt:
      return call(term, "sqrt");
    case Op::FpRound:
      return call(term, rounded(terms_.param(term, 0)));
    case Op::FpEq:
      return binary(term, "==", Precedence::Compare);
    case Op::FpLe:
      return binary(term, "<=", Precedence::Compare);
    case Op::FpLt:
      return binary(term, "<", Precedence::Compare);
    case Op::FpToFp:
    case Op::FpFromSigned:
    case Op::FpFromUnsigned:
      return call(term, float_name(terms_.format(terms_.sort(term))));
    case Op::FpFromBits:
      return call(term, float_name(terms_.format(terms_.sort(term))) + "_of_bits");
    case Op::FpToSigned:
      return call(term, "i" + std::to_string(terms_.width(terms_.sort(term))));
    case Op::FpToUnsigned:
      return call(term, "u" + std::to_string(terms_.width(terms_.sort(term))));
  }
  unreachable();
}

}  // namespace

std::string infix_text(const TermStore& terms, Term term) {
  return infix_text(terms, term, {});
}

/// How many operators the text would have; shared subterms count as often as they are written.
static std::size_t written_size(const TermStore& terms, Term term, std::size_t most) {
  std::unordered_map<Term, std::size_t> sizes;
  for_each_subterm(terms, {&term, 1}, [&](Term part) {
    std::size_t size = 1;
    for (Term arg : terms.args(part)) size = std::min(most + 1, size + sizes.at(arg));
    sizes[part] = size;
  });
  return sizes.at(term);
}

std::string infix_text(const TermStore& terms, Term term, const InfixNames& names) {
  static constexpr std::size_t kMostOperators = 20'000;
  // SMT-LIB has names for subterms that occur often.
  if (written_size(terms, term, kMostOperators) > kMostOperators)
    return smtlib::term_text(terms, term);
  return Infix(terms, names).text(term, Precedence::Choice);
}

}  // namespace lem::writer
