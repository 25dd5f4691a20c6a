// Rules for floats. Each row is also tried on values of a format with 7 bits (rule_support.h).
#include <array>

#include "term/floats.h"
#include "unit/term/rule_support.h"

namespace lem {
namespace {

TEST(RewriteFloat, Rules) {
  constexpr auto kRules = std::to_array<Rule>({
      {"twice negated", "(fp.neg (fp.neg d))", "d"},
      {"without sign", "(fp.abs (fp.neg d))", "(fp.abs d)"},
      {"without sign, twice", "(fp.abs (fp.abs d))", "(fp.abs d)"},
      {"integral already", "(fp.roundToIntegral RTZ (fp.roundToIntegral RNE d))",
       "(fp.roundToIntegral RNE d)"},
      {"times one", "(fp.mul RNE d ((_ to_fp 3 4) RNE 1.0))", "d"},
      {"by minus one", "(fp.div RTP d ((_ to_fp 3 4) RNE (- 1.0)))", "(fp.neg d)"},
      {"plus minus zero", "(fp.add RNE d (_ -zero 3 4))", "d"},
      {"plus minus zero, down", "(fp.add RTN d (_ -zero 3 4))",
       "(fp.add RTN d (fp #b1 #b000 #b000))"},
      {"plus zero", "(fp.add RNE d (_ +zero 3 4))", "(fp.add RNE d (fp #b0 #b000 #b000))"},
      {"no number plus", "(fp.add RNE d (_ NaN 3 4))", "(_ NaN 3 4)"},
      {"no number by", "(fp.div RNE (_ NaN 3 4) d)", "(_ NaN 3 4)"},
      {"commutes", "(fp.add RNE e d)", "(fp.add RNE d e)"},
      {"minus", "(fp.sub RNE d e)", "(fp.add RNE d (fp.neg e))"},
      {"less than itself", "(fp.lt d d)", "false"},
      {"equals itself", "(fp.eq d d)", "(not (= d (_ NaN 3 4)))"},
      {"at most itself", "(fp.leq d d)", "(not (= d (_ NaN 3 4)))"},
      {"below all", "(fp.lt d (_ -oo 3 4))", "false"},
      {"above all", "(fp.lt (_ +oo 3 4) d)", "false"},
      {"at most the least", "(fp.leq d (_ -oo 3 4))", "(fp.leq d (_ -oo 3 4))"},
      {"not comparable", "(fp.leq (_ NaN 3 4) d)", "false"},
      {"its own format", "((_ to_fp 3 4) RNE d)", "d"},
      {"choice of values", "(= (ite p d (_ NaN 3 4)) (_ +oo 3 4))", "(and p (= d (_ +oo 3 4)))"},
      {"identity is no comparison", "(= (_ +zero 3 4) (_ -zero 3 4))", "false"},
      {"not a number", "(fp.isNaN d)", "(= d (_ NaN 3 4))"},
      {"infinite", "(fp.isInfinite d)", "(= (_ +oo 3 4) (fp.abs d))"},
  });
  expect_rules(kRules);
}

/// Over all values of 7 bits, and all pairs: predicates, and conversions that do not fit.
TEST(RewriteFloat, DerivedOperatorsSayWhatTheyShould) {
  constexpr FloatFormat kSmall{3, 4};
  TermStore t;
  for (unsigned bits = 0; bits < 128; ++bits) {
    FloatValue value(kSmall, bits);
    Term x = t.floating(value);
    bool subnormal = !value.is_zero() && value.is_finite() && abs(value.exact()) < mpq_class(1, 4);
    auto expect = [&](Term truth, bool wanted) {
      EXPECT_EQ(truth, t.boolean(wanted)) << value.text();
    };
    expect(make_fp_is_nan(t, x), value.is_nan());
    expect(make_fp_is_infinite(t, x), value.is_infinite());
    expect(make_fp_is_zero(t, x), value.is_zero());
    expect(make_fp_is_subnormal(t, x), subnormal);
    expect(make_fp_is_normal(t, x), value.is_finite() && !value.is_zero() && !subnormal);
    expect(make_fp_is_negative(t, x), value.is_negative());
    expect(make_fp_is_positive(t, x), !value.is_negative() && !value.is_nan());
    for (std::uint32_t width = 1; width < 8; ++width) {
      mpz_class whole = value.truncated().value_or(1000);
      mpz_class half = mpz_class(1) << (width - 1);
      bool fits = whole >= -half && whole < half;
      expect(make_fp_fits(t, x, width, FloatSign::Signed), fits);
      EXPECT_EQ(t.make(Op::FpToSigned, {x}, width), t.bv(fits ? whole : mpz_class(0), width));
      fits = whole >= 0 && whole < 2 * half;
      expect(make_fp_fits(t, x, width, FloatSign::Unsigned), fits);
      EXPECT_EQ(t.make(Op::FpToUnsigned, {x}, width), t.bv(fits ? whole : mpz_class(0), width));
    }
  }
}

TEST(RewriteFloat, ConversionsAreWrittenUnderATest) {
  RuleScope scope;
  Term made = scope.read("((_ fp.to_sbv 8) RTZ d)");
  std::string text = smtlib::term_text(scope.t, made);
  EXPECT_EQ(text,
            "(ite (and (fp.leq (fp #b1 #b110 #b111) d) (fp.lt d (_ +oo 3 4))) "
            "((_ fp.to_sbv 8) RTZ d) #x00)");
  EXPECT_EQ(scope.read(text), made);
  Term nested = made;
  for (int i = 0; i < 12; ++i)  // written three times each, this would be half a million
    nested =
        scope.t.make(Op::FpToSigned,
                     {scope.t.make(Op::FpFromSigned, {nested}, FloatFormat{3, 4}.packed(), 0)}, 8);
  text = smtlib::term_text(scope.t, nested);
  EXPECT_LT(text.size(), 5000U);
  EXPECT_EQ(scope.read(text), nested);
}

TEST(RewriteFloat, ArraysOverFloatsHaveOneForm) {
  TermStore t;
  Sort small = t.float_sort({2, 2});  // 4 encodings of NaN among 16
  Sort sort = t.array_sort(small, t.bool_sort());
  Term all = t.make_const_array(sort, t.boolean(true));
  Term built = t.make_const_array(sort, t.boolean(false));
  for (unsigned bits = 0; bits < 16; ++bits)
    built = t.make_store(built, t.floating({{2, 2}, bits}), t.boolean(true));
  EXPECT_EQ(built, all);
}

TEST(RewriteFloat, ErrorsNameWhatIsWrong) {
  RuleScope scope;
  auto error = [&](const std::string& text) {
    auto document = smtlib::read_document("f", text);
    smtlib::TermParser parser(scope.t, *document);
    for (Term var : scope.vars) parser.bind(scope.t.name(var), var);
    auto result = parser.term(document->top().at(0));
    return result ? "accepted" : result.error().message;
  };
  EXPECT_EQ(error("(fp.add d e)"), "'fp.add' expects a rounding mode");
  EXPECT_EQ(error("(fp.neg RNE d)"), "'fp.neg' has no rounding mode");
  EXPECT_EQ(error("(+ RNE x y)"), "'+' has no rounding mode");
  EXPECT_EQ(error("(fp.add RNE d ((_ to_fp 5 11) RNE e))"),
            "'fp.add' expects floats of one sort, found (_ FloatingPoint 5 11)");
  EXPECT_EQ(error("(fp.lt d)"), "'fp.lt' expects 2 arguments, found 1");
  EXPECT_EQ(error("((_ to_fp 3 4) a)"),
            "'to_fp' without a rounding mode expects a bit-vector of 7 bits");
  EXPECT_EQ(error("((_ to_fp 3 4) RNE f)"),
            "'to_fp' expects a float, a bit-vector or a constant, found Real");
  EXPECT_EQ(error("((_ to_fp 3) RNE d)"), "'to_fp' expects 2 indices, found 1");
  EXPECT_EQ(error("((_ fp.to_sbv 0) RTZ d)"), "'fp.to_sbv' has an unsupported width of 0 bits");
  EXPECT_EQ(error("(_ NaN 60 24)"), "unsupported: floats of 60 and 24 bits");
  EXPECT_EQ(error("(fp #b00 #b001 #b000)"), "'fp' expects a sign of one bit");
  EXPECT_EQ(error("(= d RTZ)"), "undeclared symbol 'RTZ'");
}

}  // namespace
}  // namespace lem
