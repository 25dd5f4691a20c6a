#include "writer/vcd.h"

#include <gtest/gtest.h>

#include <set>

#include "frontend/aiger/aiger.h"
#include "support/unchecked.h"

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
            "$var wire 1 ! go $end\n$var wire 3 \" x $end\n$var wire 1 # bad $end\n"
            "$upscope $end\n$enddefinitions $end\n"
            "#0\n$dumpvars\n1!\nb001 \"\n0#\n$end\n#1\nb101 \"\n1#\n#2\n");
}

}  // namespace
}  // namespace lem::writer
