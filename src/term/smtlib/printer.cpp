#include "term/smtlib/printer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "term/floats.h"
#include "term/smtlib/operators.h"

namespace lem::smtlib {

namespace {

constexpr auto kReserved = std::to_array<std::string_view>({"let",
                                                            "forall",
                                                            "exists",
                                                            "match",
                                                            "par",
                                                            "as",
                                                            "_",
                                                            "!",
                                                            "BINARY",
                                                            "DECIMAL",
                                                            "HEXADECIMAL",
                                                            "NUMERAL",
                                                            "STRING",
                                                            "assert",
                                                            "check-sat",
                                                            "declare-const",
                                                            "declare-fun",
                                                            "declare-sort",
                                                            "define-const",
                                                            "define-fun",
                                                            "define-sort",
                                                            "echo",
                                                            "exit",
                                                            "pop",
                                                            "push",
                                                            "reset",
                                                            "set-info",
                                                            "set-logic",
                                                            "set-option"});

bool is_reserved(std::string_view name) {
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

bool is_simple(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9') || is_reserved(name)) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("~!@$%^&*_-+=<>.?/").find(c) != std::string_view::npos;
  });
}

bool is_writable(char c) {
  return c != '|' && c != '\\' && c >= ' ' && c <= '~';
}

struct OperatorName {
  Op op;
  std::string_view name;
};

constexpr auto kOperatorNames = std::to_array<OperatorName>({
    {Op::Eq, "="},
    {Op::Ite, "ite"},
    {Op::Not, "not"},
    {Op::And, "and"},
    {Op::Or, "or"},
    {Op::BvNot, "bvnot"},
    {Op::BvNeg, "bvneg"},
    {Op::BvAnd, "bvand"},
    {Op::BvOr, "bvor"},
    {Op::BvXor, "bvxor"},
    {Op::BvAdd, "bvadd"},
    {Op::BvMul, "bvmul"},
    {Op::BvUdiv, "bvudiv"},
    {Op::BvUrem, "bvurem"},
    {Op::BvSdiv, "bvsdiv"},
    {Op::BvSrem, "bvsrem"},
    {Op::BvSmod, "bvsmod"},
    {Op::BvShl, "bvshl"},
    {Op::BvLshr, "bvlshr"},
    {Op::BvAshr, "bvashr"},
    {Op::BvUlt, "bvult"},
    {Op::BvSlt, "bvslt"},
    {Op::BvConcat, "concat"},
    {Op::BvExtract, "extract"},
    {Op::BvZeroExtend, "zero_extend"},
    {Op::BvSignExtend, "sign_extend"},
    {Op::Add, "+"},
    {Op::Mul, "*"},
    {Op::Le, "<="},
    {Op::Lt, "<"},
    {Op::IntDiv, "div"},
    {Op::IntMod, "mod"},
    {Op::ToReal, "to_real"},
    {Op::ToInt, "to_int"},
    {Op::Select, "select"},
    {Op::Store, "store"},
    {Op::ConstArray, "const"},
    {Op::FpNeg, "fp.neg"},
    {Op::FpAbs, "fp.abs"},
    {Op::FpAdd, "fp.add"},
    {Op::FpMul, "fp.mul"},
    {Op::FpDiv, "fp.div"},
    {Op::FpSqrt, "fp.sqrt"},
    {Op::FpRound, "fp.roundToIntegral"},
    {Op::FpEq, "fp.eq"},
    {Op::FpLe, "fp.leq"},
    {Op::FpLt, "fp.lt"},
    {Op::FpToFp, "to_fp"},
    {Op::FpFromBits, "to_fp"},
    {Op::FpFromSigned, "to_fp"},
    {Op::FpFromUnsigned, "to_fp_unsigned"},
    {Op::FpToSigned, "fp.to_sbv"},
    {Op::FpToUnsigned, "fp.to_ubv"},
});

std::string_view operator_name(Op op) {
  const auto* at = std::find_if(kOperatorNames.begin(), kOperatorNames.end(),
                                [&](const auto& row) { return row.op == op; });
  assert(at != kOperatorNames.end() && "leaves are not applied");
  return at->name;
}

std::string signed_text(const std::string& digits, bool negative) {
  return negative ? "(- " + digits + ")" : digits;
}

std::string vector_text(const mpz_class& value, std::uint32_t width) {
  bool hex = width % 4 == 0;
  std::string digits = value.get_str(hex ? 16 : 2);
  std::size_t wanted = hex ? width / 4 : width;
  return (hex ? "#x" : "#b") + std::string(wanted - digits.size(), '0') + digits;
}

std::string real_text(const mpq_class& value) {
  mpz_class top = abs(value.get_num());
  std::string text = top.get_str() + ".0";
  if (value.get_den() != 1) text = "(/ " + text + " " + value.get_den().get_str() + ".0)";
  return signed_text(text, value < 0);
}

std::string format_text(FloatFormat format) {
  return std::to_string(format.exponent) + ' ' + std::to_string(format.significand);
}

std::string binary_text(const mpz_class& value, std::uint32_t width) {
  std::string digits = value.get_str(2);
  return "#b" + std::string(width - digits.size(), '0') + digits;
}

std::string float_text(const FloatValue& value) {
  FloatFormat format = value.format();
  if (value.is_nan()) return "(_ NaN " + format_text(format) + ')';
  if (value.is_infinite())
    return std::string("(_ ") + (value.is_negative() ? '-' : '+') + "oo " + format_text(format) +
           ')';
  std::string digits = binary_text(value.bits(), format.bits()).substr(2);
  return "(fp #b" + digits.substr(0, 1) + " #b" + digits.substr(1, format.exponent) + " #b" +
         digits.substr(1 + format.exponent) + ')';
}

std::string_view rounding_text(std::uint32_t rounding) {
  constexpr auto kNames = std::to_array<std::string_view>({"RNE", "RNA", "RTP", "RTN", "RTZ"});
  return kNames[rounding];
}

/// One term as text. Shared subterms get a level, one more than those they contain; each level is
/// one `let`.
class Printer {
 public:
  Printer(const TermStore& terms, const SymbolMap& symbols) : t_(terms), symbols_(symbols) {}

  std::string run(Term root) {
    collect(root);
    if (!small(root)) share(root);
    for (const auto& level : levels_) {
      out_ += "(let (";
      for (Term term : level) {
        if (out_.back() != '(') out_ += ' ';
        out_ += '(' + bound_.at(term) + ' ';
        print(term);
        out_ += ')';
      }
      out_ += ")\n ";
    }
    print(root);
    out_.append(levels_.size(), ')');
    return std::move(out_);
  }

 private:
  // Below this many nodes, written out as a tree, a term is easier to read without `let`.
  static constexpr std::size_t kSmall = 60;

  bool is_guarded(Term term) const {
    return t_.op(term) == Op::FpToSigned || t_.op(term) == Op::FpToUnsigned;
  }
  /// How often arguments are written; SMT-LIB does not define conversions of values that do not
  /// fit, so that their argument is tested before.
  std::size_t places(Term term) const { return is_guarded(term) ? 3 : t_.args(term).size(); }
  Term at_place(Term term, std::size_t i) const { return t_.arg(term, is_guarded(term) ? 0 : i); }

  /// order_: every subterm once, arguments first; uses_: how often each is an argument.
  void collect(Term root) {
    std::vector<std::pair<Term, std::size_t>> stack = {{root, 0}};
    uses_[root] = 1;
    while (!stack.empty()) {
      auto& [term, next] = stack.back();
      if (next == places(term)) {
        order_.push_back(term);
        stack.pop_back();
        continue;
      }
      Term arg = at_place(term, next++);
      if (uses_[arg]++ == 0) stack.emplace_back(arg, 0);
    }
  }
  bool small(Term root) const {
    if (order_.size() > kSmall) return false;
    std::unordered_map<Term, std::size_t> size;
    for (Term term : order_) {
      std::size_t sum = 1;
      for (std::size_t i = 0; i < places(term); ++i) sum += size[at_place(term, i)];
      size[term] = std::min(sum, kSmall + 1);
    }
    return size[root] <= kSmall;
  }
  void share(Term root) {
    std::string prefix = unused_prefix();
    std::unordered_map<Term, std::size_t> depth;  // levels needed before the term can be written
    std::size_t count = 0;
    for (Term term : order_) {
      std::size_t level = 0;
      for (Term arg : t_.args(term)) level = std::max(level, depth[arg]);
      bool shared = term != root && uses_[term] > 1 && !t_.args(term).empty();
      if (shared) {
        if (levels_.size() == level) levels_.emplace_back();
        levels_[level].push_back(term);
        bound_[term] = prefix + std::to_string(count++);
        ++level;
      }
      depth[term] = level;
    }
  }
  std::string unused_prefix() const {
    std::string prefix = "?";
    auto clashes = [&](Term term) {
      return t_.is_variable(term) && variable_text(term).find(prefix) != std::string::npos;
    };
    while (std::any_of(order_.begin(), order_.end(), clashes)) prefix += '?';
    return prefix;
  }
  std::string variable_text(Term variable) const {
    auto at = symbols_.find(variable);
    return at == symbols_.end() ? symbol_text(t_.name(variable)) : at->second;
  }

  std::string leaf_text(Term term) const {
    switch (t_.op(term)) {
      case Op::BoolValue:
        return t_.is_true(term) ? "true" : "false";
      case Op::BvValue:
        return vector_text(t_.integer_value(term), t_.width(term));
      case Op::IntValue: {
        const mpz_class& value = t_.integer_value(term);
        return signed_text(mpz_class(abs(value)).get_str(), value < 0);
      }
      case Op::RealValue:
        return real_text(t_.real_value(term));
      case Op::FpValue:
        return float_text(t_.float_value(term));
      default:
        return variable_text(term);
    }
  }
  std::string head_text(Term term) const {
    std::string name(operator_name(t_.op(term)));
    switch (t_.op(term)) {
      case Op::BvExtract:
        return "(_ " + name + ' ' + std::to_string(t_.param(term, 0)) + ' ' +
               std::to_string(t_.param(term, 1)) + ')';
      case Op::BvZeroExtend:
      case Op::BvSignExtend:
        return "(_ " + name + ' ' + std::to_string(t_.param(term, 0)) + ')';
      case Op::ConstArray:
        return "(as const " + sort_text(t_, t_.sort(term)) + ')';
      case Op::FpAdd:
      case Op::FpMul:
      case Op::FpDiv:
      case Op::FpSqrt:
      case Op::FpRound:
        return name + ' ' + std::string(rounding_text(t_.param(term, 0)));
      case Op::FpFromBits:
        return "(_ " + name + ' ' + format_text(t_.format(t_.sort(term))) + ')';
      case Op::FpToFp:
      case Op::FpFromSigned:
      case Op::FpFromUnsigned:
        return "(_ " + name + ' ' + format_text(t_.format(t_.sort(term))) + ") " +
               std::string(rounding_text(t_.param(term, 1)));
      default:
        return name;
    }
  }
  /// Before the i-th place, or behind the last.
  std::string guarded_text(Term term, std::size_t i) const {
    FloatRange range =
        fp_range(t_.format(t_.sort(t_.arg(term, 0))), t_.width(term),
                 t_.op(term) == Op::FpToSigned ? FloatSign::Signed : FloatSign::Unsigned);
    switch (i) {
      case 0:
        return std::string("(ite (and (") + (range.strict ? "fp.lt " : "fp.leq ") +
               float_text(range.low) + ' ';
      case 1:
        return ") (fp.lt ";
      case 2:
        return ' ' + float_text(range.high) + ")) ((_ " + std::string(operator_name(t_.op(term))) +
               ' ' + std::to_string(t_.width(term)) + ") RTZ ";
      default:
        return ") " + vector_text(0, t_.width(term)) + ')';
    }
  }
  std::string text_before(Term term, std::size_t i) const {
    if (is_guarded(term)) return guarded_text(term, i);
    if (i == places(term)) return ")";
    return i == 0 ? '(' + head_text(term) + ' ' : " ";
  }
  /// `root` is written out also where it has a name: there it is being defined.
  void print(Term root) {
    std::vector<std::pair<Term, std::size_t>> stack;
    auto begin = [&](Term term, bool by_name) {
      auto at = bound_.find(term);
      if (by_name && at != bound_.end())
        out_ += at->second;
      else if (t_.args(term).empty())
        out_ += leaf_text(term);
      else
        stack.emplace_back(term, 0);
    };
    begin(root, false);
    while (!stack.empty()) {
      auto& [term, next] = stack.back();
      out_ += text_before(term, next);
      if (next == places(term))
        stack.pop_back();
      else
        begin(at_place(term, next++), true);
    }
  }

  const TermStore& t_;
  const SymbolMap& symbols_;
  std::vector<Term> order_;
  std::unordered_map<Term, std::size_t> uses_;
  std::unordered_map<Term, std::string> bound_;
  std::vector<std::vector<Term>> levels_;
  std::string out_;
};

std::string name_of(const TermStore& terms, Term variable, const SymbolMap& symbols) {
  auto at = symbols.find(variable);
  return at == symbols.end() ? symbol_text(terms.name(variable)) : at->second;
}

}  // namespace

std::string symbol_text(std::string_view name) {
  if (is_simple(name)) return std::string(name);
  std::string text = "|";
  for (char c : name) text += is_writable(c) ? c : '_';
  return text + '|';
}

std::string sort_text(const TermStore& terms, Sort sort) {
  switch (terms.kind(sort)) {
    case SortKind::Bool:
      return "Bool";
    case SortKind::Int:
      return "Int";
    case SortKind::Real:
      return "Real";
    case SortKind::BitVec:
      return "(_ BitVec " + std::to_string(terms.width(sort)) + ")";
    case SortKind::Float:
      return "(_ FloatingPoint " + format_text(terms.format(sort)) + ")";
    case SortKind::Array:
      return "(Array " + sort_text(terms, terms.index_sort(sort)) + " " +
             sort_text(terms, terms.element_sort(sort)) + ")";
  }
  unreachable();
}

std::string term_text(const TermStore& terms, Term term, const SymbolMap& symbols) {
  return Printer(terms, symbols).run(term);
}

std::string declaration_text(const TermStore& terms, Term variable, const SymbolMap& symbols) {
  return "(declare-fun " + name_of(terms, variable, symbols) + " () " +
         sort_text(terms, terms.sort(variable)) + ")";
}

std::string definition_text(const TermStore& terms, std::string_view name,
                            std::span<const Term> params, Term body, const SymbolMap& symbols) {
  std::string text = "(define-fun " + symbol_text(name) + " (";
  for (std::size_t i = 0; i < params.size(); ++i)
    text += (i == 0 ? "(" : " (") + name_of(terms, params[i], symbols) + " " +
            sort_text(terms, terms.sort(params[i])) + ")";
  return text + ") " + sort_text(terms, terms.sort(body)) + "\n " +
         term_text(terms, body, symbols) + ")";
}

std::string Naming::unique(std::string_view name) {
  std::string plain;
  for (char c : name) plain += is_writable(c) ? c : '_';
  if (is_operator(plain) || rounding_of(plain) || plain == "true" || plain == "false" ||
      plain == "const")
    plain += '_';
  std::string tried = plain;
  for (std::size_t i = 1; !taken_.insert(tried).second; ++i)
    tried = plain + '_' + std::to_string(i);
  return tried;
}

void Naming::add(const TermStore& terms, Term variable) {
  assert(!names_.contains(variable) && "a variable gets one name");
  names_[variable] = unique(terms.name(variable));
}

const std::string& Naming::plain(Term variable) const {
  auto at = names_.find(variable);
  assert(at != names_.end() && "the variable was never added");
  return at->second;
}

SymbolMap Naming::symbols() const {
  SymbolMap map;
  for (const auto& [variable, name] : names_) map[variable] = symbol_text(name);
  return map;
}

}  // namespace lem::smtlib
