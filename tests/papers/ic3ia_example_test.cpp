// IC3 modulo theories via implicit predicate abstraction [Cimatti14]: many predicates
// (section 5.1), the erratum of section 3.3, and what the encodings and switches may not change.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/parts/terms/system.h"
#include "engine/registry.h"
#include "smt/smt_solver.h"
#include "unit/engine/small_systems.h"

namespace lem::engine {
namespace {

using test::Bench;
using test::is_certified;

/// Pairs of integers that grow by the same inputs, so that neither gets ahead of the other; one
/// that were ahead would get further. Neither init nor the property mentions the relation that
/// keeps a pair together: it is to be discovered, pair by pair.
Problem pairs(std::uint32_t count, bool safe) {
  auto store = std::make_shared<TermStore>();
  TermStore& t = *store;
  TransitionSystemBuilder builder(store);
  std::vector<Term> ahead;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string tag = std::to_string(i);
    Term x = builder.add_state("x" + tag, t.int_sort());
    Term y = builder.add_state("y" + tag, t.int_sort());
    Term by = builder.add_input("by" + tag, t.int_sort());
    builder.set_init(x, t.integer(0));
    builder.set_init(y, t.integer(0));
    Term gain = t.make_ite(t.make_lt(y, x), t.integer(1), t.integer(0));
    builder.set_update(x, t.make_add(t.make_add(x, by), gain));
    // The last pair of the unsafe system drifts apart by one in every step.
    bool drifts = !safe && i + 1 == count;
    builder.set_update(y, t.make_sub(t.make_add(y, by), t.integer(drifts ? 1 : 0)));
    ahead.push_back(t.make_le(t.make_add(y, t.integer(3)), x));
  }
  auto system = std::move(builder).freeze();
  EXPECT_TRUE(system.ok());
  return {std::move(*system), {{"ahead", t.make_or(ahead)}}, {}};
}

std::uint64_t counter(Bench& run, const std::string& name) {
  return run.stats.counter("ic3ia." + name).value;
}

TEST(Ic3iaPaper, ProvesWithMoreThanAHundredPredicates) {
  Problem problem = pairs(30, true);
  Bench run(kIc3iaInfo);
  Verdict verdict = run.check(problem);
  ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
  EXPECT_TRUE(is_certified(problem, verdict));
  EXPECT_GT(counter(run, "predicates"), 100U);
  EXPECT_GE(counter(run, "refinements"), 1U);
  EXPECT_GE(counter(run, "lemmas"), 30U) << "one for each pair";
  EXPECT_GT(counter(run, "queries"), counter(run, "lemmas"));
}

TEST(Ic3iaPaper, FindsTheCounterexampleAmongManyPredicates) {
  Problem problem = pairs(20, false);
  Bench run(kIc3iaInfo);
  Verdict verdict = run.check(problem);
  ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
  EXPECT_TRUE(is_certified(problem, verdict));
  EXPECT_EQ(run_as<TermTrace>(verdict).steps.size(), 3U);
}

/// Figure 5: without minimization there are more predicates, and the verdict is the same.
TEST(Ic3iaPaper, MinimizationKeepsFewerPredicates) {
  Problem problem = pairs(6, true);
  Bench minimized(kIc3iaInfo);
  Bench all(kIc3iaInfo, "ic3ia.minimize=off");
  EXPECT_TRUE(std::holds_alternative<Safe>(minimized.check(problem)));
  EXPECT_TRUE(std::holds_alternative<Safe>(all.check(problem)));
  EXPECT_LE(counter(minimized, "predicates"), counter(all, "predicates"));
}

/// Section 3.3 prints P(X^k) where the simulated path ends. Its last cube implies that P fails, so
/// that no abstract counterexample would ever be a real one.
TEST(Ic3iaErrata, SimulationEndsInBad) {
  test::NamedSystem example = test::two_counters(false);
  Bench run(kIc3iaInfo);
  Verdict verdict = run.check(example.problem);
  ASSERT_TRUE(std::holds_alternative<Unsafe>(verdict));
  ASSERT_TRUE(is_certified(example.problem, verdict));
  std::size_t k = run_as<TermTrace>(verdict).steps.size() - 1;

  TermSystem system(example.problem);
  TermStore& terms = system.terms();
  auto simulation = [&](Term last) {
    TermUnroller path(system, "sim:");
    std::unique_ptr<smt::SmtSolver> solver = smt::make_z3(terms, smt::Workload::Single, {});
    solver->add(path.at(system.init(), 0));
    for (std::size_t i = 0; i < k; ++i) solver->add(path.between(system.trans(), i));
    solver->add(path.at(system.bad(), k));  // s_k, the cube that the search starts from
    solver->add(path.at(last, k));
    return solver->solve();
  };
  EXPECT_EQ(simulation(terms.make_not(system.bad())), smt::Answer::Unsat) << "as printed";
  EXPECT_EQ(simulation(system.bad()), smt::Answer::Sat) << "as meant";
}

/// EQ over two copies of the states, as printed, and labels over one say the same.
TEST(Ic3iaEncodings, GiveTheSameVerdicts) {
  for (const char* encoding : {"ic3ia.encoding=eq", "ic3ia.encoding=labels"})
    for (const char* steps : {"", ",ic3ia.lazy-steps=off"})
      test::decides_small_systems(kIc3iaInfo, std::string(encoding) + steps);
}

TEST(Ic3iaEncodings, AgreeWithSearchOnRandomSystems) {
  test::RandomSystemParams functional;
  test::RandomSystemParams relational;
  relational.relations = true;
  for (const char* encoding : {"ic3ia.encoding=eq", "ic3ia.encoding=labels"}) {
    test::agrees_with_search_on_terms(kIc3iaInfo, encoding, functional, 300, 12);
    test::agrees_with_search_on_terms(kIc3iaInfo, encoding, relational, 300, 12);
  }
}

/// Theorem 3: with predicates that are enough nothing is refined.
TEST(Ic3iaTheorems, RefinesNothingWherePredicatesAreEnough) {
  Problem problem = pairs(5, true);
  TermStore& terms = problem.system().terms();
  for (std::size_t i = 0; i + 1 < problem.system().states().size(); i += 2) {
    Term x = problem.system().states()[i].current;
    Term y = problem.system().states()[i + 1].current;
    problem.source.hints.push_back(terms.make_le(x, y));
  }
  Bench run(kIc3iaInfo);
  EXPECT_TRUE(std::holds_alternative<Safe>(run.check(problem)));
  EXPECT_EQ(counter(run, "refinements"), 0U);
  Bench without(kIc3iaInfo, "ic3ia.hints=off");
  EXPECT_TRUE(std::holds_alternative<Safe>(without.check(problem)));
  EXPECT_GT(counter(without, "refinements"), 0U);
}

}  // namespace
}  // namespace lem::engine
