#include "frontend/btor2/operators.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/assert.h"

namespace lem::btor2 {

namespace {

using S = Btor2Shape;
using O = Btor2Op;

constexpr std::array kOperators = {
    Btor2Operator{"add", O::Add, S::Binary},
    Btor2Operator{"and", O::And, S::Binary},
    Btor2Operator{"concat", O::Concat, S::Concat},
    Btor2Operator{"dec", O::Dec, S::Unary},
    Btor2Operator{"eq", O::Eq, S::Equal},
    Btor2Operator{"iff", O::Iff, S::Logic},
    Btor2Operator{"implies", O::Implies, S::Logic},
    Btor2Operator{"inc", O::Inc, S::Unary},
    Btor2Operator{"ite", O::Ite, S::Ite},
    Btor2Operator{"mul", O::Mul, S::Binary},
    Btor2Operator{"nand", O::Nand, S::Binary},
    Btor2Operator{"neg", O::Neg, S::Unary},
    Btor2Operator{"neq", O::Neq, S::Equal},
    Btor2Operator{"nor", O::Nor, S::Binary},
    Btor2Operator{"not", O::Not, S::Unary},
    Btor2Operator{"or", O::Or, S::Binary},
    Btor2Operator{"read", O::Read, S::Read},
    Btor2Operator{"redand", O::Redand, S::Reduction},
    Btor2Operator{"redor", O::Redor, S::Reduction},
    Btor2Operator{"redxor", O::Redxor, S::Reduction},
    Btor2Operator{"rol", O::Rol, S::Binary},
    Btor2Operator{"ror", O::Ror, S::Binary},
    Btor2Operator{"saddo", O::Saddo, S::Compare},
    Btor2Operator{"sdiv", O::Sdiv, S::Binary},
    Btor2Operator{"sdivo", O::Sdivo, S::Compare},
    Btor2Operator{"sext", O::Sext, S::Extend},
    Btor2Operator{"sgt", O::Sgt, S::Compare},
    Btor2Operator{"sgte", O::Sgte, S::Compare},
    Btor2Operator{"slice", O::Slice, S::Slice},
    Btor2Operator{"sll", O::Sll, S::Binary},
    Btor2Operator{"slt", O::Slt, S::Compare},
    Btor2Operator{"slte", O::Slte, S::Compare},
    Btor2Operator{"smod", O::Smod, S::Binary},
    Btor2Operator{"smulo", O::Smulo, S::Compare},
    Btor2Operator{"sra", O::Sra, S::Binary},
    Btor2Operator{"srem", O::Srem, S::Binary},
    Btor2Operator{"srl", O::Srl, S::Binary},
    Btor2Operator{"ssubo", O::Ssubo, S::Compare},
    Btor2Operator{"sub", O::Sub, S::Binary},
    Btor2Operator{"uaddo", O::Uaddo, S::Compare},
    Btor2Operator{"udiv", O::Udiv, S::Binary},
    Btor2Operator{"uext", O::Uext, S::Extend},
    Btor2Operator{"ugt", O::Ugt, S::Compare},
    Btor2Operator{"ugte", O::Ugte, S::Compare},
    Btor2Operator{"ult", O::Ult, S::Compare},
    Btor2Operator{"ulte", O::Ulte, S::Compare},
    Btor2Operator{"umulo", O::Umulo, S::Compare},
    Btor2Operator{"urem", O::Urem, S::Binary},
    Btor2Operator{"usubo", O::Usubo, S::Compare},
    Btor2Operator{"write", O::Write, S::Write},
    Btor2Operator{"xnor", O::Xnor, S::Binary},
    Btor2Operator{"xor", O::Xor, S::Binary},
};

constexpr bool by_name(const Btor2Operator& a, const Btor2Operator& b) {
  return a.name < b.name;
}
static_assert(std::is_sorted(kOperators.begin(), kOperators.end(), by_name));

/// Builds one operator; `t` abbreviates the store.
class Application {
 public:
  Application(TermStore& terms, std::span<const Term> args) : t(terms), args_(args) {}

  Term run(Btor2Op op, std::uint32_t p0, std::uint32_t p1);

 private:
  bool is_single(Term node) const {
    return t.kind(node) == SortKind::Bool ||
           (t.kind(node) == SortKind::BitVec && t.width(node) == 1);
  }
  bool single() const { return is_single(args_[0]); }
  Term raw(std::size_t i) const { return args_[i]; }
  Term bv(std::size_t i) { return btor2_word(t, args_[i]); }
  Term truth(std::size_t i) { return btor2_truth(t, args_[i]); }
  Term word(Op op) { return t.make(op, {bv(0), bv(1)}); }
  std::uint32_t width() { return t.width(bv(0)); }
  Term sign(Term word) { return btor2_truth(t, t.make_extract(word, width() - 1, width() - 1)); }
  Term constant(const mpz_class& value) { return t.bv(value, width()); }

  Term bitwise(Op truths, Op words);
  Term same_bits();
  Term complement(Term node);
  Term equal();
  Term ite();
  Term parity();
  Term rotate(Op first, Op second);
  Term add_overflow();
  Term sub_overflow();
  Term mul_overflow(Op extend);
  Term div_overflow();

  TermStore& t;
  std::span<const Term> args_;
};

Term Application::bitwise(Op truths, Op words) {
  if (single()) return t.make(truths, {truth(0), truth(1)});
  return word(words);
}

Term Application::same_bits() {
  if (single()) return t.make_eq(truth(0), truth(1));
  return t.make(Op::BvNot, {word(Op::BvXor)});
}

Term Application::complement(Term node) {
  return t.kind(node) == SortKind::Bool ? t.make_not(node) : t.make(Op::BvNot, {node});
}

Term Application::equal() {
  bool truths = t.kind(raw(0)) == SortKind::Bool || t.kind(raw(1)) == SortKind::Bool;
  if (truths) return t.make_eq(truth(0), truth(1));
  return t.make_eq(raw(0), raw(1));
}

Term Application::ite() {
  if (is_single(raw(1))) return t.make_ite(truth(0), truth(1), truth(2));
  return t.make_ite(truth(0), raw(1), raw(2));
}

/// A balanced tree, so that wide words do not make deep terms.
Term Application::parity() {
  std::vector<Term> layer;
  for (std::uint32_t i = 0; i < width(); ++i)
    layer.push_back(btor2_truth(t, t.make_extract(bv(0), i, i)));
  while (layer.size() > 1) {
    std::vector<Term> above;
    for (std::size_t i = 0; i + 1 < layer.size(); i += 2)
      above.push_back(t.make_xor(layer[i], layer[i + 1]));
    if (layer.size() % 2 == 1) above.push_back(layer.back());
    layer = std::move(above);
  }
  return layer.front();
}

/// first(a, n) | second(a, w - n) with n the amount modulo w; shifting by w gives 0.
Term Application::rotate(Op first, Op second) {
  std::uint32_t w = width();
  Term amount = std::has_single_bit(w) ? t.make(Op::BvAnd, {bv(1), constant(w - 1)})
                                       : t.make(Op::BvUrem, {bv(1), constant(w)});
  Term rest = t.make_bv_sub(constant(w), amount);
  return t.make(Op::BvOr, {t.make(first, {bv(0), amount}), t.make(second, {bv(0), rest})});
}

Term Application::add_overflow() {
  Term sum = word(Op::BvAdd);
  return t.make_and(t.make_eq(sign(bv(0)), sign(bv(1))), t.make_xor(sign(sum), sign(bv(0))));
}

Term Application::sub_overflow() {
  Term difference = t.make_bv_sub(bv(0), bv(1));
  return t.make_and(t.make_xor(sign(bv(0)), sign(bv(1))),
                    t.make_xor(sign(difference), sign(bv(0))));
}

/// The full product is not the extension of its lower half.
Term Application::mul_overflow(Op extend) {
  std::uint32_t w = width();
  Term product = t.make(Op::BvMul, {t.make(extend, {bv(0)}, w), t.make(extend, {bv(1)}, w)});
  return t.make_not(t.make_eq(product, t.make(extend, {t.make_extract(product, w - 1, 0)}, w)));
}

Term Application::div_overflow() {
  mpz_class least = mpz_class(1) << (width() - 1);
  return t.make_and(t.make_eq(bv(0), constant(least)), t.make_eq(bv(1), constant(-1)));
}

// long: flat switch
Term Application::run(Btor2Op op, std::uint32_t p0, std::uint32_t p1) {
  switch (op) {
    case O::And:
      return bitwise(Op::And, Op::BvAnd);
    case O::Nand:
      return complement(bitwise(Op::And, Op::BvAnd));
    case O::Or:
      return bitwise(Op::Or, Op::BvOr);
    case O::Nor:
      return complement(bitwise(Op::Or, Op::BvOr));
    case O::Xnor:
      return same_bits();
    case O::Xor:
      return complement(same_bits());
    case O::Not:
      return complement(single() ? truth(0) : bv(0));
    case O::Iff:
    case O::Eq:
      return equal();
    case O::Neq:
      return t.make_not(equal());
    case O::Implies:
      return t.make_implies(truth(0), truth(1));
    case O::Ite:
      return ite();
    case O::Inc:
      return t.make(Op::BvAdd, {bv(0), constant(1)});
    case O::Dec:
      return t.make(Op::BvAdd, {bv(0), constant(-1)});
    case O::Neg:
      return t.make(Op::BvNeg, {bv(0)});
    case O::Redand:
      return t.make_eq(bv(0), constant(-1));
    case O::Redor:
      return t.make_not(t.make_eq(bv(0), constant(0)));
    case O::Redxor:
      return parity();
    case O::Add:
      return word(Op::BvAdd);
    case O::Sub:
      return t.make_bv_sub(bv(0), bv(1));
    case O::Mul:
      return word(Op::BvMul);
    case O::Udiv:
      return word(Op::BvUdiv);
    case O::Urem:
      return word(Op::BvUrem);
    case O::Sdiv:
      return word(Op::BvSdiv);
    case O::Srem:
      return word(Op::BvSrem);
    case O::Smod:
      return word(Op::BvSmod);
    case O::Sll:
      return word(Op::BvShl);
    case O::Srl:
      return word(Op::BvLshr);
    case O::Sra:
      return word(Op::BvAshr);
    case O::Rol:
      return rotate(Op::BvShl, Op::BvLshr);
    case O::Ror:
      return rotate(Op::BvLshr, Op::BvShl);
    case O::Ult:
      return word(Op::BvUlt);
    case O::Ulte:
      return t.make_bv_ule(bv(0), bv(1));
    case O::Ugt:
      return t.make(Op::BvUlt, {bv(1), bv(0)});
    case O::Ugte:
      return t.make_bv_ule(bv(1), bv(0));
    case O::Slt:
      return word(Op::BvSlt);
    case O::Slte:
      return t.make_bv_sle(bv(0), bv(1));
    case O::Sgt:
      return t.make(Op::BvSlt, {bv(1), bv(0)});
    case O::Sgte:
      return t.make_bv_sle(bv(1), bv(0));
    case O::Uaddo:
      return t.make(Op::BvUlt, {word(Op::BvAdd), bv(0)});
    case O::Saddo:
      return add_overflow();
    case O::Usubo:
      return word(Op::BvUlt);
    case O::Ssubo:
      return sub_overflow();
    case O::Umulo:
      return mul_overflow(Op::BvZeroExtend);
    case O::Smulo:
      return mul_overflow(Op::BvSignExtend);
    case O::Sdivo:
      return div_overflow();
    case O::Concat:
      return t.make_concat(bv(0), bv(1));
    case O::Slice:
      return t.make_extract(bv(0), p0, p1);
    case O::Uext:
      return p0 == 0 ? bv(0) : t.make(Op::BvZeroExtend, {bv(0)}, p0);
    case O::Sext:
      return p0 == 0 ? bv(0) : t.make(Op::BvSignExtend, {bv(0)}, p0);
    case O::Read:
      return t.make_select(raw(0), bv(1));
    case O::Write:
      return t.make_store(raw(0), bv(1), bv(2));
  }
  unreachable();
}

}  // namespace

const Btor2Operator* find_btor2_operator(std::string_view name) {
  Btor2Operator wanted{name, O::Add, S::Binary};
  const auto* found = std::lower_bound(kOperators.begin(), kOperators.end(), wanted, by_name);
  return found == kOperators.end() || found->name != name ? nullptr : found;
}

bool is_predicate(Btor2Shape shape) {
  return shape == S::Reduction || shape == S::Compare || shape == S::Equal || shape == S::Logic;
}

std::uint32_t num_node_arguments(Btor2Shape shape) {
  switch (shape) {
    case S::Unary:
    case S::Reduction:
    case S::Extend:
    case S::Slice:
      return 1;
    case S::Binary:
    case S::Compare:
    case S::Equal:
    case S::Logic:
    case S::Concat:
    case S::Read:
      return 2;
    case S::Ite:
    case S::Write:
      return 3;
  }
  unreachable();
}

std::uint32_t num_number_arguments(Btor2Shape shape) {
  if (shape == S::Slice) return 2;
  return shape == S::Extend ? 1 : 0;
}

Term btor2_word(TermStore& terms, Term node) {
  if (terms.kind(node) != SortKind::Bool) return node;
  return terms.make_ite(node, terms.bv(1, 1), terms.bv(0, 1));
}

Term btor2_truth(TermStore& terms, Term node) {
  if (terms.kind(node) == SortKind::Bool) return node;
  assert(terms.width(node) == 1 && "only single bits are truth values");
  return terms.make_eq(node, terms.bv(1, 1));
}

Term apply_btor2(TermStore& terms, Btor2Op op, std::span<const Term> args, std::uint32_t p0,
                 std::uint32_t p1) {
  return Application(terms, args).run(op, p0, p1);
}

}  // namespace lem::btor2
