// Rules of arrays.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <utility>

#include "unit/term/rule_support.h"

namespace lem {
namespace {

TEST(RewriteArray, Select) {
  expect_rules(std::to_array<Rule>({
      {"what was stored", "(select (store A x y) x)", "y"},
      {"what was stored at a value", "(select (store A 1 y) 1)", "y"},
      {"other value", "(select (store A 1 y) 2)", "(select A 2)"},
      {"other values", "(select (store (store A 1 y) 2 z) 3)", "(select A 3)"},
      {"below another value", "(select (store (store A 1 y) 2 z) 1)", "y"},
      {"maybe equal variables", "(select (store A x 1) y)", "(select (store A x 1) y)"},
      {"maybe equal to a value", "(select (store A 1 y) x)", "(select (store A 1 y) x)"},
      {"maybe equal to a value", "(select (store A x y) 1)", "(select (store A x y) 1)"},
      {"stops where maybe equal", "(select (store (store A x y) 2 z) 3)",
       "(select (store A x y) 3)"},
      {"not below a maybe equal one", "(select (store (store A x 1) y 2) x)",
       "(select (store (store A x 1) y 2) x)"},
      {"constant", "(select ((as const (Array Int Int)) y) x)", "y"},
      {"constant below stores", "(select (store ((as const (Array Int Int)) y) 1 z) 2)", "y"},
      {"constant below a maybe equal one", "(select (store ((as const (Array Int Int)) y) x z) 2)",
       "(select (store ((as const (Array Int Int)) y) x z) 2)"},
      {"variable", "(select A x)", "(select A x)"},
      {"choice", "(select (ite p A B) x)", "(select (ite p A B) x)"},
  }));
}

TEST(RewriteArray, Store) {
  expect_rules(std::to_array<Rule>({
      {"overwritten", "(store (store A x 1) x 2)", "(store A x 2)"},
      {"maybe overwritten", "(store (store A x 1) y 2)", "(store (store A x 1) y 2)"},
      {"overwritten below", "(store (store (store A x 1) y 2) x 3)",
       "(store (store (store A x 1) y 2) x 3)"},
      {"what is there", "(store A x (select A x))", "A"},
      {"what was there before", "(store (store A x 1) x (select A x))", "A"},
      {"what is elsewhere", "(store A x (select A y))", "(store A x (select A y))"},
      {"what is in another", "(store B x (select A x))", "(store B x (select A x))"},
      {"variable", "(store A x y)", "(store A x y)"},
  }));
}

TEST(RewriteArray, Values) {
  expect_rules(std::to_array<Rule>({
      {"no store of the constant", "(store ((as const (Array Int Int)) 0) 1 0)",
       "((as const (Array Int Int)) 0)"},
      {"undone store", "(store (store ((as const (Array Int Int)) 0) 1 5) 1 0)",
       "((as const (Array Int Int)) 0)"},
      {"undone below", "(store (store (store ((as const (Array Int Int)) 0) 1 5) 2 6) 1 0)",
       "(store ((as const (Array Int Int)) 0) 2 6)"},
      {"overwritten below", "(store (store (store ((as const (Array Int Int)) 0) 1 5) 2 6) 1 7)",
       "(store (store ((as const (Array Int Int)) 0) 1 7) 2 6)"},
      {"all of a small domain", "(store (store ((as const (Array Bool Int)) 0) false 1) true 1)",
       "((as const (Array Bool Int)) 1)"},
      {"no rule for variables", "(store ((as const (Array Int Int)) 0) x 0)",
       "(store ((as const (Array Int Int)) 0) x 0)"},
  }));
}

/// Writes all functions from `indices` to `elements` over all constants, forwards and backwards,
/// and expects one term for each function.
void expect_one_term_per_function(TermStore& t, Sort sort, const std::vector<Term>& indices,
                                  const std::vector<Term>& elements) {
  std::map<Term, std::vector<std::size_t>> function_of;
  std::size_t functions = 1;
  for (std::size_t i = 0; i < indices.size(); ++i) functions *= elements.size();
  for (std::size_t code = 0; code < functions; ++code) {
    std::vector<std::size_t> choice;
    for (std::size_t rest = code; choice.size() < indices.size(); rest /= elements.size())
      choice.push_back(rest % elements.size());
    Term first;
    for (Term constant : elements)
      for (bool backwards : {false, true}) {
        Term array = t.make_const_array(sort, constant);
        for (std::size_t k = 0; k < indices.size(); ++k) {
          std::size_t i = backwards ? indices.size() - 1 - k : k;
          array = t.make_store(array, indices[i], elements[choice[i]]);
        }
        if (!first) first = array;
        EXPECT_EQ(array, first);
        EXPECT_TRUE(t.is_value(array));
        for (std::size_t i = 0; i < indices.size(); ++i)
          EXPECT_EQ(t.make_select(array, indices[i]), elements[choice[i]]);
      }
    EXPECT_TRUE(function_of.try_emplace(first, choice).second) << "two functions are one term";
  }
}

TEST(RewriteArray, EqualArraysOverTwoBitsAreOneTerm) {
  TermStore t;
  std::vector<Term> indices;
  for (int i = 3; i >= 0; --i) indices.push_back(t.bv(i, 2));
  std::vector<Term> elements{t.integer(3), t.integer(1), t.integer(2), t.integer(0)};
  expect_one_term_per_function(t, t.array_sort(t.bv_sort(2), t.int_sort()), indices, elements);
}

TEST(RewriteArray, EqualArraysOverBoolAreOneTerm) {
  TermStore t;
  std::vector<Term> indices{t.boolean(true), t.boolean(false)};
  std::vector<Term> elements{t.integer(3), t.integer(1), t.integer(2)};
  expect_one_term_per_function(t, t.array_sort(t.bool_sort(), t.int_sort()), indices, elements);
}

TEST(RewriteArray, EqualArraysOverSmallArraysAreOneTerm) {
  TermStore t;
  Sort inner = t.array_sort(t.bool_sort(), t.bv_sort(1));
  std::vector<Term> indices;
  for (int low = 0; low < 2; ++low)
    for (int high = 0; high < 2; ++high)
      indices.push_back(
          t.make_store(t.make_const_array(inner, t.bv(low, 1)), t.boolean(true), t.bv(high, 1)));
  std::vector<Term> elements{t.integer(3), t.integer(1), t.integer(2)};
  expect_one_term_per_function(t, t.array_sort(inner, t.int_sort()), indices, elements);
}

TEST(RewriteArray, ArraysOverLargeArraysKeepTheirConstant) {
  TermStore t;
  std::pair<Sort, Sort> inner_sorts[] = {
      {t.int_sort(), t.bool_sort()}, {t.bool_sort(), t.int_sort()}, {t.bv_sort(7), t.bool_sort()}};
  for (auto [from, to] : inner_sorts) {
    Sort inner = t.array_sort(from, to);
    Sort sort = t.array_sort(inner, t.int_sort());
    Term array = t.make_const_array(sort, t.integer(0));
    Term zeros = t.default_value(inner);
    for (int i = 0; i < 64; ++i) {  // as many as half of 7 bits
      Term at =
          t.kind(from) == SortKind::Bool ? t.boolean(i % 2 == 0) : t.number(mpq_class(i), from);
      Term other = t.kind(to) == SortKind::Bool ? t.boolean(true) : t.integer(i + 1);
      array = t.make_store(array, t.make_store(zeros, at, other), t.integer(1));
    }
    EXPECT_NE(array, t.make_const_array(sort, t.integer(1)));
    EXPECT_EQ(t.make_select(array, zeros), t.integer(0));
  }
}

TEST(RewriteArray, ArraysOverLargeDomainsKeepTheirConstant) {
  TermStore t;
  Sort sort = t.array_sort(t.bv_sort(64), t.int_sort());
  Term array = t.make_const_array(sort, t.integer(0));
  for (int i = 0; i < 20; ++i) array = t.make_store(array, t.bv(i, 64), t.integer(1));
  EXPECT_NE(array, t.make_const_array(sort, t.integer(1)));
  EXPECT_EQ(t.make_select(array, t.bv(20, 64)), t.integer(0));
}

}  // namespace
}  // namespace lem
