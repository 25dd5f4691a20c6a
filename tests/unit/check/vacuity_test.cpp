// Vacuous proofs are recognised, others are not called so.
#include "check/vacuity.h"

#include <gtest/gtest.h>

#include "check/certify.h"

namespace lem::check {
namespace {

using Why = std::optional<std::string>;
constexpr Vacuity::Budget kEnough(60);

Why vacuous(const Problem& problem, const Certificate& certificate, Term premise = {}) {
  auto certified = certify(problem, Safe{certificate}, {});
  EXPECT_TRUE(certified.ok()) << certified.error().message;
  return Vacuity().of(problem, certificate, premise, kEnough, {});
}

// Bits --------------------------------------------------------------------------------------------

/// A latch that starts at 0 and takes the input; bad: never.
Problem latch(std::vector<AigLit> (*constraints)(AigLit input, AigLit latch)) {
  AigBuilder builder;
  AigLit input = builder.add_input();
  AigLit state = builder.add_latch(Reset::Zero);
  builder.set_next(state, input);
  for (AigLit lit : constraints(input, state)) builder.add_constraint(lit);
  return {std::move(builder).freeze(), {{"b", kAigFalse}}, {}};
}

TEST(VacuityOfBits, ConstraintsThatContradict) {
  EXPECT_EQ(vacuous(latch([](AigLit i, AigLit) {
                      return std::vector{i, !i};
                    }),
                    InductiveInvariant{}),
            Why("no run satisfies the constraints"));
  EXPECT_EQ(vacuous(latch([](AigLit, AigLit l) { return std::vector{l}; }), InductiveInvariant{}),
            Why("no run satisfies the constraints"));
}

TEST(VacuityOfBits, ConstraintsThatAllowOneStep) {
  EXPECT_EQ(vacuous(latch([](AigLit i, AigLit l) {
                      return std::vector{i, !l};
                    }),
                    InductiveInvariant{}),
            Why("no run satisfies the constraints beyond its first step"));
}

TEST(VacuityOfBits, ConstraintsThatCanBeKept) {
  EXPECT_EQ(vacuous(latch([](AigLit i, AigLit l) {
                      return std::vector{!i, !l};
                    }),
                    InductiveInvariant{}),
            Why());
  EXPECT_EQ(
      vacuous(latch([](AigLit, AigLit) { return std::vector<AigLit>(); }), InductiveInvariant{}),
      Why());
}

// Terms -------------------------------------------------------------------------------------------

/// n counts 0, 1, 2, 2, ...; bad: n > 5.
class VacuityOfTerms : public testing::Test {
 protected:
  Problem counter(Term constraint) {
    TransitionSystemBuilder builder(store_);
    builder.add_state(n_, t.fresh("n'", t.int_sort()));
    builder.add_input(x_);
    builder.set_init(n_, t.integer(0));
    Term up = t.make_add(n_, t.integer(1));
    builder.set_update(n_, t.make_ite(t.make_lt(n_, t.integer(2)), up, n_));
    builder.add_constraint(constraint);
    auto system = std::move(builder).freeze();
    EXPECT_TRUE(system.ok());
    return {std::move(*system), {{"p", t.make_lt(t.integer(5), n_)}}, {}};
  }
  TermInvariant at_most(int bound) { return {t.make_le(n_, t.integer(bound))}; }

  std::shared_ptr<TermStore> store_ = std::make_shared<TermStore>();
  TermStore& t = *store_;
  Term n_ = t.variable("n", t.int_sort());
  Term x_ = t.variable("x", t.int_sort());
};

TEST_F(VacuityOfTerms, ConstraintsThatContradict) {
  Term both = t.make_and(t.make_lt(x_, t.integer(0)), t.make_lt(t.integer(0), x_));
  EXPECT_EQ(vacuous(counter(both), at_most(2)), Why("no run satisfies the constraints"));
  EXPECT_EQ(vacuous(counter(t.make_eq(n_, t.integer(0))), at_most(2)),
            Why("no run satisfies the constraints beyond its first step"));
  EXPECT_EQ(vacuous(counter(t.make_lt(t.integer(0), x_)), at_most(2)), Why());
}

TEST_F(VacuityOfTerms, InitialConditionsAndRelationsThatContradict) {
  for (bool at_first : {true, false}) {
    TransitionSystemBuilder builder(store_);
    Term y = builder.add_state(at_first ? "y" : "z", t.int_sort());
    if (at_first)
      builder.add_init(t.make_and(t.make_lt(y, t.integer(0)), t.make_lt(t.integer(0), y)));
    if (!at_first) builder.add_trans(t.boolean(false));
    auto system = std::move(builder).freeze();
    ASSERT_TRUE(system.ok());
    Problem problem{std::move(*system), {{"p", t.boolean(false)}}, {}};
    problem.source.format = "vmt";
    EXPECT_EQ(vacuous(problem, TermInvariant{t.boolean(true)}),
              Why(at_first ? "no run satisfies the constraints"
                           : "no run satisfies the constraints beyond its first step"));
    problem.source.format = "chc";
    EXPECT_EQ(vacuous(problem, TermInvariant{t.boolean(true)}), Why()) << "clauses assume nothing";
  }
}

TEST_F(VacuityOfTerms, PremisesThatTheProofExcludes) {
  Problem problem = counter(t.boolean(true));
  Why never = "the premise of the property never holds";
  EXPECT_EQ(vacuous(problem, at_most(2), t.make_eq(n_, t.integer(3))), never);
  EXPECT_EQ(vacuous(problem, at_most(4), t.make_eq(n_, t.integer(3))), never) << "by induction";
  EXPECT_EQ(vacuous(problem, at_most(2), t.make_eq(n_, t.integer(2))), Why()) << "it is reached";
  EXPECT_EQ(vacuous(problem, at_most(2), t.make_eq(n_, x_)), Why());
}

TEST_F(VacuityOfTerms, IsSilentWhenThereIsNoTime) {
  Term both = t.make_and(t.make_lt(x_, t.integer(0)), t.make_lt(t.integer(0), x_));
  Problem problem = counter(both);
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_EQ(Vacuity().of(problem, at_most(2), {}, kEnough, stopped.get_token()), Why());
}

// Programs ----------------------------------------------------------------------------------------

/// start -[assume guard]-> middle -> exit, and a loop at the middle if wanted.
class VacuityOfPrograms : public testing::Test {
 protected:
  Problem program(Term guard, bool loop) {
    CfaBuilder builder(store_);
    builder.add_variable(x_);
    LocationId exit = builder.add_location("exit");
    LocationId start = builder.add_location("start");
    LocationId middle = builder.add_location("middle");
    LocationId error = builder.add_location("error");
    builder.set_initial(start);
    builder.set_error(error);
    builder.add_edge(start, Command::assume(guard), middle);
    if (loop)
      builder.add_edge(middle, Command::skip(), middle);
    else
      builder.add_edge(middle, Command::skip(), exit);
    auto cfa = std::move(builder).freeze();
    EXPECT_TRUE(cfa.ok());
    return {std::move(*cfa), {{"p", ErrorLocation{}}}, {}};
  }
  LocationInvariants proof() {
    return {{Term(), t.boolean(true), t.boolean(true), t.boolean(false)}};
  }

  std::shared_ptr<TermStore> store_ = std::make_shared<TermStore>();
  TermStore& t = *store_;
  Term x_ = t.variable("x", t.int_sort());
};

TEST_F(VacuityOfPrograms, NoRunGetsPastAnAssumption) {
  Term never = t.make_and(t.make_lt(x_, t.integer(0)), t.make_lt(t.integer(0), x_));
  Term some = t.make_lt(x_, t.integer(0));
  for (bool loop : {false, true}) {
    EXPECT_EQ(vacuous(program(never, loop), proof()), Why("no run gets past the assumptions"));
    EXPECT_EQ(vacuous(program(some, loop), proof()), Why());
  }
}

}  // namespace
}  // namespace lem::check
