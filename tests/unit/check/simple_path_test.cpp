// k-induction over simple paths: which states count as different decides what a claim is worth. Too
// few latches or terms compared, and what is false is "proved"; too few pairs, and what is true is
// rejected.
#include <gtest/gtest.h>

#include "check/certify.h"
#include "check/induction.h"
#include "check/terms.h"
#include "model/cone.h"
#include "support/explicit.h"
#include "support/random_aig.h"

namespace lem::check {
namespace {

Finding judged(const Problem& problem, std::uint32_t k, SimplePath simple,
               const std::vector<SignalClause>& clauses = {}) {
  return check_induction({problem.aig(), problem.property().bad(), clauses, k, simple}, {});
}

/// The token starts at a and leaves x after three steps: a -> b -> c -> x. Bad: x holds it. A claim
/// names x alone; seen through x, the states before are all the same, but they differ.
TEST(SimplePath, ComparesAllLatchesThatTheClaimDependsOn) {
  AigBuilder builder;
  std::vector<AigLit> latches;
  for (int i = 0; i < 4; ++i)
    latches.push_back(builder.add_latch(i == 0 ? Reset::One : Reset::Zero));
  builder.set_next(latches[0], kAigFalse);
  for (std::size_t i = 1; i < 4; ++i) builder.set_next(latches[i], latches[i - 1]);
  Problem problem{std::move(builder).freeze(), {{"x", latches[3]}}, {}};
  for (std::uint32_t k : {1U, 2U, 3U}) {
    Finding finding = judged(problem, k, SimplePath::Yes);
    EXPECT_EQ(finding.holds, Holds::No) << k;
    EXPECT_EQ(finding.failed, Obligation::Step) << k << ": the base case is fine so far";
    EXPECT_FALSE(certify(problem, Safe{KInductive{k, SimplePath::Yes, {}}}, {}).ok()) << k;
  }
  EXPECT_EQ(judged(problem, 4, SimplePath::Yes).failed, Obligation::Base);
}

/// The same token over terms, where all states are compared.
TEST(SimplePath, ComparesAllStatesOfASystem) {
  auto store = std::make_shared<TermStore>();
  TermStore& t = *store;
  TransitionSystemBuilder builder(store);
  std::vector<Term> states;
  for (const char* name : {"x", "c", "b", "a"}) {
    states.push_back(builder.add_state(name, t.bool_sort()));
    builder.set_init(states.back(), t.boolean(states.size() == 4));
  }
  for (std::size_t i = 0; i < 4; ++i)
    builder.set_update(states[i], i == 3 ? t.boolean(false) : states[i + 1]);
  auto system = std::move(builder).freeze();
  ASSERT_TRUE(system.ok());
  for (std::uint32_t k : {1U, 2U, 3U}) {
    TermFinding finding =
        check_induction(*system, states[0], {t.boolean(true), k, SimplePath::Yes}, {});
    EXPECT_EQ(finding.holds, TermHolds::No) << k;
    EXPECT_EQ(finding.failed, k == 1 ? "consecution" : "the induction step");
  }
}

/// Behind `u`, which never rises, a counter of `bits` bits goes round; from its last value bad may
/// follow. Before bad come at most 2^bits different states, however long the run.
Problem roundabout(std::uint32_t bits) {
  AigBuilder builder;
  AigLit go = builder.add_input();
  AigLit u = builder.add_latch(Reset::Zero);
  AigLit bad = builder.add_latch(Reset::Zero);
  builder.set_next(u, u);
  std::vector<AigLit> count;
  for (std::uint32_t i = 0; i < bits; ++i) count.push_back(builder.add_latch(Reset::Zero));
  AigLit carry = u;
  for (AigLit bit : count) {
    builder.set_next(bit, builder.xor_gate(bit, carry));
    carry = builder.and_gate(carry, bit);
  }
  builder.set_next(bad, builder.and_gate(carry, go));
  return {std::move(builder).freeze(), {{"bad", bad}}, {}};
}

TEST(SimplePath, RulesOutRepetitionsAtEveryDistance) {
  for (std::uint32_t bits : {1U, 2U, 3U}) {
    Problem problem = roundabout(bits);
    std::uint32_t round = 1U << bits;
    EXPECT_EQ(judged(problem, round, SimplePath::Yes).holds, Holds::No) << bits;
    EXPECT_EQ(judged(problem, round + 1, SimplePath::Yes).holds, Holds::Yes) << bits;
    EXPECT_EQ(judged(problem, round + 1, SimplePath::No).holds, Holds::No) << bits;
  }
}

TEST(SimplePath, RulesOutRepetitionsOfTermsAtEveryDistance) {
  for (int round : {1, 2, 3, 5}) {
    auto store = std::make_shared<TermStore>();
    TermStore& t = *store;
    TransitionSystemBuilder builder(store);
    Term n = builder.add_state("n", t.int_sort());
    Term go = builder.add_input("go", t.bool_sort());
    // 0 stays; 1 .. round go round; from the last one, -1 may follow.
    builder.set_init(n, t.integer(0));
    Term last = t.make_eq(n, t.integer(round));
    Term on =
        t.make_ite(last, t.make_ite(go, t.integer(-1), t.integer(1)), t.make_add(n, t.integer(1)));
    Term inside = t.make_and(t.make_le(t.integer(1), n), t.make_le(n, t.integer(round)));
    builder.set_update(n, t.make_ite(inside, on, t.integer(0)));
    auto system = std::move(builder).freeze();
    ASSERT_TRUE(system.ok());
    auto holds = [&](int k, SimplePath simple) {
      TermInvariant claim{t.boolean(true), static_cast<std::uint32_t>(k), simple};
      Term bad = t.make_eq(n, t.integer(-1));
      return check_induction(*system, bad, claim, {}).holds == TermHolds::Yes;
    };
    EXPECT_FALSE(holds(round, SimplePath::Yes)) << round;
    EXPECT_TRUE(holds(round + 1, SimplePath::Yes)) << round;
    EXPECT_FALSE(holds(round + 1, SimplePath::No)) << round;
  }
}

/// Base case and step by enumeration, with states told apart by the latches in the cone of claim
/// and constraints, the violating one included. Clauses that imply the property are the whole
/// claim: what the property depends on beside them tells no states apart.
class Enumeration {
 public:
  Enumeration(const Problem& problem, const KInductive& claim)
      : claim_(claim), steps_(problem, claim) {
    std::vector<AigLit> roots(problem.aig().constraints().begin(),
                              problem.aig().constraints().end());
    if (!implies_property(problem, claim)) roots.push_back(problem.property().bad());
    for (const SignalClause& clause : claim.clauses)
      roots.insert(roots.end(), clause.begin(), clause.end());
    std::vector<bool> cone = sequential_cone(problem.aig(), roots);
    for (std::uint32_t i = 0; i < problem.aig().num_latches(); ++i)
      if (cone[problem.aig().latch(i).var()]) mask_ |= 1U << i;
  }
  bool holds() {
    std::vector<bool> level = steps_.initial;
    for (std::uint32_t depth = 0; depth < claim_.k; ++depth) {
      std::vector<bool> next(level.size());
      for (std::uint32_t state = 0; state < level.size(); ++state) {
        if (!level[state]) continue;
        if (steps_.violable[state]) return false;
        for (std::uint32_t to : steps_.allowed[state]) next[to] = true;
      }
      level = std::move(next);
    }
    for (std::uint32_t state = 0; state < level.size(); ++state) {
      std::vector<std::uint32_t> path{state};
      if (escapes(path)) return false;
    }
    return true;
  }

 private:
  static bool implies_property(const Problem& problem, const KInductive& claim) {
    test::ExplicitModel model(problem);
    for (std::uint32_t state = 0; state < model.num_states(); ++state) {
      model.visit(state);
      std::uint64_t held = model.constrained();
      for (const SignalClause& clause : claim.clauses) {
        std::uint64_t some = 0;
        for (AigLit lit : clause) some |= model.value(lit);
        held &= some;
      }
      if ((held & model.bad()) != 0) return false;
    }
    return !claim.clauses.empty();
  }
  bool escapes(std::vector<std::uint32_t>& path) {
    if (path.size() == claim_.k + 1) return steps_.violable[path.back()];
    for (std::uint32_t next : steps_.successors[path.back()]) {
      bool repeats = std::any_of(path.begin(), path.end(), [&](std::uint32_t earlier) {
        return (earlier & mask_) == (next & mask_);
      });
      if (repeats) continue;
      path.push_back(next);
      if (escapes(path)) return true;
      path.pop_back();
    }
    return false;
  }

  const KInductive& claim_;
  test::QSteps steps_;
  std::uint32_t mask_ = 0;
};

TEST(SimplePath, IsAcceptedExactlyWhenEnumerationSaysSo) {
  int yes = 0, no = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    test::RandomAigParams params = test::varied_params(seed);
    params.latches = 2 + params.latches % 4;
    params.gates = 4 + params.gates % 20;
    Problem problem = test::random_problem(seed, params);
    test::Random random(seed);
    KInductive claim{1 + random.below(4), SimplePath::Yes, {}};
    if (random.percent(50)) {
      std::uint32_t vars = problem.aig().num_vars();
      claim.clauses.push_back({AigLit(random.below(vars), random.percent(50)),
                               AigLit(random.below(vars), random.percent(50))});
    }
    bool expected = Enumeration(problem, claim).holds();
    ASSERT_EQ(judged(problem, claim.k, SimplePath::Yes, claim.clauses).holds == Holds::Yes,
              expected)
        << seed << " k = " << claim.k;
    ++(expected ? yes : no);
  }
  EXPECT_GT(yes, 50);
  EXPECT_GT(no, 50);
}

}  // namespace
}  // namespace lem::check
