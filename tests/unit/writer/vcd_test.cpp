#include "writer/vcd.h"

#include <gtest/gtest.h>

#include <set>

#include "frontend/aiger/aiger.h"
#include "frontend/btor2/btor2.h"
#include "support/unchecked.h"
#include "writer/waves.h"

namespace lem::writer {
namespace {

TEST(Vcd, ShowsNamedSignalsAndChangesOnly) {
  auto p = aiger::read_aiger("m.aag", "aag 3 1 1 1 1\n2\n4 6\n4\n6 5 2\ni0 data in\nl0 data in\n");
  ASSERT_TRUE(p.ok());
  Trace trace{{false}, {{true}, {true}, {false}}};
  EXPECT_EQ(write_vcd(*p, test::unchecked(trace)),
            "$version lemmata $end\n$timescale 1 ns $end\n$scope module model $end\n"
            "$var wire 1 ! data_in $end\n$var wire 1 \" data_in_2 $end\n$var wire 1 # o0 $end\n"
            "$upscope $end\n$enddefinitions $end\n"
            "#0\n$dumpvars\n1!\n0\"\n0#\n$end\n#1\n1\"\n1#\n#2\n0!\n0\"\n0#\n#3\n");
}

TEST(Vcd, ManySignalsGetDistinctCodes) {
  std::string text = "aag 200 200 0 1 0\n";
  for (int i = 1; i <= 200; ++i) text += std::to_string(2 * i) + "\n";
  auto p = aiger::read_aiger("m.aag", text + "2\n");
  ASSERT_TRUE(p.ok());
  std::string vcd = write_vcd(*p, test::unchecked(Trace{{}, {std::vector<bool>(200, true)}}));
  std::set<std::string> codes;
  for (std::size_t at = vcd.find("wire 1 "); at != vcd.npos; at = vcd.find("wire 1 ", at + 1))
    codes.insert(vcd.substr(at + 7, vcd.find(' ', at + 7) - at - 7));
  EXPECT_EQ(codes.size(), 201U);
}

TEST(Vcd, WordsAreVectors) {
  auto store = std::make_shared<TermStore>();
  TransitionSystemBuilder builder(store);
  Term x = builder.add_state("x", store->bv_sort(3));
  Term go = builder.add_input("go", store->bool_sort());
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  Problem problem;
  problem.model = *system;
  problem.properties = {{"bad", store->make_and(go, store->make_eq(x, store->bv(5, 3))), "b0"}};
  TermTrace trace{
      {{{store->bv(1, 3)}, {store->boolean(true)}}, {{store->bv(5, 3)}, {store->boolean(true)}}}};
  EXPECT_EQ(write_vcd(problem, test::unchecked(trace)),
            "$version lemmata $end\n$timescale 1 ns $end\n$scope module model $end\n"
            "$var wire 1 ! go $end\n$var wire 3 \" x [2:0] $end\n$var wire 1 # bad $end\n"
            "$upscope $end\n$enddefinitions $end\n"
            "#0\n$dumpvars\n1!\nb001 \"\n0#\n$end\n#1\nb101 \"\n1#\n#2\n");
}

TEST(Vcd, NamesAreSplitOutsideBracketsAndEscapes) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(split_name("a"), Parts{"a"});
  EXPECT_EQ(split_name("g[0].u.q"), (Parts{"g[0]", "u", "q"}));
  EXPECT_EQ(split_name("m[a.b].q"), (Parts{"m[a.b]", "q"}));
  EXPECT_EQ(split_name("u.\\x.y"), (Parts{"u", "\\x.y"}));
  EXPECT_EQ(split_name(".a."), Parts{".a."});
}

TEST(Vcd, BitsOfAnAigAreBuses) {
  auto p = aiger::read_aiger("m.aag",
                             "aag 4 4 0 1 0\n2\n4\n6\n8\n2\n"
                             "i0 u.x[0]\ni1 u.x[1]\ni2 y[0]\ni3 y[2]\n");
  ASSERT_TRUE(p.ok());
  std::string vcd = write_vcd(
      *p, test::unchecked(Trace{{}, {{true, false, true, false}, {false, true, true, true}}}));
  EXPECT_EQ(vcd,
            "$version lemmata $end\n$timescale 1 ns $end\n$scope module model $end\n"
            "$var wire 1 \" y[0] $end\n$var wire 1 # y[2] $end\n$var wire 1 $ o0 $end\n"
            "$scope module u $end\n$var wire 2 ! x [1:0] $end\n$upscope $end\n"
            "$upscope $end\n$enddefinitions $end\n"
            "#0\n$dumpvars\nb01 !\n1\"\n0#\n1$\n$end\n#1\nb10 !\n1#\n0$\n#2\n");
}

// A counter that Yosys would write: a nameless helper, an alias in an instance, a memory of which
// one word changes.
constexpr const char* kDesign = R"(1 sort bitvec 1
2 sort bitvec 2
3 input 1 clk ; t.sv:1.2-1.3
4 state 2 u.count
5 zero 2
6 init 2 4 5
7 one 2
8 add 2 4 7
9 next 2 4 8
10 state 1
11 sort array 2 2
12 state 11 mem
13 write 11 12 4 7
14 next 11 12 13 mem
15 eq 1 4 7
16 uext 1 15 0 u.is_one ; t.sv:3.4-3.5
17 uext 1 10 0 _witness_.anyseq_1
18 bad 15 t.sv:5.6-5.9 ; t.sv:9.1-9.2|t.sv:5.6-5.9
)";

TEST(Vcd, ShowsNamedNodesAndWordsThatChange) {
  auto p = btor2::read_btor2("m.btor2", kDesign);
  ASSERT_TRUE(p.ok()) << p.error().text();
  EXPECT_EQ(p->properties[0].at.file, "t.sv");
  EXPECT_EQ(p->properties[0].at.line, 5U);
  EXPECT_EQ(p->properties[0].at.column, 6U);
  TermStore& terms = p->system().terms();
  Term empty = terms.make_const_array(terms.sort(p->system().states()[2].current), terms.bv(0, 2));
  Term written = terms.make_store(empty, terms.bv(0, 2), terms.bv(1, 2));
  Term off = terms.bv(0, 1);
  TermTrace trace{{{{terms.bv(0, 2), off, empty}, {off}}, {{terms.bv(1, 2), off, written}, {off}}}};
  EXPECT_EQ(write_vcd(*p, test::unchecked(trace)),
            "$version lemmata $end\n$timescale 1 ns $end\n$scope module model $end\n"
            "$var wire 1 ! clk $end\n$var wire 2 # mem[0] [1:0] $end\n"
            "$var wire 1 % t.sv:5.6-5.9 $end\n"
            "$scope module u $end\n$var wire 2 \" count [1:0] $end\n$var wire 1 $ is_one $end\n"
            "$upscope $end\n$upscope $end\n$enddefinitions $end\n"
            "#0\n$dumpvars\n0!\nb00 \"\nb00 #\n0$\n0%\n$end\n"
            "#1\nb01 \"\nb01 #\n1$\n1%\n#2\n");
}

TEST(Vcd, OfADesignTheClockTicksAndMemoriesHaveTheirAddresses) {
  auto p = btor2::read_btor2("m.btor2", kDesign);
  ASSERT_TRUE(p.ok());
  TermStore& terms = p->system().terms();
  Term empty = terms.make_const_array(terms.sort(p->system().states()[2].current), terms.bv(0, 2));
  Term written = terms.make_store(empty, terms.bv(1, 2), terms.bv(1, 2));
  Term off = terms.bv(0, 1);
  TermTrace trace{{{{terms.bv(0, 2), off, empty}, {off}}, {{terms.bv(1, 2), off, written}, {off}}}};
  VerilogSource design;
  design.top = "top";
  design.clock = VerilogSource::Clock{"clk", true};
  design.memories["mem"] = {4, 3};
  design.signals["u.count"] = {4, true, {{"00", "IDLE"}}};
  EXPECT_EQ(write_vcd(*p, test::unchecked(trace), &design),
            "$version lemmata $end\n$timescale 1 ns $end\n$scope module top $end\n"
            "$var wire 1 ! clk $end\n$var wire 2 $ mem[5] [1:0] $end\n"
            "$scope module u $end\n$var wire 2 \" count [4:5] $end\n"
            "$var string 1 # count_name $end\n$var wire 1 % is_one $end\n$upscope $end\n"
            "$scope module properties $end\n$var wire 1 & t.sv:5.6-5.9 $end\n$upscope $end\n"
            "$upscope $end\n$enddefinitions $end\n"
            "#0\n$dumpvars\n0!\nb00 \"\nsIDLE #\nb00 $\n0%\n0&\n$end\n"
            "#10\n1!\nb01 \"\ns? #\nb01 $\n1%\n1&\n#15\n0!\n#20\n");
}

}  // namespace
}  // namespace lem::writer
