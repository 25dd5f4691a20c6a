#include "writer/st_invariant.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/st/st.h"
#include "support/random_walk.h"
#include "term/traverse.h"

namespace lem::writer {
namespace {

StProgram program_of(const std::string& statement, int start) {
  Result<StProgram> program =
      read_st("p.st",
              fmt::format("PROGRAM p VAR n : INT := {}; holds : BOOL; END_VAR {} END_PROGRAM",
                          start, statement),
              {});
  EXPECT_TRUE(program.ok()) << program.error().text() << " in " << statement;
  return *program;
}

Term variable(const StProgram& program, std::string_view name) {
  for (Term each : program.cfa.variables())
    if (program.cfa.terms().name(each) == name) return each;
  ADD_FAILURE() << name;
  return {};
}

/// What the text of a formula is, when a program with this value of n computes it.
bool computed(const std::string& text, int n) {
  StProgram program = program_of("holds := " + text + "; //#ASSERT n = n : a\n", n);
  CfaTrace trace = test::RandomWalk(program.cfa, 1).run(program.source->cycle_end, 1);
  const auto& variables = program.cfa.variables();
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (program.cfa.terms().name(variables[i]) == "holds")
      return program.cfa.terms().is_true(trace.values.back()[i]);
  ADD_FAILURE();
  return false;
}

TEST(StInvariant, QuotientsAndRemaindersMeanTheSameWhenReadAgain) {
  StProgram program = program_of("holds := n > 3; //#ASSERT n = n : a\n", 0);
  TermStore& terms = program.cfa.terms();
  Term n = variable(program, "n");
  int texts = 0;
  for (Op op : {Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem, Op::BvSmod})
    for (int by : {1, 2, 7, 300, -3}) {
      Term quotient = terms.make(op, {n, terms.bv(by, 16)});
      Term formula = terms.make(Op::BvSlt, {quotient, terms.bv(2, 16)});
      std::optional<std::string> text = st_expression(program, formula);
      if (op == Op::BvSmod && by < 0) {
        EXPECT_FALSE(text);
        continue;
      }
      ASSERT_TRUE(text) << static_cast<int>(op) << " " << by;
      ++texts;
      for (int value :
           {0, 1, 2, 5, 6, 7, 8, 299, 300, 900, 32767, -1, -2, -6, -7, -8, -301, -32768}) {
        TermMap map{{n, terms.bv(value, 16)}};
        EXPECT_EQ(computed(*text, value), terms.is_true(evaluate(terms, formula, map)))
            << *text << " for " << value;
      }
    }
  EXPECT_EQ(texts, 24);
}

TEST(StInvariant, DivisionsThatTheLanguageDoesNotHaveHaveNoWords) {
  StProgram program = program_of("holds := n > 3; //#ASSERT n = n : a\n", 0);
  TermStore& terms = program.cfa.terms();
  Term n = variable(program, "n");
  auto text = [&](Op op, Term by) {
    return st_expression(program,
                         terms.make(Op::BvSlt, {terms.make(op, {n, by}), terms.bv(2, 16)}));
  };
  for (Op op : {Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem, Op::BvSmod})
    EXPECT_FALSE(text(op, n)) << "by zero, the language stops";
  EXPECT_FALSE(text(Op::BvSdiv, terms.bv(-1, 16))) << "overflows";
  EXPECT_FALSE(text(Op::BvSmod, terms.bv(30000, 16))) << "the sum would overflow";
}

}  // namespace
}  // namespace lem::writer
