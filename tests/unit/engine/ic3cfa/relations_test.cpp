// Relations in place of values: loops whose preimages are points on a line.
#include "engine/ic3cfa/relations.h"

#include <gtest/gtest.h>

#include "support/ic3cfa_run.h"

namespace lem::engine {
namespace {

class Relations : public ::testing::Test {
 protected:
  Term variable(const char* name) { return t.variable(name, t.bv_sort(8)); }
  Lit equal(Term a, int value) { return literals.of(t.make_eq(a, t.bv(value, 8))); }
  std::vector<Term> relations(std::vector<Lit> cube) {
    std::vector<Term> formulas;
    for (Lit lit : of.implied_by(LocationId{1}, cube)) formulas.push_back(literals.formula(lit));
    return formulas;
  }
  static bool has(const std::vector<Term>& all, Term formula) {
    return std::find(all.begin(), all.end(), formula) != all.end();
  }

  test::Ic3cfaRun run;
  Context context = run.context();
  TermStore t;
  CfaLiterals literals{t};
  CfaRelations of{t, literals, 2, 0, context};
  Term x = variable("x"), y = variable("y"), s = variable("s");
};

TEST_F(Relations, WaitForASecondCubeOfTheShape) {
  EXPECT_TRUE(relations({equal(x, 5), equal(y, 9)}).empty());
  EXPECT_TRUE(relations({equal(x, 5), equal(s, 9)}).empty()) << "another shape";
  EXPECT_FALSE(relations({equal(x, 6), equal(y, 8)}).empty());
}

/// s + 1 != y & x = 1, then s + 2 != y & x = 2.
TEST_F(Relations, ShiftConstantsIntoVariables) {
  auto cube = [&](int k) {
    Term later = t.make(Op::BvAdd, {s, t.bv(k, 8)});
    return std::vector{literals.of(t.make_not(t.make_eq(later, y))), equal(x, k)};
  };
  relations(cube(1));
  Term sum = t.make(Op::BvAdd, {s, x});
  EXPECT_TRUE(has(relations(cube(2)), t.make_not(t.make_eq(sum, y))));
}

TEST_F(Relations, LieOnLinesThroughTheFirstCube) {
  relations({equal(x, 10), equal(y, 20)});
  EXPECT_TRUE(
      has(relations({equal(x, 11), equal(y, 21)}), t.make_eq(t.make_bv_sub(x, y), t.bv(-10, 8))));
  EXPECT_TRUE(has(relations({equal(x, 7), equal(y, 23)}),
                  t.make_eq(t.make(Op::BvAdd, {x, y}), t.bv(30, 8))));
  Term steep = t.make_bv_sub(t.make(Op::BvMul, {t.bv(2, 8), x}), y);
  EXPECT_TRUE(has(relations({equal(x, 12), equal(y, 24)}), t.make_eq(steep, t.bv(0, 8))));
}

TEST_F(Relations, AreOrdersWhereTheseFollow) {
  Lit low = literals.of(t.make_bv_sle(x, t.bv(4, 8)));
  Lit high = literals.of(t.make(Op::BvSlt, {t.bv(4, 8), y}));
  relations({low, high});
  std::vector<Term> found = relations({low, high});
  EXPECT_TRUE(has(found, t.make(Op::BvSlt, {x, y})));
  EXPECT_FALSE(has(found, t.make(Op::BvUlt, {x, y}))) << "x may be negative";
}

/// Whatever is found is implied: that is what makes a lemma of it block the cube.
TEST_F(Relations, AreImpliedByTheCube) {
  auto solver = smt::make_z3(t, smt::Workload::Single, {});
  for (int k = 0; k < 12; ++k) {
    Term later = t.make(Op::BvAdd, {s, t.bv(7 * k, 8)});
    std::vector<Lit> cube{equal(x, 250 + k), equal(y, 3 * k), literals.of(t.make_eq(later, y))};
    for (Term relation : relations(cube)) {
      smt::Scope scope(*solver);
      solver->add(literals.conjunction(cube));
      solver->add(t.make_not(relation));
      EXPECT_EQ(solver->solve(), smt::Answer::Unsat);
    }
  }
}

/// res := a, cnt := b; while cnt != 0: res := res + 1, cnt := cnt - 1; then res = a + b. With 32
/// bits no search over values of cnt ends.
TEST(Ic3cfaRelations, EndSearchesAlongALoop) {
  CfaBuilder b(std::make_shared<TermStore>());
  TermStore& t = b.terms();
  Sort ints = t.bv_sort(32);
  Term first = b.add_variable("a", ints), second = b.add_variable("b", ints);
  Term res = b.add_variable("res", ints), cnt = b.add_variable("cnt", ints);
  Term one = t.bv(1, 32), done = t.make_eq(cnt, t.bv(0, 32));
  LocationId start = b.add_location("start"), loop = b.add_location("loop");
  LocationId error = b.add_location("error");
  b.set_initial(start);
  b.set_error(error);
  b.add_edge(start, Command::sequence({Command::assign(res, first), Command::assign(cnt, second)}),
             loop);
  b.add_edge(loop,
             Command::sequence({Command::assume(t.make_not(done)),
                                Command::assign(res, t.make(Op::BvAdd, {res, one})),
                                Command::assign(cnt, t.make_bv_sub(cnt, one))}),
             loop);
  Term expected = t.make(Op::BvAdd, {first, second});
  b.add_edge(loop, Command::assume(t.make_and(done, t.make_not(t.make_eq(res, expected)))), error);
  auto cfa = std::move(b).freeze();
  ASSERT_TRUE(cfa.ok());
  test::Ic3cfaRun run;
  EXPECT_FALSE(run.reached(*cfa));
  EXPECT_GT(run.counted("related"), 0U);
  EXPECT_LT(run.counted("depth"), 8U);
}

}  // namespace
}  // namespace lem::engine
