// The program counter and the way back: runs and invariants of the transition system, found by
// explicit search, are judged on the automaton.
#include <gtest/gtest.h>

#include "check/certify.h"
#include "support/explicit_terms.h"
#include "support/random_cfa.h"
#include "transform/passes.h"
#include "unit/transform/cfa_setup.h"
#include "unit/transform/setup.h"

namespace lem::transform {
namespace {

struct Counted {
  explicit Counted(const Cfa& cfa)
      : original{cfa, {{"error", ErrorLocation{}}}, {}},
        made(apply_program_counter(original, setup.context())) {}
  bool certifies(const Verdict& verdict) const {
    auto outcome = check::certify(original, verdict, {});
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    return outcome.ok() && outcome->verdict() == verdict;
  }

  TransformSetup setup{std::initializer_list<std::string_view>{}};
  Problem original;
  Transformed made;
};

TEST(CfaCounter, EvidenceComesBackOnRandomAutomata) {
  std::size_t proofs = 0, runs = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::RandomCfa each(seed);
    Counted counted(*each.cfa);
    if (counted.made.problem.system().inputs().size() > 4) continue;  // explicit search is slow
    test::ExplicitTerms truth = test::explore_terms(counted.made.problem);
    ASSERT_EQ(truth.trace.has_value(), each.explore(*each.cfa).error);
    if (truth.trace) {
      auto run = counted.made.back->run(*truth.trace);
      ASSERT_TRUE(run);
      ASSERT_TRUE(counted.certifies(Unsafe{*run}));
      ++runs;
    } else {
      auto proof = counted.made.back->certificate(TermInvariant{truth.reachable});
      ASSERT_TRUE(proof);
      ASSERT_TRUE(counted.certifies(Safe{*proof}));
      ++proofs;
    }
  }
  EXPECT_GT(proofs, 2U);
  EXPECT_GT(runs, 3U);
}

/// What is inductive says nothing at the error location, where the property does; and all states
/// are initial, so that nothing may be claimed where a program starts.
TEST(CfaCounter, TheErrorIsExcludedByThePropertyAlone) {
  test::Program program;
  Term x = program.bits("x", 2);
  TermStore& t = program.t;
  program.edge("start", Command::assign(x, t.bv(0, 2)), "loop")
      .edge("loop", Command::skip(), "loop")
      .edge("loop", Command::assume(t.make_eq(x, t.bv(1, 2))), "error");
  Counted counted(program.cfa());
  std::vector<Term> parts;  // the counter's bits come first, the lowest of them first
  std::span<const StateVar> states = counted.made.problem.system().states();
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    bool set = (index(program.at("loop")) >> i & 1) != 0;
    parts.push_back(set ? states[i].current : t.make_not(states[i].current));
  }
  Term claim = t.make_implies(t.make_and(parts), t.make_eq(x, t.bv(0, 2)));
  auto proof = counted.made.back->certificate(TermInvariant{claim});
  ASSERT_TRUE(proof);
  EXPECT_TRUE(counted.certifies(Safe{*proof}));
}

TEST(CfaCounter, ProofsByMoreThanOneStepDoNotComeBack) {
  test::Program program;
  Term x = program.bits("x", 2);
  program.edge("start", Command::assume(program.t.make_eq(x, program.t.bv(0, 2))), "end");
  Counted counted(program.cfa());
  TermInvariant claim{program.t.boolean(true), 2, SimplePath::No};
  EXPECT_FALSE(counted.made.back->certificate(claim));
  claim.k = 1;
  EXPECT_TRUE(counted.made.back->certificate(claim));
}

}  // namespace
}  // namespace lem::transform
