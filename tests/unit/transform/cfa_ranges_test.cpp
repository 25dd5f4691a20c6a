#include "transform/cfa/ranges.h"

#include "cfa_setup.h"
#include "support/random_terms.h"
#include "transform/cfa/range.h"

namespace lem::transform {
namespace {

using test::Program;

TEST(CfaRanges, LoopsEndAtTheNumbersOfTheProgram) {
  Program p;
  Term i = p.bits("i", 32), n = p.t.bv(10, 32);
  p.edge("start", Command::assign(i, p.t.bv(0, 32)), "head");
  p.edge("head",
         Command::sequence({Command::assume(p.t.make(Op::BvSlt, {i, n})),
                            Command::assign(i, p.t.make(Op::BvAdd, {i, p.t.bv(1, 32)}))}),
         "head");
  p.edge("head", Command::assume(p.t.make(Op::BvSlt, {n, i})), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = ranges(cfa);
  EXPECT_TRUE(reduced.cfa.in(reduced.cfa.error()).empty());
  LocationInvariants back = test::carried(cfa, reduced, test::nothing_but_safe(reduced.cfa));
  EXPECT_EQ(back.at[index(p.at("head"))], p.t.make_bv_ule(i, n));
}

TEST(CfaRanges, IntegersHaveOpenEnds) {
  Program p;
  Term x = p.integer("x"), y = p.integer("y");
  Term zero = p.t.integer(0);
  p.edge("start", Command::assume(p.t.make_le(p.t.make_add(y, p.t.integer(5)), x)), "a");
  p.edge("a", Command::assume(p.t.make_le(zero, y)), "b");
  p.edge("b", Command::assign(x, p.t.make_add(y, p.t.integer(5))), "head");
  p.edge("head", Command::assign(x, p.t.make_add(x, x)), "head");
  p.edge("head", Command::assume(p.t.make_lt(x, p.t.integer(3))), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = ranges(cfa);
  EXPECT_TRUE(reduced.cfa.in(reduced.cfa.error()).empty());
  LocationInvariants back = test::carried(cfa, reduced, test::nothing_but_safe(reduced.cfa));
  EXPECT_EQ(back.at[index(p.at("head"))], p.t.make_le(p.t.integer(5), x));
}

TEST(CfaRanges, PartsOfGuardsAreDecided) {
  Program p;
  Term x = p.bits("x"), y = p.bits("y");
  Term small = p.t.make(Op::BvUlt, {x, p.t.bv(4, 8)}), other = p.t.make_eq(y, p.t.bv(1, 8));
  p.edge("start", Command::assume(small), "a");
  p.edge("a", Command::assume(p.t.make_or(other, p.t.make_bv_ule(p.t.bv(9, 8), x))), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = ranges(cfa);
  EXPECT_EQ(reduced.cfa.edges()[1].command.guard(), other);
  Term two = p.t.bv(2, 8), one = p.t.bv(1, 8);
  test::carried(cfa, reduced,
                CfaTrace{{EdgeId{0}, EdgeId{1}}, {{two, one}, {two, one}, {two, one}}});
}

TEST(CfaRanges, NumbersAreReadSignedAndUnsigned) {
  Program p;
  Term x = p.bits("x");
  Term minus = p.t.bv(-3, 8);
  p.edge("start", Command::assume(p.t.make_bv_sle(minus, x)), "a");
  p.edge("a", Command::assume(p.t.make(Op::BvSlt, {x, p.t.bv(0, 8)})), "b");
  p.edge("b", Command::assume(p.t.make(Op::BvUlt, {x, p.t.bv(253, 8)})), "error");
  Cfa cfa = p.cfa();
  Reduction reduced = ranges(cfa);
  EXPECT_TRUE(reduced.cfa.in(reduced.cfa.error()).empty());
  test::carried(cfa, reduced, test::nothing_but_safe(reduced.cfa));
}

Interval around(Wide value, std::uint64_t below, std::uint64_t above) {
  return {value - static_cast<Wide>(below), value + static_cast<Wide>(above)};
}

/// Under ranges that contain their variables' values, the range of a term contains its value.
TEST(RangeEvaluator, ContainsTheValueOfEveryTerm) {
  for (bool integers : {false, true}) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + (integers ? " integers" : " bits"));
      test::Theory theory;
      if (integers) {
        theory.integers = true;
      } else {
        theory.widths = {1, 3, 8};
      }
      test::RandomTerms random(seed, theory);
      for (int i = 0; i < 150; ++i) random.grow();
      TermStore& t = random.t;
      for (std::size_t a = 0; a < test::RandomTerms::kAssignments; ++a) {
        std::uint64_t width = (seed + a) % 3;  // how much more than the value the ranges have
        RangeEvaluator evaluator(t, [&](Term variable) -> std::optional<Range> {
          Term value = random.assignment(a).at(variable);
          RangeEvaluator values(t, nullptr);
          Range range = *values.range(value);
          Range all = *values.full(t.sort(variable));
          return Range{meet(around(range.as_unsigned.low, width, width), all.as_unsigned),
                       meet(around(range.as_signed.low, width, width), all.as_signed)};
        });
        RangeEvaluator values(t, nullptr);
        for (const auto& sample : random.all()) {
          std::optional<Range> found = evaluator.range(sample.term);
          if (!found) continue;
          std::optional<Range> value =
              values.range(random.term_of(sample.values[a], t.sort(sample.term)));
          ASSERT_TRUE(value->as_unsigned.within(found->as_unsigned));
          ASSERT_TRUE(value->as_signed.within(found->as_signed));
        }
      }
    }
  }
}

}  // namespace
}  // namespace lem::transform
