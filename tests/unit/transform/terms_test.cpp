// Transforms on transition systems: verdicts stay, and evidence for the transformed system comes
// back as evidence for the original.
#include <gtest/gtest.h>

#include <array>

#include "check/terms.h"
#include "support/explicit_terms.h"
#include "support/random_system.h"
#include "transform/passes.h"

namespace lem::transform {
namespace {

class TermsSetup {
 public:
  TermsSetup() {
    static constexpr std::array kRows = {
        OptionRow::number("transform.array-limit", 64, 0, 4096, "as in the pipeline")};
    options_.declare(kRows);
  }
  Context context() { return {options_, stats_, log_, progress_, {}}; }
  std::uint64_t counter(std::string_view name) { return stats_.counter(name).value; }

 private:
  Options options_;
  Stats stats_;
  Log log_;
  Progress progress_;
};

using Apply = Transformed (*)(const Problem&, const Context&);

void expect_evidence(const Problem& problem, const Verdict& verdict, const std::string& what) {
  const TransitionSystem& system = problem.system();
  Term bad = problem.property().bad_term();
  if (const auto* unsafe = std::get_if<Unsafe>(&verdict)) {
    auto wrong = check::replay(system, bad, std::get<TermTrace>(unsafe->run));
    EXPECT_FALSE(wrong.has_value()) << what << ": " << *wrong;
    return;
  }
  auto claim = certificate_as<TermInvariant>(verdict);
  ASSERT_TRUE(check::is_over_step(system, claim.invariant)) << what;
  check::TermFinding finding = check::check_induction(system, bad, claim, {});
  EXPECT_EQ(finding.holds, check::TermHolds::Yes) << what << ": " << finding.failed;
}

/// Applies the transforms one after the other and brings the verdict back through all of them.
void expect_verdicts_stay(std::initializer_list<Apply> all, const test::RandomSystemParams& params,
                          std::uint64_t seeds) {
  int safe = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    std::string what = "seed " + std::to_string(seed);
    TermsSetup setup;
    Problem original = test::random_system(seed, params);
    Problem now = original;
    std::vector<std::unique_ptr<BackTranslator>> steps;
    for (Apply apply : all) {
      Transformed transformed = apply(now, setup.context());
      now = std::move(transformed.problem);
      steps.push_back(std::move(transformed.back));
    }
    Verdict verdict = test::explore_terms(now).verdict();
    bool is_safe = std::holds_alternative<Safe>(verdict);
    ASSERT_EQ(is_safe, !test::explore_terms(original).trace.has_value()) << what;
    safe += is_safe ? 1 : 0;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      if (auto* proof = std::get_if<Safe>(&verdict)) {
        auto carried = (*step)->certificate(proof->certificate);
        ASSERT_TRUE(carried.has_value()) << what;
        proof->certificate = *carried;
      } else {
        verdict = Unsafe{*(*step)->run(std::get<Unsafe>(verdict).run)};
      }
    }
    expect_evidence(original, verdict, what);
  }
  EXPECT_GT(safe, static_cast<int>(seeds / 10));
  EXPECT_LT(safe, static_cast<int>(seeds - seeds / 10));
}

const test::RandomSystemParams kRelational{.inputs = 1, .max_width = 1, .relations = true};
const test::RandomSystemParams kArrays{.states = 2, .inputs = 1, .max_width = 1, .arrays = true};
const test::RandomSystemParams kRelationalArrays{
    .states = 1, .inputs = 1, .max_width = 1, .relations = true, .arrays = true};

TEST(TermTransforms, ConeOfInfluenceKeepsVerdicts) {
  expect_verdicts_stay({apply_term_coi}, {.states = 4}, 60);
  expect_verdicts_stay({apply_term_coi}, kRelational, 60);
  // Enough variables that some are outside the cone while a relation stays.
  expect_verdicts_stay({apply_term_coi},
                       {.states = 4, .inputs = 2, .max_width = 1, .relations = true}, 80);
}

TEST(TermTransforms, DefinitionsKeepVerdicts) {
  expect_verdicts_stay({apply_definitions}, {}, 40);
  expect_verdicts_stay({apply_definitions}, kRelational, 100);
}

TEST(TermTransforms, ConstantsKeepVerdicts) {
  expect_verdicts_stay({apply_constants}, {.states = 4, .depth = 2}, 80);
  expect_verdicts_stay({apply_constants}, kRelational, 60);
}

TEST(TermTransforms, InputsKeepVerdicts) {
  expect_verdicts_stay({apply_inputs}, {.states = 2}, 60);
  expect_verdicts_stay({apply_inputs}, kRelational, 60);
}

TEST(TermTransforms, ArraysKeepVerdicts) {
  expect_verdicts_stay({apply_arrays}, kArrays, 60);
  expect_verdicts_stay({apply_arrays}, kRelationalArrays, 40);
}

TEST(TermTransforms, AllTogetherKeepVerdicts) {
  for (const test::RandomSystemParams& params : {kRelational, kArrays, kRelationalArrays})
    expect_verdicts_stay(
        {apply_definitions, apply_arrays, apply_constants, apply_term_coi, apply_inputs}, params,
        40);
}

class SystemMaker {
 public:
  SystemMaker() : store(std::make_shared<TermStore>()), terms(*store), builder(store) {}
  Problem problem(Term bad) {
    auto system = std::move(builder).freeze();
    EXPECT_TRUE(system.ok());
    Problem made;
    made.model = *system;
    made.properties = {{"b0", bad, "b0"}};
    return made;
  }
  std::shared_ptr<TermStore> store;
  TermStore& terms;
  TransitionSystemBuilder builder;
};

TEST(TermTransforms, ConeOfInfluenceComputesRemovedStatesAgain) {
  SystemMaker m;
  Sort byte = m.terms.bv_sort(8);
  Term x = m.builder.add_state("x", byte);
  Term y = m.builder.add_state("y", byte);
  Term i = m.builder.add_input("i", byte);
  m.builder.add_input("unused", byte);
  m.builder.set_init(x, m.terms.bv(0, 8));
  m.builder.set_init(y, m.terms.make(Op::BvNot, {x}));
  m.builder.set_update(x, m.terms.make(Op::BvAdd, {x, i}));
  m.builder.set_update(y, m.terms.make(Op::BvAdd, {y, x}));
  Problem problem = m.problem(m.terms.make_eq(x, m.terms.bv(7, 8)));
  TermsSetup setup;
  Transformed reduced = apply_term_coi(problem, setup.context());
  EXPECT_EQ(reduced.problem.system().states().size(), 1U);
  EXPECT_EQ(reduced.problem.system().inputs().size(), 1U);
  auto byte_value = [&](int value) { return m.terms.bv(value, 8); };
  TermTrace trace{{{{byte_value(0)}, {byte_value(3)}},
                   {{byte_value(3)}, {byte_value(4)}},
                   {{byte_value(7)}, {byte_value(0)}}}};
  auto back = std::get<TermTrace>(*reduced.back->run(trace));
  EXPECT_FALSE(check::replay(problem.system(), problem.property().bad_term(), back).has_value());
  EXPECT_EQ(back.steps[2].states[1], byte_value(2));  // 255 + 0 + 3
}

/// x stays 0 because the relation says so, and y is of no use to anybody.
TEST(TermTransforms, ConeOfInfluenceKeepsRelations) {
  SystemMaker m;
  TermStore& t = m.terms;
  Term x = t.variable("x", t.bool_sort());
  Term x_next = t.variable("x.next", t.bool_sort());
  m.builder.add_state(x, x_next);
  Term y = m.builder.add_state("y", t.bv_sort(2));
  m.builder.set_init(x, t.boolean(false));
  m.builder.set_update(y, t.make(Op::BvAdd, {y, t.bv(1, 2)}));
  m.builder.add_trans(t.make_or(x, t.make_not(x_next)));
  Problem problem = m.problem(x);
  TermsSetup setup;
  Transformed reduced = apply_term_coi(problem, setup.context());
  EXPECT_EQ(reduced.problem.system().states().size(), 1U);
  EXPECT_EQ(reduced.problem.system().trans_relation(), problem.system().trans_relation());
  Verdict verdict = test::explore_terms(reduced.problem).verdict();
  ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
  auto carried = reduced.back->certificate(std::get<Safe>(verdict).certificate);
  ASSERT_TRUE(carried.has_value());
  expect_evidence(problem, Safe{*carried}, "relation");
  // A path may be simple through y alone, so such proofs stay behind.
  EXPECT_FALSE(reduced.back->certificate(TermInvariant{t.boolean(true), 2, SimplePath::Yes}));
}

TEST(TermTransforms, DefinitionsSolveEquations) {
  SystemMaker m;
  TermStore& t = m.terms;
  Term x = m.builder.add_state("x", t.int_sort());
  Term y = m.builder.add_state("y", t.real_sort());
  Term b = m.builder.add_state("b", t.bool_sort());
  Term w = m.builder.add_state("w", t.bv_sort(1));
  Term z = m.builder.add_state("z", t.int_sort());
  Term free = m.builder.add_state("free", t.int_sort());
  Problem relational = [&] {
    auto plain = std::move(m.builder).freeze();
    EXPECT_TRUE(plain.ok());
    TransitionSystemBuilder again(m.store);
    auto next = [&](std::size_t i) { return plain->states()[i].next; };
    for (const StateVar& state : plain->states()) again.add_state(state.current, state.next);
    again.add_trans(t.make_eq(t.make_sub(next(0), x), t.integer(1)));
    again.add_trans(t.make_eq(t.make_mul(t.real(2), next(1)), t.make_add(y, t.real(1))));
    again.add_trans(t.make_not(t.make_eq(next(2), b)));
    again.add_trans(t.make_eq(next(3), t.make_ite(b, t.bv(1, 1), t.bv(0, 1))));
    again.add_trans(t.make_eq(next(4), t.make_add(next(0), z)));
    again.add_trans(t.make_le(next(5), x));
    again.add_init(t.make_and(t.make_eq(x, t.integer(3)), t.make_eq(z, t.make_add(x, free))));
    again.add_init(t.make_not(b));
    auto system = std::move(again).freeze();
    EXPECT_TRUE(system.ok());
    Problem made;
    made.model = *system;
    made.properties = {{"b0", b, "b0"}};
    return made;
  }();
  TermsSetup setup;
  Problem functional = apply_definitions(relational, setup.context()).problem;
  auto states = functional.system().states();
  EXPECT_EQ(states[0].update, t.make_add(x, t.integer(1)));
  EXPECT_EQ(states[1].update,
            t.make_add(t.make_mul(t.real(mpq_class(1, 2)), y), t.real(mpq_class(1, 2))));
  EXPECT_EQ(states[2].update, t.make_not(b));
  EXPECT_EQ(states[3].update, t.make_ite(b, t.bv(1, 1), t.bv(0, 1)));
  EXPECT_EQ(states[4].update, t.make_add(t.make_add(x, z), t.integer(1)));
  EXPECT_FALSE(states[5].update);
  EXPECT_EQ(functional.system().trans_relation(), t.make_le(states[5].next, x));
  EXPECT_EQ(states[0].init, t.integer(3));
  EXPECT_TRUE(t.is_false(states[2].init));
  EXPECT_TRUE(states[4].init || states[5].init);  // one of the two through the other
  EXPECT_TRUE(t.is_true(functional.system().init_relation()));
  EXPECT_EQ(states[3].current, w);
}

TEST(TermTransforms, ConstantsFindWhatEveryStepKeeps) {
  SystemMaker m;
  TermStore& t = m.terms;
  Sort byte = t.bv_sort(8);
  Term zero = m.builder.add_state("zero", byte);
  Term a = m.builder.add_state("a", byte);
  Term b = m.builder.add_state("b", byte);
  Term c = m.builder.add_state("c", byte);
  Term reset = m.builder.add_input("reset", t.bool_sort());
  for (Term state : {zero, a, b, c}) m.builder.set_init(state, t.bv(0, 8));
  m.builder.set_update(zero, t.make_ite(reset, t.bv(1, 8), t.make(Op::BvMul, {zero, a})));
  m.builder.set_update(a, t.make(Op::BvAdd, {a, t.bv(1, 8)}));
  m.builder.set_update(b, t.make(Op::BvAdd, {t.make(Op::BvAdd, {b, zero}), t.bv(1, 8)}));
  m.builder.set_update(c, t.make(Op::BvAdd, {c, t.bv(2, 8)}));
  m.builder.add_constraint(t.make_not(reset));
  Problem problem = m.problem(t.make_not(t.make_eq(a, b)));
  TermsSetup setup;
  Transformed reduced = apply_constants(problem, setup.context());
  EXPECT_EQ(reduced.problem.system().states().size(), 2U);
  EXPECT_TRUE(reduced.problem.system().inputs().empty());
  EXPECT_TRUE(t.is_false(reduced.problem.property().bad_term()));
  auto proof = reduced.back->certificate(TermInvariant{t.boolean(true)});
  ASSERT_TRUE(proof.has_value());
  expect_evidence(problem, Safe{*proof}, "equal counters");
}

TEST(TermTransforms, InputsLeavePropertyAndConstraint) {
  SystemMaker m;
  TermStore& t = m.terms;
  Term x = m.builder.add_state("x", t.bv_sort(4));
  Term sample = m.builder.add_input("sample", t.bv_sort(4));
  Term go = m.builder.add_input("go", t.bool_sort());
  m.builder.set_init(x, t.bv(0, 4));
  m.builder.set_update(x, sample);
  Problem problem = m.problem(t.make_and(go, t.make_eq(x, t.bv(9, 4))));
  TermsSetup setup;
  Transformed promoted = apply_inputs(problem, setup.context());
  const TransitionSystem& system = promoted.problem.system();
  EXPECT_TRUE(system.inputs().empty());
  ASSERT_EQ(system.states().size(), 2U);
  EXPECT_FALSE(system.states()[0].update);  // was the input `sample` alone
  EXPECT_EQ(system.states()[1].current, go);
  EXPECT_EQ(setup.counter("transform.inputs.promoted"), 1U);
  EXPECT_EQ(setup.counter("transform.inputs.dropped"), 1U);
  auto value = [&](int number) { return t.bv(number, 4); };
  TermTrace trace{{{{value(0), t.boolean(false)}, {}}, {{value(9), t.boolean(true)}, {}}}};
  auto back = std::get<TermTrace>(*promoted.back->run(trace));
  EXPECT_EQ(back.steps[0].inputs[0], value(9));  // what x is a step later
  auto wrong = check::replay(problem.system(), problem.property().bad_term(), back);
  EXPECT_FALSE(wrong.has_value()) << *wrong;
}

TEST(TermTransforms, InitialValuesCanBeComputedOneAfterAnother) {
  SystemMaker m;
  TermStore& t = m.terms;
  Term x = m.builder.add_state("x", t.int_sort());
  Term y = m.builder.add_state("y", t.int_sort());
  Term both = t.make_eq(x, t.make_add(t.make_mul(t.integer(2), y), t.integer(1)));
  Term circle = t.make_eq(y, t.make_add(t.make_mul(t.integer(3), x), t.integer(-3)));
  m.builder.add_init(t.make_and(both, circle));
  Problem problem = m.problem(t.make_eq(x, y));
  TermsSetup setup;
  const Problem functional = apply_definitions(problem, setup.context()).problem;
  auto states = functional.system().states();
  EXPECT_NE(static_cast<bool>(states[0].init), static_cast<bool>(states[1].init));
  EXPECT_FALSE(t.is_true(functional.system().init_relation()));
}

TEST(TermTransforms, LargeArraysStay) {
  SystemMaker m;
  TermStore& t = m.terms;
  Term memory = m.builder.add_state("memory", t.array_sort(t.bv_sort(7), t.bv_sort(8)));
  Term table = m.builder.add_state("table", t.array_sort(t.bv_sort(6), t.bv_sort(8)));
  m.builder.set_update(table, t.make_store(table, t.bv(5, 6), t.make_select(memory, t.bv(1, 7))));
  Problem problem = m.problem(t.make_eq(t.make_select(table, t.bv(5, 6)), t.bv(1, 8)));
  TermsSetup setup;
  Problem flat = apply_arrays(problem, setup.context()).problem;
  EXPECT_EQ(flat.system().states().size(), 65U);
  EXPECT_EQ(flat.system().states()[0].current, memory);
}

}  // namespace
}  // namespace lem::transform
