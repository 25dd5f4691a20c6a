#include "term/wire.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "unit/term/rule_support.h"

namespace lem {
namespace {

constexpr auto kTexts = std::to_array<const char*>({
    "true",
    "(and p (or q (not (= x y))) (=> p (< f g)))",
    "(ite (> (+ x (* 3 y) (- 4)) (div z 5)) (mod x 7) (* x y))",
    "(= (to_int f) (+ x 123456789012345678901234567890))",
    "(<= (+ f (/ (- 1) 3)) (* 0.5 (to_real x)))",
    "(bvult (bvadd a (bvmul b #x03)) (concat ((_ extract 3 0) b) #b0101))",
    "(= ((_ sign_extend 4) a) ((_ zero_extend 4) (bvashr b a)))",
    "(bvsdiv (bvudiv a b) (bvsrem a (bvsmod a (bvurem b a))))",
    "(bvor (bvshl a b) (bvlshr a (bvneg (bvnot b))) (bvxor a b))",
    "(= (store A x (select B y)) (store A z 3))",
    "(store (store ((as const (Array Int Int)) (- 5)) 7 1) 3 2)",
    "((as const (Array Int (Array Int Int))) A)",
    "(fp.lt (fp.add RNE d (fp.mul RTZ e (_ NaN 3 4))) (fp.div RTP e (fp.neg d)))",
    "(fp.leq (fp.abs (fp.sqrt RNA d)) (fp.roundToIntegral RTN (fp #b1 #b010 #b111)))",
    "(fp.eq ((_ to_fp 3 4) RNE ((_ to_fp 5 11) RTZ d)) ((_ to_fp 3 4) ((_ extract 6 0) a)))",
    "(fp.isNaN (fp.add RNE ((_ to_fp 3 4) RNE a) ((_ to_fp_unsigned 3 4) RNE b)))",
    "(bvadd ((_ fp.to_sbv 8) RTZ d) ((_ fp.to_ubv 8) RNE e))",
    "(bvslt #xffffffffffffffffffffffffffffff00 (concat a #xffffffffffffffffffffffffffff00))",
});

/// A term with all its variables, as text: comparable across stores.
std::string text_of(const TermStore& t, Term term) {
  return smtlib::sort_text(t, t.sort(term)) + ": " + smtlib::term_text(t, term);
}

TEST(Wire, TermsComeBackInTheirOwnStore) {
  RuleScope scope;
  std::vector<Term> roots;
  for (const char* text : kTexts) roots.push_back(scope.read(text));
  std::size_t size = scope.t.size();
  for (std::size_t known : {std::size_t{0}, size / 2, size})
    EXPECT_EQ(read_terms(scope.t, write_terms(scope.t, roots, known)), roots);
  EXPECT_EQ(scope.t.size(), size);
}

TEST(Wire, TermsGoToAnotherStore) {
  for (const char* text : kTexts) {
    RuleScope writer;
    RuleScope reader;  // with the same variables
    Term term = writer.read(text);
    std::string bytes = write_terms(writer.t, {&term, 1}, 0);
    auto read = read_terms(reader.t, bytes);
    ASSERT_TRUE(read && read->size() == 1) << text;
    EXPECT_EQ(text_of(reader.t, read->front()), text_of(writer.t, term));
    EXPECT_EQ(read->front(), reader.read(text));
  }
}

TEST(Wire, NormalFormsAreThoseOfTheReader) {
  TermStore writer;
  TermStore reader;
  auto sum = [](TermStore& t, const char* first, const char* second) {
    Term a = t.variable(first, t.int_sort());
    return t.make_add(a, t.variable(second, t.int_sort()));
  };
  Term theirs = sum(writer, "x", "y");
  Term ours = sum(reader, "y", "x");
  EXPECT_EQ(read_terms(reader, write_terms(writer, {&theirs, 1}, 0)), std::vector{ours});
}

TEST(Wire, OldTermsGoById) {
  RuleScope writer;
  RuleScope reader;
  std::size_t known = writer.t.size();
  Term x = writer.read("x");
  EXPECT_EQ(write_terms(writer.t, {&x, 1}, known), "0 1 =" + std::to_string(x.id()) + ' ');
  Term sum = writer.read("(* x (+ y 1) z)");
  EXPECT_EQ(read_terms(reader.t, write_terms(writer.t, {&sum, 1}, known)),
            std::vector{reader.read("(* x (+ y 1) z)")});
}

TEST(Wire, NamesMayHoldAnything) {
  TermStore writer;
  TermStore reader;
  const std::vector<std::string> names{"", " ", "a b", "1 2 3", "=7", "x\ny", {'n', '\0', 'l'}};
  for (const std::string& name : names) {
    Term var = writer.variable(name, writer.bv_sort(9));
    EXPECT_EQ(read_terms(reader, write_terms(writer, {&var, 1}, 0)),
              std::vector{reader.variable(name, reader.bv_sort(9))});
  }
}

TEST(Wire, NoTermsAreAMessage) {
  TermStore t;
  EXPECT_EQ(read_terms(t, write_terms(t, {}, 0)), std::vector<Term>());
}

TEST(Wire, SharedTermsAreWrittenOnce) {
  TermStore t;
  Term term = t.variable("x", t.int_sort());
  for (int i = 0; i < 100; ++i) term = t.make_mul(term, t.make_add(term, t.integer(i + 1)));
  std::string bytes = write_terms(t, {&term, 1}, 0);
  EXPECT_LT(bytes.size(), 50'000U);
  EXPECT_EQ(read_terms(t, bytes), std::vector{term});
}

TEST(Wire, DepthCostsNoStack) {
  TermStore t;
  Term term = t.variable("x", t.bv_sort(8));
  Term other = t.variable("y", t.bv_sort(8));
  for (int i = 0; i < 200'000; ++i)
    term = t.make(i % 2 == 0 ? Op::BvAdd : Op::BvXor, {term, other});
  EXPECT_EQ(read_terms(t, write_terms(t, {&term, 1}, 0)), std::vector{term});
}

TEST(Wire, TruncatedMessagesAreRejected) {
  for (const char* text : kTexts) {
    RuleScope scope;
    Term term = scope.read(text);
    for (std::size_t known : {std::size_t{0}, scope.t.size()}) {
      std::string bytes = write_terms(scope.t, {&term, 1}, known);
      for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(read_terms(scope.t, bytes.substr(0, size))) << bytes << " at " << size;
    }
  }
}

TEST(Wire, MessagesThatMakeNoTermAreRejected) {
  TermStore t;
  Term x = t.variable("x", t.int_sort());
  ASSERT_EQ(x.id(), 3U);
  auto code = [](Op op) { return std::to_string(static_cast<int>(op)); };
  const std::string ints = "2 ";  // SortKind::Int
  for (const std::string& bytes : {
           std::string(" "),
           std::string("x 1 "),
           std::string("0 1 "),
           std::string("0 1 =0 "),                                // no term
           std::string("0 1 =9999 "),                             // unknown id
           std::string("0 1 =99999999999999 "),                   // no id
           std::string("0 1 99999999999999 "),                    // no index
           std::string("0 1 0 "),                                 // no such entry
           std::string("0 1 = "),                                 // no digits
           std::string("0 1 =3x "),                               // more than digits
           "1 1 " + code(Op::IntValue) + " 2 12z 0 ",             // no number
           "1 1 " + code(Op::IntValue) + " 2 1/2 0 ",             // not integral
           "1 1 " + code(Op::RealValue) + " 3 1/0 0 ",            // no number
           "1 1 " + code(Op::IntValue) + " 3 1 0 ",               // wrong sort
           "1 1 " + code(Op::BvValue) + " 1 0 1 0 ",              // width 0
           "1 1 " + code(Op::BvValue) + " 1 4294967295 -1 0 ",    // gigabytes for a number
           "1 1 " + code(Op::Variable) + " 9 1 x 0 ",             // no sort
           "1 1 " + code(Op::Variable) + " 2 99999999999 x 0 ",   // too long
           "1 1 " + code(Op::Not) + " 0 0 0 1 =3 0 ",             // not Bool
           "1 1 " + code(Op::Not) + " 0 0 0 0 0 ",                // no argument
           "1 1 " + code(Op::Eq) + " 0 0 0 2 =3 =1 0 ",           // two sorts
           "1 1 " + code(Op::Eq) + " 0 0 0 1 =3 0 ",              // one argument
           "1 1 " + code(Op::IntDiv) + " 2 0 0 2 =3 =3 0 ",       // no constant
           "1 1 " + code(Op::BvAnd) + " 1 8 0 0 2 =3 =3 0 ",      // not bit-vectors
           "1 1 " + code(Op::BvExtract) + " 1 8 3 0 1 =3 0 ",     // not bit-vectors
           "1 1 " + code(Op::Select) + " 2 0 0 2 =3 =3 0 ",       // no array
           "1 1 " + code(Op::ConstArray) + " 4 2 0 0 0 1 =3 0 ",  // wrong element
           "1 1 " + code(Op::Variable) + " 5 1 1 x 0 ",           // no format
           "1 1 " + code(Op::FpValue) + " 5 196612 128 0 ",       // too many bits
           "1 1 " + code(Op::FpNeg) + " 5 196612 0 0 1 =3 0 ",    // no float
           "2 1 " + code(Op::FpValue) + " 5 196612 0 " + code(Op::FpSqrt) +
               " 5 196612 5 0 1 0 1 ",  // no rounding
           "2 1 " + code(Op::FpValue) + " 5 196612 0 " + code(Op::FpToSigned) +
               " 1 8 9 0 1 0 1 ",  // two widths
           "1 1 " + std::to_string(static_cast<int>(Op::FpToUnsigned) + 1) + " 2 0 0 1 =3 0 ",
           "2 1 " + code(Op::IntValue) + ' ' + ints + "0 " + code(Op::IntMod) + ' ' + ints +
               "0 0 2 =3 0 1 ",  // by zero
       })
    EXPECT_FALSE(read_terms(t, bytes)) << bytes;
}

/// Whatever the bytes, the reader ends in terms or in nothing.
TEST(Wire, GarbledMessagesDoNoHarm) {
  std::mt19937 random(7);
  for (const char* text : kTexts) {
    RuleScope scope;
    Term term = scope.read(text);
    const std::string bytes = write_terms(scope.t, {&term, 1}, 0);
    for (int round = 0; round < 500; ++round) {
      std::string garbled = bytes;
      for (auto left = 1 + random() % 3; left > 0; --left)
        garbled[random() % (garbled.size() - 1)] = "0123456789 =-/x"[random() % 15];
      auto read = read_terms(scope.t, garbled);
      if (!read) continue;
      for (Term root : *read) EXPECT_LT(root.id(), scope.t.size());
    }
  }
}

}  // namespace
}  // namespace lem
