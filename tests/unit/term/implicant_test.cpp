#include "term/implicant.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace lem {
namespace {

class ImplicantTest : public ::testing::Test {
 protected:
  Term number(std::string_view name) { return t_.variable(name, t_.int_sort()); }
  Term flag(std::string_view name) { return t_.variable(name, t_.bool_sort()); }
  TermStore t_;
  Term x_ = number("x"), y_ = number("y"), a_ = flag("a"), b_ = flag("b");
  TermMap model_{
      {x_, t_.integer(3)}, {y_, t_.integer(5)}, {a_, t_.boolean(true)}, {b_, t_.boolean(false)}};
};

TEST_F(ImplicantTest, OfAFormulaThatIsFalseIsNone) {
  EXPECT_FALSE(implicant(t_, t_.make_lt(y_, x_), model_).has_value());
}

TEST_F(ImplicantTest, TakesOnePartOfADisjunction) {
  Term formula = t_.make_or(std::array{b_, t_.make_lt(y_, x_), t_.make_lt(x_, y_)});
  EXPECT_EQ(implicant(t_, formula, model_), std::vector{t_.make_lt(x_, y_)});
}

TEST_F(ImplicantTest, TakesAllPartsOfAConjunction) {
  Term formula = t_.make_and(a_, t_.make_lt(x_, y_));
  EXPECT_EQ(implicant(t_, formula, model_)->size(), 2U);
  Term negated = t_.make_not(t_.make_or(b_, t_.make_lt(y_, x_)));
  EXPECT_EQ(implicant(t_, negated, model_)->size(), 2U);
}

TEST_F(ImplicantTest, PrefersWhatIsImpliedAlready) {
  Term late = t_.make_lt(x_, t_.integer(4));
  Term formula = t_.make_and(t_.make_or(a_, late), late);
  std::optional<std::vector<Term>> found = implicant(t_, formula, model_);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, std::vector{late});
}

TEST_F(ImplicantTest, DecidesChoicesInsideTerms) {
  Term inner = t_.make_ite(t_.make_lt(x_, t_.integer(9)), x_, y_);
  Term outer = t_.make_ite(b_, y_, t_.make_add(inner, t_.integer(1)));
  Term formula = t_.make_le(outer, t_.integer(4));
  std::optional<std::vector<Term>> found = implicant(t_, formula, model_);
  ASSERT_TRUE(found);
  std::vector<Term> expected{t_.make_not(b_), t_.make_lt(x_, t_.integer(9)),
                             t_.make_le(x_, t_.integer(3))};
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(*found, expected);
}

TEST_F(ImplicantTest, OpensTheConditionOfASharedChoiceOnce) {
  Term choice = t_.make_ite(a_, x_, y_);
  Term formula = t_.make_and(t_.make_le(choice, t_.integer(4)), t_.make_ge(choice, t_.integer(2)));
  EXPECT_EQ(implicant(t_, formula, model_)->size(), 3U);
}

TEST_F(ImplicantTest, GivesBothSidesOfAnEquivalenceTheirSign) {
  Term formula = t_.make_not(t_.make_eq(a_, t_.make_and(b_, flag("c"))));
  model_[flag("c")] = t_.boolean(true);
  std::optional<std::vector<Term>> found = implicant(t_, formula, model_);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, (std::vector{a_, t_.make_not(b_)}));
}

}  // namespace
}  // namespace lem
