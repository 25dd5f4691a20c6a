#include "frontend/aiger/aiger.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "frontend/frontend.h"

namespace lem::frontend {
namespace {

Problem read(const std::string& text) {
  auto problem = aiger::read_aiger("m.aag", text);
  EXPECT_TRUE(problem.ok()) << (problem ? "" : problem.error().text());
  return problem ? std::move(*problem) : Problem{};
}

std::string error_of(const std::string& text) {
  auto problem = aiger::read_aiger("m.aag", text);
  if (problem) return "no error";
  EXPECT_EQ(problem.error().kind, ErrorKind::BadInput);
  return problem.error().text();
}

TEST(AigerReader, JusticePropertiesHaveTheFairnessOfTheModel) {
  Problem p =
      read("aag 3 2 1 1 0 1 1 2 1\n2\n4\n6 2\n7\n6\n5\n2\n1\n2\n4\n6\n3\nj1 answered\nf0 runs\n");
  ASSERT_EQ(p.properties.size(), 3U) << "the output is none";
  EXPECT_EQ(p.properties[0].bad(), AigLit::from_code(6));
  EXPECT_FALSE(p.properties[0].is_justice());
  EXPECT_EQ(p.properties[1].name, "j0");
  EXPECT_EQ(p.properties[1].symbol, "j0");
  std::vector<AigLit> both = {AigLit::from_code(2), AigLit::from_code(4), AigLit::from_code(3)};
  EXPECT_EQ(p.properties[1].often(), both);
  EXPECT_EQ(std::get<Justice<AigLit>>(p.properties[1].target).own, 2U);
  EXPECT_EQ(p.properties[2].name, "answered");
  std::vector<AigLit> one = {AigLit::from_code(6), AigLit::from_code(3)};
  EXPECT_EQ(p.properties[2].often(), one);
}

TEST(AigerReader, OutputsAreNoPropertiesBesideJustice) {
  Problem p = read("aag 1 1 0 1 0 0 0 1\n2\n2\n1\n3\n");
  ASSERT_EQ(p.properties.size(), 1U);
  EXPECT_TRUE(p.properties[0].is_justice());
}

TEST(AigerReader, ReadsEverySection) {
  Problem p = read(
      "aag 7 2 3 1 2 2 1\n2\n4\n6 12\n8 3 1\n10 14 10\n13\n12\n15\n5\n12 6 2\n14 13 9\n"
      "i0 request\nl1 busy flag\nb1 overrun\nc0 no reset\nc\nfirst\n\nlast\n");
  EXPECT_EQ(p.aig().num_inputs(), 2U);
  ASSERT_EQ(p.aig().num_latches(), 3U);
  EXPECT_EQ(p.aig().latches()[0].reset, Reset::Zero);
  EXPECT_EQ(p.aig().latches()[1].reset, Reset::One);
  EXPECT_EQ(p.aig().latches()[2].reset, Reset::Free);
  EXPECT_EQ(p.aig().latches()[1].next, AigLit::from_code(3));
  ASSERT_EQ(p.properties.size(), 2U);
  EXPECT_EQ(p.properties[0].name, "b0");
  EXPECT_EQ(p.properties[0].bad(), AigLit::from_code(12));
  EXPECT_EQ(p.properties[1].name, "overrun");
  EXPECT_EQ(p.properties[1].symbol, "b1");
  ASSERT_EQ(p.aig().constraints().size(), 1U);
  EXPECT_EQ(p.aig().constraints()[0], AigLit::from_code(5));
  EXPECT_EQ(p.source.input_names, (std::vector<std::string>{"request", ""}));
  EXPECT_EQ(p.source.latch_names, (std::vector<std::string>{"", "busy flag", ""}));
  EXPECT_EQ(p.source.constraint_names, (std::vector<std::string>{"no reset"}));
  EXPECT_EQ(p.source.comments, (std::vector<std::string>{"first", "", "last"}));
}

TEST(AigerReader, OutputsAreBadStatesWithoutBadStates) {
  Problem p = read("aag 1 1 0 2 0\n2\n2\n3\no1 never\n");
  ASSERT_EQ(p.properties.size(), 2U);
  EXPECT_EQ(p.properties[0].name, "o0");
  EXPECT_EQ(p.properties[1].name, "never");
  EXPECT_EQ(p.properties[1].symbol, "o1");
  EXPECT_EQ(read("aag 1 1 0 1 0 0 1\n2\n2\n3\n").properties.size(), 1U);  // B is 0, C is not
  EXPECT_EQ(read("aag 1 1 0 1 0 1\n2\n2\n3\n").properties.size(), 1U);    // outputs ignored
}

TEST(AigerReader, MakesPropertyNamesUnique) {
  Problem p = read("aag 1 1 0 3 0\n2\n2\n3\n2\no0 p\no1 p\no2 o1\n");
  EXPECT_EQ(p.properties[0].name, "p");
  EXPECT_EQ(p.properties[1].name, "p_o1");
  EXPECT_EQ(p.properties[2].name, "o1");
}

TEST(AigerReader, AcceptsTrailingZerosInTheHeader) {
  for (const char* zeros : {"", " 0", " 0 0", " 0 0 0", " 0 0 0 0"})
    EXPECT_EQ(read("aag 1 1 0 1 0" + std::string(zeros) + "\n2\n2\n").properties.size(), 1U);
}

TEST(AigerReader, SortsGatesAndRemembersTheirVariables) {
  // 20 = 18 & 16, 18 = 16 & !2, 16 = 2 & !40: written in reverse, with gaps in the numbering.
  for (const char* max_var : {"99", "2000000000"}) {
    Problem p =
        read("aag " + std::string(max_var) + " 2 0 1 3\n2\n40\n21\n20 18 16\n18 16 3\n16 2 41\n");
    ASSERT_EQ(p.aig().num_ands(), 3U);
    EXPECT_EQ(p.source.file_var, (std::vector<std::uint32_t>{0, 1, 20, 8, 9, 10}));
    EXPECT_EQ(p.aig().gate_of(3).right, AigLit(2, true));
    EXPECT_EQ(p.aig().gate_of(4).left, AigLit(3, false));
    EXPECT_EQ(p.aig().gate_of(5).left, AigLit(4, false));
    EXPECT_EQ(p.properties[0].bad(), AigLit(5, true));
  }
}

TEST(AigerReader, KeepsGatesThatFoldOrRepeat) {
  Problem p = read("aag 4 1 0 1 3\n2\n8\n4 2 0\n6 2 3\n8 2 3\n");
  EXPECT_EQ(p.aig().num_ands(), 3U);
}

TEST(AigerReader, AcceptsCarriageReturnsBlanksAndAMissingLastLineEnd) {
  Problem p = read("aag 2 1 0 1 1\r\n2\r\n4 \r\n4  2   3\r\n\r\ni0 a\r\n\no0 b");
  EXPECT_EQ(p.properties[0].name, "b");
  EXPECT_EQ(p.source.input_names[0], "a");
}

TEST(AigerReader, ReadsBinaryByItsMagicWord) {
  // i0 & !l0 feeds the latch; the output is the latch.
  auto p = aiger::read_aiger("m.aag", std::string_view("aig 3 1 1 1 1\n6\n4\n\x01\x03", 20));
  ASSERT_TRUE(p.ok()) << p.error().text();
  EXPECT_EQ(p->aig().num_ands(), 1U);
  EXPECT_EQ(p->aig().ands()[0].left, AigLit::from_code(5));
  EXPECT_EQ(p->aig().ands()[0].right, AigLit::from_code(2));
  EXPECT_EQ(p->source.file_var, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(AigerReader, MayClaimNothing) {
  auto p = aiger::read_aiger("m.aag", "aag 1 1 0 0 0\n2\n");
  ASSERT_TRUE(p.ok()) << p.error().text();
  EXPECT_TRUE(p->properties.empty());
}

struct Bad {
  const char* what;
  std::string text;
  std::string error;
};

class AigerErrors : public testing::TestWithParam<Bad> {};

TEST_P(AigerErrors, NamePlaceAndCause) {
  EXPECT_EQ(error_of(GetParam().text), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    AigerReader, AigerErrors,
    testing::Values(
        Bad{"empty", "", "m.aag:1:1: error: the file is empty"},
        Bad{"magic", "hello\n",
            "m.aag:1:1: error: expected an AIGER header 'aag M I L O A' or 'aig M I L O A'"},
        Bad{"short_header", "aag 1 1 0\n",
            "m.aag:1:10: error: the header ends after 3 numbers; at least M I L O A are needed"},
        Bad{"word_in_header", "aag 1 1 x 0 0\n",
            "m.aag:1:9: error: expected a number in the header, found 'x 0 0'"},
        Bad{"long_header", "aag 1 1 0 1 0 0 0 0 0 0\n",
            "m.aag:1:23: error: the header has more than 9 numbers"},
        Bad{"huge_number", "aag 99999999999 1 0 1 0\n",
            "m.aag:1:5: error: number in the header is too large"},
        Bad{"sum", "aag 1 1 1 1 0\n", "m.aag:1:5: error: wrong counts: M=1 but I+L+A=2"},
        Bad{"binary_sum", "aig 3 1 1 1 0\n2\n2\n",
            "m.aag:1:5: error: wrong counts: M=3 but I+L+A=2"},
        Bad{"justice", "aag 1 1 0 0 0 1 0 2\n2\n2\n",
            "m.aag:2:1: error: truncated file: the header announces 4 lines or gates, but only 4 "
            "bytes follow (byte offset 20)"},
        Bad{"justice_size", "aag 1 1 0 0 0 0 0 1\n2\n9\n2\n",
            "m.aag:4:1: error: truncated file: 9 justice literals are announced, but only 2 bytes "
            "follow (byte offset 24)"},
        Bad{"odd_input", "aag 1 1 0 1 0\n3\n2\n",
            "m.aag:2:1: error: an input literal must be positive and even, found 3"},
        Bad{"odd_gate", "aag 2 1 0 1 1\n2\n2\n5 2 2\n",
            "m.aag:4:1: error: a gate literal must be positive and even, found 5"},
        Bad{"constant_latch", "aag 1 0 1 1 0\n0 1\n0\n",
            "m.aag:2:1: error: a latch literal must be positive and even, found 0"},
        Bad{"reset", "aag 2 1 1 1 0\n2\n4 2 3\n4\n",
            "m.aag:3:5: error: unsupported reset value 3 of latch 4: only 0, 1 and the latch "
            "itself "
            "(uninitialised)"},
        Bad{"range", "aag 1 1 0 1 0\n2\n14\n",
            "m.aag:3:1: error: literal out of range: an output literal is over 3 (2*M+1)"},
        Bad{"huge_literal", "aag 1 1 0 1 0\n2\n99999999999\n",
            "m.aag:3:1: error: literal out of range: an output literal is over 3 (2*M+1)"},
        Bad{"undefined", "aag 3 1 0 1 1\n2\n4\n4 2 6\n",
            "m.aag:4:5: error: undefined literal 6: variable 3 is no input, latch or gate"},
        Bad{"undefined_next", "aag 3 0 1 1 0\n2 6\n2\n",
            "m.aag:2:3: error: undefined literal 6: variable 3 is no input, latch or gate"},
        Bad{"undefined_output", "aag 3 1 0 1 0\n2\n7\n",
            "m.aag:3:1: error: undefined literal 7: variable 3 is no input, latch or gate"},
        Bad{"twice", "aag 2 1 0 1 1\n2\n2\n2 1 1\n",
            "m.aag:4:1: error: variable 1 is defined twice"},
        Bad{"sparse_twice", "aag 2000000000 1 0 1 1\n2\n2\n2 1 1\n",
            "m.aag:4:1: error: variable 1 is defined twice"},
        Bad{"cycle", "aag 3 1 0 1 2\n2\n4\n4 6 2\n6 4 2\n",
            "m.aag:5:1: error: cyclic gate definition: gate 6 depends on itself through literal 4"},
        Bad{"own_cycle", "aag 2 1 0 1 1\n2\n4\n4 4 2\n",
            "m.aag:4:1: error: cyclic gate definition: gate 4 depends on itself through literal 4"},
        Bad{"missing_gate", "aag 3 1 0 1 2\n2\n4\n4 2 2\n",
            "m.aag:5:1: error: truncated file: expected a gate literal, found the end of the file "
            "(byte offset 24)"},
        Bad{"extra_gate", "aag 2 1 0 1 1\n2\n4\n4 2 2\n6 2 2\n",
            "m.aag:5:1: error: expected a symbol like 'i0 name', a comment section or the end of "
            "the file after the 1 gates of the header, found '6 2 2'"},
        Bad{"counts", "aag 1000 1000 0 1 0\n2\n2\n",
            "m.aag:2:1: error: truncated file: the header announces 1001 lines or gates, but only "
            "4 bytes follow (byte offset 20)"},
        Bad{"binary_cut", std::string("aig 3 1 1 1 1\n6\n4\n\x01", 19),
            "m.aag:4:2: error: truncated file: a gate is cut off (byte offset 19)"},
        Bad{"binary_gate_cut", std::string("aig 4 1 1 1 2\n6\n4\n\x01\x03\x81", 21),
            "m.aag:4:4: error: truncated file: a gate is cut off (byte offset 21)"},
        Bad{"binary_range", std::string("aig 3 1 1 1 1\n6\n4\n\x09\x03", 20),
            "m.aag:4:2: error: literal out of range in gate 6 (byte offset 19)"},
        Bad{"binary_self", std::string("aig 3 1 1 1 1\n6\n4\n\x00\x03", 20),
            "m.aag:4:2: error: literal out of range in gate 6 (byte offset 19)"},
        Bad{"binary_32_bits", std::string("aig 3 1 1 1 1\n6\n4\n\xff\xff\xff\xff\xff\x01\x01", 25),
            "m.aag:4:6: error: gate encoding does not fit 32 bits (byte offset 23)"},
        Bad{"binary_inputs", "aig 4000000 4000000 0 1 0\n9000000\n",
            "m.aag:2:1: error: literal out of range: an output literal is over 8000001 (2*M+1)"},
        Bad{"binary_many_inputs", "aig 2000000000 2000000000 0 1 0\n2\n",
            "m.aag:1:5: error: unsupported: 2000000000 variables"},
        Bad{"symbol_range", "aag 1 1 0 1 0\n2\n2\ni1 x\n",
            "m.aag:4:1: error: symbol i1 is out of range: the file has 1"},
        Bad{"symbol_twice", "aag 1 1 0 1 0\n2\n2\ni0 x\ni0 y\n",
            "m.aag:5:1: error: symbol i0 is given twice"},
        Bad{"symbol_name", "aag 1 1 0 1 0\n2\n2\ni0\n",
            "m.aag:4:3: error: expected a space and a name in the symbol table, found the end of "
            "the line"},
        Bad{"justice_symbol", "aag 1 1 0 1 0\n2\n2\nj0 x\n",
            "m.aag:4:1: error: symbol j0 is out of range: the file has 0"},
        Bad{"words", "aag 1 1 0 1 0\n2\n2 3\n",
            "m.aag:3:3: error: expected the end of the line after an output literal, found '3'"}),
    [](const auto& each) { return std::string(each.param.what); });

class ReadProblem : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "lem_frontend_" + std::to_string(::getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
    return folder_ + "/" + name;
  }
  std::string folder_;
};

TEST_F(ReadProblem, ReadsByExtension) {
  auto problem = read_problem(write("a.aag", "aag 1 1 0 1 0\n2\n2\n"));
  ASSERT_TRUE(problem.ok());
  EXPECT_EQ(problem->source.format, "aiger");
  EXPECT_EQ(problem->source.file, folder_ + "/a.aag");
  EXPECT_TRUE(read_problem(write("b.aig", "aag 1 1 0 1 0\n2\n2\n")).ok());
}

TEST_F(ReadProblem, TellsMissingFilesAndDirectoriesFromBadOnes) {
  EXPECT_EQ(read_problem(folder_ + "/none.aag").error().kind, ErrorKind::NotFound);
  EXPECT_EQ(read_problem(folder_).error().kind, ErrorKind::NotFound);
  std::filesystem::create_directories(folder_ + "/dir.aag");
  EXPECT_EQ(read_problem(folder_ + "/dir.aag").error().kind, ErrorKind::NotFound);
  EXPECT_EQ(read_problem(write("bad.aag", "aag")).error().kind, ErrorKind::BadInput);
  EXPECT_EQ(read_problem(write("empty.aag", "")).error().kind, ErrorKind::BadInput);
}

TEST_F(ReadProblem, UnreadableFileIsNotFound) {
  std::string path = write("locked.aag", "aag 1 1 0 1 0\n2\n2\n");
  ::chmod(path.c_str(), 0);
  if (::access(path.c_str(), R_OK) == 0) GTEST_SKIP() << "this user may read everything";
  EXPECT_EQ(read_problem(path).error().kind, ErrorKind::NotFound);
}

TEST_F(ReadProblem, UnknownExtensionListsTheFormats) {
  auto problem = read_problem(write("a.txt", "x"));
  ASSERT_FALSE(problem.ok());
  EXPECT_EQ(problem.error().kind, ErrorKind::Usage);
  EXPECT_NE(problem.error().message.find(".aag .aig"), std::string::npos);
}

}  // namespace
}  // namespace lem::frontend
