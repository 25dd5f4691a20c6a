#include "term/connected.h"

#include <gtest/gtest.h>

namespace lem {
namespace {

TEST(Connected, FormulasThatShareVariablesAreOfOneClass) {
  TermStore terms;
  Term a = terms.variable("a", terms.int_sort());
  Term b = terms.variable("b", terms.int_sort());
  Term c = terms.variable("c", terms.int_sort());
  Term ab = terms.make_eq(a, b);
  Term zero = terms.make_eq(c, terms.integer(0));
  Connected connected(terms);
  for (Term formula : {ab, zero, a}) connected.add(formula);
  EXPECT_EQ(connected.of(ab), connected.of(a));
  EXPECT_NE(connected.of(ab), connected.of(zero));
  std::vector<Term> all{ab, zero, a};
  EXPECT_EQ(connected.among(all, connected.of(a)), (std::vector<Term>{ab, a}));
  Term bc = terms.make_eq(b, c);
  connected.add(bc);
  EXPECT_EQ(connected.of(ab), connected.of(zero));
}

TEST(Connected, AFormulaWithoutVariablesIsOfNoClass) {
  TermStore terms;
  Connected connected(terms);
  connected.add(terms.boolean(true));
  EXPECT_EQ(connected.of(terms.boolean(true)), Connected::Class::None);
}

}  // namespace
}  // namespace lem
