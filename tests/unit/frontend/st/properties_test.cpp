#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

constexpr const char* kProgram = "PROGRAM p VAR b : BOOL; END_VAR END_PROGRAM";
using Kind = StProperty::Kind;

TEST(StProperties, OnePlaceIsOneProperty) {
  Parts p(kProgram);
  Properties& all = p.expressions.properties;
  StProperty& first = all.add("a", Kind::Assertion, {"f", 3, 1}, "b");
  EXPECT_EQ(&all.add("a", Kind::Assertion, {"f", 3, 1}, "b"), &first);
  EXPECT_EQ(all.add("a", Kind::Assertion, {"f", 4, 1}, "b").name, "a@4");
  EXPECT_EQ(all.add("a", Kind::Assertion, {"f", 4, 9}, "b").name, "a#2");
  EXPECT_EQ(all.all().size(), 3U);
}

TEST(StProperties, WhatHoldsAnywayNeedsNoEdge) {
  Parts p(kProgram);
  LocationId error = p.cfa.new_location("error");
  p.expressions.properties.prove(error, p.t.boolean(true));
  EXPECT_EQ(p.cfa.edges(), 0U);
  p.expressions.properties.prove(error, p.variable("b"));
  EXPECT_EQ(p.cfa.edges(), 1U);
}

TEST(StProperties, ChecksOnlyWhatIsAskedFor) {
  StOptions options;
  options.checks.division = true;
  Parts p(kProgram, options);
  Properties& all = p.expressions.properties;
  all.no_overflow(p.type("int"), {"f", 1, 2}, p.variable("b"));
  EXPECT_TRUE(all.all().empty());
  all.not_zero({"f", 1, 2}, p.variable("b"));
  ASSERT_EQ(all.all().size(), 1U);
  EXPECT_EQ(all.all()[0].name, "division@1:2");
  Term b = p.variable("b");
  p.context.frames.clear();
  all.not_zero({"f", 9, 9}, b);
  EXPECT_EQ(all.all().size(), 1U) << "outside of the user's code nothing is checked";
}

}  // namespace
}  // namespace lem::st::test
