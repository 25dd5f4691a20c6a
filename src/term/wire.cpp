// Layout: words of text separated by blanks. "k n" then one entry for each new term in topological
// order; an argument is "=id" for an old term or the index of an entry.
#include "term/wire.h"

#include <charconv>
#include <sstream>
#include <unordered_map>

#include "term/traverse.h"

namespace lem {

namespace {

void write_sort(const TermStore& terms, Sort sort, std::ostream& out) {
  out << static_cast<int>(terms.kind(sort)) << ' ';
  if (terms.kind(sort) == SortKind::BitVec) out << terms.width(sort) << ' ';
  if (terms.kind(sort) == SortKind::Array) {
    write_sort(terms, terms.index_sort(sort), out);
    write_sort(terms, terms.element_sort(sort), out);
  }
}

class WireReader {
 public:
  WireReader(TermStore& terms, std::string_view bytes) : terms_(terms), in_(std::string(bytes)) {}

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
  std::optional<Sort> sort() {
    int kind = 0;
    if (!(in_ >> kind)) return {};
    switch (static_cast<SortKind>(kind)) {
      case SortKind::Bool:
        return terms_.bool_sort();
      case SortKind::Int:
        return terms_.int_sort();
      case SortKind::Real:
        return terms_.real_sort();
      case SortKind::BitVec: {
        std::uint32_t width = 0;
        if (!(in_ >> width) || width == 0) return {};
        return terms_.bv_sort(width);
      }
      case SortKind::Array: {
        std::optional<Sort> index = sort();
        std::optional<Sort> element = index ? sort() : std::nullopt;
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
    if (std::from_chars(first, last, id).ptr != last) return {};
    if (!old) return id < made_.size() ? std::optional(made_[id]) : std::nullopt;
    if (id == 0 || id >= terms_.size()) return {};
    return terms_.term_of_id(id);
  }

  bool entry() {
    int op_code = 0;
    std::optional<Sort> its_sort;
    if (!(in_ >> op_code) || !(its_sort = sort())) return false;
    Op op = static_cast<Op>(op_code);
    std::string text;
    switch (op) {
      case Op::Variable: {
        std::size_t size = 0;
        if (!(in_ >> size)) return false;
        in_.get();
        text.resize(size);
        if (!in_.read(text.data(), static_cast<std::streamsize>(size))) return false;
        made_.push_back(terms_.variable(text, *its_sort));
        return true;
      }
      case Op::BoolValue:
      case Op::BvValue:
      case Op::IntValue:
      case Op::RealValue: {
        if (!(in_ >> text)) return false;
        mpq_class value(text);
        made_.push_back(op == Op::BoolValue ? terms_.boolean(value != 0)
                                            : terms_.number(value, *its_sort));
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
    made_.push_back(op == Op::ConstArray ? terms_.make_const_array(*its_sort, args[0])
                                         : terms_.make(op, args, p0, p1));
    return true;
  }

  TermStore& terms_;
  std::istringstream in_;
  std::vector<Term> made_;
};

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
  return WireReader(terms, bytes).read();
}

}  // namespace lem
