// Projection: literals without the eliminated variables that hold in the model and imply that there
// are values for those. The implication is checked by Z3 with quantifiers, apart from our adaptor.
#include "smt/projection.h"

#include <gtest/gtest.h>
#include <z3++.h>

#include <algorithm>
#include <string>

#include "smt/smt_solver.h"
#include "smt/z3_terms.h"
#include "support/random_terms.h"
#include "term/smtlib/printer.h"

namespace lem::smt {
namespace {

class Judge {
 public:
  explicit Judge(TermStore& terms) : terms_(terms), translate_(ctx_, terms), solver_(ctx_) {
    solver_.set("timeout", 60U);
  }
  void expect_projection(Term formula, std::span<const Term> eliminate, const TermMap& model,
                         const std::vector<Term>& literals) {
    Term cube = terms_.make_and(literals);
    for (Term variable : variables_of(terms_, cube))
      EXPECT_EQ(std::find(eliminate.begin(), eliminate.end(), variable), eliminate.end());
    EXPECT_TRUE(terms_.is_true(evaluate(terms_, cube, model))) << "contains the model";
    EXPECT_TRUE(implies_some(cube, formula, eliminate))
        << smtlib::term_text(terms_, cube) << " of " << smtlib::term_text(terms_, formula);
  }

 private:
  /// Whether the cube implies (exists eliminate. formula); true if Z3 does not know.
  bool implies_some(Term cube, Term formula, std::span<const Term> eliminate) {
    z3::expr_vector bound(ctx_);
    for (Term variable : eliminate) bound.push_back(translate_.to_z3(variable));
    z3::expr never = !translate_.to_z3(formula);
    solver_.reset();
    solver_.add(translate_.to_z3(cube));
    solver_.add(bound.empty() ? never : z3::forall(bound, never));
    return solver_.check() != z3::sat;
  }

  TermStore& terms_;
  z3::context ctx_;
  Z3Terms translate_;
  z3::solver solver_;
};

/// Solves and projects with Z3's adaptor and by values alone.
std::vector<Term> project(TermStore& terms, Term formula, std::vector<Term> eliminate) {
  std::unique_ptr<SmtSolver> solver = make_z3(terms, Workload::Stream, {});
  solver->add(formula);
  EXPECT_EQ(solver->solve(), Answer::Sat);
  std::optional<std::vector<Term>> literals = solver->projector()->project(formula, eliminate);
  TermMap model;
  for (Term variable : variables_of(terms, formula)) model[variable] = solver->value(variable);
  EXPECT_TRUE(literals.has_value());
  if (!literals) return {};
  Judge judge(terms);
  judge.expect_projection(formula, eliminate, model, *literals);
  std::optional<std::vector<Term>> by_values = project_by_values(terms, formula, eliminate, model);
  EXPECT_TRUE(by_values.has_value());
  if (by_values) judge.expect_projection(formula, eliminate, model, *by_values);
  return *literals;
}

class Projection : public testing::Test {
 protected:
  Term integer(const char* name) { return t.variable(name, t.int_sort()); }
  Term word(const char* name) { return t.variable(name, t.bv_sort(2)); }
  TermStore t;
  Term x = integer("x"), y = integer("y"), z = integer("z");
};

TEST_F(Projection, CombinesBounds) {
  Term between = t.make_and(t.make_le(x, y), t.make_le(y, z));
  EXPECT_EQ(t.make_and(project(t, between, {y})), t.make_le(x, z));
}

TEST_F(Projection, SolvesEquations) {
  Term formula = t.make_and(t.make_eq(y, t.make_add(x, t.integer(1))), t.make_le(y, z));
  EXPECT_EQ(t.make_and(project(t, formula, {y})), t.make_lt(x, z));
}

TEST_F(Projection, TakesTheTightestBoundOfTheModel) {
  Term r = t.variable("r", t.real_sort()), s = t.variable("s", t.real_sort());
  Term u = t.variable("u", t.real_sort());
  // s < r, 0 <= r, r <= u: in the model s is the tighter bound from below, and strict.
  Term formula =
      t.make_and(std::vector<Term>{t.make_lt(s, r), t.make_le(t.real(0), r), t.make_le(r, u)});
  TermMap model{{s, t.real(1)}, {r, t.real(2)}, {u, t.real(3)}};
  std::vector<Term> eliminate{r};
  auto literals = make_linear_projector(t)->project(formula, eliminate, model);
  ASSERT_TRUE(literals.has_value());
  Judge(t).expect_projection(formula, eliminate, model, *literals);
  Term cube = t.make_and(*literals);
  EXPECT_TRUE(t.is_false(evaluate(t, cube, {{s, t.real(3)}, {u, t.real(3)}}))) << "s < u";
  EXPECT_TRUE(t.is_false(evaluate(t, cube, {{s, t.real(-1)}, {u, t.real(3)}}))) << "0 <= s";
  EXPECT_TRUE(t.is_true(evaluate(t, cube, {{s, t.real(0)}, {u, t.real(1)}})));
}

TEST_F(Projection, LeavesFactorsOfIntegersToOthers) {
  Term formula = t.make_and(t.make_le(y, t.make_mul(t.integer(2), x)),
                            t.make_le(t.make_mul(t.integer(3), x), z));
  TermMap model{{x, t.integer(1)}, {y, t.integer(2)}, {z, t.integer(3)}};
  std::vector<Term> eliminate{x};
  EXPECT_FALSE(make_linear_projector(t)->project(formula, eliminate, model).has_value());
}

TEST_F(Projection, EliminatesNothing) {
  Term formula = t.make_le(x, y);
  EXPECT_EQ(t.make_and(project(t, formula, {})), formula);
}

/// Each of these ended the process: an assertion about a value that the model leaves open
/// (spacer_qe_project.cpp lines 495 and 652), about array indices that are no numbers (line 2135).
TEST_F(Projection, SurvivesBranchesThatDoNotMatter) {
  Term chosen = t.make_ite(t.make_le(x, t.integer(-1)), y, z);
  project(t, t.make_le(chosen, t.integer(-1)), {x, z});
  project(t, t.make_le(chosen, t.integer(-1)), {x});
  project(t, t.make_le(chosen, t.integer(-1)), {y});
}

TEST_F(Projection, SurvivesArraysOverWords) {
  Sort memory = t.array_sort(t.bv_sort(2), t.bv_sort(3));
  Term a = t.variable("a", memory), b = t.variable("b", memory);
  Term written = t.make_store(a, t.bv(2, 2), t.make_select(b, word("i")));
  Term formula =
      t.make_not(t.make(Op::BvUlt, {t.make_select(written, word("j")),
                                    t.make_select(a, t.make(Op::BvOr, {word("i"), word("j")}))}));
  project(t, formula, {a});
  project(t, formula, {word("i"), a});
  project(t, formula, {b});
}

/// Z3 projects these to false.
TEST_F(Projection, KeepsTheModelOfDifferentArrays) {
  Sort memory = t.array_sort(t.int_sort(), t.int_sort());
  Term a = t.variable("a", memory), b = t.variable("b", memory);
  Term differ = t.make_not(t.make_eq(a, b));
  project(t, differ, {a});
  project(t, differ, {a, b});
  project(t, t.make_not(t.make_eq(a, t.make_store(b, x, y))), {a, y});
}

TEST_F(Projection, SolvesArrayEquations) {
  Sort memory = t.array_sort(t.int_sort(), t.int_sort());
  Term a = t.variable("a", memory), b = t.variable("b", memory);
  Term formula =
      t.make_and(t.make_eq(b, t.make_store(a, x, y)), t.make_eq(t.make_select(b, x), t.integer(3)));
  EXPECT_EQ(t.make_and(project(t, formula, {b})), t.make_eq(y, t.integer(3)));
}

TEST_F(Projection, GivesUpOnIrrationalModels) {
  Term r = t.variable("r", t.real_sort()), s = t.variable("s", t.real_sort());
  Term formula = t.make_and(t.make_eq(t.make_mul(r, r), t.real(2)), t.make_lt(r, s));
  std::unique_ptr<SmtSolver> solver = make_z3(t, Workload::Stream, {});
  solver->add(formula);
  ASSERT_EQ(solver->solve(), Answer::Sat);
  EXPECT_FALSE(solver->projector()->project(formula, {&s, 1}).has_value());
}

TEST_F(Projection, NeedsAModelOfTheFormula) {
  EXPECT_FALSE(project_by_values(t, t.make_le(x, y), {}, {{x, t.integer(1)}, {y, t.integer(0)}})
                   .has_value());
}

TEST_F(Projection, HoldsForRandomFormulas) {
  const std::vector<test::Theory> theories = {{{2, 3}},
                                              {{}, true},
                                              {{}, false, true},
                                              {{}, true, true},
                                              {{2, 3}, false, false, true},
                                              {{}, true, false, true}};
  int projected = 0;
  int given_up = 0;
  int by_rows = 0;
  for (const test::Theory& theory : theories)
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      test::RandomTerms random(seed, theory);
      TermStore& terms = random.t;
      std::vector<Term> formulas;
      for (int i = 0; i < 50; ++i)
        if (Term term = random.grow().term;
            terms.sort(term) == terms.bool_sort() && dag_size(terms, term) < 30)
          formulas.push_back(term);
      std::unique_ptr<SmtSolver> solver = make_z3(terms, Workload::Stream, {});
      solver->limit_time(300);
      Judge judge(terms);
      for (std::size_t i = 0; i + 1 < formulas.size(); ++i) {
        Term formula = terms.make_and(formulas[i], terms.make_not(formulas[i + 1]));
        if (solver->solve({&formula, 1}) != Answer::Sat) continue;
        std::vector<Term> eliminate;
        TermMap model;
        for (Term variable : variables_of(terms, formula)) {
          if ((variable.id() + i) % 2 == 0) eliminate.push_back(variable);
          model[variable] = solver->value(variable);
        }
        SCOPED_TRACE("seed " + std::to_string(seed) + " formula " + std::to_string(i));
        auto literals = solver->projector()->project(formula, eliminate);
        given_up += literals ? 0 : 1;
        if (!literals) continue;
        ++projected;
        judge.expect_projection(formula, eliminate, model, *literals);
        auto by_values = project_by_values(terms, formula, eliminate, model);
        ASSERT_TRUE(by_values.has_value());
        judge.expect_projection(formula, eliminate, model, *by_values);
        auto linear = make_linear_projector(terms)->project(formula, eliminate, model);
        if (!linear) continue;
        ++by_rows;
        judge.expect_projection(formula, eliminate, model, *linear);
      }
    }
  EXPECT_GT(projected, 100);
  EXPECT_GT(by_rows, 50);
  EXPECT_LT(given_up, 10);
}

}  // namespace
}  // namespace lem::smt
