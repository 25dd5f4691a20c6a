#include "writer/st_invariant.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/st/loops.h"
#include "term/traverse.h"
#include "writer/infix.h"
#include "writer/st_trace.h"

namespace lem::writer {

namespace {

/// How a word is taken: INT, UINT or WORD, say.
enum class View : std::uint8_t { Signed, Unsigned, Bits };

using StText = std::optional<std::string>;

class Printer {
 public:
  explicit Printer(const StProgram& program)
      : terms_(program.cfa.terms()), source_(*program.source) {
    for (std::size_t i = 0; i < program.cfa.variables().size(); ++i)
      index_[program.cfa.variables()[i]] = i;
  }
  StText boolean(Term t);

 private:
  StText joined(Term t, const char* between);
  StText equation(Term t, const char* op);
  StText comparison(Term a, Term b, const char* op, View view);
  StText as_they_are(Term a, Term b, const char* op);
  StText literals(Term t);
  StText choice(Term t);
  StText bit(Term t);
  StText word(Term t, View view);
  StText arithmetic(Term t, View view, const char* op);
  StText divided(Term t, View view, View as, const char* op);
  StText modulo(Term t, View view);
  StText bitwise(Term t, View view, const char* op);
  StText extracted(Term t, View view);
  StText extended(Term t, View view, View from);
  StText concatenated(Term t, View view);
  StText shifted(Term t, View view, const char* name);
  StText enumerated(Term t, const st::Type& type_of, View view);
  StText real(Term t);
  std::string variable(Term t) const;
  const StVariable* known(Term t) const;
  View natural(Term t) const;
  std::uint32_t room(Term t) const;
  static StText type(View view, std::uint32_t bits);
  static StText converted(const StText& text, View from, std::uint32_t bits, View to,
                          std::uint32_t wanted);
  std::string constant(Term t, View view) const;

  TermStore& terms_;
  const StSource& source_;
  std::map<Term, std::size_t> index_;
};

/// In parentheses unless it is a name, a number or a call.
std::string closed(const std::string& text) {
  int depth = 0;
  for (char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ' ' && depth == 0) return "(" + text + ")";
  }
  return text.starts_with('-') ? "(" + text + ")" : text;
}

bool is_plain(const std::string& name) {
  auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  bool start = true, index = false;
  for (char c : name) {
    if (index ? std::isdigit(static_cast<unsigned char>(c)) == 0 && c != ',' && c != '-' && c != ']'
        : start ? !letter(c)
                : !letter(c) && std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '.' &&
                      c != '[')
      return false;
    index = (index || c == '[') && c != ']';
    start = c == '.';
  }
  return !start;
}

/// A variable whose type is known.
const StVariable* Printer::known(Term t) const {
  if (terms_.op(t) != Op::Variable) return nullptr;
  auto found = index_.find(t);
  if (found == index_.end() || terms_.kind(t) == SortKind::Array) return nullptr;
  const StVariable& one = source_.variables[found->second];
  return one.type != nullptr ? &one : nullptr;
}

/// The name that an expression of the entry block has for it, else its number.
std::string Printer::variable(Term t) const {
  std::size_t which = index_.at(t);
  const std::string& name = source_.variables[which].name;
  bool named = source_.is_shown(which) && name != kStClock && name != kStCycle && is_plain(name);
  return named ? name : "__" + std::to_string(which);
}

/// A formula about one variable of an enumeration: which literals it may have.
StText Printer::literals(Term t) {
  std::vector<Term> about = variables_of(terms_, t);
  if (about.size() != 1) return {};
  const StVariable* one = known(about[0]);
  if (one == nullptr || one->type->kind != st::Type::Kind::Enum) return {};
  // A text may be one that the program does not have: only `=` and `<>` of one literal say that.
  bool negated = terms_.op(t) == Op::Not;
  Term equation = negated ? terms_.args(t)[0] : t;
  if (one->type->open && terms_.op(equation) != Op::Eq) return {};
  std::vector<std::string> in, out;
  for (const auto& [name, number] : one->type->literals) {
    TermMap map{{about[0], terms_.bv(number, one->type->bits)}};
    (terms_.is_true(evaluate(terms_, t, map)) ? in : out).push_back(name.text);
  }
  if (one->type->open && (negated ? out : in).size() != 1) return {};
  bool few = one->type->open ? !negated : in.size() <= out.size() || one->type->text;
  std::string text;
  for (const std::string& name : few ? in : out)
    text += (text.empty() ? ""
             : few        ? " OR "
                          : " AND ") +
            variable(about[0]) + (few ? " = " : " <> ") + name;
  return text.empty() ? StText(few ? "FALSE" : "TRUE") : StText(text);
}

View Printer::natural(Term t) const {
  for (Term each : variables_of(terms_, t)) {
    const StVariable* one = known(each);
    if (one == nullptr || terms_.kind(each) != SortKind::BitVec) continue;
    if (one->type->kind == st::Type::Kind::Signed || one->type->kind == st::Type::Kind::Time)
      return View::Signed;
    if (one->type->kind == st::Type::Kind::Unsigned) return View::Unsigned;
  }
  return View::Bits;
}

/// Bits of the type that a word is written in. A word of 17 bits, say, comes from arithmetic that
/// does not overflow: it is done in 32 bits.
std::uint32_t Printer::room(Term t) const {
  std::uint32_t bits = terms_.width(terms_.sort(t));
  for (std::uint32_t natural : {8U, 16U, 32U, 64U})
    if (bits <= natural) return natural;
  return bits;
}

StText Printer::type(View view, std::uint32_t bits) {
  const char* base = view == View::Signed ? "INT" : "UINT";
  switch (bits) {
    case 8:
      return view == View::Bits ? "BYTE" : view == View::Signed ? "SINT" : "USINT";
    case 16:
      return view == View::Bits ? "WORD" : base;
    case 32:
      return view == View::Bits ? "DWORD" : view == View::Signed ? "DINT" : "UDINT";
    case 64:
      return view == View::Bits ? "LWORD" : view == View::Signed ? "LINT" : "ULINT";
    default:
      return {};
  }
}

StText Printer::converted(const StText& text, View from, std::uint32_t bits, View to,
                          std::uint32_t wanted) {
  StText source = type(from, bits), target = type(to, wanted);
  if (!text || !source || !target) return {};
  if (source == target) return text;
  return *source + "_TO_" + *target + "(" + *text + ")";
}

StText Printer::joined(Term t, const char* between) {
  std::string out;
  for (Term part : terms_.args(t)) {
    StText one = boolean(part);
    if (!one) return {};
    out += (out.empty() ? "" : between) + closed(*one);
  }
  return out;
}

/// `t.ET < T#5s`, `a = b`: variables and literals of one type, taken as they are.
StText Printer::as_they_are(Term a, Term b, const char* op) {
  const StVariable *left = known(a), *right = known(b);
  const StVariable* one = left != nullptr ? left : right;
  bool both = left != nullptr && right != nullptr && left->type == right->type;
  bool literal = one != nullptr && one->type->kind == st::Type::Kind::Time &&
                 (terms_.is_value(a) || terms_.is_value(b));
  if (!both && !literal) return {};
  auto side = [&](Term t, const StVariable* of) {
    return of != nullptr ? variable(t) : st_literal(terms_, t, *one->type);
  };
  return side(a, left) + " " + op + " " + side(b, right);
}

StText Printer::comparison(Term a, Term b, const char* op, View view) {
  const StVariable* one = known(a) != nullptr ? known(a) : known(b);
  bool order = op[0] != '=' && op != std::string_view("<>");
  if (one != nullptr && (!order || one->type->is_signed() == (view == View::Signed)))
    if (StText out = as_they_are(a, b, op)) return out;
  StText left = word(a, view), right = word(b, view);
  if (!left || !right) return {};
  return closed(*left) + " " + op + " " + closed(*right);
}

StText Printer::equation(Term t, const char* op) {
  Term a = terms_.args(t)[0], b = terms_.args(t)[1];
  if (terms_.kind(a) == SortKind::Bool) {
    StText left = boolean(a), right = boolean(b);
    if (!left || !right) return {};
    return closed(*left) + " " + op + " " + closed(*right);
  }
  if (terms_.kind(a) != SortKind::BitVec) return {};
  if (terms_.width(terms_.sort(a)) > 1) return comparison(a, b, op, natural(t));
  StText left = bit(a), right = bit(b);
  if (!left || !right) return {};
  bool same = op == std::string_view("=");
  for (const auto& [value, other] : {std::pair(a, right), std::pair(b, left)})
    if (terms_.is_value(value))
      return (terms_.integer_value(value) == 1) == same ? *other : "NOT " + closed(*other);
  return closed(*left) + " " + op + " " + closed(*right);
}

StText Printer::choice(Term t) {
  auto args = terms_.args(t);
  StText condition = boolean(args[0]), yes = boolean(args[1]), no = boolean(args[2]);
  if (!condition || !yes || !no) return {};
  return closed(*condition) + " AND " + closed(*yes) + " OR NOT " + closed(*condition) + " AND " +
         closed(*no);
}

StText Printer::boolean(Term t) {
  if (StText out = literals(t)) return out;
  auto args = terms_.args(t);
  switch (terms_.op(t)) {
    case Op::BoolValue:
      return terms_.is_true(t) ? "TRUE" : "FALSE";
    case Op::Variable:
      return variable(t);
    case Op::And:
      return joined(t, " AND ");
    case Op::Or:
      return joined(t, " OR ");
    case Op::Eq:
      return equation(t, "=");
    case Op::Ite:
      return choice(t);
    case Op::BvUlt:
      return comparison(args[0], args[1], "<", View::Unsigned);
    case Op::BvSlt:
      return comparison(args[0], args[1], "<", View::Signed);
    case Op::FpEq:
    case Op::FpLe:
    case Op::FpLt: {
      StText a = real(args[0]), b = real(args[1]);
      if (!a || !b) return {};
      Op op = terms_.op(t);
      return closed(*a) + (op == Op::FpEq ? " = " : op == Op::FpLe ? " <= " : " < ") + closed(*b);
    }
    case Op::Not: {
      Term inner = args[0];
      if (terms_.op(inner) == Op::Eq) return equation(inner, "<>");
      auto parts = terms_.args(inner);
      if (terms_.op(inner) == Op::BvUlt)
        return comparison(parts[0], parts[1], ">=", View::Unsigned);
      if (terms_.op(inner) == Op::BvSlt) return comparison(parts[0], parts[1], ">=", View::Signed);
      StText out = boolean(inner);
      return out ? StText("NOT " + closed(*out)) : out;
    }
    default:
      return {};
  }
}

/// A word of one bit as a BOOL.
StText Printer::bit(Term t) {
  auto args = terms_.args(t);
  switch (terms_.op(t)) {
    case Op::BvValue:
      return terms_.integer_value(t) == 1 ? "TRUE" : "FALSE";
    case Op::BvNot: {
      StText out = bit(args[0]);
      return out ? StText("NOT " + closed(*out)) : out;
    }
    case Op::BvExtract: {
      std::uint32_t at = terms_.param(t, 1);
      const StVariable* one = known(args[0]);
      if (terms_.op(args[0]) == Op::Variable && (one == nullptr || one->type->is_integer()))
        return fmt::format("{}.{}", variable(args[0]), at);
      StText whole = word(args[0], View::Bits);
      if (!whole) return {};
      return fmt::format("(SHR({}, {}) AND 16#1) = 16#1", *whole, at);
    }
    default:
      return {};
  }
}

std::string Printer::constant(Term t, View view) const {
  if (view == View::Signed) return terms_.signed_value(t).get_str();
  mpz_class value = terms_.integer_value(t);
  return view == View::Unsigned ? value.get_str() : "16#" + value.get_str(-16);
}

StText Printer::arithmetic(Term t, View view, const char* op) {
  View with = view == View::Bits ? View::Unsigned : view;
  std::string out;
  for (Term part : terms_.args(t)) {
    StText one = word(part, with);
    if (!one) return {};
    out += (out.empty() ? "" : op) + closed(*one);
  }
  std::uint32_t bits = room(t);
  return converted(out, with, bits, view, bits);
}

/// By a constant other than 0 and -1, for which quotients and remainders are those of the language.
StText Printer::divided(Term t, View view, View as, const char* op) {
  auto args = terms_.args(t);
  if (!terms_.is_value(args[1]) || terms_.integer_value(args[1]) == 0) return {};
  if (as == View::Signed && terms_.signed_value(args[1]) == -1) return {};
  StText of = word(args[0], as), by = word(args[1], as);
  if (!of || !by) return {};
  std::uint32_t bits = room(t);
  return converted(closed(*of) + op + closed(*by), as, bits, view, bits);
}

/// MOD has the sign of its first operand, this that of the second, a positive constant.
StText Printer::modulo(Term t, View view) {
  auto args = terms_.args(t);
  std::uint32_t bits = room(t);
  if (!terms_.is_value(args[1])) return {};
  mpz_class by = terms_.signed_value(args[1]);
  StText of = word(args[0], View::Signed);
  if (!of || by <= 0 || 2 * by >= (mpz_class(1) << (bits - 1))) return {};
  return converted(fmt::format("({0} MOD {1} + {1}) MOD {1}", closed(*of), by.get_str()),
                   View::Signed, bits, view, bits);
}

StText Printer::bitwise(Term t, View view, const char* op) {
  std::string out;
  for (Term part : terms_.args(t)) {
    StText one = word(part, View::Bits);
    if (!one) return {};
    out += (out.empty() ? "" : op) + closed(*one);
  }
  std::uint32_t bits = room(t);
  return converted(out, View::Bits, bits, view, bits);
}

StText Printer::extracted(Term t, View view) {
  Term of = terms_.args(t)[0];
  std::uint32_t low = terms_.param(t, 1);
  StText whole = word(of, View::Bits);
  if (whole && low != 0) whole = fmt::format("SHR({}, {})", *whole, low);
  std::uint32_t bits = terms_.width(terms_.sort(t));
  if (bits != room(t)) {
    if (!whole || view == View::Signed) return {};
    mpz_class mask = (mpz_class(1) << bits) - 1;
    whole = fmt::format("{} AND 16#{}", closed(*whole), mask.get_str(-16));
  }
  return converted(whole, View::Bits, room(of), view, room(t));
}

StText Printer::extended(Term t, View view, View from) {
  Term of = terms_.args(t)[0];
  return converted(word(of, from), from, room(of), view, room(t));
}

StText Printer::concatenated(Term t, View view) {
  Term high = terms_.args(t)[0], low = terms_.args(t)[1];
  std::uint32_t bits = room(t), below = terms_.width(terms_.sort(low));
  StText lower = converted(word(low, View::Bits), View::Bits, room(low), View::Bits, bits);
  if (terms_.is_value(high) && terms_.integer_value(high) == 0)
    return converted(lower, View::Bits, bits, view, bits);
  StText upper = converted(word(high, View::Bits), View::Bits, room(high), View::Bits, bits);
  if (!lower || !upper) return {};
  return converted(fmt::format("SHL({}, {}) OR {}", *upper, below, *lower), View::Bits, bits, view,
                   bits);
}

StText Printer::shifted(Term t, View view, const char* name) {
  auto args = terms_.args(t);
  StText of = word(args[0], View::Bits);
  if (!of || !terms_.is_value(args[1]) || terms_.integer_value(args[1]) > 64) return {};
  std::uint32_t bits = room(t);
  return converted(fmt::format("{}({}, {})", name, *of, terms_.integer_value(args[1]).get_str()),
                   View::Bits, bits, view, bits);
}

/// The number of a literal: one choice for each that there is.
StText Printer::enumerated(Term t, const st::Type& type_of, View view) {
  if (type_of.literals.empty() || type_of.negative || type_of.literals.size() > 16 || type_of.text)
    return {};
  StText of = type(view, room(t));
  if (!of) return {};
  std::string out = *of + "#" + type_of.literals[0].second.get_str();
  for (std::size_t i = 1; i < type_of.literals.size(); ++i) {
    const auto& [name, number] = type_of.literals[i];
    out = fmt::format("SEL({} = {}, {}, {})", variable(t), name.text, out, number.get_str());
  }
  return out;
}

StText Printer::word(Term t, View view) {
  std::uint32_t bits = room(t);
  if (!type(view, bits)) return {};
  bool whole = bits == terms_.width(terms_.sort(t));
  if (!whole && (terms_.op(t) == Op::BvNot || terms_.op(t) == Op::BvShl)) return {};
  auto args = terms_.args(t);
  switch (terms_.op(t)) {
    case Op::BvValue:
      return constant(t, view);
    case Op::Variable: {
      using Kind = st::Type::Kind;
      const StVariable* one = known(t);
      if (one != nullptr && one->type->kind == Kind::Time)
        return converted("TIME_TO_DINT(" + variable(t) + ")", View::Signed, bits, view, bits);
      if (one == nullptr) return converted(variable(t), View::Bits, bits, view, bits);
      if (one->type->kind == Kind::Enum) return enumerated(t, *one->type, view);
      if (!one->type->is_integer()) return {};
      View own = one->type->kind == Kind::Signed     ? View::Signed
                 : one->type->kind == Kind::Unsigned ? View::Unsigned
                                                     : View::Bits;
      return converted(variable(t), own, bits, view, bits);
    }
    case Op::BvAdd:
      return arithmetic(t, view, " + ");
    case Op::BvMul:
      return arithmetic(t, view, " * ");
    case Op::BvUdiv:
      return divided(t, view, View::Unsigned, " / ");
    case Op::BvUrem:
      return divided(t, view, View::Unsigned, " MOD ");
    case Op::BvSdiv:
      return divided(t, view, View::Signed, " / ");
    case Op::BvSrem:
      return divided(t, view, View::Signed, " MOD ");
    case Op::BvSmod:
      return modulo(t, view);
    case Op::BvNeg: {
      StText of = word(args[0], View::Signed);
      if (!of) return {};
      return converted("-" + closed(*of), View::Signed, bits, view, bits);
    }
    case Op::BvNot: {
      StText of = word(args[0], View::Bits);
      if (!of) return {};
      return converted("NOT " + closed(*of), View::Bits, bits, view, bits);
    }
    case Op::BvAnd:
      return bitwise(t, view, " AND ");
    case Op::BvOr:
      return bitwise(t, view, " OR ");
    case Op::BvXor:
      return bitwise(t, view, " XOR ");
    case Op::BvShl:
      return shifted(t, view, "SHL");
    case Op::BvLshr:
      return shifted(t, view, "SHR");
    case Op::BvExtract:
      return extracted(t, view);
    case Op::BvZeroExtend:
      return extended(t, view, View::Unsigned);
    case Op::BvSignExtend:
      return extended(t, view, View::Signed);
    case Op::BvConcat:
      return concatenated(t, view);
    case Op::Ite: {
      StText condition = boolean(args[0]), yes = word(args[1], view), no = word(args[2], view);
      if (!condition || !yes || !no) return {};
      if (terms_.is_value(args[1]) && terms_.is_value(args[2]))
        no = *type(view, bits) + "#" + *no;  // some operand must say the type
      return fmt::format("SEL({}, {}, {})", *condition, *no, *yes);
    }
    default:
      return {};
  }
}

StText Printer::real(Term t) {
  auto args = terms_.args(t);
  switch (terms_.op(t)) {
    case Op::Variable:
      return known(t) != nullptr ? StText(variable(t)) : std::nullopt;
    case Op::FpValue: {
      FloatValue value = terms_.float_value(t);
      if (!value.is_finite()) return {};
      std::string text = value.text();
      return text.find_first_of(".eE") == text.npos ? text + ".0" : text;
    }
    case Op::FpNeg: {
      StText of = real(args[0]);
      return of ? StText("-" + closed(*of)) : of;
    }
    default:
      return {};
  }
}

}  // namespace

std::optional<std::string> st_expression(const StProgram& program, Term formula) {
  return Printer(program).boolean(formula);
}

std::vector<std::string> st_invariants(const StProgram& program, const LocationInvariants& claim) {
  std::vector<std::string> out;
  Term holds = claim.at[index(program.source->head)];
  if (!holds || program.cfa.terms().is_true(holds)) return out;
  for (Term part : conjuncts(program.cfa.terms(), holds))
    if (auto text = st_expression(program, part)) out.push_back(*text);
  return out;
}

Result<std::string> st_certificate(const StProgram& program, const StProperty& about,
                                   const check::Certified& certified) {
  const auto& claim = certificate_as<LocationInvariants>(certified.verdict());
  if (!claim.rounds.empty())
    return Error{{},
                 "the proof of property '" + about.name +
                     "' unwinds all loops: it has no invariant to write",
                 ErrorKind::Usage};
  const TermStore& terms = program.cfa.terms();
  std::string out = "(* what holds between two scan cycles; it proves the property *)\n";
  out += "PROPERTY " + about.name + "\n";
  auto list = [&](LocationId at) -> Status {
    Term holds = claim.at[index(at)];
    if (!holds || terms.is_true(holds)) return Ok{};
    std::set<std::string> said;  // several terms may have one text
    for (Term part : conjuncts(terms, holds)) {
      auto text = st_expression(program, part);
      if (!text)
        return Error{{},
                     "Structured Text has no words for a part of this proof: " +
                         infix_text(terms, part).substr(0, 200),
                     ErrorKind::Usage};
      if (said.insert(*text).second) out += "INVARIANT " + *text + ";\n";
    }
    return Ok{};
  };
  if (Status done = list(program.source->head); !done) return done.error();
  std::vector<LocationId> loops = st_loops(program.cfa, program.source->head);
  for (std::size_t i = 0; i < loops.size(); ++i) {
    out += fmt::format("LOOP {} (* line {} *)\n", i + 1, program.cfa[loops[i]].line);
    if (Status done = list(loops[i]); !done) return done.error();
  }
  return out;
}

}  // namespace lem::writer
