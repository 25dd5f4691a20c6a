#include "transform/terms/int_encoding.h"

#include <algorithm>
#include <array>

namespace lem::transform {

namespace {

// A sum is wrapped by choices up to here, by a remainder beyond.
constexpr int kMostWraps = 4;

bool is_mask(const mpz_class& value) {
  return value > 0 && mpz_popcount(value.get_mpz_t()) == mpz_sizeinbase(value.get_mpz_t(), 2);
}

}  // namespace

bool WordClasses::is_word(Term term) const {
  return terms_.kind(term) == SortKind::BitVec && terms_.width(term) > 1;
}

void WordClasses::unite(Term a, Term b) {
  if (!is_word(a) || terms_.is_value(a) || terms_.is_value(b)) return;
  Term other = classes_.unite(a, b);
  if (!other) return;
  Uses joined = uses_[other];
  Uses& all = uses_[classes_.root(a)];
  all.numeric |= joined.numeric;
  all.is_signed += joined.is_signed;
}

void WordClasses::use(Term bv, std::int64_t is_signed) {
  if (!is_word(bv) || terms_.is_value(bv)) return;
  Uses& uses = uses_[classes_.root(bv)];
  uses.numeric = true;
  uses.is_signed += is_signed;
}

void WordClasses::add(Term root) {
  for_each_subterm(terms_, {&root, 1}, [&](Term term) {
    if (seen_.try_emplace(term, true).second) look_at(term);
  });
}

void WordClasses::look_at(Term term) {
  auto args = terms_.args(term);
  switch (terms_.op(term)) {
    case Op::Eq:
      unite(args[0], args[1]);
      break;
    case Op::Ite:
      unite(term, args[1]);
      unite(term, args[2]);
      break;
    case Op::BvUlt:
      unite(args[0], args[1]);
      for (Term arg : args) use(arg, -1);
      break;
    case Op::BvSlt:
      unite(args[0], args[1]);
      for (Term arg : args) use(arg, 1);
      break;
    case Op::BvUdiv:
    case Op::BvUrem:
    case Op::BvLshr:
    case Op::BvZeroExtend:
      use(term, -1);
      use(args[0], -1);
      break;
    case Op::BvSdiv:
    case Op::BvSrem:
    case Op::BvAshr:
    case Op::BvSignExtend:
      use(term, 1);
      use(args[0], 1);
      break;
    case Op::BvNeg:
    case Op::BvNot:
    case Op::BvAdd:
    case Op::BvMul:
    case Op::BvShl:
      use(term, 0);
      for (Term arg : args) unite(term, arg);
      break;
    default:
      use(term, 0);
      for (Term arg : args) use(arg, 0);
  }
  if (terms_.is_variable(term) && is_word(term)) uses_[classes_.root(term)];
}

bool WordClasses::becomes_integer(Term bv) const {
  if (!is_word(bv)) return false;
  auto found = uses_.find(classes_.root(bv));
  return found != uses_.end() && found->second.numeric;
}

Word WordClasses::word(Term bv) const {
  auto found = uses_.find(classes_.root(bv));
  return {terms_.width(bv), found == uses_.end() || found->second.is_signed >= 0};
}

Term IntEncoding::variable(Term old) {
  auto [at, added] = done_.try_emplace(old);
  if (added)
    at->second = classes_.becomes_integer(old)
                     ? terms_.fresh(terms_.name(old) + ".int", terms_.int_sort())
                     : old;
  return at->second;
}

Term IntEncoding::in_range(Term integer, const Word& word) {
  return terms_.make_and(terms_.make_le(terms_.integer(word.low()), integer),
                         terms_.make_le(integer, terms_.integer(word.high())));
}

Term IntEncoding::term(Term root) {
  for_each_subterm(terms_, {&root, 1}, [&](Term each) {
    if (!done_.contains(each)) done_[each] = visit(each);
  });
  return done_.at(root);
}

Term IntEncoding::term(Term word, Term like) {
  Term image = term(word);
  return classes_.becomes_integer(like) ? wrapped_branch(like, word).integer : image;
}

/// Whether it is encoded as an integer: its class is, or it is a constant used with such words.
Term IntEncoding::of_integers(Term term) const {
  for (Term arg : terms_.args(term))
    if (classes_.becomes_integer(arg)) return arg;
  return {};
}

/// What a term becomes, given what its arguments became. Words become their wrapped integers.
Term IntEncoding::visit(Term term) {
  auto args = terms_.args(term);
  if (terms_.is_variable(term)) return variable(term);
  if (classes_.becomes_integer(term)) return wrapped(term).integer;
  if (terms_.is_value(term)) return term;
  if (terms_.op(term) == Op::BvExtract && of_integers(term)) return bit(term);
  if (of_integers(term) && terms_.op(term) == Op::Eq) return equation(args[0], args[1]);
  if (of_integers(term) && terms_.op(term) == Op::BvUlt)
    return terms_.make_lt(as_unsigned(args[0]).integer, as_unsigned(args[1]).integer);
  if (of_integers(term) && terms_.op(term) == Op::BvSlt)
    return terms_.make_lt(as_signed(args[0]).integer, as_signed(args[1]).integer);
  std::vector<Term> changed;
  for (Term arg : args) changed.push_back(done_.at(arg));
  return terms_.make(terms_.op(term), changed, terms_.param(term, 0), terms_.param(term, 1));
}

/// a = b modulo 2^width: the difference is one of a few multiples.
Term IntEncoding::equation(Term a, Term b) {
  Sum difference = added(sum(a), scaled(sum(b), -1));
  mpz_class count = mpz_class(1) << terms_.width(a);
  mpz_class first = -floor_div(-difference.low, count), last = floor_div(difference.high, count);
  if (last - first >= kMostWraps)
    return terms_.make_eq(as_unsigned(a).integer, as_unsigned(b).integer);
  std::vector<Term> ways;
  for (mpz_class k = first; k <= last; ++k)
    ways.push_back(terms_.make_eq(difference.integer, terms_.integer(k * count)));
  return terms_.make_or(ways);
}

/// A single bit of a word stays a bit.
Term IntEncoding::bit(Term extract) {
  Sum shifted =
      divided(as_unsigned(terms_.arg(extract, 0)), mpz_class(1) << terms_.param(extract, 1));
  Term odd = terms_.make_eq(remainder(shifted, 2).integer, terms_.integer(1));
  return terms_.make_ite(odd, terms_.bv(1, 1), terms_.bv(0, 1));
}

const IntEncoding::Sum& IntEncoding::sum(Term word) {
  auto found = sums_.find(word);
  if (found == sums_.end()) found = sums_.emplace(word, make_sum(word)).first;
  return found->second;
}

IntEncoding::Sum IntEncoding::make_sum(Term word) {
  auto args = terms_.args(word);
  if (terms_.is_value(word)) {
    bool is_signed = terms_.width(word) > 1;
    return constant(is_signed ? terms_.signed_value(word) : terms_.integer_value(word));
  }
  if (terms_.width(word) == 1) {
    Term set = terms_.make_eq(done_.at(word), terms_.bv(1, 1));
    return choice(set, constant(1), constant(0));
  }
  switch (terms_.op(word)) {
    case Op::Variable: {
      Word range = classes_.word(word);
      return {variable(word), range.low(), range.high()};
    }
    case Op::Ite:
      return choice(done_.at(args[0]), wrapped_branch(word, args[1]),
                    wrapped_branch(word, args[2]));
    case Op::BvAdd:
      return added(sum(args[0]), sum(args[1]));
    case Op::BvNeg:
      return scaled(sum(args[0]), -1);
    case Op::BvNot:
      return added(scaled(sum(args[0]), -1), constant(-1));
    case Op::BvMul:
      for (std::size_t i : {0U, 1U})
        if (terms_.is_value(args[i])) return scaled(sum(args[1 - i]), terms_.signed_value(args[i]));
      return opaque(word);
    case Op::BvZeroExtend:
      return as_unsigned(args[0]);
    case Op::BvSignExtend:
      return as_signed(args[0]);
    case Op::BvConcat:
      return added(scaled(sum(args[0]), mpz_class(1) << terms_.width(args[1])),
                   as_unsigned(args[1]));
    case Op::BvExtract:
      if (terms_.param(word, 1) == 0) return sum(args[0]);
      return divided(as_unsigned(args[0]), mpz_class(1) << terms_.param(word, 1));
    case Op::BvShl:
    case Op::BvLshr:
    case Op::BvAshr:
      return shifted(word);
    case Op::BvUdiv:
    case Op::BvUrem:
    case Op::BvSdiv:
    case Op::BvSrem:
      if (!terms_.is_value(args[1]) || terms_.integer_value(args[1]) == 0) return opaque(word);
      if (terms_.op(word) == Op::BvUdiv)
        return divided(as_unsigned(args[0]), terms_.integer_value(args[1]));
      if (terms_.op(word) == Op::BvUrem)
        return remainder(as_unsigned(args[0]), terms_.integer_value(args[1]));
      return signed_division(word, terms_.op(word) == Op::BvSdiv);
    case Op::BvAnd:
      return masked(word);
    default:
      return opaque(word);
  }
}

IntEncoding::Sum IntEncoding::shifted(Term word) {
  Term by = terms_.arg(word, 1);
  std::uint32_t width = terms_.width(word);
  if (!terms_.is_value(by) || terms_.integer_value(by) >= width) return opaque(word);
  mpz_class factor = mpz_class(1) << terms_.integer_value(by).get_ui();
  Term shifted = terms_.arg(word, 0);
  if (terms_.op(word) == Op::BvShl) return scaled(sum(shifted), factor);
  return divided(terms_.op(word) == Op::BvLshr ? as_unsigned(shifted) : as_signed(shifted), factor);
}

/// x & 00..011..1
IntEncoding::Sum IntEncoding::masked(Term word) {
  for (std::size_t i : {0U, 1U}) {
    Term mask = terms_.arg(word, i);
    if (!terms_.is_value(mask) || !is_mask(terms_.integer_value(mask))) continue;
    return remainder(sum(terms_.arg(word, 1 - i)), terms_.integer_value(mask) + 1);
  }
  return opaque(word);
}

/// Rounded towards zero, where integers round down.
IntEncoding::Sum IntEncoding::signed_division(Term word, bool quotient) {
  Sum dividend = as_signed(terms_.arg(word, 0));
  mpz_class divisor = terms_.signed_value(terms_.arg(word, 1)), by = abs(divisor);
  Term negative = terms_.make_lt(dividend.integer, terms_.integer(0));
  Sum minus = scaled(dividend, -1);
  // Bounds as if both signs were possible on both sides: they are not used to decide a sign.
  if (quotient) {
    Sum down = divided(dividend, by), up = scaled(divided(minus, by), -1);
    return scaled(choice(negative, up, down), divisor < 0 ? -1 : 1);
  }
  return choice(negative, scaled(remainder(minus, by), -1), remainder(dividend, by));
}

IntEncoding::Sum IntEncoding::wrapped_branch(Term choice, Term branch) {
  return within(sum(branch), classes_.word(choice));
}

IntEncoding::Sum IntEncoding::constant(const mpz_class& value) {
  return {terms_.integer(value), value, value};
}

IntEncoding::Sum IntEncoding::scaled(const Sum& sum, const mpz_class& factor) {
  mpz_class a = sum.low * factor, b = sum.high * factor;
  return {terms_.make_mul(terms_.integer(factor), sum.integer), std::min(a, b), std::max(a, b)};
}

IntEncoding::Sum IntEncoding::added(const Sum& a, const Sum& b) {
  return {terms_.make_add(a.integer, b.integer), a.low + b.low, a.high + b.high};
}

IntEncoding::Sum IntEncoding::choice(Term condition, const Sum& a, const Sum& b) {
  return {terms_.make_ite(condition, a.integer, b.integer), std::min(a.low, b.low),
          std::max(a.high, b.high)};
}

/// require: by > 0
IntEncoding::Sum IntEncoding::divided(const Sum& sum, const mpz_class& by) {
  if (by == 1) return sum;
  return {terms_.make(Op::IntDiv, {sum.integer, terms_.integer(by)}), floor_div(sum.low, by),
          floor_div(sum.high, by)};
}

/// require: by > 0
IntEncoding::Sum IntEncoding::remainder(const Sum& sum, const mpz_class& by) {
  if (sum.low >= 0 && sum.high < by) return sum;
  return {terms_.make(Op::IntMod, {sum.integer, terms_.integer(by)}), 0, by - 1};
}

/// The same modulo 2^width, in the range of the word.
IntEncoding::Sum IntEncoding::within(const Sum& sum, const Word& word) {
  mpz_class low = word.low(), count = word.count();
  mpz_class first = floor_div(sum.low - low, count), last = floor_div(sum.high - low, count);
  if (last - first >= kMostWraps) {
    Sum rest = remainder(added(sum, constant(-low)), count);
    return added(rest, constant(low));
  }
  auto wrap = [&](const mpz_class& k) {
    return terms_.make_add(sum.integer, terms_.integer(-k * count));
  };
  Term result = wrap(last);
  for (mpz_class k = last; k-- > first;) {
    Term below = terms_.make_lt(sum.integer, terms_.integer(low + (k + 1) * count));
    result = terms_.make_ite(below, wrap(k), result);
  }
  if (first == last) return {result, sum.low - first * count, sum.high - first * count};
  return {result, low, word.high()};
}

IntEncoding::Sum IntEncoding::opaque(Term word) {
  Word range = classes_.word(word);
  Term integer = terms_.fresh("opaque", terms_.int_sort());
  opaque_.push_back({integer, range});
  return {integer, range.low(), range.high()};
}

}  // namespace lem::transform
