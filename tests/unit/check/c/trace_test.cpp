#include "writer/c_trace.h"

#include "evidence_support.h"
#include "support/unchecked.h"

namespace lem::check {
namespace {

TEST(CTrace, SaysLineStatementChangesAndInputs) {
  TestProgram program(kHead +
                      "int total = 2;\n"
                      "int main(void) {\n"
                      "  int x = __VERIFIER_nondet_int();\n"
                      "  total = total + x;\n"
                      "  if (total == 7)\n"
                      "    reach_error();\n"
                      "  return 0;\n"
                      "}\n");
  ASSERT_TRUE(program.ok());
  std::optional<CfaTrace> trace = program.find_run({5});
  ASSERT_TRUE(trace);
  EXPECT_EQ(writer::c_trace_text(program.problem(), ctext::CText(program.text()),
                                 test::unchecked(*trace)),
            "        (globals)                         total = 2\n"
            "    10  int x = __VERIFIER_nondet_int();  x = 5 <- __VERIFIER_nondet_int\n"
            "    11  total = total + x;                total = 7\n"
            "    12  if (total == 7)\n"
            "    13  reach_error();\n");
}

}  // namespace
}  // namespace lem::check
