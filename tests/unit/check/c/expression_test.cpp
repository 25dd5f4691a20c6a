// Terms to C and back: what is written is compiled by gcc and read by our own parser, and both must
// give the value that the term has.
#include "writer/c_expression.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "base/process.h"
#include "base/temporary_folder.h"
#include "check/c/parse.h"
#include "term/traverse.h"
#include "writer/c_float.h"

namespace lem::check {
namespace {

class Expressions : public testing::Test {
 protected:
  Expressions() {
    for (std::uint32_t bits : {8U, 16U, 32U, 64U})
      for (CSign sign : {CSign::Signed, CSign::Unsigned})
        for (int i = 0; i < 2; ++i) {
          CVariable variable;
          variable.name = (sign == CSign::Signed ? "s" : "u") + std::to_string(bits) +
                          std::string(1, static_cast<char>('a' + i));
          variable.bits = bits;
          variable.sign = sign;
          variable.term = t_.variable(variable.name, t_.bv_sort(bits));
          variables_.push_back(variable);
        }
  }
  writer::CNames names() const {
    return [this](Term term) -> std::optional<writer::CName> {
      for (const CVariable& one : variables_)
        if (one.term == term) return writer::CName{one.name, one.bits, one.sign};
      return {};
    };
  }
  CScope scope() const {
    return [this](std::string_view name) -> const CVariable* {
      for (const CVariable& one : variables_)
        if (one.name == name) return &one;
      return nullptr;
    };
  }
  std::string say(Term term) { return writer::c_expression(t_, term, names()).value_or("nothing"); }
  Term var(const std::string& name) { return scope()(name)->term; }
  Term bits(std::uint32_t width, int depth);
  Term truth(int depth);
  Term random_value(std::uint32_t width) {
    static constexpr long kOften[] = {0, 1, 2, 3, -1, -2, 7, 31, 32, 127, -128, 255, 65535};
    if (random_() % 3 != 0) return t_.bv(kOften[random_() % std::size(kOften)], width);
    if (random_() % 4 == 0) return t_.bv(mpz_class(1) << (width - 1), width);
    return t_.bv((mpz_class(static_cast<unsigned long>(random_())) << 32) + random_(), width);
  }

  TermStore t_;
  std::vector<CVariable> variables_;
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }

  std::mt19937 random_{11};
};

/// Of any width up to 64.
// long: flat switch
Term Expressions::bits(std::uint32_t width, int depth) {
  if (depth == 0 || random_() % 8 == 0) {
    std::vector<Term> fitting;
    for (const CVariable& one : variables_)
      if (one.bits == width) fitting.push_back(one.term);
    if (fitting.empty() || random_() % 4 == 0) return random_value(width);
    return fitting[random_() % fitting.size()];
  }
  auto sub = [&] { return bits(width, depth - 1); };
  switch (random_() % 19) {
    case 0:
      return t_.make(Op::BvNot, {sub()});
    case 1:
      return t_.make(Op::BvNeg, {sub()});
    case 2:
      return t_.make(Op::BvAnd, {sub(), sub()});
    case 3:
      return t_.make(Op::BvOr, {sub(), sub()});
    case 4:
      return t_.make(Op::BvXor, {sub(), sub()});
    case 5:
    case 6:
      return t_.make(Op::BvAdd, {sub(), sub()});
    case 7:
      return t_.make(Op::BvMul, {sub(), sub()});
    case 8:
      return t_.make(Op::BvUdiv, {sub(), sub()});
    case 9:
      return t_.make(Op::BvUrem, {sub(), sub()});
    case 10:
      return t_.make(Op::BvSdiv, {sub(), sub()});
    case 11:
      return t_.make(Op::BvSrem, {sub(), sub()});
    case 12:
      return t_.make(Op::BvShl, {sub(), sub()});
    case 13:
      return t_.make(Op::BvLshr, {sub(), sub()});
    case 14:
      return t_.make(Op::BvAshr, {sub(), sub()});
    case 15: {
      if (width < 2) return sub();
      std::uint32_t low = 1 + below(width - 1);
      return t_.make_concat(bits(width - low, depth - 1), bits(low, depth - 1));
    }
    case 16: {
      std::uint32_t more = below(65 - width), by = more == 0 ? 0 : below(more);
      return t_.make_extract(bits(width + more, depth - 1), by + width - 1, by);
    }
    case 17: {
      if (width < 2) return sub();
      std::uint32_t less = 1 + below(width - 1);
      return t_.make(random_() % 2 == 0 ? Op::BvZeroExtend : Op::BvSignExtend,
                     {bits(width - less, depth - 1)}, less);
    }
    default:
      return t_.make_ite(truth(depth - 1), sub(), sub());
  }
}

Term Expressions::truth(int depth) {
  static constexpr std::uint32_t kWidths[] = {8, 16, 32, 32, 64, 5};
  std::uint32_t width = kWidths[random_() % std::size(kWidths)];
  if (depth == 0 || random_() % 2 == 0) {
    Op ops[] = {Op::Eq, Op::BvUlt, Op::BvSlt};
    Term holds = t_.make(ops[random_() % 3], {bits(width, depth), bits(width, depth)});
    return random_() % 2 == 0 ? holds : t_.make_not(holds);
  }
  switch (random_() % 5) {
    case 0:
      return t_.make_not(truth(depth - 1));
    case 1:
      return t_.make_and(truth(depth - 1), truth(depth - 1));
    case 2:
      return t_.make_or(truth(depth - 1), truth(depth - 1));
    case 3:
      return t_.make_eq(truth(depth - 1), truth(depth - 1));
    default:
      return t_.make_ite(truth(depth - 1), truth(depth - 1), truth(depth - 1));
  }
}

TEST_F(Expressions, ArePlainWhereNothingCanOverflow) {
  Term x = var("s32a"), y = var("s32b"), u = var("u32a"), c = var("u8a");
  EXPECT_EQ(say(t_.make(Op::BvSlt, {x, y})), "s32a < s32b");
  EXPECT_EQ(say(t_.make_not(t_.make(Op::BvSlt, {x, t_.bv(0, 32)}))), "s32a >= 0");
  EXPECT_EQ(say(t_.make_eq(x, t_.bv(-5, 32))), "s32a == -5");
  EXPECT_EQ(say(t_.make(Op::BvUlt, {u, t_.bv(7, 32)})), "u32a < 7U");
  EXPECT_EQ(say(t_.make(Op::BvUlt, {c, t_.bv(7, 8)})), "u8a < 7U");
  EXPECT_EQ(say(t_.make(Op::BvSlt, {t_.make(Op::BvAdd, {x, t_.bv(1, 32)}), y})),
            "(int)((unsigned int)s32a + 1U) < s32b");
  EXPECT_EQ(say(t_.make_eq(x, t_.bv(mpz_class(1) << 31, 32))), "s32a == -2147483647 - 1");
}

TEST_F(Expressions, WholeNumbersReadLikeMathematics) {
  Term x = t_.variable("x", t_.int_sort()), y = t_.variable("y", t_.int_sort());
  writer::CNames any = [&](Term term) { return std::optional(writer::CName{t_.name(term)}); };
  auto words = [&](Term term) { return writer::c_expression(t_, term, any).value_or("nothing"); };
  Term three = t_.integer(3);
  EXPECT_EQ(words(t_.make_le(x, t_.make_add(y, three))), "x <= y + 3");
  EXPECT_EQ(words(t_.make_ge(x, three)), "x >= 3");
  EXPECT_EQ(words(t_.make_eq(t_.make_mul(t_.integer(2), x), t_.make_add(y, three))),
            "2 * x - y == 3");
  EXPECT_EQ(words(t_.make(Op::IntMod, {x, three})), "nothing");
}

TEST_F(Expressions, WhatCannotBeSaidIsNotSaid) {
  Term other = t_.variable("internal", t_.bv_sort(32));
  EXPECT_EQ(say(t_.make_eq(other, var("s32a"))), "nothing");
  EXPECT_EQ(say(t_.make_eq(t_.variable("wide", t_.bv_sort(65)), t_.bv(0, 65))), "nothing");
  Term deep = var("s32a");
  for (int i = 0; i < 5000; ++i)
    deep = t_.make(Op::BvXor, {t_.make(Op::BvMul, {deep, deep}), deep});
  EXPECT_EQ(say(t_.make_eq(deep, t_.bv(0, 32))), "nothing");
}

TEST_F(Expressions, OurParserReadsWhatIsWritten) {
  int said = 0;
  for (int i = 0; i < 3000; ++i) {
    Term term = truth(3);
    std::optional<std::string> words = writer::c_expression(t_, term, names());
    if (!words) continue;
    ++said;
    Result<Term> back = parse_condition(t_, *words, scope(), 32, CNumbers::Bits);
    ASSERT_TRUE(back) << *words << ": " << back.error().message;
    for (int j = 0; j < 5; ++j) {
      TermMap values;
      for (const CVariable& one : variables_) values[one.term] = random_value(one.bits);
      ASSERT_EQ(evaluate(t_, term, values), evaluate(t_, *back, values)) << *words;
    }
  }
  EXPECT_GT(said, 2900);
}

TEST_F(Expressions, TheCompilerAgrees) {
  static constexpr std::array kTypes = {"char", "short", "int", "long long"};
  std::string text = "int main(void) {\n";
  int count = 0;
  for (int i = 0; i < 400; ++i) {
    Term term = truth(3);
    std::optional<std::string> words = writer::c_expression(t_, term, names());
    if (!words) continue;
    text += "{ ";
    TermMap values;
    std::vector<Term> used = variables_of(t_, term);
    for (const CVariable& one : variables_) {
      if (std::find(used.begin(), used.end(), one.term) == used.end()) continue;
      Term value = values[one.term] = random_value(one.bits);
      std::size_t size = one.bits == 8 ? 0 : one.bits == 16 ? 1 : one.bits == 32 ? 2 : 3;
      text += std::string(one.sign == CSign::Signed ? "signed " : "unsigned ") + kTypes[size] +
              " " + one.name + " = " + t_.integer_value(value).get_str() + "ULL; ";
    }
    bool holds = t_.is_true(evaluate(t_, term, values));
    // Numbered from 1 modulo 250, so that the exit code says which.
    text += "if ((" + *words + ") != " + (holds ? "1" : "0") + ") return " +
            std::to_string(count++ % 250 + 1) + "; }\n";
  }
  text += "return 0; }\n";
  EXPECT_GT(count, 380);
  TemporaryFolder folder;
  std::ofstream(folder.path() + "/t.c") << text;
  std::string run = folder.path() + "/run";
  ProcessEnd compiled = run_process({{"gcc", "-w", "-fsanitize=undefined", "-fno-sanitize-recover",
                                      "-o", run, folder.path() + "/t.c"}},
                                    {.time = std::chrono::seconds(100)}, {});
  ASSERT_EQ(compiled.code, 0) << compiled.errors;
  ProcessEnd ran = run_process({{run}}, {}, {});
  EXPECT_EQ(ran.code, 0) << ran.errors;
}

TEST_F(Expressions, TheParserHasTheTypesOfC) {
  auto holds = [&](const std::string& text) {
    Result<Term> term = parse_condition(t_, text, scope(), 32, CNumbers::Bits);
    return term ? (t_.is_true(*term)    ? "true"
                   : t_.is_false(*term) ? "false"
                                        : "open")
                : term.error().message;
  };
  EXPECT_EQ(holds("-1 > 1U"), "true");
  EXPECT_EQ(holds("-1 < 1"), "true");
  EXPECT_EQ(holds("(unsigned char)-1 == 255"), "true");
  EXPECT_EQ(holds("-1 < (long long)1U"), "true");
  EXPECT_EQ(holds("-5 / 2 == -2 && -5 % 2 == -1 && -5 >> 1 == -3"), "true");
  EXPECT_EQ(holds("1 + 2 * 3 == 7 && (1 ? 2 : 3) == 2 && !0 && 0x10 == 16"), "true");
  EXPECT_EQ(holds("2147483648 > 0 && sizeof(int)"), "unknown name 'sizeof'");
  EXPECT_EQ(holds("nobody == 1"), "unknown name 'nobody'");
  EXPECT_EQ(holds("1 +"), "unexpected end");
  EXPECT_EQ(holds("1 2"), "unexpected '2'");
  EXPECT_EQ(holds("(1"), "expected ')'");
  EXPECT_EQ(holds(std::string(100000, '(')), "too deep");
  EXPECT_EQ(holds(std::string(100000, '!') + "1"), "too deep");
}

/// Values at all ends of the formats, and random ones.
std::vector<FloatValue> some_floats(FloatFormat format, std::mt19937& random) {
  mpz_class top = FloatValue::infinity(format, false).bits();
  mpz_class hidden = mpz_class(1) << (format.significand - 1);
  std::vector<FloatValue> out{FloatValue::nan(format), FloatValue::smallest_normal(format)};
  for (const mpz_class& bits : {mpz_class(0), mpz_class(1), mpz_class(hidden - 1), hidden,
                                mpz_class(hidden + 1), mpz_class(top - 1), top}) {
    out.emplace_back(format, bits);
    out.push_back(out.back().negated());
  }
  for (const mpq_class& one : {mpq_class(1, 10), mpq_class(5, 2), mpq_class(-999999), mpq_class(3)})
    out.push_back(FloatValue::rounded(format, one, Rounding::NearestEven));
  for (int i = 0; i < 40; ++i) {
    mpz_class bits = (mpz_class(random()) << 32) + random();
    out.emplace_back(format, mpz_class(bits % (mpz_class(1) << format.bits())));
  }
  return out;
}

TEST_F(Expressions, TheParserReadsElementsOfArrays) {
  for (const char* name : {"a[]", "s[].n", "m[][]", "p[]", "p"}) {
    CVariable array;
    array.name = name;
    array.bits = 8;
    Sort sort = t_.array_sort(t_.bv_sort(32), t_.bv_sort(8));
    array.term = t_.variable(name, array.name == "p" ? t_.bv_sort(32) : sort);
    variables_.push_back(array);
  }
  auto read = [&](std::string_view text) {
    return parse_condition(t_, text, scope(), 32, CNumbers::Bits);
  };
  Term element = t_.make_select(var("a[]"), t_.bv(3, 32));
  for (int value : {-1, 0, 7}) {
    TermMap values{{var("a[]"), t_.make_store(t_.default_value(t_.sort(var("a[]"))), t_.bv(3, 32),
                                              t_.bv(value, 8))}};
    Result<Term> holds = read("a[3] == -1");
    ASSERT_TRUE(holds) << holds.error().text();
    EXPECT_EQ(t_.is_true(evaluate(t_, *holds, values)), value == -1);
    EXPECT_EQ(t_.is_true(evaluate(t_, *read("a[4] == 0"), values)), true);
  }
  EXPECT_EQ(variables_of(t_, element), variables_of(t_, *read("a[3] > 0")));
  EXPECT_TRUE(read("s[2].n < 5"));
  for (const char* wrong : {"a[4294967296] == 0", "a[03] == 0", "a[s8a] == 0", "a == 0", "a[] == 0",
                            "m[1][2] == 0", "m[1] == 0", "p[1] == 0", "s8a[1] == 0"})
    EXPECT_FALSE(read(wrong)) << wrong;
}

TEST_F(Expressions, FloatsAreTheOnlyValueOfTheirConstraint) {
  EXPECT_EQ(writer::c_float_constraint(
                "x", FloatValue::rounded(kFloat32, mpq_class(1, 10), Rounding::NearestEven)),
            "x == 0x1.99999ap-4f");
  EXPECT_EQ(writer::c_float_constraint(
                "x", FloatValue::rounded(kFloat64, mpq_class(-5, 2), Rounding::NearestEven)),
            "x == -2.5");
  EXPECT_EQ(writer::c_float_constraint("x", FloatValue::infinity(kFloat32, true)),
            "x < -0x1.fffffep+127f");
  std::mt19937 random(5);
  for (FloatFormat format : {kFloat32, kFloat64, kFloat80}) {
    std::vector<FloatValue> all = some_floats(format, random);
    CVariable x;
    x.name = "x";
    x.term = t_.variable("x" + std::to_string(format.bits()), t_.float_sort(format));
    CScope only = [&](std::string_view name) { return name == "x" ? &x : nullptr; };
    for (const FloatValue& value : all) {
      std::string words = writer::c_float_constraint("x", value);
      Result<Term> holds = parse_condition(t_, words, only, 32, CNumbers::Bits);
      ASSERT_TRUE(holds) << words;
      for (const FloatValue& other : all) {
        bool same = other.bits() == value.bits() ||
                    (value.is_zero() && !value.is_negative() && other.is_zero());
        Term found = substitute(t_, *holds, TermMap{{x.term, t_.floating(other)}});
        EXPECT_EQ(t_.is_true(found), same) << words << " for " << other.text();
      }
    }
  }
}

TEST_F(Expressions, TheCompilerAgreesAboutFloats) {
  std::string text = "int main(void) {\n";
  std::mt19937 random(6);
  int count = 0;
  for (FloatFormat format : {kFloat32, kFloat64})
    for (const FloatValue& value : some_floats(format, random)) {
      bool single = format == kFloat32;
      text += std::string("{ union { ") +
              (single ? "unsigned b; float" : "unsigned long long b; double") + " x; } u = {" +
              value.bits().get_str() + "ULL}; if (!(" + writer::c_float_constraint("u.x", value) +
              ")) return " + std::to_string(count++ % 250 + 1) + "; }\n";
    }
  TemporaryFolder folder;
  std::ofstream(folder.path() + "/t.c") << text + "return 0; }\n";
  std::string run = folder.path() + "/run";
  ProcessEnd compiled = run_process({{"gcc", "-w", "-o", run, folder.path() + "/t.c"}},
                                    {.time = std::chrono::seconds(100)}, {});
  ASSERT_EQ(compiled.code, 0) << compiled.errors;
  EXPECT_EQ(run_process({{run}}, {}, {}).code, 0) << text;
}

TEST_F(Expressions, TheParserHasFloats) {
  auto holds = [&](const std::string& text) {
    Result<Term> term = parse_condition(t_, text, scope(), 32, CNumbers::Bits);
    return term ? (t_.is_true(*term) ? "true" : "false") : term.error().message;
  };
  EXPECT_EQ(holds("0.1 != 0.1f && 0.5 == 0.5f && 1e-3 < 0.01 && 0x1.8p+1 == 3"), "true");
  EXPECT_EQ(holds("-0.0 == 0.0 && 1 / -0.0 < 0 && !(0.0 / 0.0 == 0.0 / 0.0)"), "true");
  EXPECT_EQ(holds("(int)-2.9 == -2 && (float)1 / 3 != 1.0 / 3 && !0.0 && (_Bool)0.5"), "true");
  EXPECT_EQ(holds("1.5 % 2"), "operator '%' over floats");
  EXPECT_EQ(holds("1 << 2.0"), "a shift of floats");
  EXPECT_EQ(holds("0x1.8 == 1"), "no number: '0x1.8'");
  EXPECT_EQ(holds("1e999999999 > 1"), "no number: '1e999999999'");
}

}  // namespace
}  // namespace lem::check
