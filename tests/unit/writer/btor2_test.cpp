// What is written as BTOR2 is read again: models keep their verdict, evidence is accepted, and
// evidence that was tampered with is not.
#include "writer/btor2.h"

#include <gtest/gtest.h>

#include "check/validate.h"
#include "frontend/btor2/btor2.h"
#include "support/explicit_terms.h"
#include "support/random_system.h"
#include "support/unchecked.h"

namespace lem::writer {
namespace {

const test::RandomSystemParams kRelational{.inputs = 1, .max_width = 1, .relations = true};
const test::RandomSystemParams kArrays{.states = 2, .inputs = 1, .max_width = 1, .arrays = true};

Problem read(const std::string& text) {
  auto problem = btor2::read_btor2("out.btor2", text);
  EXPECT_TRUE(problem.ok()) << (problem ? "" : problem.error().text()) << '\n' << text;
  return problem ? std::move(*problem) : Problem{};
}

std::string outcome(const Result<check::Accepted>& status) {
  return status.ok() ? "accepted" : status.error().text();
}

/// Constant arrays in the middle of a term cannot be written unless they are values.
bool is_writable(const Result<std::string>& text) {
  if (text.ok()) return true;
  EXPECT_EQ(text.error().message,
            "cannot write BTOR2: the model has a constant array whose element is no constant");
  return false;
}

TEST(Btor2Writer, ModelsKeepTheirVerdict) {
  int safe = 0;
  int written = 0;
  for (const test::RandomSystemParams& params : {test::RandomSystemParams{}, kRelational, kArrays})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      Problem problem = test::random_system(seed, params);
      auto text = write_btor2(problem);
      if (!is_writable(text)) continue;
      ++written;
      Problem again = read(*text);
      ASSERT_EQ(again.properties.size(), 1U);
      ASSERT_GE(again.system().states().size(), problem.system().states().size());
      bool was_safe = !test::explore_terms(problem).trace.has_value();
      ASSERT_EQ(!test::explore_terms(again).trace.has_value(), was_safe) << seed << '\n' << *text;
      safe += was_safe ? 1 : 0;
    }
  EXPECT_GT(written, 100);
  EXPECT_GT(safe, 20);
  EXPECT_LT(safe, written - 20);
}

/// Each operator as the update of a state, on all values of its arguments.
TEST(Btor2Writer, EveryOperatorKeepsItsMeaning) {
  auto store = std::make_shared<TermStore>();
  TermStore& t = *store;
  Term a = t.variable("a", t.bv_sort(3));
  Term b = t.variable("b", t.bv_sort(3));
  Term flag = t.variable("flag", t.bool_sort());
  std::vector<Term> made;
  for (Op op : {Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvAdd, Op::BvMul, Op::BvUdiv, Op::BvUrem,
                Op::BvSdiv, Op::BvSrem, Op::BvSmod, Op::BvShl, Op::BvLshr, Op::BvAshr, Op::BvUlt,
                Op::BvSlt, Op::BvConcat, Op::Eq})
    made.push_back(t.make(op, {a, b}));
  for (Op op : {Op::BvNot, Op::BvNeg}) made.push_back(t.make(op, {a}));
  for (Op op : {Op::BvZeroExtend, Op::BvSignExtend}) made.push_back(t.make(op, {a}, 2));
  made.push_back(t.make_extract(a, 2, 1));
  made.push_back(t.make_ite(flag, a, b));
  Term equal = t.make_eq(a, b);
  Term less = t.make(Op::BvUlt, {a, b});
  made.push_back(t.make_and(std::vector{flag, t.make_not(equal), less}));
  made.push_back(t.make_or(std::vector{flag, equal, less}));
  made.push_back(t.make_eq(flag, less));
  TransitionSystemBuilder builder(store);
  for (Term input : {a, b, flag}) builder.add_input(input);
  for (std::size_t i = 0; i < made.size(); ++i)
    builder.set_update(builder.add_state("r" + std::to_string(i), t.sort(made[i])), made[i]);
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  Problem problem;
  problem.model = *system;
  problem.properties = {{"b0", flag, "b0"}};
  auto text = write_btor2(problem);
  ASSERT_TRUE(text.ok());
  Problem again = read(*text);
  TermStore& u = again.system().terms();
  auto number = [](const TermStore& terms, Term value) {
    if (terms.kind(value) == SortKind::Bool) return mpz_class(terms.is_true(value) ? 1 : 0);
    return terms.integer_value(value);
  };
  for (int i = 0; i < 128; ++i) {
    TermMap before{{a, t.bv(i & 7, 3)}, {b, t.bv(i >> 3, 3)}, {flag, t.boolean(i >= 64)}};
    auto inputs = again.system().inputs();
    TermMap after{{inputs[0], u.bv(i & 7, 3)},
                  {inputs[1], u.bv(i >> 3, 3)},
                  {inputs[2], u.bv(i >= 64 ? 1 : 0, 1)}};
    for (std::size_t k = 0; k < made.size(); ++k)
      ASSERT_EQ(number(u, evaluate(u, again.system().states()[k].update, after)),
                number(t, evaluate(t, made[k], before)))
          << "operator " << k << " on " << i;
  }
}

TEST(Btor2Writer, EvidenceIsAccepted) {
  for (const test::RandomSystemParams& params : {test::RandomSystemParams{}, kRelational, kArrays})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      Problem problem = test::random_system(seed, params);
      test::ExplicitTerms found = test::explore_terms(problem);
      if (found.trace) {
        std::string witness = write_btor2_witness(problem, 0, test::unchecked(*found.trace));
        EXPECT_EQ(outcome(check::validate_btor2_witness(problem, "w", witness)), "accepted")
            << witness;
        continue;
      }
      auto text = write_btor2_certificate(problem, test::unchecked(TermInvariant{found.reachable}));
      if (!is_writable(text)) continue;
      Result<check::Accepted> status =
          check::validate_btor2_certificate(problem, read(*text), "c", *text, {});
      EXPECT_EQ(outcome(status), "accepted") << *text;
    }
}

// A counter that an input steps; it has no `next` value of its own where `free` is.
const char* kCounter =
    "1 sort bitvec 3\n2 sort bitvec 1\n3 zero 1\n4 state 1 count\n5 init 1 4 3\n6 input 2 step\n"
    "7 uext 1 6 2\n8 add 1 4 7\n9 next 1 4 8\n10 state 2 free\n11 constd 1 2\n12 eq 2 4 11\n"
    "13 and 2 12 10\n14 bad 13 two\n15 constd 1 6\n16 eq 2 4 15\n17 bad 16\n";

TEST(Btor2Witness, IsWrittenFrameByFrame) {
  Problem problem = read(kCounter);
  test::ExplicitTerms found = test::explore_terms(focus(problem, 0));
  ASSERT_TRUE(found.trace.has_value());
  std::string text = write_btor2_witness(problem, 0, test::unchecked(*found.trace));
  EXPECT_EQ(text,
            "sat\nb0\n#0\n0 000 count#0\n1 0 free#0\n@0\n0 1 step@0\n#1\n1 0 free#1\n@1\n"
            "0 1 step@1\n#2\n1 1 free#2\n@2\n0 0 step@2\n.\n");
  EXPECT_EQ(outcome(check::validate_btor2_witness(problem, "w", text)), "accepted");
}

TEST(Btor2Witness, SaysWhatIsWrong) {
  Problem problem = read(kCounter);
  auto check = [&](const std::string& text) {
    return outcome(check::validate_btor2_witness(problem, "w", text));
  };
  // What is not mentioned is computed, or 0.
  EXPECT_EQ(check("; by hand\nsat\nb0\n#0\n@0\n0 1\n@1\n0 1\n#2\n1 1 free\n@2\n.\n"), "accepted");
  EXPECT_EQ(check("sat\nb0\n#0\n@0\n0 1\n@1\n0 1\n@2\n.\n"),
            "w: error: the witness for property 'two' is rejected: the property holds at the last "
            "step");
  EXPECT_EQ(check("sat\nb1\n#0\n0 110\n@0\n.\n"),
            "w: error: the witness for property 'b1' is rejected: the first state is not initial");
  EXPECT_EQ(check("sat\nb0\n#0\n@0\n#1\n0 010\n1 1\n@1\n.\n"),
            "w: error: the witness for property 'two' is rejected: the transition relation fails "
            "at step 0");
  EXPECT_EQ(check(""), "w:1:1: error: truncated witness: expected 'sat'");
  EXPECT_EQ(check("unsat\n"), "w:1:1: error: the witness says unsat: it has no trace");
  EXPECT_EQ(check("sat\nb7\n"), "w:2:1: error: property b7 is out of range: the model has 2");
  EXPECT_EQ(check("sat\nj0\n"), "w:2:1: error: property j0 is out of range: the model has 0");
  EXPECT_EQ(check("sat\nb0\n0 1\n"), "w:3:1: error: expected '#0' before the first value");
  EXPECT_EQ(check("sat\nb0\n#1\n"), "w:3:1: error: expected frame 0, found frame 1");
  EXPECT_EQ(check("sat\nb0\n#0\n@0\n#0\n"), "w:5:1: error: expected frame 1, found frame 0");
  EXPECT_EQ(check("sat\nb0\n#0\n@0\n#1\n@1\n@0\n"),
            "w:7:1: error: expected frame 2, found frame 0");
  // Both must fail at the last step, and the second does not.
  EXPECT_EQ(check("sat\nb0 b1\n#0\n@0\n0 1\n@1\n0 1\n#2\n1 1 free\n@2\n.\n"),
            "w: error: the witness for property 'b1' is rejected: the property holds at the last "
            "step");
  EXPECT_EQ(check("sat\nb0\n#0\n0 01\n"), "w:4:3: error: expected 3 bits, found 2");
  EXPECT_EQ(check("sat\nb0\n#0\n0 012\n"), "w:4:3: error: expected a binary value, found '012'");
  EXPECT_EQ(check("sat\nb0\n#0\n5 1\n"), "w:4:1: error: state 5 is out of range: the model has 2");
  EXPECT_EQ(check("sat\nb0\n#0\n@0\n"),
            "w:5:1: error: truncated witness: expected a frame, a value or '.'");
  EXPECT_EQ(check("sat\nb0\n#0\n.\n"), "w:4:1: error: the witness has no frame of inputs");
  EXPECT_EQ(check("sat\nb0\n#0\n@0\n.\nmore\n"),
            "w:6:1: error: unexpected text after the end of the witness");
}

TEST(Btor2Witness, ArraysAreGivenByElement) {
  Problem problem = read(
      "1 sort bitvec 12\n2 sort bitvec 4\n3 sort array 1 2\n4 state 3 memory\n5 next 3 4 4\n"
      "6 constd 1 7\n7 read 2 4 6\n8 constd 1 9\n9 read 2 4 8\n10 sort bitvec 1\n11 constd 2 5\n"
      "12 eq 10 7 11\n13 constd 2 3\n14 eq 10 9 13\n15 and 10 12 14\n16 bad 15\n");
  TermStore& terms = problem.system().terms();
  Sort sort = terms.sort(problem.system().states()[0].current);
  Term memory = terms.make_store(terms.make_const_array(sort, terms.bv(3, 4)), terms.bv(7, 12),
                                 terms.bv(5, 4));
  std::string text = write_btor2_witness(problem, 0, test::unchecked(TermTrace{{{{memory}, {}}}}));
  EXPECT_EQ(text, "sat\nb0\n#0\n0 [000000000111] 0101 memory#0\n0 [*] 0011 memory#0\n@0\n.\n");
  EXPECT_EQ(outcome(check::validate_btor2_witness(problem, "w", text)), "accepted");
  EXPECT_EQ(outcome(check::validate_btor2_witness(problem, "w",
                                                  "sat\nb0\n#0\n0 [000000000111] 0101\n@0\n.\n")),
            "w: error: the witness for property 'b0' is rejected: the property holds at the last "
            "step");
  EXPECT_EQ(
      outcome(check::validate_btor2_witness(problem, "w", "sat\nb0\n#0\n0 [111] 0101\n@0\n.\n")),
      "w:4:4: error: expected 12 bits, found 3");
}

TEST(Btor2Certificate, IsCheckedOnTheModel) {
  Problem problem = read(
      "1 sort bitvec 3\n2 sort bitvec 1\n3 zero 1\n4 state 1 count\n5 init 1 4 3\n6 constd 1 2\n"
      "7 add 1 4 6\n8 next 1 4 7\n9 constd 1 5\n10 eq 2 4 9\n11 bad 10\n");
  TermStore& terms = problem.system().terms();
  Term count = problem.system().states()[0].current;
  Term even = terms.make_eq(terms.make_extract(count, 0, 0), terms.bv(0, 1));
  auto good = write_btor2_certificate(problem, test::unchecked(TermInvariant{even}));
  ASSERT_TRUE(good.ok());
  EXPECT_TRUE(good->starts_with("; WITNESS b0 out.btor2\n"));
  EXPECT_EQ(outcome(check::validate_btor2_certificate(problem, read(*good), "c", *good, {})),
            "accepted");
  auto weak = write_btor2_certificate(problem, test::unchecked(TermInvariant{terms.boolean(true)}));
  ASSERT_TRUE(weak.ok());
  EXPECT_EQ(outcome(check::validate_btor2_certificate(problem, read(*weak), "c", *weak, {})),
            "c: error: the certificate for property 'b0' is rejected: consecution fails");
  // 5 is reached only from 3, that from 1, that from 7, and that from 5.
  auto steps =
      write_btor2_certificate(problem, test::unchecked(TermInvariant{terms.boolean(true), 4}));
  ASSERT_TRUE(steps.ok());
  EXPECT_EQ(outcome(check::validate_btor2_certificate(problem, read(*steps), "c", *steps, {})),
            "accepted");
  std::string foreign = "; WITNESS b3 other\n" + weak->substr(weak->find('\n') + 1);
  EXPECT_EQ(outcome(check::validate_btor2_certificate(problem, read(foreign), "c", foreign, {})),
            "c: error: the model has no property b3 that the circuit names");
  // Inductive only together with the property: the file does not say so.
  std::string alone = *good;
  alone.erase(0, alone.find('\n') + 1);
  EXPECT_EQ(outcome(check::validate_btor2_certificate(problem, read(alone), "c", alone, {})),
            "accepted");
  std::string nothing = "1 sort bitvec 3\n2 sort bitvec 1\n3 state 1\n4 zero 2\n5 bad 4\n";
  EXPECT_EQ(outcome(check::validate_btor2_certificate(problem, read(nothing), "c", nothing, {})),
            "c: error: the certificate for property 'b0' is rejected: safety fails");
  for (const char* comment : {"; lemmata k-inductive k=0\n", "; lemmata k-inductive k=2 simple\n",
                              "; lemmata k-inductive k=\n"}) {
    std::string odd = comment + alone;
    EXPECT_EQ(
        outcome(check::validate_btor2_certificate(problem, read(odd), "c", odd, {})).substr(0, 29),
        "c:1:1: error: malformed comme")
        << odd;
  }
  std::string large = "; lemmata k-inductive k=4000000000\n" + alone;
  EXPECT_EQ(outcome(check::validate_btor2_certificate(problem, read(large), "c", large, {})),
            "c: error: unsupported: k=4000000000 is more than 10000");
}

/// 6 stays 6 until the input sends it to 5, which is bad; nothing leads to 6. Only over simple
/// paths are two steps enough, and only who says so may count on it.
TEST(Btor2Certificate, SimplePathsMustBeClaimed) {
  Problem problem = read(
      "1 sort bitvec 3\n2 sort bitvec 1\n3 zero 1\n4 state 1 count\n5 init 1 4 3\n6 input 2 go\n"
      "7 constd 1 5\n8 constd 1 6\n9 eq 2 4 8\n10 ite 1 6 7 8\n11 ite 1 9 10 3\n12 next 1 4 11\n"
      "13 eq 2 4 7\n14 bad 13\n");
  TermStore& terms = problem.system().terms();
  auto text = write_btor2_certificate(
      problem, test::unchecked(TermInvariant{terms.boolean(true), 2, SimplePath::Yes}));
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(outcome(check::validate_btor2_certificate(problem, read(*text), "c", *text, {})),
            "accepted");
  std::string plain = *text;
  std::size_t at = plain.find(" simple-path");
  ASSERT_NE(at, std::string::npos) << plain;
  plain.erase(at, std::string(" simple-path").size());
  EXPECT_EQ(outcome(check::validate_btor2_certificate(problem, read(plain), "c", plain, {})),
            "c: error: the certificate for property 'b0' is rejected: the induction step fails");
}

TEST(Btor2Writer, SaysWhatItCannotWrite) {
  auto store = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(store);
  Term x = builder.add_state("x", store->int_sort());
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  Problem problem;
  problem.model = *system;
  problem.properties = {{"b0", store->make_eq(x, store->integer(1)), "b0"}};
  auto text = write_btor2(problem);
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().message, "cannot write BTOR2: the model has integers or reals");
}

}  // namespace
}  // namespace lem::writer
