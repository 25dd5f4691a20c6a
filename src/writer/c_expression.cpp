#include "writer/c_expression.h"

#include <fmt/format.h>

#include "base/assert.h"

namespace lem::writer {

namespace {

/// How strongly an operator binds, as in C.
enum class CPrecedence : std::uint8_t {
  Choice,
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relation,
  Shift,
  Sum,
  Product,
  Prefix,
  Leaf
};

/// How the value of a C expression represents the bits of a term of width w. Its type has 32 bits,
/// or 64 where w > 32.
enum class Form : std::uint8_t {
  Low,       // unsigned; only the lowest w bits are defined
  Unsigned,  // the bits as an unsigned number; its type may be int if that suffices
  Signed,    // the bits as a number in two's complement; its type is signed
};

struct Text {
  std::string words;
  CPrecedence strength;
  Form form = Form::Signed;
  bool typed = false;  // Unsigned, and its type is unsigned and has 32 or 64 bits
};

/// Writes C expressions. A failure sets a flag, and the text is then discarded.
class Speaker {
 public:
  Speaker(const TermStore& terms, const CNames& names) : t_(terms), names_(names) {}

  std::optional<std::string> say(Term term) {
    std::string words = is_bits(term)                     ? bits(term, Form::Signed).words
                        : t_.kind(term) == SortKind::Int  ? whole(term).words
                        : t_.kind(term) == SortKind::Bool ? truth(term).words
                                                          : fail().words;
    return failed_ ? std::nullopt : std::optional(words);
  }

 private:
  static constexpr std::size_t kMostNodes = 4000;
  static constexpr std::size_t kDeepest = 400;

  Text fail() {
    failed_ = true;
    return {"0", CPrecedence::Leaf};
  }
  bool is_bits(Term term) const { return t_.kind(term) == SortKind::BitVec; }
  static std::string at_least(const Text& text, CPrecedence least) {
    return text.strength < least ? "(" + text.words + ")" : text.words;
  }
  static CPrecedence above(CPrecedence strength) {
    return static_cast<CPrecedence>(static_cast<std::uint8_t>(strength) + 1);
  }
  static Text join(const Text& a, const char* sign, const Text& b, CPrecedence strength,
                   Form form) {
    return {fmt::format("{} {} {}", at_least(a, strength), sign, at_least(b, above(strength))),
            strength, form};
  }
  static Text choose(const Text& c, const Text& a, const Text& b) {
    return {fmt::format("{} ? {} : {}", at_least(c, CPrecedence::Or), at_least(a, CPrecedence::Or),
                        at_least(b, CPrecedence::Or)),
            CPrecedence::Choice, a.form};
  }
  static Text cast(const std::string& type, const Text& text, Form form) {
    return {fmt::format("({}){}", type, at_least(text, CPrecedence::Prefix)), CPrecedence::Prefix,
            form};
  }

  // bit-vectors
  static bool wide(std::uint32_t width) { return width > 32; }
  static const char* unsigned_type(std::uint32_t width) {
    return wide(width) ? "unsigned long long" : "unsigned int";
  }
  Text literal(const mpz_class& value, std::uint32_t width, Form form) const;
  Text convert(Text text, std::uint32_t width, Form form) const;
  Text bits(Term term, Form form);
  Text natural(Term term, Form form);
  Text low(Term term, std::size_t i) { return bits(t_.arg(term, i), Form::Low); }
  Text plain(Term term, std::size_t i) { return bits(t_.arg(term, i), Form::Unsigned); }
  Text with_sign(Term term, std::size_t i) { return bits(t_.arg(term, i), Form::Signed); }
  Text fold(Term term, const char* sign, CPrecedence strength);
  Text unsigned_division(Term term);
  Text signed_division(Term term);
  Text shift(Term term);
  Text extract(Term term);
  Text concat(Term term);
  Text variable(Term term);
  bool reads_signed(Term term) const;
  const mpz_class* constant(Term term) const {
    return t_.op(term) == Op::BvValue ? &t_.integer_value(term) : nullptr;
  }

  // truth values and whole numbers
  Text truth(Term term);
  Text negation(Term inner);
  Text several(Term term, const char* sign, CPrecedence strength);
  Text compare(Term a, Term b, const char* sign, CPrecedence strength, Form form);
  Text equal(Term term, const char* sign);
  Text at_most(Term term, const char* sign);
  Text whole(Term term);
  Text sum(const std::vector<Term>& parts, const mpz_class& constant, const mpz_class& factor);

  const TermStore& t_;
  const CNames& names_;
  bool failed_ = false;
  std::size_t nodes_ = 0;
  std::size_t depth_ = 0;
};

// Bit-vectors -----------------------------------------------------------------------------------

Text Speaker::literal(const mpz_class& value, std::uint32_t width, Form form) const {
  const char* suffix = wide(width) ? "LL" : "";
  if (form != Form::Signed)
    return {value.get_str() + (wide(width) ? "ULL" : "U"), CPrecedence::Leaf, Form::Unsigned};
  mpz_class half = mpz_class(1) << (width - 1);
  mpz_class number = value >= half ? mpz_class(value - 2 * half) : value;
  bool least = number == -half && (width == 32 || width == 64);
  if (least)  // its positive is no literal of the type
    return {fmt::format("-{}{} - 1", mpz_class(half - 1).get_str(), suffix), CPrecedence::Sum,
            Form::Signed};
  return {number.get_str() + suffix, number < 0 ? CPrecedence::Prefix : CPrecedence::Leaf,
          Form::Signed};
}

Text Speaker::convert(Text text, std::uint32_t width, Form form) const {
  if (text.form == form && form != Form::Low) return text;
  bool whole_type = width == 32 || width == 64;
  if (form == Form::Low) {
    if (text.form == Form::Low) return text;
    if (text.typed) return {text.words, text.strength, Form::Low};
    return cast(unsigned_type(width), text, Form::Low);
  }
  if (form == Form::Unsigned) {
    if (text.form == Form::Low && whole_type) return {text.words, text.strength, form};
    if (width == 8) return cast("unsigned char", text, form);
    if (width == 16) return cast("unsigned short", text, form);
    if (text.form == Form::Signed) text = cast(unsigned_type(width), text, Form::Low);
    if (whole_type) return {text.words, text.strength, form};
    mpz_class mask = (mpz_class(1) << width) - 1;
    return join(text, "&", literal(mask, width, Form::Unsigned), CPrecedence::BitAnd, form);
  }
  if (width == 8) return cast("signed char", text, form);
  if (width == 16) return cast("short", text, form);
  const char* type = wide(width) ? "long long" : "int";
  if (whole_type) return cast(type, text, form);
  // The sign bit to the top and back.
  Text by{std::to_string((wide(width) ? 64 : 32) - width), CPrecedence::Leaf};
  Text up =
      join(cast(unsigned_type(width), text, Form::Low), "<<", by, CPrecedence::Shift, Form::Low);
  return join(cast(type, up, form), ">>", by, CPrecedence::Shift, form);
}

Text Speaker::bits(Term term, Form form) {
  std::uint32_t width = t_.width(term);
  if (width > 64 || ++nodes_ > kMostNodes || depth_ > kDeepest) return fail();
  if (failed_) return fail();
  if (const mpz_class* value = constant(term)) {
    Text text = literal(*value, width, form);
    if (form == Form::Low) text.form = Form::Low;
    return text;
  }
  ++depth_;
  Text text = convert(natural(term, form), width, form);
  --depth_;
  return text;
}

Text Speaker::variable(Term term) {
  std::optional<CName> name = names_(term);
  if (!name || (is_bits(term) && name->bits != t_.width(term))) return fail();
  bool is_unsigned = name->sign == CSign::Unsigned;
  return {name->text, CPrecedence::Leaf, is_unsigned ? Form::Unsigned : Form::Signed,
          is_unsigned && (name->bits == 32 || name->bits == 64)};
}

Text Speaker::fold(Term term, const char* sign, CPrecedence strength) {
  Text out = low(term, 0);
  for (std::size_t i = 1; i < t_.args(term).size(); ++i) {
    Term part = t_.arg(term, i);
    // x + -5 is x - 5
    const mpz_class* value = t_.op(term) == Op::BvAdd ? constant(part) : nullptr;
    if (value != nullptr && *value > mpz_class(1) << (t_.width(term) - 1)) {
      mpz_class positive = (mpz_class(1) << t_.width(term)) - *value;
      out = join(out, "-", literal(positive, t_.width(term), Form::Low), strength, Form::Low);
    } else if (t_.op(term) == Op::BvAdd && t_.op(part) == Op::BvNeg) {
      out = join(out, "-", low(part, 0), strength, Form::Low);
    } else {
      out = join(out, sign, bits(part, Form::Low), strength, Form::Low);
    }
  }
  return out;
}

Text Speaker::unsigned_division(Term term) {
  std::uint32_t width = t_.width(term);
  Text a = plain(term, 0), b = plain(term, 1);
  bool divides = t_.op(term) == Op::BvUdiv;
  Text result = join(a, divides ? "/" : "%", b, CPrecedence::Product, Form::Unsigned);
  const mpz_class* by = constant(t_.arg(term, 1));
  if (by != nullptr && *by != 0) return result;
  Text all = literal((mpz_class(1) << width) - 1, width, Form::Unsigned);
  Text zero = join(b, "==", literal(0, width, Form::Unsigned), CPrecedence::Equality, Form::Signed);
  return choose(zero, divides ? all : a, result);
}

Text Speaker::signed_division(Term term) {
  std::uint32_t width = t_.width(term);
  Text a = with_sign(term, 0), b = with_sign(term, 1);
  bool divides = t_.op(term) == Op::BvSdiv;
  Text result = join(a, divides ? "/" : "%", b, CPrecedence::Product, Form::Signed);
  auto number = [&](const mpz_class& value) { return literal(value, width, Form::Signed); };
  mpz_class minus_one = (mpz_class(1) << width) - 1;
  const mpz_class* by = constant(t_.arg(term, 1));
  if (by != nullptr && *by != 0 && *by != minus_one) return result;
  auto is = [&](const mpz_class& value) {
    return join(b, "==", number(value), CPrecedence::Equality, Form::Signed);
  };
  // The least number divided by -1 is itself, and undefined in C.
  Text minus =
      convert(join(literal(0, width, Form::Low), "-", low(term, 0), CPrecedence::Sum, Form::Low),
              width, Form::Signed);
  Text negative = join(a, "<", number(0), CPrecedence::Relation, Form::Signed);
  Text by_zero = divides ? choose(negative, number(1), number(minus_one)) : a;
  return choose(is(0), by_zero, choose(is(minus_one), divides ? minus : number(0), result));
}

Text Speaker::shift(Term term) {
  std::uint32_t width = t_.width(term);
  Op op = t_.op(term);
  Form form = op == Op::BvShl ? Form::Low : op == Op::BvLshr ? Form::Unsigned : Form::Signed;
  Text a = bits(t_.arg(term, 0), form);
  // An unsigned char is an int to C, which has no bits to lose above.
  if (form == Form::Unsigned) a = cast(unsigned_type(width), a, form);
  auto shifted = [&](const Text& by) {
    return join(a, op == Op::BvShl ? "<<" : ">>", by, CPrecedence::Shift, form);
  };
  Text most = shifted({std::to_string(width - 1), CPrecedence::Leaf});
  Text beyond = op == Op::BvAshr ? most : literal(0, width, form);
  beyond.form = form;
  if (const mpz_class* by = constant(t_.arg(term, 1)))
    return *by < width ? shifted({by->get_str(), CPrecedence::Leaf}) : beyond;
  Text by = plain(term, 1);
  return choose(
      join(by, "<", literal(width, width, Form::Unsigned), CPrecedence::Relation, Form::Signed),
      shifted(by), beyond);
}

Text Speaker::extract(Term term) {
  std::uint32_t from = t_.width(t_.arg(term, 0)), to = t_.width(term), by = t_.param(term, 1);
  Text a = low(term, 0);
  if (by != 0)
    a = join(a, ">>", {std::to_string(by), CPrecedence::Leaf}, CPrecedence::Shift, Form::Low);
  if (wide(from) && !wide(to)) a = cast("unsigned int", a, Form::Low);
  return a;
}

Text Speaker::concat(Term term) {
  std::uint32_t width = t_.width(term), by = t_.width(t_.arg(term, 1));
  Text high = low(term, 0), rest = plain(term, 1);
  if (wide(width)) high = cast(unsigned_type(width), high, Form::Low);
  high = join(high, "<<", {std::to_string(by), CPrecedence::Leaf}, CPrecedence::Shift, Form::Low);
  return join(high, "|", cast(unsigned_type(width), rest, Form::Low), CPrecedence::BitOr,
              Form::Low);
}

/// In the form that needs no casts; `wanted` decides where several do.
// long: flat switch
Text Speaker::natural(Term term, Form wanted) {
  std::uint32_t width = t_.width(term);
  switch (t_.op(term)) {
    case Op::Variable:
      return variable(term);
    case Op::Ite:
      return choose(truth(t_.arg(term, 0)), bits(t_.arg(term, 1), wanted),
                    bits(t_.arg(term, 2), wanted));
    case Op::BvNot:
      return {"~" + at_least(low(term, 0), CPrecedence::Prefix), CPrecedence::Prefix, Form::Low};
    case Op::BvNeg:
      return join(literal(0, width, Form::Low), "-", low(term, 0), CPrecedence::Sum, Form::Low);
    case Op::BvAnd:
      return fold(term, "&", CPrecedence::BitAnd);
    case Op::BvOr:
      return fold(term, "|", CPrecedence::BitOr);
    case Op::BvXor:
      return fold(term, "^", CPrecedence::BitXor);
    case Op::BvAdd:
      return fold(term, "+", CPrecedence::Sum);
    case Op::BvMul:
      return fold(term, "*", CPrecedence::Product);
    case Op::BvUdiv:
    case Op::BvUrem:
      return unsigned_division(term);
    case Op::BvSdiv:
    case Op::BvSrem:
      return signed_division(term);
    case Op::BvShl:
    case Op::BvLshr:
    case Op::BvAshr:
      return shift(term);
    case Op::BvConcat:
      return concat(term);
    case Op::BvExtract:
      return extract(term);
    case Op::BvZeroExtend: {
      Text a = plain(term, 0);
      bool grows = wide(width) && !wide(t_.width(t_.arg(term, 0)));
      return grows ? cast("unsigned long long", a, Form::Unsigned) : a;
    }
    case Op::BvSignExtend: {
      Text a = with_sign(term, 0);
      bool grows = wide(width) && !wide(t_.width(t_.arg(term, 0)));
      return grows ? cast("long long", a, Form::Signed) : a;
    }
    default:
      return fail();
  }
}

// Truth values ----------------------------------------------------------------------------------

Text Speaker::several(Term term, const char* sign, CPrecedence strength) {
  Text out = truth(t_.arg(term, 0));
  for (std::size_t i = 1; i < t_.args(term).size(); ++i)
    out = join(out, sign, truth(t_.arg(term, i)), strength, Form::Signed);
  return out;
}

Text Speaker::compare(Term a, Term b, const char* sign, CPrecedence strength, Form form) {
  return join(bits(a, form), sign, bits(b, form), strength, Form::Signed);
}

/// Whether reading it as signed needs no cast.
bool Speaker::reads_signed(Term term) const {
  if (t_.op(term) == Op::BvSignExtend || t_.op(term) == Op::BvSdiv) return true;
  if (!t_.is_variable(term)) return false;
  std::optional<CName> name = names_(term);
  return name && name->sign == CSign::Signed;
}

Text Speaker::equal(Term term, const char* sign) {
  Term a = t_.arg(term, 0), b = t_.arg(term, 1);
  if (t_.kind(a) == SortKind::Bool) {
    // Truth values of C are any numbers.
    auto one = [&](Term part) {
      Text text = truth(part);
      return t_.is_variable(part) ? text : Text{"(" + text.words + ")", CPrecedence::Leaf};
    };
    return join(one(a), sign, one(b), CPrecedence::Equality, Form::Signed);
  }
  if (t_.kind(a) == SortKind::Int)
    return join(whole(a), sign, whole(b), CPrecedence::Equality, Form::Signed);
  if (!is_bits(a)) return fail();
  Form form = reads_signed(a) || reads_signed(b) ? Form::Signed : Form::Unsigned;
  if (constant(a) != nullptr) std::swap(a, b);
  return compare(a, b, sign, CPrecedence::Equality, form);
}

/// !(a == b) is a != b, !(a < b) is b <= a.
Text Speaker::negation(Term inner) {
  switch (t_.op(inner)) {
    case Op::Eq:
      return equal(inner, "!=");
    case Op::BvSlt:
      return compare(t_.arg(inner, 0), t_.arg(inner, 1), ">=", CPrecedence::Relation, Form::Signed);
    case Op::BvUlt:
      return compare(t_.arg(inner, 0), t_.arg(inner, 1), ">=", CPrecedence::Relation,
                     Form::Unsigned);
    case Op::Le:
      return at_most(inner, ">=");
    default:
      return {"!" + at_least(truth(inner), CPrecedence::Prefix), CPrecedence::Prefix};
  }
}

Text Speaker::truth(Term term) {
  if (failed_ || ++nodes_ > kMostNodes || depth_ > kDeepest) return fail();
  ++depth_;
  Text out = [&] {
    switch (t_.op(term)) {
      case Op::BoolValue:
        return Text{t_.is_true(term) ? "1" : "0", CPrecedence::Leaf};
      case Op::Variable:
        return variable(term);
      case Op::Not:
        return negation(t_.arg(term, 0));
      case Op::And:
        return several(term, "&&", CPrecedence::And);
      case Op::Or:
        return several(term, "||", CPrecedence::Or);
      case Op::Ite:
        return choose(truth(t_.arg(term, 0)), truth(t_.arg(term, 1)), truth(t_.arg(term, 2)));
      case Op::Eq:
        return equal(term, "==");
      case Op::BvSlt:
        return compare(t_.arg(term, 0), t_.arg(term, 1), "<", CPrecedence::Relation, Form::Signed);
      case Op::BvUlt:
        return compare(t_.arg(term, 0), t_.arg(term, 1), "<", CPrecedence::Relation,
                       Form::Unsigned);
      case Op::Le:
        return at_most(term, "<=");
      default:
        return fail();
    }
  }();
  --depth_;
  return out;
}

// Whole numbers ---------------------------------------------------------------------------------

/// factor * (the parts) + constant, where parts are monomials.
Text Speaker::sum(const std::vector<Term>& parts, const mpz_class& constant,
                  const mpz_class& factor) {
  Text out{"", CPrecedence::Sum};
  auto add = [&](const mpz_class& number, const std::string& words) {
    bool minus = number < 0;
    mpz_class size = abs(number);
    std::string here = words.empty() ? size.get_str()
                       : size == 1   ? words
                                     : size.get_str() + " * " + words;
    if (out.words.empty())
      out.words = (minus ? "-" : "") + here;
    else
      out.words += (minus ? " - " : " + ") + here;
  };
  for (Term part : parts) {
    mpz_class times = factor;
    Term rest = part;
    Text words{"", CPrecedence::Leaf};
    if (t_.op(part) == Op::Mul && t_.op(t_.arg(part, 0)) == Op::IntValue) {
      times *= t_.integer_value(t_.arg(part, 0));
      words = whole(t_.arg(part, 1));
      for (std::size_t i = 2; i < t_.args(part).size(); ++i)
        words = join(words, "*", whole(t_.arg(part, i)), CPrecedence::Product, Form::Signed);
    } else {
      words = whole(rest);
    }
    add(times, at_least(words, CPrecedence::Product));
  }
  if (constant != 0 || out.words.empty()) add(constant, "");
  return out;
}

/// sum <= constant, or sum >= constant + 1, with what is subtracted on the other side.
Text Speaker::at_most(Term term, const char* sign) {
  Term left = t_.arg(term, 0), right = t_.arg(term, 1);
  if (t_.kind(left) != SortKind::Int || t_.op(right) != Op::IntValue) return fail();
  std::vector<Term> parts{left};
  if (t_.op(left) == Op::Add) parts.assign(t_.args(left).begin(), t_.args(left).end());
  std::vector<Term> plus, minus;
  mpz_class constant = t_.integer_value(right) + (sign[0] == '>' ? 1 : 0);
  for (Term part : parts) {
    bool negative = t_.op(part) == Op::Mul && t_.op(t_.arg(part, 0)) == Op::IntValue &&
                    t_.integer_value(t_.arg(part, 0)) < 0;
    if (t_.op(part) == Op::IntValue)
      constant -= t_.integer_value(part);
    else
      (negative ? minus : plus).push_back(part);
  }
  if (plus.empty()) {  // -x <= 3 is x >= -3
    const char* other = sign[0] == '<' ? ">=" : "<=";
    return join(sum(minus, 0, -1), other, sum({}, -constant, 1), CPrecedence::Relation,
                Form::Signed);
  }
  return join(sum(plus, 0, 1), sign, sum(minus, constant, -1), CPrecedence::Relation, Form::Signed);
}

Text Speaker::whole(Term term) {
  if (failed_ || ++nodes_ > kMostNodes || depth_ > kDeepest) return fail();
  ++depth_;
  Text out = [&] {
    switch (t_.op(term)) {
      case Op::Variable:
        return variable(term);
      case Op::IntValue: {
        const mpz_class& value = t_.integer_value(term);
        return Text{value.get_str(), value < 0 ? CPrecedence::Prefix : CPrecedence::Leaf};
      }
      case Op::Add: {
        std::vector<Term> parts(t_.args(term).begin(), t_.args(term).end());
        mpz_class constant = 0;
        if (t_.op(parts.back()) == Op::IntValue) {
          constant = t_.integer_value(parts.back());
          parts.pop_back();
        }
        return sum(parts, constant, 1);
      }
      case Op::Mul:
        if (t_.op(t_.arg(term, 0)) == Op::IntValue) return sum({term}, 0, 1);
        {
          Text product = whole(t_.arg(term, 0));
          for (std::size_t i = 1; i < t_.args(term).size(); ++i)
            product =
                join(product, "*", whole(t_.arg(term, i)), CPrecedence::Product, Form::Signed);
          return product;
        }
      case Op::Ite:
        return choose(truth(t_.arg(term, 0)), whole(t_.arg(term, 1)), whole(t_.arg(term, 2)));
      default:
        return fail();  // quotients round otherwise in C
    }
  }();
  --depth_;
  return out;
}

}  // namespace

std::optional<std::string> c_expression(const TermStore& terms, Term term, const CNames& names) {
  return Speaker(terms, names).say(term);
}

}  // namespace lem::writer
