// There and back: every operator comes out of Z3 as the term that went in.
#include "smt/z3_terms.h"

#include <gtest/gtest.h>

#include <set>

#include "support/random_terms.h"

namespace lem::smt {
namespace {

class Z3TermsTest : public testing::Test {
 protected:
  void expect_back(Term term) {
    std::optional<Term> back = translate.from_z3(translate.to_z3(term));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(*back, term);
  }
  TermStore t;
  z3::context ctx;
  Z3Terms translate{ctx, t};
};

TEST_F(Z3TermsTest, BringsEveryOperatorBack) {
  Term b = t.variable("b", t.bool_sort()), c = t.variable("c", t.bool_sort());
  Term x = t.variable("x", t.int_sort()), y = t.variable("y", t.int_sort());
  Term r = t.variable("r", t.real_sort()), s = t.variable("s", t.real_sort());
  Term v = t.variable("v", t.bv_sort(8)), w = t.variable("w", t.bv_sort(8));
  Sort memory = t.array_sort(t.bv_sort(8), t.int_sort());
  Term m = t.variable("m", memory);
  std::vector<Term> terms = {b,
                             t.boolean(true),
                             t.bv(200, 8),
                             t.integer(mpz_class("-98765432109876543210")),
                             t.real(mpq_class(-5, 3)),
                             t.make_eq(x, y),
                             t.make_ite(b, x, y),
                             t.make_not(b),
                             t.make_and(b, c),
                             t.make_or(b, c),
                             t.make_eq(b, c),
                             t.make_add(x, y),
                             t.make_mul(x, y),
                             t.make_mul(t.integer(3), x),
                             t.make_le(x, y),
                             t.make_lt(r, s),
                             t.make(Op::IntDiv, {x, t.integer(3)}),
                             t.make(Op::IntMod, {x, t.integer(3)}),
                             t.make_to_real(x),
                             t.make(Op::ToInt, {r}),
                             t.make_select(m, v),
                             t.make_store(m, v, x),
                             t.make_const_array(memory, x),
                             t.make(Op::BvNot, {v}),
                             t.make(Op::BvNeg, {v}),
                             t.make_concat(v, w),
                             t.make_extract(v, 5, 2),
                             t.make(Op::BvZeroExtend, {v}, 3),
                             t.make(Op::BvSignExtend, {v}, 3)};
  for (Op op :
       {Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvMul, Op::BvUdiv, Op::BvUrem, Op::BvSdiv,
        Op::BvSrem, Op::BvSmod, Op::BvShl, Op::BvLshr, Op::BvAshr, Op::BvUlt, Op::BvSlt})
    terms.push_back(t.make(op, {v, w}));
  Sort small = t.float_sort({3, 5});
  Term f = t.variable("f", small), g = t.variable("g", small);
  std::uint32_t format = t.format(small).packed();
  for (Op op : {Op::FpAdd, Op::FpMul, Op::FpDiv}) terms.push_back(t.make(op, {f, g}, 2));
  for (Op op : {Op::FpSqrt, Op::FpRound}) terms.push_back(t.make(op, {f}, 3));
  for (Op op : {Op::FpEq, Op::FpLe, Op::FpLt}) terms.push_back(t.make(op, {f, g}));
  for (Op op : {Op::FpNeg, Op::FpAbs}) terms.push_back(t.make(op, {f}));
  for (Op op : {Op::FpFromSigned, Op::FpFromUnsigned}) terms.push_back(t.make(op, {v}, format, 1));
  for (Op op : {Op::FpToSigned, Op::FpToUnsigned}) terms.push_back(t.make(op, {f}, 6));
  terms.push_back(t.make(Op::FpFromBits, {v}, format));
  terms.push_back(t.make(Op::FpToFp, {f}, kFloat32.packed(), 4));
  for (unsigned bits = 0; bits < 256; ++bits) terms.push_back(t.floating({{3, 5}, bits}));
  std::set<Op> seen;
  for (Term term : terms) {
    expect_back(term);
    seen.insert(t.op(term));
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(Op::FpToUnsigned) + 1)
      << "an operator is missing";
}

TEST_F(Z3TermsTest, BringsRandomTermsBack) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    test::RandomTerms random(seed, {{2, 5}, true, true, true});
    z3::context other;
    Z3Terms there(other, random.t);
    for (int i = 0; i < 80; ++i) {
      Term term = random.grow().term;
      std::optional<Term> back = there.from_z3(there.to_z3(term));
      ASSERT_TRUE(back.has_value()) << "seed " << seed;
      EXPECT_EQ(*back, term) << "seed " << seed;
    }
  }
}

TEST_F(Z3TermsTest, ReadsWhatZ3AloneWrites) {
  Term x = t.variable("x", t.int_sort()), y = t.variable("y", t.int_sort());
  Term v = t.variable("v", t.bv_sort(4)), w = t.variable("w", t.bv_sort(4));
  z3::expr zx = translate.to_z3(x), zy = translate.to_z3(y);
  z3::expr zv = translate.to_z3(v), zw = translate.to_z3(w);
  EXPECT_EQ(translate.from_z3(zx > zy), t.make_lt(y, x));
  EXPECT_EQ(translate.from_z3(zx >= zy), t.make_le(y, x));
  EXPECT_EQ(translate.from_z3(zx - zy), t.make_sub(x, y));
  EXPECT_EQ(translate.from_z3(-zx), t.make_neg(x));
  EXPECT_EQ(translate.from_z3(z3::implies(zx > zy, zx == zy)),
            t.make_implies(t.make_lt(y, x), t.make_eq(x, y)));
  EXPECT_EQ(translate.from_z3(z3::uge(zv, zw)), t.make_bv_ule(w, v));
  EXPECT_EQ(translate.from_z3(zv - zw), t.make_bv_sub(v, w));
}

TEST_F(Z3TermsTest, RefusesWhatHasNoCounterpart) {
  Term x = t.variable("x", t.int_sort());
  z3::expr zx = translate.to_z3(x);
  EXPECT_FALSE(translate.from_z3(z3::forall(zx, zx > 0)).has_value());
  EXPECT_FALSE(translate.from_z3(ctx.int_const("stranger") > zx).has_value());
  EXPECT_FALSE(translate.from_z3(z3::expr(zx / ctx.int_const("stranger"))).has_value());
}

}  // namespace
}  // namespace lem::smt
