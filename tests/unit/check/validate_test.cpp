#include "check/validate.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "check/certify.h"
#include "frontend/aiger/aiger.h"
#include "frontend/frontend.h"
#include "support/explicit.h"
#include "support/random_aig.h"
#include "support/unchecked.h"
#include "writer/aiger.h"

namespace lem::check {
namespace {

using test::ExplicitResult;
using test::explore;
using test::Random;

/// At most five latches, so that 33 steps are longer than any simple path.
Problem small_problem(std::uint64_t seed) {
  test::RandomAigParams params = test::varied_params(seed);
  params.latches = 1 + params.latches % 5;
  params.gates = 4 + params.gates % 20;
  return test::random_problem(seed, params);
}

Problem read(const std::string& text) {
  auto problem = aiger::read_aiger("m.aag", text);
  EXPECT_TRUE(problem.ok()) << (problem ? "" : problem.error().text());
  return problem ? std::move(*problem) : Problem{};
}

/// "" if accepted.
std::string verdict_on(const Problem& model, const std::string& certificate) {
  Result<Accepted> status = validate_certificate(model, read(certificate), {});
  return status ? std::string() : status.error().message;
}

std::string witness_error(const Problem& model, const std::string& text) {
  Result<Accepted> status = validate_witness_text(model, "w", text);
  return status ? std::string() : status.error().text();
}

// Input, latch with reset 1 that keeps while the input is 0, free latch; bad: the first is down and
// the second up; constraint: not (input and second).
const char* const kModel = "aag 6 1 2 1 3 0 1\n2\n4 8 1\n6 6 6\n10\n13\n8 4 3\n10 6 5\n12 6 2\n";

TEST(ValidateWitness, NamesLineAndCauseOfMalformedWitnesses) {
  Problem model = read("aag 3 2 1 1 0\n2\n4\n6 2 6\n6\n");
  EXPECT_EQ(witness_error(model, "1\nb0\n1\n00\n.\n"), "");
  EXPECT_EQ(witness_error(model, "u0\nc x\n1\nb0\n1\nxX\n.\n\n"), "");
  EXPECT_EQ(witness_error(model, ""),
            "w:1:1: error: truncated witness: expected the status line "
            "'1'");
  EXPECT_EQ(witness_error(model, "0\nb0\n.\n"),
            "w:1:1: error: the witness has status 0: only '1' has a trace");
  EXPECT_EQ(witness_error(model, "1\nx\n"),
            "w:2:1: error: expected the property line 'b<i>' or 'j<i>'");
  EXPECT_EQ(witness_error(model, "1\nj0\n"),
            "w:2:1: error: property j0 is out of range: the model has 0");
  EXPECT_EQ(witness_error(model, "1\nb1\n"),
            "w:2:1: error: property b1 is out of range: the model has 1");
  EXPECT_EQ(witness_error(model, "1\nb0\n11\n"),
            "w:3:1: error: expected 1 values of latches, found 2");
  EXPECT_EQ(witness_error(model, "1\nb0\n1\n0\n"),
            "w:4:1: error: expected 2 values of inputs, found 1");
  EXPECT_EQ(witness_error(model, "1\nb0\n1\n02\n"),
            "w:4:2: error: expected 0, 1 or x as value of inputs");
  EXPECT_EQ(witness_error(model, "1\nb0\n1\n00\n"),
            "w:5:1: error: truncated witness: expected a line of input values or '.'");
  EXPECT_EQ(witness_error(model, "1\nb0\n1\n.\n"), "w:4:1: error: the witness has no steps");
  EXPECT_EQ(witness_error(model, "1\nb0\n1\n00\n.\n1\n"),
            "w:6:1: error: unexpected text after the end of the witness");
}

TEST(ValidateWitness, ReplaysTheTrace) {
  Problem model = read(kModel);
  EXPECT_EQ(witness_error(model, "1\nb0\n10\n1\n0\n.\n")
                .find("w: error: the witness for property "
                      "'o0' is rejected: the bad state"),
            0U);
  EXPECT_NE(witness_error(model, "1\nb0\n11\n1\n0\n.\n")
                .find("constraint c0 does not hold at "
                      "step 0"),
            std::string::npos);
  EXPECT_NE(witness_error(model, "1\nb0\n01\n0\n.\n").find("reset value"), std::string::npos);
  Problem open = read("aag 5 1 2 1 2\n2\n4 8 1\n6 6 6\n10\n8 4 3\n10 6 5\n");
  EXPECT_EQ(witness_error(open, "1\nb0\nx1\n1\n0\n.\n"), "");
  Result<Accepted> rejected = validate_witness_text(open, "w", "1\nb0\nx1\n0\n0\n.\n");
  ASSERT_FALSE(rejected.ok());
  EXPECT_EQ(rejected.error().kind, ErrorKind::Internal);
}

TEST(ValidateWitness, MissingFileIsNotFound) {
  Problem model = read(kModel);
  EXPECT_EQ(validate_witness(model, "/nonexistent/w").error().kind, ErrorKind::NotFound);
  EXPECT_EQ(validate_witness(model, testing::TempDir()).error().kind, ErrorKind::NotFound);
}

TEST(ValidateCertificate, AcceptsWhatIsWrittenExactlyWhenItIsTrue) {
  int k_inductive = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Problem problem = small_problem(seed);
    ExplicitResult truth = explore(problem);
    writer::AigerEncoding encoding =
        seed % 2 == 0 ? writer::AigerEncoding::Ascii : writer::AigerEncoding::Binary;
    auto verdict = [&](const Certificate& certificate) {
      return verdict_on(problem,
                        writer::write_certificate(problem, test::unchecked(certificate), encoding));
    };
    if (!truth.safe()) {
      ASSERT_EQ(witness_error(problem, writer::write_aiger_witness(problem, 0,
                                                                   test::unchecked(*truth.trace))),
                "")
          << seed;
    } else {
      ASSERT_EQ(verdict(test::reachable_as_clauses(problem, truth)), "") << seed;
      ASSERT_EQ(verdict(KInductive{33, SimplePath::Yes, {}}), "") << seed;
    }
    for (std::uint32_t k = 1; k < 5; ++k) {
      KInductive claim{k, SimplePath::No, {}};
      bool holds = test::is_k_inductive(problem, claim);
      ASSERT_EQ(verdict(claim).empty(), holds) << seed << " k=" << k << " " << verdict(claim);
      if (k > 1 && holds) ++k_inductive;
    }
  }
  EXPECT_GT(k_inductive, 100);
}

TEST(ValidateCertificate, NothingProvesAnUnsafeModel) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Problem problem = small_problem(seed);
    ExplicitResult truth = explore(problem);
    if (truth.safe()) continue;
    for (const Certificate& claim :
         {Certificate(InductiveInvariant{}), Certificate(InductiveInvariant{{{kAigFalse}}}),
          Certificate(test::reachable_as_clauses(problem, truth)),
          Certificate(KInductive{4, SimplePath::No, {}}),
          Certificate(KInductive{33, SimplePath::Yes, {}})}) {
      std::string text =
          writer::write_certificate(problem, test::unchecked(claim), writer::AigerEncoding::Ascii);
      ASSERT_NE(verdict_on(problem, text), "") << seed;
    }
  }
}

/// A claim of one kind or the other, as a circuit.
std::string certificate_text(const Problem& problem, std::uint64_t seed) {
  auto written = [&](const Certificate& claim) {
    return writer::write_certificate(problem, test::unchecked(claim), writer::AigerEncoding::Ascii);
  };
  if (seed % 3 == 0) return written(KInductive{2, SimplePath::No, {}});
  return written(InductiveInvariant{});
}

TEST(ValidateCertificate, ChangedCircuitsNeverProveAnUnsafeModel) {
  int tried = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Problem problem = small_problem(seed);
    if (explore(problem).safe()) continue;
    Random random(seed);
    std::string text = certificate_text(problem, seed);
    auto body = static_cast<std::uint32_t>(text.find('\n') + 1);
    for (int change = 0; change < 3; ++change) {
      char& byte = text[body + random.below(static_cast<std::uint32_t>(text.size()) - body)];
      if (byte >= '0' && byte <= '9') byte = static_cast<char>('0' + random.below(10));
    }
    auto circuit = aiger::read_aiger("w.aag", text);
    if (!circuit) continue;
    ++tried;
    ASSERT_FALSE(validate_certificate(problem, *circuit, {}).ok()) << seed << "\n" << text;
  }
  EXPECT_GT(tried, 200);
}

class OneToken : public testing::Test {
 protected:
  // Three latches in a ring, one token; bad: two tokens side by side.
  Problem model_ = read("aag 4 0 3 1 1\n2 6 1\n4 2\n6 4\n8\n8 2 4\n");
};

TEST_F(OneToken, EachCheckIsNamedWhenItFails) {
  const std::string good =
      "aag 8 0 3 0 5 1\n2 6 1\n4 2\n6 4\n17\n8 2 4\n10 4 6\n12 2 6\n14 9 11\n"
      "16 14 13\nl0 = 2\nl1 = 4\nl2 = 6\nc\nWITNESS o0 m.aag\n";
  auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos);
    return text.replace(at, from.size(), to);
  };
  EXPECT_EQ(verdict_on(model_, good), "");
  auto fails = [&](const std::string& text, const char* check) {
    return verdict_on(model_, text).find("the " + std::string(check) + " check fails") !=
           std::string::npos;
  };
  EXPECT_TRUE(fails(with("\n2 6 1\n", "\n2 6\n"), "Reset"));
  EXPECT_TRUE(fails(with("\n4 2\n", "\n4 6\n"), "Transition"));
  EXPECT_TRUE(fails(with("\n17\n", "\n0\n"), "Property"));
  EXPECT_TRUE(fails(with("\n17\n", "\n1\n"), "Base"));
  EXPECT_TRUE(fails(with("\n16 14 13\n", "\n16 14 1\n"), "Step"));
  EXPECT_TRUE(fails(with("l1 = 4\nl2 = 6", "l1 = 6\nl2 = 4"), "Transition"));
  EXPECT_NE(verdict_on(model_, with("= 6", "= 8")).find("no input or latch 8"), std::string::npos);
  EXPECT_NE(verdict_on(model_, with("WITNESS o0", "WITNESS b3")).find("does not have"),
            std::string::npos);
  EXPECT_NE(verdict_on(model_, with("WITNESS o0", "MAPPING 1\n2 2\nWITNESS o0")).find("MAPPING"),
            std::string::npos);
  EXPECT_NE(
      verdict_on(model_, with("WITNESS", "lemmata k-inductive k=x\nWITNESS")).find("malformed"),
      std::string::npos);
  EXPECT_NE(verdict_on(model_, with("WITNESS", "lemmata k-inductive k=4000000000 simple-path\nW"))
                .find("more than 10000"),
            std::string::npos);
  EXPECT_NE(verdict_on(model_, with("WITNESS", "lemmata k-inductive k=3 simple\nWITNESS"))
                .find("malformed"),
            std::string::npos);
  // Without names, inputs and latches map by position.
  EXPECT_EQ(verdict_on(model_, good.substr(0, good.find("l0 ="))), "");
}

/// The first property fails, the second holds: the name decides.
TEST_F(OneToken, TheCircuitNamesItsProperty) {
  Problem two = read("aag 4 0 3 2 1\n2 6 1\n4 2\n6 4\n6\n8\n8 2 4\n");
  const std::string circuit =
      "aag 8 0 3 0 5 1\n2 6 1\n4 2\n6 4\n17\n8 2 4\n10 4 6\n12 2 6\n14 9 11\n"
      "16 14 13\nl0 = 2\nl1 = 4\nl2 = 6\nc\nWITNESS ";
  EXPECT_EQ(verdict_on(two, circuit + "o1 m.aag\n"), "");
  EXPECT_NE(verdict_on(two, circuit + "o0 m.aag\n"), "");
}

/// The second latch of the circuit is the complement of the model's.
TEST_F(OneToken, LatchesMayBeComplemented) {
  const std::string complemented =
      "aag 8 0 3 0 5 1\n2 6 1\n4 3 1\n6 5\n17\n8 2 5\n10 5 6\n12 2 6\n14 9 11\n"
      "16 14 13\nl0 = 2\nl1 = 5\nl2 = 6\nc\nWITNESS o0 m.aag\n";
  EXPECT_EQ(verdict_on(model_, complemented), "");
  std::string plain = complemented;
  plain.replace(plain.find("= 5"), 3, "= 4");
  EXPECT_NE(verdict_on(model_, plain), "");
}

/// A latch that an input raises; bad when it is up. Only constraints of the circuit's own could
/// "prove" it.
class CircuitConstraints : public testing::Test {
 protected:
  Problem model_ = read("aag 2 1 1 1 0\n2\n4 2\n4\n");
};

TEST_F(CircuitConstraints, MayNotForbidWhatTheModelAllows) {
  EXPECT_NE(verdict_on(model_, "aag 2 1 1 0 0 1\n2\n4 2\n4\ni0 = 2\nl0 = 4\nc\nWITNESS o0 m\n"),
            "");
  // not the input: broken at the first step already
  EXPECT_NE(verdict_on(model_, "aag 2 1 1 0 0 1 1\n2\n4 2\n4\n3\ni0 = 2\nl0 = 4\nc\nWITNESS o0 m\n")
                .find("Reset check fails"),
            std::string::npos);
  // not the latch: fine at first, broken one step later
  EXPECT_NE(verdict_on(model_, "aag 2 1 1 0 0 1 1\n2\n4 2\n4\n5\ni0 = 2\nl0 = 4\nc\nWITNESS o0 m\n")
                .find("Transition check fails"),
            std::string::npos);
}

TEST_F(OneToken, SimplePathCommentIsCheckedByInduction) {
  Certificate claim = KInductive{3, SimplePath::Yes, {}};
  ASSERT_TRUE(certify(model_, Safe{claim}, {}).ok());
  std::string text =
      writer::write_certificate(model_, test::unchecked(claim), writer::AigerEncoding::Ascii);
  EXPECT_EQ(verdict_on(model_, text), "");
  std::size_t at = text.find("k=3");
  EXPECT_NE(verdict_on(model_, text.replace(at, 3, "k=1")).find("Step"), std::string::npos);
}

TEST(ValidateCertificate, StopIsAnErrorAndNoVerdict) {
  Problem model = read(kModel);
  std::stop_source source;
  source.request_stop();
  Result<Accepted> status = validate_certificate(model, model, {{}, source.get_token()});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("stopped"), std::string::npos);
}

TEST(Examples, AllAreReadAndSayWhatTheyShow) {
  namespace fs = std::filesystem;
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(LEM_SOURCE_DIR "/examples/aiger")) {
    auto problem = frontend::read_problem(entry.path().string());
    ASSERT_TRUE(problem.ok()) << problem.error().text();
    EXPECT_FALSE(problem->source.comments.empty()) << entry.path();
    bool unsafe = entry.path().stem().string().ends_with("_unsafe");
    bool found = false;
    for (std::size_t i = 0; i < problem->properties.size(); ++i) {
      Problem focused = focus(*problem, i);
      found = found || !explore(focused).safe();
    }
    EXPECT_EQ(found, unsafe) << entry.path();
    ++seen;
  }
  EXPECT_GE(seen, 6);
}

// A latch that stays 0 and is bad twice, and one that rises.
const char* const kSeveral = "aag 2 0 2 0 0 3\n2 2\n4 1\n2\n2\n4\n";

TEST(ValidateCertificate, NamesTheProperty) {
  Problem model = read(kSeveral);
  const std::string circuit = "aag 2 0 2 0 0 1\n2 2\n4 1\n2\n";
  auto judged = [&](const std::string& text, std::optional<std::size_t> asked) {
    Result<Accepted> accepted = validate_certificate(model, read(text), {asked, {}});
    std::string names;
    if (!accepted) return accepted.error().message;
    for (std::size_t i : accepted->properties) names += std::to_string(i);
    return names;
  };
  EXPECT_EQ(judged(circuit, {}), "01");
  EXPECT_EQ(judged(circuit, 1), "1");
  EXPECT_EQ(judged(circuit, 2),
            "the certificate for property 'b2' is rejected: the Property check fails");
  EXPECT_EQ(judged(circuit + "c\nWITNESS b1 m.aag\n", {}), "1");
  EXPECT_EQ(judged(circuit + "c\nWITNESS b1 m.aag\n", 1), "1");
  EXPECT_EQ(judged(circuit + "c\nWITNESS b1 m.aag\n", 0),
            "the evidence is about property 'b1', not 'b0'");
  EXPECT_EQ(judged(circuit + "c\nWITNESS b1 m.aag\nWITNESS b0 m.aag\n", {}),
            "a second comment 'WITNESS b0 m.aag'");
  EXPECT_EQ(judged("aag 2 0 2 0 0 1\n2 2\n4 1\n0\n", {}),
            "the evidence names no property and proves none of the model's 3: the certificate is "
            "rejected: the Property check fails");
  EXPECT_EQ(judged(kSeveral, {}), "a witness circuit has one bad state, this one has 3");
}

TEST(ValidateCertificate, RefusesImplausibleBounds) {
  Problem model = read("aag 1 0 1 0 0 1\n2 2\n2\n");
  auto judged = [&](const std::string& k) {
    return verdict_on(model,
                      "aag 1 0 1 0 0 1\n2 2\n2\nc\nlemmata k-inductive k=" + k + " simple-path\n");
  };
  EXPECT_EQ(judged("2"), "");
  EXPECT_EQ(judged("60000000"), "unsupported: k=60000000 is more than 10000");
  EXPECT_EQ(judged("99999999999999999999"),
            "malformed comment 'lemmata k-inductive k=99999999999999999999 simple-path'");
}

TEST(ValidateWitness, IsAboutTheProperty) {
  Problem model = read(kSeveral);
  const std::string text = "1\nb2\n00\n\n\n.\n";
  EXPECT_EQ(validate_witness_text(model, "w", text)->properties, std::vector<std::size_t>{2});
  EXPECT_EQ(validate_witness_text(model, "w", text, {1, {}}).error().message,
            "the evidence is about property 'b2', not 'b1'");
}

}  // namespace
}  // namespace lem::check
