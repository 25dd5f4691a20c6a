// Rules of Int and Real.
#include <gtest/gtest.h>

#include <array>

#include "unit/term/rule_support.h"

namespace lem {
namespace {

TEST(RewriteArith, Sums) {
  expect_rules(std::to_array<Rule>({
      {"values", "(+ 1 2)", "3"},
      {"values", "(+ 0.5 (- 0.75))", "(- (/ 1.0 4.0))"},
      {"sorted", "(+ y x)", "(+ x y)"},
      {"constant last", "(+ 1 x 2)", "(+ x 3)"},
      {"flattened", "(+ (+ x 1) (+ y 2))", "(+ x y 3)"},
      {"no constant 0", "(+ x 0)", "x"},
      {"no constant 0", "(+ x 2 (- 2) y)", "(+ x y)"},
      {"factors added", "(+ x y x)", "(+ (* 2 x) y)"},
      {"factors added", "(+ f (* 0.5 f))", "(* (/ 3.0 2.0) f)"},
      {"products are monomials", "(+ (* x y) (* y x))", "(* 2 (* x y))"},
      {"products by order of their base", "(+ (* 2 y) (* 3 x))", "(+ (* 3 x) (* 2 y))"},
      {"cancelled", "(- x x)", "0"},
      {"cancelled", "(- (+ x y) x)", "y"},
      {"negation", "(- x)", "(* (- 1) x)"},
  }));
}

TEST(RewriteArith, Products) {
  expect_rules(std::to_array<Rule>({
      {"values", "(* 2 (- 3))", "(- 6)"},
      {"values", "(* 0.5 (/ 2 3))", "(/ 1.0 3.0)"},
      {"zero", "(* 0 x)", "0"},
      {"zero", "(* x 0 y)", "0"},
      {"zero", "(* 0 (+ x y 1))", "0"},
      {"one", "(* 1 x)", "x"},
      {"constant first", "(* x 2)", "(* 2 x)"},
      {"constants joined", "(* 2 (* 3 x))", "(* 6 x)"},
      {"constants joined", "(* (* 2 x) (* 3 y))", "(* 6 (* x y))"},
      {"distributed", "(* 2 (+ x 1))", "(+ (* 2 x) 2)"},
      {"sorted", "(* y x)", "(* x y)"},
      {"flattened", "(* (* z x) y)", "(* x y z)"},
      {"flattened below a factor", "(* (* 2 z x) y)", "(* 2 (* x y z))"},
      {"powers", "(* x x)", "(* x x)"},
      {"sums are factors", "(* (+ x 1) y)", "(* y (+ x 1))"},
  }));
}

TEST(RewriteArith, IntComparisons) {
  expect_rules(std::to_array<Rule>({
      {"values", "(<= 1 1)", "true"},
      {"values", "(<= 2 1)", "false"},
      {"values", "(< 1 1)", "false"},
      {"values", "(< 1 2)", "true"},
      {"cancelled", "(<= x x)", "true"},
      {"cancelled", "(< x x)", "false"},
      {"cancelled", "(< x (+ x 1))", "true"},
      {"weak", "(<= x 4)", "(<= x 4)"},
      {"strict is weak", "(< x 5)", "(<= x 4)"},
      {"bound right", "(<= (+ x 3) y)", "(<= (+ x (* (- 1) y)) (- 3))"},
      {"negative first factor", "(<= 5 x)", "(not (<= x 4))"},
      {"negative first factor, strict", "(< 5 x)", "(not (<= x 5))"},
      {"negative first factor of a sum", "(<= (- y x) 2)", "(not (<= (+ x (* (- 1) y)) (- 3)))"},
      {"positive first factor of a sum", "(<= (- x y) 2)", "(<= (+ x (* (- 1) y)) 2)"},
      {"rounded down", "(<= (* 2 x) 5)", "(<= x 2)"},
      {"rounded down below 0", "(<= (* 2 x) (- 5))", "(<= x (- 3))"},
      {"rounded exactly", "(<= (* 2 x) 6)", "(<= x 3)"},
      {"strict rounded", "(< (* 2 x) 5)", "(<= x 2)"},
      {"strict rounded exactly", "(< (* 2 x) 4)", "(<= x 1)"},
      {"strict rounded below 0", "(< (* 2 x) (- 5))", "(<= x (- 3))"},
      {"rounded from below", "(>= (* 2 x) 5)", "(not (<= x 2))"},
      {"rounded from below, below 0", "(>= (* 2 x) (- 5))", "(not (<= x (- 3)))"},
      {"strict from below", "(> (* 2 x) 4)", "(not (<= x 2))"},
      {"strict from below, rounded", "(> (* 2 x) 5)", "(not (<= x 2))"},
      {"common factor", "(<= (+ (* 2 x) (* 4 y)) 7)", "(<= (+ x (* 2 y)) 3)"},
      {"coprime", "(<= (+ (* 2 x) (* 3 y)) 7)", "(<= (+ (* 2 x) (* 3 y)) 7)"},
  }));
}

TEST(RewriteArith, RealComparisons) {
  expect_rules(std::to_array<Rule>({
      {"values", "(< 0.5 (/ 1 2))", "false"},
      {"weak", "(<= f 1.0)", "(<= f 1.0)"},
      {"strict stays", "(< f 1.0)", "(< f 1.0)"},
      {"not rounded", "(<= (* 2 f) 5.0)", "(<= f (/ 5.0 2.0))"},
      {"bound right", "(< f g)", "(< (+ f (* (- 1.0) g)) 0.0)"},
      {"weak from below", "(<= 1.0 f)", "(not (< f 1.0))"},
      {"strict from below", "(< 1.0 f)", "(not (<= f 1.0))"},
      {"integral factors", "(<= (+ (* 0.5 f) (/ g 3.0)) 1.0)", "(<= (+ (* 3.0 f) (* 2.0 g)) 6.0)"},
      {"coprime factors", "(< (+ (* 4 f) (* 6 g)) 1.0)", "(< (+ (* 2.0 f) (* 3.0 g)) (/ 1.0 2.0))"},
  }));
}

TEST(RewriteArith, ComparisonsOfIte) {
  expect_rules(std::to_array<Rule>({
      {"two values", "(<= (ite p 1 5) 3)", "p"},
      {"two values, negated", "(< 3 (ite p 1 5))", "(not p)"},
      {"two values, scaled", "(<= (* 2 (ite p 1 5)) 7)", "p"},
      {"two values, moved", "(<= (+ (ite p 1 5) 2) 5)", "p"},
      {"then is a value", "(<= (ite p 1 x) 3)", "(or p (<= x 3))"},
      {"else is a value", "(<= (ite p x 5) 3)", "(and p (<= x 3))"},
      {"strict over Real", "(< (ite p 1.0 f) 1.0)", "(and (< f 1.0) (not p))"},
      {"weak over Real", "(<= (ite p 1.0 f) 1.0)", "(or p (<= f 1.0))"},
      {"a chain", "(<= (ite p 9 (ite q x 1)) 3)", "(and (or (<= x 3) (not q)) (not p))"},
      {"no value", "(<= (ite p x y) 3)", "(<= (ite p x y) 3)"},
      {"in a sum", "(<= (+ (ite p 1 5) x) 3)", "(<= (+ x (ite p 1 5)) 3)"},
  }));
}

TEST(RewriteArith, Equations) {
  expect_rules(std::to_array<Rule>({
      {"cancelled", "(= (+ x 1) (+ x 2))", "false"},
      {"cancelled over Real", "(= (+ f 1.0) (+ f 2.0))", "false"},
      {"value right", "(= 3 x)", "(= x 3)"},
      {"terms sorted", "(= y x)", "(= x y)"},
      {"lone difference", "(= (- x y) 0)", "(= x y)"},
      {"lone difference, negative", "(= (- y x) 0)", "(= x y)"},
      {"lone difference, scaled", "(= (* 2 x) (* 2 y))", "(= x y)"},
      {"other difference", "(= (- x y) 1)", "(= (+ x (* (- 1) y)) 1)"},
      {"sum of two", "(= (+ x y) 0)", "(= (+ x y) 0)"},
      {"other factors", "(= x (* 2 y))", "(= (+ x (* (- 2) y)) 0)"},
      {"negative first factor", "(= (* (- 1) x) 5)", "(= x (- 5))"},
      {"common factor", "(= (+ (* 2 x) (* 4 y)) 6)", "(= (+ x (* 2 y)) 3)"},
      {"divided", "(= (* 2 x) 6)", "(= x 3)"},
      {"no Int", "(= (* 2 x) 5)", "false"},
      {"no Int", "(= (+ (* 2 x) (* 4 y)) 3)", "false"},
      {"coprime", "(= (+ (* 2 x) (* 3 y)) 1)", "(= (+ (* 2 x) (* 3 y)) 1)"},
      {"a Real", "(= (* 2 f) 5.0)", "(= f (/ 5.0 2.0))"},
      {"integral factors", "(= (+ (* 0.5 f) (/ g 3.0)) 1.0)", "(= (+ (* 3.0 f) (* 2.0 g)) 6.0)"},
  }));
}

TEST(RewriteArith, EquationsOfIte) {
  expect_rules(std::to_array<Rule>({
      {"two values", "(= (ite p 1 2) 1)", "p"},
      {"two values", "(= 2 (ite p 1 2))", "(not p)"},
      {"two values, neither", "(= (ite p 1 2) 3)", "false"},
      {"two values, scaled", "(= (* 3 (ite p 1 2)) 6)", "(not p)"},
      {"then is a value", "(= (ite p 1 x) 1)", "(or p (= x 1))"},
      {"else is a value", "(= (ite p x 2) 1)", "(and p (= x 1))"},
      {"over Real", "(= (ite p f 2.0) 1.0)", "(and p (= f 1.0))"},
      {"a chain", "(= (ite p 9 (ite q x 1)) 1)", "(and (or (= x 1) (not q)) (not p))"},
      {"no value", "(= (ite p x y) 1)", "(= (ite p x y) 1)"},
      {"two of them", "(= (ite p 1 2) (ite q 1 2))", "(= (ite p 1 2) (ite q 1 2))"},
  }));
}

/// SMT-LIB, Ints: for n != 0, m = n * (div m n) + (mod m n) and 0 <= (mod m n) < |n|.
TEST(RewriteArith, IntDivisionOfValues) {
  expect_rules(std::to_array<Rule>({
      {"+ +", "(div 7 2)", "3"},
      {"- +", "(div (- 7) 2)", "(- 4)"},
      {"+ -", "(div 7 (- 2))", "(- 3)"},
      {"- -", "(div (- 7) (- 2))", "4"},
      {"+ +", "(mod 7 2)", "1"},
      {"- +", "(mod (- 7) 2)", "1"},
      {"+ -", "(mod 7 (- 2))", "1"},
      {"- -", "(mod (- 7) (- 2))", "1"},
      {"exact", "(div (- 6) 3)", "(- 2)"},
      {"exact", "(div (- 6) (- 3))", "2"},
      {"exact", "(mod (- 6) (- 3))", "0"},
      {"big", "(div (- 100000000000000000001) 10)", "(- 10000000000000000001)"},
      {"big", "(mod (- 100000000000000000001) 10)", "9"},
  }));
  TermStore t;
  for (int m = -20; m <= 20; ++m)
    for (int n = -7; n <= 7; ++n) {
      if (n == 0) continue;
      mpz_class quotient = t.integer_value(t.make(Op::IntDiv, {t.integer(m), t.integer(n)}));
      mpz_class remainder = t.integer_value(t.make(Op::IntMod, {t.integer(m), t.integer(n)}));
      EXPECT_TRUE(n * quotient + remainder == m && remainder >= 0 && remainder < abs(n))
          << m << " by " << n;
    }
}

TEST(RewriteArith, IntDivision) {
  expect_rules(std::to_array<Rule>({
      {"by 1", "(div x 1)", "x"},
      {"by -1", "(div x (- 1))", "(* (- 1) x)"},
      {"by 2", "(div x 2)", "(div x 2)"},
      {"by -2", "(div x (- 2))", "(div x (- 2))"},
      {"mod 1", "(mod x 1)", "0"},
      {"mod -1", "(mod x (- 1))", "0"},
      {"mod 3", "(mod x 3)", "(mod x 3)"},
      {"mod -3", "(mod x (- 3))", "(mod x 3)"},
      {"of a multiple", "(div (* 2 x) 2)", "(div (* 2 x) 2)"},
  }));
}

TEST(RewriteArith, Conversions) {
  expect_rules(std::to_array<Rule>({
      {"value", "(to_real (- 3))", "(- 3.0)"},
      {"variable", "(to_real x)", "(to_real x)"},
      {"sum", "(to_real (+ (* 2 x) y 1))", "(+ (* 2.0 (to_real x)) (to_real y) 1.0)"},
      {"sum sorted", "(let ((u (to_real y))) (to_real (+ x y)))", "(+ (to_real y) (to_real x))"},
      {"product", "(to_real (* x y))", "(to_real (* x y))"},
      {"floor", "(to_int 2.5)", "2"},
      {"floor below 0", "(to_int (- 2.5))", "(- 3)"},
      {"floor of an integer", "(to_int (- 2.0))", "(- 2)"},
      {"there and back", "(to_int (to_real x))", "x"},
      {"variable", "(to_int f)", "(to_int f)"},
      {"there, moved and back", "(to_int (+ (to_real x) 0.5))",
       "(to_int (+ (to_real x) (/ 1.0 2.0)))"},
      {"back and there", "(to_real (to_int f))", "(to_real (to_int f))"},
  }));
}

TEST(RewriteArith, LongChainsOfIteCostNoStack) {
  TermStore t;
  Term ints = t.variable("x", t.int_sort());
  for (int i = 0; i < 200'000; ++i)
    ints = t.make_ite(t.variable("c" + std::to_string(i), t.bool_sort()), t.integer(i % 9), ints);
  EXPECT_EQ(t.kind(t.make_eq(ints, t.integer(4))), SortKind::Bool);
  EXPECT_EQ(t.kind(t.make_le(ints, t.integer(4))), SortKind::Bool);
}

}  // namespace
}  // namespace lem
