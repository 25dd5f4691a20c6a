#include "unit/frontend/st/support.h"

namespace lem::st::test {
namespace {

constexpr const char* kProgram =
    "FUNCTION F : INT VAR_INPUT x : INT; y : INT := 3; END_VAR F := x + y; END_FUNCTION "
    "FUNCTION_BLOCK B VAR_INPUT in : INT; END_VAR VAR_OUTPUT out : INT; END_VAR out := in; "
    "END_FUNCTION_BLOCK "
    "PROGRAM p VAR i : INT; b : B; a : ARRAY [0..1] OF B; END_VAR END_PROGRAM";

/// Bodies that do nothing, counted.
struct Bodies final : BodyRunner {
  Status run(const Body&) override {
    ++count;
    return Ok{};
  }
  std::size_t count = 0;
};
struct Never final : PreviousValues {
  Result<Term> previous(const Expr&) override { return Error{{}, "no cycle before"}; }
};

struct StCalls : ::testing::Test {
  StCalls() { p.expressions.set_caller(calls); }
  Parts p{kProgram};
  Bodies bodies;
  Never never;
  StandardFunctions standard{p.context, p.expressions, never};
  Calls calls{p.context, p.expressions, standard, bodies};
  std::string statement(const std::string& text) {
    Status done = calls.call_statement(*p.parse(text), kHere);
    return done ? "" : done.error().message;
  }
};

TEST_F(StCalls, OmittedInputsOfFunctionsHaveTheirInitialValues) {
  ASSERT_TRUE(p.eval("F(i)").ok());
  EXPECT_EQ(bodies.count, 1U);
  EXPECT_FALSE(calls.writes_outside(0, p.cfa.mark())) << "only variables of F and values put aside";
  EXPECT_EQ(p.error_of("F(1, 2, 3)"), "'F' has 2 inputs");
  EXPECT_EQ(p.error_of("F(x := 1, x := 2)"), "'x' is given twice");
  EXPECT_EQ(p.error_of("F(z := 1)"), "'F' has no input 'z'");
}

TEST_F(StCalls, InstancesTakeInputsAndGiveOutputs) {
  EXPECT_EQ(statement("b(in := 4, out => i)"), "");
  EXPECT_TRUE(calls.writes_outside(0, p.cfa.mark()));
  EXPECT_EQ(statement("b(in := 4, none => i)"), "'B' has no output 'none'");
  EXPECT_EQ(statement("a[i](in := 4)"),
            "calls of instances under a variable index are not supported");
  EXPECT_EQ(statement("i(3)"),
            "only functions and instances of function blocks can be called, not INT");
  EXPECT_EQ(statement("B(in := 1)"), "");
}

TEST_F(StCalls, OwnCallsAreThoseOfTheProgram) {
  EXPECT_TRUE(has_own_call(p.context, *p.parse("1 + F(i)")));
  EXPECT_FALSE(has_own_call(p.context, *p.parse("ABS(i)")));
}

TEST_F(StCalls, RecursionIsAnError) {
  Frame open{p.program->find_pou("f"), p.context.entry_frame.self};
  InFrame inside(p.context, open);
  EXPECT_EQ(p.error_of("F(1)"), "recursion: 'F' calls itself");
}

}  // namespace
}  // namespace lem::st::test
