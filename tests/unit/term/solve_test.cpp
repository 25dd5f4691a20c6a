#include "term/solve.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "unit/term/rule_support.h"

namespace lem {
namespace {

/// The definition of one of `wanted` in the formula, as text; empty if there is none. Checks that
/// the formula and the definition are equivalent.
std::string solved(const char* formula, const std::set<std::string>& wanted) {
  RuleScope scope;
  TermStore& t = scope.t;
  Term read = scope.read(formula);
  auto found = solve_for(t, read, [&](Term var) { return wanted.contains(t.name(var)); });
  if (!found) return "";
  EXPECT_TRUE(wanted.contains(t.name(found->variable))) << formula;
  for (Term inside : variables_of(t, found->value)) EXPECT_NE(inside, found->variable) << formula;
  Term definition = t.make_eq(found->variable, found->value);
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    TermMap map = scope.values(random);
    EXPECT_EQ(evaluate(t, read, map), evaluate(t, definition, map)) << formula;
    map[found->variable] = evaluate(t, found->value, map);
    EXPECT_TRUE(t.is_true(evaluate(t, read, map))) << formula;
  }
  return t.name(found->variable) + " = " + smtlib::term_text(t, found->value);
}

struct Row {
  const char* formula;
  std::set<std::string> wanted;
  const char* definition;
};

void expect_solved(std::initializer_list<Row> rows) {
  for (const Row& row : rows)
    EXPECT_EQ(solved(row.formula, row.wanted), row.definition) << row.formula;
}

TEST(SolveFor, BoolVariables) {
  expect_solved({
      {"p", {"p"}, "p = true"},
      {"(not p)", {"p"}, "p = false"},
      {"(= p q)", {"p"}, "p = q"},
      {"(= p q)", {"q"}, "q = p"},
      {"(xor p q)", {"q"}, "q = (not p)"},
      {"(= p (and q r))", {"p"}, "p = (and q r)"},
      {"(xor p (< x 3))", {"p"}, "p = (not (<= x 2))"},
  });
}

TEST(SolveFor, OnlyWantedVariables) {
  expect_solved({
      {"p", {"q"}, ""},
      {"(= x y)", {"y"}, "y = x"},
      {"(= x y)", {"z"}, ""},
      {"(= x y)", {}, ""},
  });
}

TEST(SolveFor, NotFormulasThatSayLess) {
  expect_solved({
      {"(and p q)", {"p", "q"}, ""},
      {"(or p q)", {"p", "q"}, ""},
      {"(<= x 3)", {"x"}, ""},
      {"(not (= x y))", {"x", "y"}, ""},
      {"(not (= a b))", {"a", "b"}, ""},
      {"true", {"p"}, ""},
      {"false", {"p"}, ""},
  });
}

TEST(SolveFor, NotByItself) {
  expect_solved({
      {"(= p (and p q))", {"p"}, ""},
      {"(= x (* x y))", {"x"}, ""},
      {"(= a (bvmul a b))", {"a"}, ""},
      {"(= A (store A x 1))", {"A"}, ""},
      {"(= (+ x (* x y)) 3)", {"x"}, ""},
      {"(= i (bvand i j))", {"i"}, ""},
  });
}

TEST(SolveFor, Equations) {
  expect_solved({
      {"(= a (bvmul b c))", {"a"}, "a = (bvmul b c)"},
      {"(= (bvmul b c) a)", {"a"}, "a = (bvmul b c)"},
      {"(= (bvadd a #x01) #x00)", {"a"}, "a = #xff"},
      {"(= A (store B x 1))", {"A"}, "A = (store B x 1)"},
      {"(= x (* y z))", {"x"}, "x = (* y z)"},
      {"(= (bvadd a b) c)", {"a"}, ""},
  });
}

TEST(SolveFor, IntSums) {
  expect_solved({
      {"(= (+ x y) 3)", {"x"}, "x = (+ (* (- 1) y) 3)"},
      {"(= (- x y) 3)", {"y"}, "y = (+ x (- 3))"},
      {"(= (+ (* 2 x) y) 3)", {"y"}, "y = (+ (* (- 2) x) 3)"},
      {"(= (+ (* 2 x) (* 3 y)) 1)", {"x", "y"}, ""},
      {"(= (+ (* 2 x) y) 3)", {"x"}, ""},
      {"(= (+ (* 2 x) y) 3)", {"x", "y"}, "y = (+ (* (- 2) x) 3)"},
      {"(= (* 2 x) y)", {"x"}, ""},
      {"(= (* 2 x) 6)", {"x"}, "x = 3"},
  });
}

TEST(SolveFor, RealSums) {
  expect_solved({
      {"(= (+ (* 2 f) g) 3.0)", {"f"}, "f = (+ (* (- (/ 1.0 2.0)) g) (/ 3.0 2.0))"},
      {"(= (* 3 f) (* 2 g))", {"g"}, "g = (* (/ 3.0 2.0) f)"},
      {"(= (+ f (* f g)) 1.0)", {"f"}, ""},
  });
}

TEST(SolveFor, SingleBits) {
  expect_solved({
      {"(= i #b1)", {"i"}, "i = #b1"},
      {"(= i #b0)", {"i"}, "i = #b0"},
      {"(= i j)", {"i"}, "i = (ite (= j #b1) #b1 #b0)"},
      {"(= i j)", {"j"}, "j = (ite (= i #b1) #b1 #b0)"},
      {"(= i (bvnot j))", {"i"}, "i = (ite (= j #b1) #b0 #b1)"},
      {"(= (= i #b1) p)", {"i"}, "i = (ite p #b1 #b0)"},
      {"(xor (= i #b1) p)", {"i"}, "i = (ite p #b0 #b1)"},
      {"(= (= m #x1) p)", {"m"}, ""},
      {"(not (= m #x1))", {"m"}, ""},
  });
}

}  // namespace
}  // namespace lem
