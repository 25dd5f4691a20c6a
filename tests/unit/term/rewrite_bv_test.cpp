// Rules of bit-vectors. Values are in bv_value_test.cpp.
#include <gtest/gtest.h>

#include <array>

#include "unit/term/rule_support.h"

namespace lem {
namespace {

TEST(RewriteBv, UnaryOperators) {
  expect_rules(std::to_array<Rule>({
      {"not not", "(bvnot (bvnot a))", "a"},
      {"neg neg", "(bvneg (bvneg a))", "a"},
      {"not neg", "(bvnot (bvneg a))", "(bvnot (bvneg a))"},
      {"neg not", "(bvneg (bvnot a))", "(bvneg (bvnot a))"},
      {"neg of one bit", "(bvneg i)", "i"},
      {"neg of more bits", "(bvneg a)", "(bvneg a)"},
      {"not of one bit", "(bvnot i)", "(bvnot i)"},
      {"not of a choice of values", "(bvnot (ite p #x0f #x00))", "(ite p #xf0 #xff)"},
      {"not of another choice", "(bvnot (ite p a #x00))", "(bvnot (ite p a #x00))"},
      {"not of another choice", "(bvnot (ite p #x00 a))", "(bvnot (ite p #x00 a))"},
      {"neg of a choice", "(bvneg (ite p #x0f #x00))", "(bvneg (ite p #x0f #x00))"},
  }));
}

TEST(RewriteBv, CommutativeOperatorsAreSorted) {
  for (std::string op : {"bvand", "bvor", "bvxor", "bvadd", "bvmul"}) {
    std::string swapped = "(" + op + " b a)";
    std::string sorted = "(" + op + " a b)";
    std::string value_first = "(" + op + " #x0f b)";
    std::string value_last = "(" + op + " b #x0f)";
    expect_rules(std::to_array<Rule>({
        {"sorted", swapped.c_str(), sorted.c_str()},
        {"sorted", sorted.c_str(), sorted.c_str()},
        {"value last", value_first.c_str(), value_last.c_str()},
        {"value last", value_last.c_str(), value_last.c_str()},
    }));
  }
}

TEST(RewriteBv, SameAndOppositeArguments) {
  expect_rules(std::to_array<Rule>({
      {"and", "(bvand a a)", "a"},
      {"or", "(bvor a a)", "a"},
      {"xor", "(bvxor a a)", "#x00"},
      {"add", "(bvadd a a)", "(bvadd a a)"},
      {"mul", "(bvmul a a)", "(bvmul a a)"},
      {"and complement", "(bvand a (bvnot a))", "#x00"},
      {"or complement", "(bvor (bvnot a) a)", "#xff"},
      {"xor complement", "(bvxor a (bvnot a))", "#xff"},
      {"add complement", "(bvadd (bvnot a) a)", "#xff"},
      {"complement created first", "(bvand (bvmul a b) (bvnot (bvmul a b)))", "#x00"},
      {"mul complement", "(bvmul a (bvnot a))", "(bvmul a (bvnot a))"},
      {"other complement", "(bvand a (bvnot b))", "(bvand a (bvnot b))"},
      {"add negation", "(bvadd a (bvneg a))", "#x00"},
      {"add negation", "(bvadd (bvneg a) a)", "#x00"},
      {"sub", "(bvsub a a)", "#x00"},
      {"other negation", "(bvadd a (bvneg b))", "(bvadd a (bvneg b))"},
      {"and negation", "(bvand a (bvneg a))", "(bvand a (bvneg a))"},
      {"xor negation", "(bvxor a (bvneg a))", "(bvxor a (bvneg a))"},
  }));
}

TEST(RewriteBv, UnitsAndZeros) {
  expect_rules(std::to_array<Rule>({
      {"and 0", "(bvand a #x00)", "#x00"},
      {"mul 0", "(bvmul a #x00)", "#x00"},
      {"or 0", "(bvor a #x00)", "a"},
      {"xor 0", "(bvxor a #x00)", "a"},
      {"add 0", "(bvadd a #x00)", "a"},
      {"and ones", "(bvand a #xff)", "a"},
      {"or ones", "(bvor a #xff)", "#xff"},
      {"xor ones", "(bvxor a #xff)", "(bvnot a)"},
      {"xor ones of a complement", "(bvxor (bvnot a) #xff)", "a"},
      {"add ones", "(bvadd a #xff)", "(bvadd a #xff)"},
      {"mul ones", "(bvmul a #xff)", "(bvmul a #xff)"},
      {"mul 1", "(bvmul a #x01)", "a"},
      {"and 1", "(bvand a #x01)", "(bvand a #x01)"},
      {"and ones but one", "(bvand a #x7f)", "(bvand a #x7f)"},
      {"one bit: and 1", "(bvand i #b1)", "i"},
      {"one bit: or 1", "(bvor i #b1)", "#b1"},
      {"one bit: xor 1", "(bvxor i #b1)", "(bvnot i)"},
      {"one bit: add 1", "(bvadd i #b1)", "(bvadd i #b1)"},
      {"one bit: mul 1", "(bvmul i #b1)", "i"},
  }));
}

TEST(RewriteBv, ConstantsJoin) {
  expect_rules(std::to_array<Rule>({
      {"add", "(bvadd (bvadd a #xff) #x02)", "(bvadd a #x01)"},
      {"add to 0", "(bvadd (bvadd a #xff) #x01)", "a"},
      {"mul", "(bvmul (bvmul a #x03) #x05)", "(bvmul a #x0f)"},
      {"mul to 0", "(bvmul #x10 (bvmul #x10 a))", "#x00"},
      {"and", "(bvand (bvand a #x3c) #x0f)", "(bvand a #x0c)"},
      {"or", "(bvor (bvor a #x30) #x03)", "(bvor a #x33)"},
      {"xor", "(bvxor (bvxor a #x33) #x0f)", "(bvxor a #x3c)"},
      {"other operators", "(bvadd (bvmul a #x03) #x02)", "(bvadd (bvmul a #x03) #x02)"},
      {"no constant inside", "(bvadd (bvadd a b) #x02)", "(bvadd (bvadd a b) #x02)"},
      {"no constant outside", "(bvadd b (bvadd a #x02))", "(bvadd b (bvadd a #x02))"},
  }));
}

TEST(RewriteBv, DivisionByPowersOfTwo) {
  expect_rules(std::to_array<Rule>({
      {"udiv 1", "(bvudiv a #x01)", "a"},
      {"udiv 4", "(bvudiv a #x04)", "((_ zero_extend 2) ((_ extract 7 2) a))"},
      {"udiv 128", "(bvudiv a #x80)", "((_ zero_extend 7) ((_ extract 7 7) a))"},
      {"udiv to a value", "(bvudiv (concat #x3 m) #x10)", "#x03"},
      {"urem 1", "(bvurem a #x01)", "#x00"},
      {"urem 4", "(bvurem a #x04)", "((_ zero_extend 6) ((_ extract 1 0) a))"},
      {"urem 128", "(bvurem a #x80)", "((_ zero_extend 1) ((_ extract 6 0) a))"},
      {"udiv 0", "(bvudiv a #x00)", "(bvudiv a #x00)"},
      {"urem 0", "(bvurem a #x00)", "(bvurem a #x00)"},
      {"udiv 3", "(bvudiv a #x03)", "(bvudiv a #x03)"},
      {"urem 6", "(bvurem a #x06)", "(bvurem a #x06)"},
      {"sdiv 4", "(bvsdiv a #x04)", "(bvsdiv a #x04)"},
      {"srem 4", "(bvsrem a #x04)", "(bvsrem a #x04)"},
      {"smod 4", "(bvsmod a #x04)", "(bvsmod a #x04)"},
      {"of a power", "(bvudiv #x04 a)", "(bvudiv #x04 a)"},
      {"by itself, which may be 0", "(bvudiv a a)", "(bvudiv a a)"},
      {"one bit: udiv 1", "(bvudiv i #b1)", "i"},
      {"one bit: udiv 0", "(bvudiv i #b0)", "(bvudiv i #b0)"},
      {"one bit: urem 1", "(bvurem i #b1)", "#b0"},
      {"one bit: sdiv -1", "(bvsdiv i #b1)", "(bvsdiv i #b1)"},
  }));
}

TEST(RewriteBv, Shifts) {
  expect_rules(std::to_array<Rule>({
      {"shl of 0", "(bvshl #x00 a)", "#x00"},
      {"lshr of 0", "(bvlshr #x00 a)", "#x00"},
      {"ashr of 0", "(bvashr #x00 a)", "#x00"},
      {"of another value", "(bvashr #xff a)", "(bvashr #xff a)"},
      {"shl by 0", "(bvshl a #x00)", "a"},
      {"lshr by 0", "(bvlshr a #x00)", "a"},
      {"ashr by 0", "(bvashr a #x00)", "a"},
      {"shl by 3", "(bvshl a #x03)", "(concat ((_ extract 4 0) a) #b000)"},
      {"lshr by 3", "(bvlshr a #x03)", "((_ zero_extend 3) ((_ extract 7 3) a))"},
      {"ashr by 3", "(bvashr a #x03)", "((_ sign_extend 3) ((_ extract 7 3) a))"},
      {"shl by width - 1", "(bvshl a #x07)", "(concat ((_ extract 0 0) a) #b0000000)"},
      {"lshr by width - 1", "(bvlshr a #x07)", "((_ zero_extend 7) ((_ extract 7 7) a))"},
      {"ashr by width - 1", "(bvashr a #x07)", "((_ sign_extend 7) ((_ extract 7 7) a))"},
      {"shl by the width", "(bvshl a #x08)", "#x00"},
      {"lshr by the width", "(bvlshr a #x08)", "#x00"},
      {"ashr by the width", "(bvashr a #x08)", "((_ sign_extend 7) ((_ extract 7 7) a))"},
      {"shl beyond", "(bvshl a #xff)", "#x00"},
      {"lshr beyond", "(bvlshr a #xff)", "#x00"},
      {"ashr beyond", "(bvashr a #xff)", "((_ sign_extend 7) ((_ extract 7 7) a))"},
      {"by a variable", "(bvshl a b)", "(bvshl a b)"},
      {"one bit: shl", "(bvshl i #b1)", "#b0"},
      {"one bit: lshr", "(bvlshr i #b1)", "#b0"},
      {"one bit: ashr", "(bvashr i #b1)", "i"},
  }));
}

TEST(RewriteBv, UnsignedLess) {
  expect_rules(std::to_array<Rule>({
      {"same", "(bvult a a)", "false"},
      {"below the least", "(bvult a #x00)", "false"},
      {"below the most", "(bvult a #xff)", "(not (= a #xff))"},
      {"only the least", "(bvult a #x01)", "(= a #x00)"},
      {"above the most", "(bvult #xff a)", "false"},
      {"above the least", "(bvult #x00 a)", "(not (= a #x00))"},
      {"only the most", "(bvult #xfe a)", "(= a #xff)"},
      {"above a value", "(bvult #x05 a)", "(not (bvult a #x06))"},
      {"below a value", "(bvult a #x05)", "(bvult a #x05)"},
      {"signed least is none", "(bvult a #x80)", "(bvult a #x80)"},
      {"signed least and one", "(bvult a #x81)", "(bvult a #x81)"},
      {"signed most is none", "(bvult a #x7f)", "(bvult a #x7f)"},
      {"signed most is none", "(bvult #x7f a)", "(not (bvult a #x80))"},
      {"choice of values", "(bvult (ite p #x01 #x08) #x05)", "p"},
      {"choice above", "(bvult #x05 (ite p #x01 #x08))", "(not p)"},
      {"other choice", "(bvult (ite p a #x08) #x05)", "(bvult (ite p a #x08) #x05)"},
      {"other choice", "(bvult (ite p #x08 a) #x05)", "(bvult (ite p #x08 a) #x05)"},
      {"choice and variable", "(bvult (ite p #x01 #x08) a)", "(bvult (ite p #x01 #x08) a)"},
      {"zero extended", "(bvult ((_ zero_extend 4) m) ((_ zero_extend 4) n))", "(bvult m n)"},
      {"differently", "(bvult ((_ zero_extend 4) m) ((_ zero_extend 7) i))",
       "(bvult m ((_ zero_extend 3) i))"},
      {"one side", "(bvult ((_ zero_extend 4) m) a)", "(bvult ((_ zero_extend 4) m) a)"},
      {"sign extended", "(bvult ((_ sign_extend 4) m) ((_ sign_extend 4) n))", "(bvult m n)"},
      {"one bit: below 0", "(bvult i #b0)", "false"},
      {"one bit: below 1", "(bvult i #b1)", "(not (= i #b1))"},
      {"one bit: above 0", "(bvult #b0 i)", "(= i #b1)"},
      {"one bit: above 1", "(bvult #b1 i)", "false"},
      {"one bit: variables", "(bvult i j)", "(bvult i j)"},
  }));
}

TEST(RewriteBv, SignedLess) {
  expect_rules(std::to_array<Rule>({
      {"same", "(bvslt a a)", "false"},
      {"below the least", "(bvslt a #x80)", "false"},
      {"below the most", "(bvslt a #x7f)", "(not (= a #x7f))"},
      {"only the least", "(bvslt a #x81)", "(= a #x80)"},
      {"above the most", "(bvslt #x7f a)", "false"},
      {"above the least", "(bvslt #x80 a)", "(not (= a #x80))"},
      {"only the most", "(bvslt #x7e a)", "(= a #x7f)"},
      {"above a value", "(bvslt #x05 a)", "(not (bvslt a #x06))"},
      {"above -1", "(bvslt #xff a)", "(not (bvslt a #x00))"},
      {"unsigned least is none", "(bvslt a #x00)", "(bvslt a #x00)"},
      {"unsigned least and one", "(bvslt a #x01)", "(bvslt a #x01)"},
      {"unsigned most is none", "(bvslt a #xff)", "(bvslt a #xff)"},
      {"choice of values", "(bvslt (ite p #x81 #x08) #x05)", "p"},
      {"zero extended", "(bvslt ((_ zero_extend 4) m) ((_ zero_extend 4) n))", "(bvult m n)"},
      {"one bit: below 0", "(bvslt i #b0)", "(= i #b1)"},
      {"one bit: below -1", "(bvslt i #b1)", "false"},
      {"one bit: above 0", "(bvslt #b0 i)", "false"},
      {"one bit: above -1", "(bvslt #b1 i)", "(not (= i #b1))"},
  }));
}

TEST(RewriteBv, Concat) {
  expect_rules(std::to_array<Rule>({
      {"zeros above", "(concat #x0 m)", "((_ zero_extend 4) m)"},
      {"other value above", "(concat #x1 m)", "(concat #x1 m)"},
      {"zeros below", "(concat m #x0)", "(concat m #x0)"},
      {"adjacent slices", "(concat ((_ extract 7 4) a) ((_ extract 3 2) a))",
       "((_ extract 7 2) a)"},
      {"all slices", "(concat ((_ extract 7 4) a) ((_ extract 3 0) a))", "a"},
      {"slices with a gap", "(concat ((_ extract 7 4) a) ((_ extract 2 0) a))",
       "(concat ((_ extract 7 4) a) ((_ extract 2 0) a))"},
      {"slices that overlap", "(concat ((_ extract 7 4) a) ((_ extract 4 0) a))",
       "(concat ((_ extract 7 4) a) ((_ extract 4 0) a))"},
      {"slices in reverse", "(concat ((_ extract 3 0) a) ((_ extract 7 4) a))",
       "(concat ((_ extract 3 0) a) ((_ extract 7 4) a))"},
      {"slices of two terms", "(concat ((_ extract 7 4) a) ((_ extract 3 0) b))",
       "(concat ((_ extract 7 4) a) ((_ extract 3 0) b))"},
  }));
}

TEST(RewriteBv, Extract) {
  expect_rules(std::to_array<Rule>({
      {"all", "((_ extract 7 0) a)", "a"},
      {"all of one bit", "((_ extract 0 0) i)", "i"},
      {"nearly all", "((_ extract 6 0) a)", "((_ extract 6 0) a)"},
      {"of a slice", "((_ extract 2 1) ((_ extract 6 3) a))", "((_ extract 5 4) a)"},
      {"below the cut", "((_ extract 3 0) (concat m n))", "n"},
      {"above the cut", "((_ extract 7 5) (concat m n))", "((_ extract 3 1) m)"},
      {"across the cut", "((_ extract 4 3) (concat m n))", "((_ extract 4 3) (concat m n))"},
      {"inside a zero extension", "((_ extract 2 1) ((_ zero_extend 4) m))", "((_ extract 2 1) m)"},
      {"beyond a zero extension", "((_ extract 6 4) ((_ zero_extend 4) m))", "#b000"},
      {"across a zero extension", "((_ extract 4 3) ((_ zero_extend 4) m))",
       "((_ extract 4 3) ((_ zero_extend 4) m))"},
      {"inside a sign extension", "((_ extract 3 0) ((_ sign_extend 4) m))", "m"},
      {"beyond a sign extension", "((_ extract 6 4) ((_ sign_extend 4) m))",
       "((_ extract 6 4) ((_ sign_extend 4) m))"},
      {"choice of values", "((_ extract 7 4) (ite p #x12 #x34))", "(ite p #x1 #x3)"},
      {"choice that ends", "((_ extract 7 4) (ite p #x12 #x13))", "#x1"},
      {"other choice", "((_ extract 7 4) (ite p a #x34))", "((_ extract 7 4) (ite p a #x34))"},
      {"other choice", "((_ extract 7 4) (ite p #x34 a))", "((_ extract 7 4) (ite p #x34 a))"},
  }));
}

TEST(RewriteBv, Extend) {
  expect_rules(std::to_array<Rule>({
      {"zero by none", "((_ zero_extend 0) a)", "a"},
      {"sign by none", "((_ sign_extend 0) a)", "a"},
      {"zero zero", "((_ zero_extend 1) ((_ zero_extend 2) m))", "((_ zero_extend 3) m)"},
      {"sign sign", "((_ sign_extend 1) ((_ sign_extend 2) m))", "((_ sign_extend 3) m)"},
      {"sign zero", "((_ sign_extend 1) ((_ zero_extend 2) m))", "((_ zero_extend 3) m)"},
      {"zero sign", "((_ zero_extend 1) ((_ sign_extend 2) m))",
       "((_ zero_extend 1) ((_ sign_extend 2) m))"},
      {"zero of a choice of values", "((_ zero_extend 4) (ite p #x8 #x7))", "(ite p #x08 #x07)"},
      {"sign of a choice of values", "((_ sign_extend 4) (ite p #x8 #x7))", "(ite p #xf8 #x07)"},
      {"other choice", "((_ zero_extend 4) (ite p m #x7))", "((_ zero_extend 4) (ite p m #x7))"},
      {"other choice", "((_ sign_extend 4) (ite p #x7 m))", "((_ sign_extend 4) (ite p #x7 m))"},
  }));
}

TEST(RewriteBv, Equations) {
  expect_rules(std::to_array<Rule>({
      {"sorted", "(= b a)", "(= a b)"},
      {"value last", "(= #x01 a)", "(= a #x01)"},
      {"not both", "(= (bvnot a) (bvnot b))", "(= a b)"},
      {"neg both", "(= (bvneg a) (bvneg b))", "(= a b)"},
      {"not and neg", "(= (bvnot a) (bvneg b))", "(= (bvnot a) (bvneg b))"},
      {"not", "(= (bvnot a) #x0f)", "(= a #xf0)"},
      {"neg", "(= (bvneg a) #x01)", "(= a #xff)"},
      {"neg of the least", "(= (bvneg a) #x80)", "(= a #x80)"},
      {"add", "(= (bvadd a #x05) #x03)", "(= a #xfe)"},
      {"add of variables", "(= (bvadd a b) #x03)", "(= (bvadd a b) #x03)"},
      {"xor", "(= (bvxor a #x0f) #x3c)", "(= a #x33)"},
      {"xor of variables", "(= (bvxor a b) #x03)", "(= (bvxor a b) #x03)"},
      {"mul does not divide", "(= (bvmul a #x02) #x04)", "(= (bvmul a #x02) #x04)"},
      {"concat", "(= (concat m n) #x3c)", "(and (= m #x3) (= n #xc))"},
      {"concat of a value", "(= (concat m #x5) #x3c)", "false"},
      {"zero extension", "(= ((_ zero_extend 4) m) #x0c)", "(= m #xc)"},
      {"zero extension with ones", "(= ((_ zero_extend 4) m) #xfc)", "false"},
      {"sign extension", "(= ((_ sign_extend 4) m) #xfc)", "(= m #xc)"},
      {"sign extension", "(= ((_ sign_extend 4) m) #x04)", "(= m #x4)"},
      {"sign extension of a 1 with zeros", "(= ((_ sign_extend 4) m) #x0c)", "false"},
      {"sign extension of a 0 with ones", "(= ((_ sign_extend 4) m) #xf4)", "false"},
      {"two values", "(= (ite p #x01 #x02) #x01)", "p"},
      {"then is a value", "(= (ite p #x03 a) #x03)", "(or p (= a #x03))"},
      {"else is a value", "(= (ite p a #x02) #x03)", "(and p (= a #x03))"},
      {"no value", "(= (ite p a b) #x03)", "(= (ite p a b) #x03)"},
  }));
}

TEST(RewriteBv, OneBitLogicIsBoolean) {
  expect_rules(std::to_array<Rule>({
      {"zero", "(= i #b0)", "(not (= i #b1))"},
      {"one", "(= #b1 i)", "(= i #b1)"},
      {"two bits", "(= i j)", "(= (= i #b1) (= j #b1))"},
      {"not", "(= (bvnot i) #b1)", "(not (= i #b1))"},
      {"not is 0", "(= (bvnot i) #b0)", "(= i #b1)"},
      {"and", "(= (bvand i j) #b1)", "(and (= i #b1) (= j #b1))"},
      {"mul", "(= (bvmul i j) #b1)", "(and (= i #b1) (= j #b1))"},
      {"or", "(= (bvor i j) #b1)", "(or (= i #b1) (= j #b1))"},
      {"xor", "(= (bvxor i j) #b1)", "(not (= (= i #b1) (= j #b1)))"},
      {"add", "(= (bvadd i j) #b1)", "(not (= (= i #b1) (= j #b1)))"},
      {"add 1", "(= (bvadd i #b1) #b1)", "(not (= i #b1))"},
      {"ite", "(= (ite p i j) #b1)", "(ite p (= i #b1) (= j #b1))"},
      {"ite of values", "(= (ite p #b0 #b1) #b1)", "(not p)"},
      {"ite of a value", "(= (ite p #b1 i) #b1)", "(or p (= i #b1))"},
      {"nested", "(= (bvand (bvnot i) (bvor j k)) #b0)",
       "(not (and (not (= i #b1)) (or (= j #b1) (= k #b1))))"},
      {"a slice", "(= ((_ extract 0 0) a) #b1)", "(= ((_ extract 0 0) a) #b1)"},
      {"a quotient", "(= (bvudiv i j) #b1)", "(= (bvudiv i j) #b1)"},
      {"more bits", "(= (bvand m n) #x1)", "(= (bvand m n) #x1)"},
  }));
}

TEST(RewriteBv, SharedOneBitLogicIsTranslatedOnce) {
  TermStore t;
  Term bit = t.variable("x", t.bv_sort(1));
  for (int i = 0; i < 60; ++i) {
    Term other = t.variable("y" + std::to_string(i), t.bv_sort(1));
    Term both = t.make(Op::BvAnd, {bit, other});
    bit = t.make_ite(t.variable("c" + std::to_string(i), t.bool_sort()), both,
                     t.make(Op::BvNot, {bit}));
  }
  Term formula = t.make_eq(bit, t.bv(1, 1));
  EXPECT_LT(dag_size(t, formula), 500U);
  EXPECT_EQ(t.make_eq(bit, t.bv(0, 1)), t.make_not(formula));
}

TEST(RewriteBv, DeepOneBitLogicCostsNoStack) {
  TermStore t;
  Term bit = t.variable("x", t.bv_sort(1));
  for (int i = 0; i < 200'000; ++i)
    bit = t.make(Op::BvXor, {bit, t.variable("y" + std::to_string(i), t.bv_sort(1))});
  EXPECT_EQ(t.kind(t.make_eq(bit, t.bv(1, 1))), SortKind::Bool);
}

}  // namespace
}  // namespace lem
