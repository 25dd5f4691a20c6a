// Rules of the core: Not, And, Or, Eq, Ite.
#include <gtest/gtest.h>

#include <array>

#include "unit/term/rule_support.h"

namespace lem {
namespace {

TEST(RewriteCore, Not) {
  expect_rules(std::to_array<Rule>({
      {"value", "(not true)", "false"},
      {"value", "(not false)", "true"},
      {"twice", "(not (not p))", "p"},
      {"no rule", "(not p)", "(not p)"},
      {"no De Morgan", "(not (and p q))", "(not (and p q))"},
  }));
}

TEST(RewriteCore, Junctions) {
  expect_rules(std::to_array<Rule>({
      {"sorted", "(and q p)", "(and p q)"},
      {"sorted", "(or r p q)", "(or p q r)"},
      {"flattened", "(and p (and q r))", "(and p q r)"},
      {"flattened", "(or (or p q) r)", "(or p q r)"},
      {"other junctions stay", "(and p (or q r))", "(and p (or q r))"},
      {"repetition", "(and p q p)", "(and p q)"},
      {"repetition", "(or p q p)", "(or p q)"},
      {"unit", "(and p true q)", "(and p q)"},
      {"unit", "(or p false q)", "(or p q)"},
      {"zero", "(and p false q)", "false"},
      {"zero", "(or p true q)", "true"},
      {"complement", "(and p q (not p))", "false"},
      {"complement", "(or (not q) p q)", "true"},
      {"complement below", "(and p (and q (not p)))", "false"},
      {"complement of a formula", "(or (and p q) (not (and p q)))", "true"},
      {"no complement", "(and p (not q))", "(and p (not q))"},
      {"single", "(and p p)", "p"},
      {"single", "(or false p)", "p"},
      {"empty", "(and true true)", "true"},
      {"empty", "(or false false)", "false"},
  }));
}

TEST(RewriteCore, LongJunctionsAreNotMerged) {
  TermStore t;
  std::vector<Term> flags;
  for (int i = 0; i < 40; ++i) flags.push_back(t.variable("p" + std::to_string(i), t.bool_sort()));
  for (Op op : {Op::And, Op::Or}) {
    Term merged = t.make(op, {t.make(op, std::span(flags).first(32)), flags[35]});
    EXPECT_EQ(t.args(merged).size(), 33U);
    Term kept = t.make(op, {t.make(op, std::span(flags).first(33)), flags[35]});
    EXPECT_EQ(t.args(kept).size(), 2U);
  }
}

TEST(RewriteCore, Equality) {
  expect_rules(std::to_array<Rule>({
      {"reflexive", "(= x x)", "true"},
      {"reflexive", "(= A A)", "true"},
      {"reflexive", "(= (bvmul a b) (bvmul b a))", "true"},
      {"values", "(= 1 2)", "false"},
      {"values", "(= 0.5 1.5)", "false"},
      {"values", "(= #x00 #x01)", "false"},
      {"values", "(= true false)", "false"},
      {"array values",
       "(= ((as const (Array Int Int)) 0) (store ((as const (Array Int Int)) 0) 1 1))", "false"},
      {"arrays sorted", "(= B A)", "(= A B)"},
      {"arrays kept", "(= A ((as const (Array Int Int)) 0))",
       "(= A ((as const (Array Int Int)) 0))"},
  }));
}

TEST(RewriteCore, Equivalence) {
  expect_rules(std::to_array<Rule>({
      {"true", "(= p true)", "p"},
      {"true", "(= true p)", "p"},
      {"false", "(= p false)", "(not p)"},
      {"false", "(= false (not p))", "p"},
      {"sorted", "(= q p)", "(= p q)"},
      {"one sign", "(= (not p) q)", "(not (= p q))"},
      {"one sign", "(= p (not q))", "(not (= p q))"},
      {"two signs", "(= (not q) (not p))", "(= p q)"},
      {"complement", "(= p (not p))", "false"},
      {"complement", "(= (not p) p)", "false"},
      {"xor", "(xor p q)", "(not (= p q))"},
  }));
}

TEST(RewriteCore, Ite) {
  expect_rules(std::to_array<Rule>({
      {"true", "(ite true x y)", "x"},
      {"false", "(ite false x y)", "y"},
      {"negated condition", "(ite (not p) x y)", "(ite p y x)"},
      {"same branches", "(ite p x x)", "x"},
      {"same condition in then", "(ite p (ite p x y) z)", "(ite p x z)"},
      {"same condition in else", "(ite p x (ite p y z))", "(ite p x z)"},
      {"same branches after that", "(ite p (ite p x y) x)", "x"},
      {"other condition in then", "(ite p (ite q x y) z)", "(ite p (ite q x y) z)"},
      {"other condition in else", "(ite p x (ite q y z))", "(ite p x (ite q y z))"},
      {"no rule", "(ite p x y)", "(ite p x y)"},
      {"arrays", "(ite (not p) A B)", "(ite p B A)"},
  }));
}

TEST(RewriteCore, IteOverBool) {
  expect_rules(std::to_array<Rule>({
      {"then true", "(ite p true q)", "(or p q)"},
      {"then the condition", "(ite p p q)", "(or p q)"},
      {"then false", "(ite p false q)", "(and q (not p))"},
      {"else true", "(ite p q true)", "(or q (not p))"},
      {"else false", "(ite p q false)", "(and p q)"},
      {"else the condition", "(ite p q p)", "(and p q)"},
      {"complements", "(ite p q (not q))", "(= p q)"},
      {"complements", "(ite p (not q) q)", "(not (= p q))"},
      {"identity", "(ite p true false)", "p"},
      {"negation", "(ite p false true)", "(not p)"},
      {"no rule", "(ite p q r)", "(ite p q r)"},
      {"no rule", "(ite p q (not r))", "(ite p q (not r))"},
  }));
}

}  // namespace
}  // namespace lem
