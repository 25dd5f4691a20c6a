#include "writer/aiger.h"

#include <gtest/gtest.h>

#include "frontend/aiger/aiger.h"
#include "support/random_aig.h"
#include "support/unchecked.h"

namespace lem::writer {
namespace {

Problem read(const std::string& text) {
  auto problem = aiger::read_aiger("m.aag", text);
  EXPECT_TRUE(problem.ok()) << (problem ? "" : problem.error().text());
  return problem ? std::move(*problem) : Problem{};
}

TEST(AigerWriter, WritesAsciiAsItWasRead) {
  const std::string text =
      "aag 7 2 3 0 2 2 1\n2\n4\n6 12\n8 3 1\n10 14 10\n12\n15\n5\n12 6 2\n14 13 9\n"
      "i0 request\nl1 busy flag\nb1 overrun\nc0 no reset\nc\nfirst\n\nlast\n";
  EXPECT_EQ(write_aiger(read(text), AigerEncoding::Ascii), text);
}

TEST(AigerWriter, KeepsOutputsAsOutputs) {
  const std::string text = "aag 1 1 0 2 0 0 1\n2\n2\n3\n2\no1 never\n";
  EXPECT_EQ(write_aiger(read(text), AigerEncoding::Ascii), text);
}

TEST(AigerWriter, BinaryAndAsciiSayTheSame) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Problem problem = test::random_problem(seed, test::varied_params(seed));
    problem.source.comments = {"seed", std::to_string(seed)};
    std::string ascii = write_aiger(problem, AigerEncoding::Ascii);
    std::string binary = write_aiger(problem, AigerEncoding::Binary);
    ASSERT_LT(binary.size(), ascii.size());
    ASSERT_EQ(write_aiger(read(binary), AigerEncoding::Ascii), ascii);
    ASSERT_EQ(write_aiger(read(ascii), AigerEncoding::Binary), binary);
  }
}

TEST(AigerWriter, LongDeltasTakeSeveralBytes) {
  AigBuilder builder;
  for (int i = 0; i < 20000; ++i) builder.add_input();
  AigLit gate = builder.raw_and({1, false}, {2, true});
  Problem problem{std::move(builder).freeze(), {{"b0", gate, "b0"}}, {}};
  Problem again = read(write_aiger(problem, AigerEncoding::Binary));
  EXPECT_EQ(again.aig().ands()[0].left, AigLit(2, true));
  EXPECT_EQ(again.aig().ands()[0].right, AigLit(1, false));
}

TEST(AigerWriter, WritesWitnesses) {
  Problem p = read("aag 3 2 1 2 0\n2\n4\n6 2 1\n6\n4\n");
  Trace trace{{true}, {{false, true}, {true, true}}};
  EXPECT_EQ(write_aiger_witness(p, 1, test::unchecked(trace)), "1\nb1\n1\n01\n11\n.\n");
}

TEST(AigerWriter, CertificateOfAnInvariantMapsTheModel) {
  // Sparse numbering: the names must be the file's literals, not ours.
  Problem p = read("aag 30 1 2 1 1\n40\n20 40\n30 20\n60\n60 20 31\n");
  Certificate certificate =
      InductiveInvariant{{{p.aig().latch(0), !p.aig().latch(1)}, {!p.aig().latch(0)}}};
  Problem w = read(write_certificate(p, test::unchecked(certificate), AigerEncoding::Binary));
  EXPECT_EQ(w.source.input_names, (std::vector<std::string>{"= 40"}));
  EXPECT_EQ(w.source.latch_names, (std::vector<std::string>{"= 20", "= 30"}));
  EXPECT_EQ(w.source.comments, (std::vector<std::string>{"WITNESS o0 m.aag"}));
  EXPECT_EQ(w.properties.size(), 1U);
}

TEST(AigerWriter, HistoryCircuitHasValidBitsAndCopies) {
  Problem p = read("aag 30 1 2 1 1\n40\n20 40\n30 20\n60\n60 20 31\n");
  auto latches = [&](std::uint32_t k) {
    Certificate certificate = KInductive{k, SimplePath::No, {}};
    return read(write_certificate(p, test::unchecked(certificate), AigerEncoding::Ascii))
        .aig()
        .num_latches();
  };
  EXPECT_EQ(latches(1), 2U);
  EXPECT_EQ(latches(2), 6U);  // a valid bit, two latches and an input more
  EXPECT_EQ(latches(4), 14U);
}

}  // namespace
}  // namespace lem::writer
