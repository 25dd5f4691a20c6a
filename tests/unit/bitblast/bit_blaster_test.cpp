// Every operator at small widths, all values, against evaluation of the term.
#include "bitblast/bit_blaster.h"

#include <gtest/gtest.h>

#include <functional>

#include "term/traverse.h"

namespace lem::bitblast {
namespace {

/// Two words of a width as inputs of a circuit.
class Bench {
 public:
  explicit Bench(std::uint32_t width)
      : width_(width),
        a_(terms.variable("a", terms.bv_sort(width))),
        b_(terms.variable("b", terms.bv_sort(width))) {}

  Term a() const { return a_; }
  Term b() const { return b_; }
  std::uint32_t width() const { return width_; }

  /// Compares the circuit of `term` with its value on all inputs.
  void check(Term term, const std::string& what) {
    AigBuilder builder;
    AigWord a_bits;
    AigWord b_bits;
    for (std::uint32_t i = 0; i < width_; ++i) a_bits.push_back(builder.add_input());
    for (std::uint32_t i = 0; i < width_; ++i) b_bits.push_back(builder.add_input());
    AigGates gates(builder);
    BitBlaster blaster(terms, gates);
    blaster.define(a_, a_bits);
    blaster.define(b_, b_bits);
    AigWord result = blaster.bits(term);
    Aig aig = std::move(builder).freeze();
    for (std::uint32_t inputs = 0; inputs < (1U << (2 * width_)); ++inputs) {
      std::vector<bool> value(aig.num_vars(), false);
      for (std::uint32_t i = 0; i < 2 * width_; ++i)
        value[aig.input(i).var()] = ((inputs >> i) & 1) != 0;
      auto holds = [&](AigLit lit) { return value[lit.var()] != lit.negative(); };
      for (std::uint32_t var = aig.first_and(); var < aig.num_vars(); ++var)
        value[var] = holds(aig.gate_of(var).left) && holds(aig.gate_of(var).right);
      std::uint32_t got = 0;
      for (std::size_t i = 0; i < result.size(); ++i)
        got |= static_cast<std::uint32_t>(holds(result[i])) << i;
      ASSERT_EQ(got, expected(term, inputs)) << what << " width " << width_ << " on " << inputs;
    }
  }

  TermStore terms;

 private:
  std::uint32_t expected(Term term, std::uint32_t inputs) {
    TermMap values{{a_, terms.bv(inputs & ((1U << width_) - 1), width_)},
                   {b_, terms.bv(inputs >> width_, width_)}};
    Term value = evaluate(terms, term, values);
    if (terms.kind(value) == SortKind::Bool) return terms.is_true(value) ? 1 : 0;
    return static_cast<std::uint32_t>(terms.integer_value(value).get_ui());
  }

  std::uint32_t width_;
  Term a_;
  Term b_;
};

void for_each_width(const std::function<void(Bench&)>& run) {
  for (std::uint32_t width = 1; width <= 4; ++width) {
    Bench bench(width);
    run(bench);
  }
}

TEST(BitBlaster, BinaryOperatorsAreExact) {
  const std::vector<std::pair<Op, const char*>> ops{
      {Op::BvAnd, "and"},   {Op::BvOr, "or"},     {Op::BvXor, "xor"},   {Op::BvAdd, "add"},
      {Op::BvMul, "mul"},   {Op::BvUdiv, "udiv"}, {Op::BvUrem, "urem"}, {Op::BvSdiv, "sdiv"},
      {Op::BvSrem, "srem"}, {Op::BvSmod, "smod"}, {Op::BvShl, "shl"},   {Op::BvLshr, "lshr"},
      {Op::BvAshr, "ashr"}, {Op::BvUlt, "ult"},   {Op::BvSlt, "slt"},   {Op::BvConcat, "concat"},
      {Op::Eq, "eq"}};
  for_each_width([&](Bench& bench) {
    for (auto [op, name] : ops) {
      bench.check(bench.terms.make(op, {bench.a(), bench.b()}), name);
      for (int constant = 0; constant < (1 << bench.width()); ++constant) {
        Term value = bench.terms.bv(constant, bench.width());
        bench.check(bench.terms.make(op, {bench.a(), value}), name);
        bench.check(bench.terms.make(op, {value, bench.a()}), name);
      }
    }
    bench.check(bench.terms.make_bv_sub(bench.a(), bench.b()), "sub");
    Term negated = bench.terms.make(Op::BvNeg, {bench.a()});
    bench.check(bench.terms.make_bv_sub(negated, bench.b()), "sub of negated");
  });
}

TEST(BitBlaster, UnaryOperatorsAreExact) {
  for_each_width([](Bench& bench) {
    TermStore& terms = bench.terms;
    bench.check(terms.make(Op::BvNot, {bench.a()}), "not");
    bench.check(terms.make(Op::BvNeg, {bench.a()}), "neg");
    for (std::uint32_t low = 0; low < bench.width(); ++low)
      for (std::uint32_t high = low; high < bench.width(); ++high)
        bench.check(terms.make_extract(bench.a(), high, low), "extract");
    for (std::uint32_t by = 1; by < 4; ++by) {
      bench.check(terms.make(Op::BvZeroExtend, {bench.a()}, by), "zero extend");
      bench.check(terms.make(Op::BvSignExtend, {bench.a()}, by), "sign extend");
    }
  });
}

TEST(BitBlaster, FormulasAndChoicesAreExact) {
  for_each_width([](Bench& bench) {
    TermStore& terms = bench.terms;
    Term less = terms.make(Op::BvUlt, {bench.a(), bench.b()});
    Term below = terms.make(Op::BvSlt, {bench.a(), bench.b()});
    Term same = terms.make_eq(bench.a(), bench.b());
    bench.check(terms.make_and(less, below), "and");
    bench.check(terms.make_or(terms.make_not(less), same), "or");
    bench.check(terms.make_eq(less, below), "iff");
    bench.check(terms.make_ite(less, below, same), "ite over formulas");
    bench.check(terms.make_ite(less, bench.a(), bench.b()), "ite");
    bench.check(terms.make_ite(less, bench.a(), terms.make(Op::BvNot, {bench.a()})), "ite");
  });
}

TEST(BitBlaster, QuotientAndRemainderShareADivider) {
  Bench bench(4);
  AigBuilder builder;
  AigWord a;
  AigWord b;
  for (int i = 0; i < 4; ++i) a.push_back(builder.add_input());
  for (int i = 0; i < 4; ++i) b.push_back(builder.add_input());
  AigGates gates(builder);
  BitBlaster blaster(bench.terms, gates);
  blaster.define(bench.a(), a);
  blaster.define(bench.b(), b);
  blaster.bits(bench.terms.make(Op::BvUdiv, {bench.a(), bench.b()}));
  std::uint32_t size = builder.num_vars();
  blaster.bits(bench.terms.make(Op::BvUrem, {bench.a(), bench.b()}));
  EXPECT_EQ(builder.num_vars(), size);
}

TEST(BitBlaster, DeepTermsDoNotOverflowTheStack) {
  Bench bench(4);
  Term deep = bench.a();
  for (int i = 0; i < 30'000; ++i) {
    deep = bench.terms.make(Op::BvXor, {deep, i % 2 == 0 ? bench.b() : bench.a()});
    deep = bench.terms.make(Op::BvNeg, {deep});
  }
  AigBuilder builder;
  AigWord a(4);
  AigWord b(4);
  for (AigLit& bit : a) bit = builder.add_input();
  for (AigLit& bit : b) bit = builder.add_input();
  AigGates gates(builder);
  BitBlaster blaster(bench.terms, gates);
  blaster.define(bench.a(), a);
  blaster.define(bench.b(), b);
  EXPECT_EQ(blaster.bits(deep).size(), 4U);
}

}  // namespace
}  // namespace lem::bitblast
