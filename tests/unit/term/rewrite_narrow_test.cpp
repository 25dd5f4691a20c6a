// Rules that compute extended bit-vectors on fewer bits.
#include <gtest/gtest.h>

#include <array>

#include "unit/term/rule_support.h"

namespace lem {
namespace {

TEST(RewriteNarrow, Comparisons) {
  expect_rules(std::to_array<Rule>({
      {"chars", "(bvslt ((_ sign_extend 4) m) ((_ sign_extend 4) n))", "(bvslt m n)"},
      {"a char and a constant", "(bvslt ((_ sign_extend 4) m) #x02)", "(bvslt m #x2)"},
      {"a constant and a char", "(bvslt #xfc ((_ sign_extend 4) m))", "(not (bvslt m #xd))"},
      {"above every char", "(bvslt ((_ sign_extend 4) m) #x08)", "true"},
      {"below every char", "(bvslt ((_ sign_extend 4) m) #xf7)", "false"},
      {"a constant above", "(bvslt #x08 ((_ sign_extend 4) m))", "false"},
      {"a constant below", "(bvslt #xf7 ((_ sign_extend 4) m))", "true"},
      {"unsigned", "(bvult ((_ zero_extend 4) m) #x0c)", "(bvult m #xc)"},
      {"above every unsigned char", "(bvult ((_ zero_extend 4) m) #x10)", "true"},
      {"an unsigned constant above", "(bvult #x10 ((_ zero_extend 4) m))", "false"},
      {"unsigned chars as ints", "(bvslt ((_ zero_extend 4) m) #x0c)", "(bvult m #xc)"},
      {"never negative", "(bvslt ((_ zero_extend 4) m) #xfe)", "false"},
      {"above a negative one", "(bvslt #xfe ((_ zero_extend 4) m))", "true"},
      {"of two kinds", "(bvslt ((_ sign_extend 4) m) ((_ zero_extend 4) n))",
       "(bvslt ((_ sign_extend 1) m) ((_ zero_extend 1) n))"},
      {"not extended", "(bvslt ((_ sign_extend 4) m) a)", "(bvslt ((_ sign_extend 4) m) a)"},
      {"equations", "(= ((_ sign_extend 4) m) ((_ sign_extend 4) n))", "(= m n)"},
      {"equations of two kinds", "(= ((_ sign_extend 4) m) ((_ zero_extend 4) n))",
       "(= ((_ zero_extend 1) n) ((_ sign_extend 1) m))"},
      {"equations of two widths", "(= ((_ zero_extend 4) m) ((_ zero_extend 7) i))",
       "(= m ((_ zero_extend 3) i))"},
  }));
}

TEST(RewriteNarrow, Divisions) {
  expect_rules(std::to_array<Rule>({
      {"srem", "(bvsrem ((_ sign_extend 4) m) ((_ sign_extend 4) n))",
       "((_ sign_extend 4) (bvsrem m n))"},
      {"smod", "(bvsmod ((_ sign_extend 4) m) ((_ sign_extend 4) n))",
       "((_ sign_extend 4) (bvsmod m n))"},
      {"srem, cut off", "((_ extract 3 0) (bvsrem ((_ sign_extend 4) m) ((_ sign_extend 4) n)))",
       "(bvsrem m n)"},
      {"srem by a constant", "(bvsrem ((_ sign_extend 4) m) #x03)",
       "((_ sign_extend 4) (bvsrem m #x3))"},
      {"sdiv may have a bit more", "(bvsdiv ((_ sign_extend 4) m) ((_ sign_extend 4) n))",
       "((_ sign_extend 3) (bvsdiv ((_ sign_extend 1) m) ((_ sign_extend 1) n)))"},
      {"of what is not negative", "(bvsrem ((_ zero_extend 4) m) ((_ zero_extend 4) n))",
       "((_ zero_extend 4) (bvurem m n))"},
      {"urem", "(bvurem ((_ zero_extend 4) m) ((_ zero_extend 4) n))",
       "((_ zero_extend 4) (bvurem m n))"},
      {"urem of negative ones", "(bvurem ((_ sign_extend 4) m) ((_ sign_extend 4) n))",
       "(bvurem ((_ sign_extend 4) m) ((_ sign_extend 4) n))"},
      {"udiv by a constant", "(bvudiv ((_ zero_extend 4) m) #x03)",
       "((_ zero_extend 4) (bvudiv m #x3))"},
      {"udiv by what may be zero", "(bvudiv ((_ zero_extend 4) m) ((_ zero_extend 4) n))",
       "(bvudiv ((_ zero_extend 4) m) ((_ zero_extend 4) n))"},
      {"udiv by zero", "(bvudiv ((_ zero_extend 4) m) #x00)",
       "(bvudiv ((_ zero_extend 4) m) #x00)"},
  }));
}

TEST(RewriteNarrow, LowBits) {
  expect_rules(std::to_array<Rule>({
      {"neg", "((_ extract 3 0) (bvneg ((_ sign_extend 4) m)))", "(bvneg m)"},
      {"add", "((_ extract 3 0) (bvadd ((_ sign_extend 4) m) #x31))", "(bvadd m #x1)"},
      {"mul", "((_ extract 3 0) (bvmul ((_ sign_extend 4) m) ((_ zero_extend 4) n)))",
       "(bvmul m n)"},
      {"nested",
       "((_ extract 3 0) (bvxor (bvadd ((_ sign_extend 4) m) #x01) ((_ zero_extend 4) n)))",
       "(bvxor n (bvadd m #x1))"},
      {"fewer bits than there are", "((_ extract 1 0) (bvneg ((_ sign_extend 4) m)))",
       "(bvneg ((_ extract 1 0) m))"},
      {"more bits than there are", "((_ extract 5 0) (bvneg ((_ sign_extend 4) m)))",
       "(bvneg ((_ sign_extend 2) m))"},
      {"an extension", "((_ extract 5 0) ((_ sign_extend 4) m))", "((_ sign_extend 2) m)"},
      {"upper bits", "((_ extract 7 4) (bvneg ((_ sign_extend 4) m)))",
       "((_ extract 7 4) (bvneg ((_ sign_extend 4) m)))"},
      {"not extended", "((_ extract 3 0) (bvadd a #x31))", "((_ extract 3 0) (bvadd a #x31))"},
  }));
}

/// All pairs of values, zero and the least number included.
TEST(RewriteNarrow, HoldsOfEveryPair) {
  RuleScope scope;
  TermStore& t = scope.t;
  Term m = t.variable("m", t.bv_sort(4)), n = t.variable("n", t.bv_sort(4));
  for (Op op :
       {Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem, Op::BvSmod, Op::BvUlt, Op::BvSlt, Op::Eq})
    for (Op first : {Op::BvZeroExtend, Op::BvSignExtend})
      for (Op second : {Op::BvZeroExtend, Op::BvSignExtend}) {
        Term made = t.make(op, {t.make(first, {m}, 2), t.make(second, {n}, 2)});
        for (int i = 0; i < 256; ++i) {
          Term left = t.bv(i % 16, 4), right = t.bv(i / 16, 4);
          Term folded = t.make(op, {t.make(first, {left}, 2), t.make(second, {right}, 2)});
          ASSERT_EQ(evaluate(t, made, {{m, left}, {n, right}}), folded) << i;
        }
      }
}

}  // namespace
}  // namespace lem
