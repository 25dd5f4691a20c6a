#include "check/c/readable.h"

#include <map>
#include <optional>
#include <vector>

#include "smt/smt_solver.h"

namespace lem::check {

namespace {

mpz_class power(std::uint32_t exponent) {
  return mpz_class(1) << exponent;
}

class Rewriter {
 public:
  explicit Rewriter(TermStore& terms) : t_(terms) {}

  Term operator()(Term formula) {
    auto known = done_.find(formula);
    if (known != done_.end()) return known->second;
    Term out = compute(formula);
    done_[formula] = out;
    return out;
  }

 private:
  Term compute(Term formula);
  Term group(Op op, std::vector<Term> parts);
  Term equal(Term a, Term b);
  Term less(Op op, Term a, Term b);
  bool is_value(Term term) const { return t_.op(term) == Op::BvValue; }
  Term number(const mpz_class& value, std::uint32_t width) {
    return t_.number(mpq_class(value), t_.bv_sort(width));
  }
  Term below(Term word, const mpz_class& limit) {
    return t_.make(Op::BvUlt, {word, number(limit, t_.width(word))});
  }
  /// A bit of a word that the fact says is 0 (or 1).
  struct Bit {
    Term word;
    std::uint32_t at;
    bool set;
  };
  std::optional<Bit> bit_of(Term fact) const;

  TermStore& t_;
  std::map<Term, Term> done_;
};

std::optional<Rewriter::Bit> Rewriter::bit_of(Term fact) const {
  bool positive = true;
  if (t_.op(fact) == Op::Not) {
    positive = false;
    fact = t_.arg(fact, 0);
  }
  if (t_.op(fact) != Op::Eq || t_.kind(t_.arg(fact, 0)) != SortKind::BitVec) return {};
  Term bit = t_.arg(fact, 0), value = t_.arg(fact, 1);
  if (is_value(bit)) std::swap(bit, value);
  if (!is_value(value) || t_.width(bit) != 1 || t_.op(bit) != Op::BvExtract) return {};
  return Bit{t_.arg(bit, 0), t_.param(bit, 1), (t_.integer_value(value) == 1) == positive};
}

/// Bits from some place to the top that are all 0, in a conjunction: the word is below a power of
/// two. Bits that are not all 0, in a disjunction: it is not.
Term Rewriter::group(Op op, std::vector<Term> parts) {
  bool wanted = op == Op::Or;  // the value of the bits
  std::map<Term, std::map<std::uint32_t, Term>> bits;
  for (Term part : parts)
    if (std::optional<Bit> bit = bit_of(part); bit && bit->set == wanted)
      bits[bit->word][bit->at] = part;
  for (const auto& [word, facts] : bits) {
    std::uint32_t low = t_.width(word);
    while (low > 0 && facts.contains(low - 1)) --low;
    if (low == t_.width(word)) continue;
    for (std::uint32_t i = low; i < t_.width(word); ++i) std::erase(parts, facts.at(i));
    Term small = low == 0 ? t_.make_eq(word, number(0, t_.width(word))) : below(word, power(low));
    parts.push_back(wanted ? t_.make_not(small) : small);
  }
  for (Term& part : parts) part = (*this)(part);
  return op == Op::And ? t_.make_and(parts) : t_.make_or(parts);
}

Term Rewriter::compute(Term formula) {
  std::vector<Term> parts(t_.args(formula).begin(), t_.args(formula).end());
  switch (t_.op(formula)) {
    case Op::And:
    case Op::Or:
      return group(t_.op(formula), std::move(parts));
    case Op::Not:
      return t_.make_not((*this)(parts[0]));
    case Op::Eq:
      return t_.kind(parts[0]) == SortKind::BitVec ? equal(parts[0], parts[1]) : formula;
    case Op::BvUlt:
    case Op::BvSlt:
      return less(t_.op(formula), parts[0], parts[1]);
    default:
      return formula;
  }
}

/// High bits that are 0 are a comparison, the highest alone is the sign; what an extension adds
/// says nothing.
Term Rewriter::equal(Term a, Term b) {
  if (is_value(a)) std::swap(a, b);
  if (!is_value(b)) {
    bool extended = t_.op(a) == t_.op(b) &&
                    (t_.op(a) == Op::BvZeroExtend || t_.op(a) == Op::BvSignExtend) &&
                    t_.width(t_.arg(a, 0)) == t_.width(t_.arg(b, 0));
    return extended ? t_.make_eq(t_.arg(a, 0), t_.arg(b, 0)) : t_.make_eq(a, b);
  }
  const mpz_class value = t_.integer_value(b);
  std::uint32_t width = t_.width(a);
  if (t_.op(a) == Op::BvExtract) {
    Term word = t_.arg(a, 0);
    std::uint32_t low = t_.param(a, 1), all = t_.width(word);
    if (low + width != all) return t_.make_eq(a, b);
    if (width == 1 && all > 1) {
      Term negative = t_.make(Op::BvSlt, {word, number(0, all)});
      return value == 1 ? negative : t_.make_not(negative);
    }
    if (value == 0) return below(word, power(low));
    return t_.make_eq(a, b);
  }
  if (t_.op(a) == Op::BvZeroExtend || t_.op(a) == Op::BvSignExtend) {
    Term word = t_.arg(a, 0);
    std::uint32_t inner = t_.width(word);
    mpz_class kept = value % power(inner);
    bool negative = t_.op(a) == Op::BvSignExtend && kept >= power(inner - 1);
    mpz_class again = negative ? mpz_class(kept + power(width) - power(inner)) : kept;
    return again == value ? equal(word, number(kept, inner)) : t_.boolean(false);
  }
  return t_.make_eq(a, b);
}

Term Rewriter::less(Op op, Term a, Term b) {
  auto extends = [&](Term term, Op how) { return t_.op(term) == how; };
  // Both extended alike: as they were.
  for (Op how : {Op::BvZeroExtend, Op::BvSignExtend})
    if (extends(a, how) && extends(b, how) && t_.width(t_.arg(a, 0)) == t_.width(t_.arg(b, 0)))
      return t_.make(how == Op::BvZeroExtend ? Op::BvUlt : op, {t_.arg(a, 0), t_.arg(b, 0)});
  bool left = is_value(a);
  Term word = left ? b : a, value = left ? a : b;
  if (!is_value(value)) return t_.make(op, {a, b});
  Op how = t_.op(word);
  // Of an extension with the sign only the signed order is that of the word.
  bool fits = how == Op::BvZeroExtend || (how == Op::BvSignExtend && op == Op::BvSlt);
  if (!fits) return t_.make(op, {a, b});
  Term inside = t_.arg(word, 0);
  std::uint32_t inner = t_.width(inside);
  mpz_class number_of =
      op == Op::BvSlt ? t_.signed_value(value) : mpz_class(t_.integer_value(value));
  mpz_class least = how == Op::BvSignExtend ? mpz_class(-power(inner - 1)) : mpz_class(0);
  mpz_class end = least + power(inner);
  if (left) {  // value < word
    if (number_of < least) return t_.boolean(true);
    if (number_of >= end) return t_.boolean(false);
  } else {
    if (number_of < least) return t_.boolean(false);
    if (number_of >= end) return t_.boolean(true);
  }
  Term narrow = number(number_of, inner);
  Op order = how == Op::BvSignExtend ? Op::BvSlt : Op::BvUlt;
  return left ? t_.make(order, {narrow, inside}) : t_.make(order, {inside, narrow});
}

}  // namespace

Term readable(TermStore& terms, Term formula, const std::stop_token& stop) {
  Term other = Rewriter(terms)(formula);
  if (other == formula) return formula;
  auto solver = smt::make_z3(terms, smt::Workload::Single, stop);
  solver->limit_time(1000);
  solver->add(terms.make_not(terms.make_eq(formula, other)));
  return solver->solve() == smt::Answer::Unsat ? other : formula;
}

}  // namespace lem::check
