// Layout: words of text separated by blanks. "k n" then one entry for each new term in topological
// order; an argument is "=id" for an old term or the index of an entry.
#include "term/wire.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <unordered_map>

#include "term/traverse.h"

namespace lem {

namespace {

constexpr std::uint32_t kMaxWidth = 1U << 24;  // as wide as front ends allow
constexpr int kMaxNesting = 1000;              // of arrays; a sort is read by recursion

void write_sort(const TermStore& terms, Sort sort, std::ostream& out) {
  out << static_cast<int>(terms.kind(sort)) << ' ';
  if (terms.kind(sort) == SortKind::BitVec) out << terms.width(sort) << ' ';
  if (terms.kind(sort) == SortKind::Float) out << terms.format(sort).packed() << ' ';
  if (terms.kind(sort) == SortKind::Array) {
    write_sort(terms, terms.index_sort(sort), out);
    write_sort(terms, terms.element_sort(sort), out);
  }
}

class WireReader {
 public:
  WireReader(TermStore& terms, std::string_view bytes)
      : terms_(terms), bytes_(bytes.size()), in_(std::string(bytes)) {}

  std::optional<std::vector<Term>> read() {
    std::size_t entries = 0;
    std::size_t roots = 0;
    if (!(in_ >> entries >> roots)) return {};
    for (std::size_t i = 0; i < entries; ++i)
      if (!entry()) return {};
    std::vector<Term> result;
    for (std::size_t i = 0; i < roots; ++i) {
      std::optional<Term> root = reference();
      if (!root) return {};
      result.push_back(*root);
    }
    return result;
  }

 private:
  std::optional<Sort> sort(int depth = 0) {
    int kind = 0;
    if (depth > kMaxNesting || !(in_ >> kind)) return {};
    switch (static_cast<SortKind>(kind)) {
      case SortKind::Bool:
        return terms_.bool_sort();
      case SortKind::Int:
        return terms_.int_sort();
      case SortKind::Real:
        return terms_.real_sort();
      case SortKind::BitVec: {
        std::uint32_t width = 0;
        if (!(in_ >> width) || width == 0 || width > kMaxWidth) return {};
        return terms_.bv_sort(width);
      }
      case SortKind::Float: {
        std::uint32_t format = 0;
        if (!(in_ >> format) || !FloatFormat::unpacked(format).is_supported()) return {};
        return terms_.float_sort(FloatFormat::unpacked(format));
      }
      case SortKind::Array: {
        std::optional<Sort> index = sort(depth + 1);
        std::optional<Sort> element = index ? sort(depth + 1) : std::nullopt;
        if (!element) return {};
        return terms_.array_sort(*index, *element);
      }
    }
    return {};
  }

  std::optional<Term> reference() {
    std::string word;
    if (!(in_ >> word)) return {};
    bool old = word.starts_with('=');
    std::uint32_t id = 0;
    const char* first = word.data() + (old ? 1 : 0);
    const char* last = word.data() + word.size();
    auto [end, failed] = std::from_chars(first, last, id);
    if (failed != std::errc{} || end != last) return {};
    if (!old) return id < made_.size() ? std::optional(made_[id]) : std::nullopt;
    if (id == 0 || id >= terms_.size()) return {};
    return terms_.term_of_id(id);
  }

  bool is_value_of(Op op, const mpq_class& value, Sort sort) const {
    bool integral = value.get_den() == 1;
    switch (terms_.kind(sort)) {
      case SortKind::Bool:
        return op == Op::BoolValue;
      case SortKind::BitVec:
        return op == Op::BvValue && integral;
      case SortKind::Int:
        return op == Op::IntValue && integral;
      case SortKind::Real:
        return op == Op::RealValue;
      case SortKind::Float: {
        mpz_class end = mpz_class(1) << terms_.format(sort).bits();
        return op == Op::FpValue && integral && value >= 0 && value < end;
      }
      case SortKind::Array:
        return false;
    }
    return false;
  }
  Term value(const mpq_class& value, Sort sort) {
    if (terms_.kind(sort) == SortKind::Bool) return terms_.boolean(value != 0);
    if (terms_.kind(sort) == SortKind::Float)
      return terms_.floating({terms_.format(sort), value.get_num()});
    return terms_.number(value, sort);
  }

  bool is_well_sorted(Op op, Sort result, std::span<const Term> args, std::uint32_t p0,
                      std::uint32_t p1) const;
  bool is_well_sorted_float(Op op, Sort result, std::span<const Term> args, std::uint32_t p0,
                            std::uint32_t p1) const;

  bool entry() {
    int op_code = 0;
    std::optional<Sort> its_sort;
    if (!(in_ >> op_code) || !(its_sort = sort())) return false;
    Op op = static_cast<Op>(op_code);
    std::string text;
    switch (op) {
      case Op::Variable: {
        std::size_t size = 0;
        if (!(in_ >> size) || size > bytes_) return false;
        in_.get();
        text.resize(size);
        if (!in_.read(text.data(), static_cast<std::streamsize>(size))) return false;
        made_.push_back(terms_.variable(text, *its_sort));
        return true;
      }
      case Op::BoolValue:
      case Op::BvValue:
      case Op::IntValue:
      case Op::RealValue:
      case Op::FpValue: {
        mpq_class number;
        if (!(in_ >> text) || number.set_str(text, 10) != 0 || number.get_den() == 0) return false;
        number.canonicalize();
        if (!is_value_of(op, number, *its_sort)) return false;
        made_.push_back(value(number, *its_sort));
        return true;
      }
      default:
        break;
    }
    std::uint32_t p0 = 0;
    std::uint32_t p1 = 0;
    std::size_t count = 0;
    if (!(in_ >> p0 >> p1 >> count) || count == 0) return false;
    std::vector<Term> args;
    for (std::size_t i = 0; i < count; ++i) {
      std::optional<Term> arg = reference();
      if (!arg) return false;
      args.push_back(*arg);
    }
    if (!is_well_sorted(op, *its_sort, args, p0, p1)) return false;
    made_.push_back(op == Op::ConstArray ? terms_.make_const_array(*its_sort, args[0])
                                         : terms_.make(op, args, p0, p1));
    return true;
  }

  TermStore& terms_;
  std::size_t bytes_;
  std::istringstream in_;
  std::vector<Term> made_;
};

/// What TermStore::make requires of its arguments.
bool WireReader::is_well_sorted(Op op, Sort result, std::span<const Term> args, std::uint32_t p0,
                                std::uint32_t p1) const {
  std::size_t n = args.size();
  Sort first = terms_.sort(args[0]);
  SortKind kind = terms_.kind(first);
  bool alike =
      std::all_of(args.begin(), args.end(), [&](Term t) { return terms_.sort(t) == first; });
  switch (op) {
    case Op::Variable:
    case Op::BoolValue:
    case Op::BvValue:
    case Op::IntValue:
    case Op::RealValue:
    case Op::FpValue:
      return false;
    case Op::Eq:
      return n == 2 && alike;
    case Op::Ite:
      return n == 3 && kind == SortKind::Bool && terms_.sort(args[1]) == terms_.sort(args[2]);
    case Op::Not:
      return n == 1 && kind == SortKind::Bool;
    case Op::And:
    case Op::Or:
      return alike && kind == SortKind::Bool;
    case Op::BvNot:
    case Op::BvNeg:
      return n == 1 && kind == SortKind::BitVec;
    case Op::BvConcat:
      return n == 2 && kind == SortKind::BitVec && terms_.kind(args[1]) == SortKind::BitVec &&
             terms_.width(first) + terms_.width(args[1]) <= kMaxWidth;
    case Op::BvExtract:
      return n == 1 && kind == SortKind::BitVec && p1 <= p0 && p0 < terms_.width(first);
    case Op::BvZeroExtend:
    case Op::BvSignExtend:
      return n == 1 && kind == SortKind::BitVec && terms_.kind(result) == SortKind::BitVec &&
             p0 < terms_.width(result) && terms_.width(result) - p0 == terms_.width(first);
    case Op::Add:
    case Op::Mul:
      return alike && terms_.is_numeric(first);
    case Op::Le:
    case Op::Lt:
      return n == 2 && alike && terms_.is_numeric(first);
    case Op::IntDiv:
    case Op::IntMod:
      return n == 2 && alike && terms_.op(args[1]) == Op::IntValue &&
             terms_.integer_value(args[1]) != 0;
    case Op::ToReal:
      return n == 1 && kind == SortKind::Int;
    case Op::ToInt:
      return n == 1 && kind == SortKind::Real;
    case Op::Select:
    case Op::Store:
      return kind == SortKind::Array && n == (op == Op::Select ? 2U : 3U) &&
             terms_.sort(args[1]) == terms_.index_sort(first) &&
             (n == 2 || terms_.sort(args[2]) == terms_.element_sort(first));
    case Op::ConstArray:
      return n == 1 && terms_.kind(result) == SortKind::Array &&
             first == terms_.element_sort(result);
    default:  // binary operators of bit-vectors
      if (op > Op::FpValue) return is_well_sorted_float(op, result, args, p0, p1);
      return n == 2 && alike && kind == SortKind::BitVec;
  }
}

bool WireReader::is_well_sorted_float(Op op, Sort result, std::span<const Term> args,
                                      std::uint32_t p0, std::uint32_t p1) const {
  std::size_t n = args.size();
  Sort first = terms_.sort(args[0]);
  bool floats = terms_.kind(first) == SortKind::Float;
  bool bits = terms_.kind(first) == SortKind::BitVec;
  bool pair = n == 2 && floats && terms_.sort(args[1]) == first;
  bool to_format = n == 1 && terms_.kind(result) == SortKind::Float &&
                   terms_.format(result).packed() == p0 && p1 < kRoundings;
  switch (op) {
    case Op::FpNeg:
    case Op::FpAbs:
      return n == 1 && floats;
    case Op::FpSqrt:
    case Op::FpRound:
      return n == 1 && floats && p0 < kRoundings;
    case Op::FpAdd:
    case Op::FpMul:
    case Op::FpDiv:
      return pair && p0 < kRoundings;
    case Op::FpEq:
    case Op::FpLe:
    case Op::FpLt:
      return pair;
    case Op::FpToFp:
      return to_format && floats;
    case Op::FpFromBits:
      return to_format && bits && terms_.width(first) == terms_.format(result).bits();
    case Op::FpFromSigned:
    case Op::FpFromUnsigned:
      return to_format && bits;
    case Op::FpToSigned:
    case Op::FpToUnsigned:
      return n == 1 && floats && terms_.kind(result) == SortKind::BitVec &&
             terms_.width(result) == p0;
    default:
      return false;
  }
}

void write_entry(const TermStore& terms, Term term, std::ostream& out) {
  Op op = terms.op(term);
  out << static_cast<int>(op) << ' ';
  write_sort(terms, terms.sort(term), out);
  switch (op) {
    case Op::Variable:
      out << terms.name(term).size() << ' ' << terms.name(term) << ' ';
      return;
    case Op::BoolValue:
      out << (terms.is_true(term) ? "1 " : "0 ");
      return;
    case Op::BvValue:
    case Op::IntValue:
    case Op::RealValue:
      out << (op == Op::RealValue ? terms.real_value(term).get_str()
                                  : terms.integer_value(term).get_str())
          << ' ';
      return;
    case Op::FpValue:
      out << terms.float_value(term).bits().get_str() << ' ';
      return;
    default:
      out << terms.param(term, 0) << ' ' << terms.param(term, 1) << ' ' << terms.args(term).size()
          << ' ';
  }
}

}  // namespace

std::string write_terms(const TermStore& terms, std::span<const Term> roots, std::size_t known) {
  std::unordered_map<Term, std::size_t> place;
  std::ostringstream body;
  auto reference = [&](Term term) {
    if (term.id() < known)
      body << '=' << term.id() << ' ';
    else
      body << place.at(term) << ' ';
  };
  for_each_subterm(terms, roots, [&](Term term) {
    if (term.id() < known) return;
    write_entry(terms, term, body);
    for (Term arg : terms.args(term)) reference(arg);
    place.emplace(term, place.size());
  });
  for (Term root : roots) reference(root);
  return std::to_string(place.size()) + ' ' + std::to_string(roots.size()) + ' ' + body.str();
}

std::optional<std::vector<Term>> read_terms(TermStore& terms, std::string_view bytes) {
  // Every word ends in a blank: without the last one, the last reference may be cut short.
  if (!bytes.ends_with(' ')) return {};
  return WireReader(terms, bytes).read();
}

}  // namespace lem
