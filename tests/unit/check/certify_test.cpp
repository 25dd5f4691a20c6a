#include "check/certify.h"

#include <gtest/gtest.h>

#include "support/explicit.h"
#include "support/random_aig.h"

namespace lem::check {
namespace {

using test::ExplicitResult;
using test::explore;
using test::Random;
using test::random_problem;

/// Small enough for enumeration, with constraints and all kinds of resets.
Problem small_problem(std::uint64_t seed) {
  test::RandomAigParams params = test::varied_params(seed);
  params.latches = 1 + params.latches % 5;
  params.gates = 4 + params.gates % 20;
  return random_problem(seed, params);
}

bool accepted(const Problem& problem, Verdict verdict) {
  auto result = certify(problem, std::move(verdict), {});
  if (!result) {
    EXPECT_EQ(result.error().kind, ErrorKind::Internal);
    return false;
  }
  EXPECT_TRUE(result->checked());
  return true;
}

std::string why_rejected(const Problem& problem, Verdict verdict) {
  auto result = certify(problem, std::move(verdict), {});
  return result ? std::string("accepted") : result.error().message;
}

/// A ring of `size` latches with one token; bad: the first two both hold it.
Problem ring(std::uint32_t size) {
  AigBuilder builder;
  std::vector<AigLit> latches;
  for (std::uint32_t i = 0; i < size; ++i)
    latches.push_back(builder.add_latch(i == 0 ? Reset::One : Reset::Zero));
  for (std::uint32_t i = 0; i < size; ++i) builder.set_next(latches[(i + 1) % size], latches[i]);
  AigLit bad = builder.raw_and(latches[0], latches[1]);
  return {std::move(builder).freeze(), {{"two_tokens", bad, "b0"}}, {}};
}

std::vector<SignalClause> one_token(const Aig& aig) {
  std::vector<SignalClause> clauses;
  for (std::uint32_t i = 0; i < aig.num_latches(); ++i)
    for (std::uint32_t j = 0; j < i; ++j) clauses.push_back({!aig.latch(i), !aig.latch(j)});
  return clauses;
}

TEST(Certify, AcceptsInductiveInvariantAndRejectsItWithoutOneClause) {
  Problem problem = ring(4);
  auto clauses = one_token(problem.aig());
  EXPECT_TRUE(accepted(problem, Safe{InductiveInvariant{clauses}}));
  // The first is the property itself; each other one is needed by its successor in the ring.
  for (std::size_t drop = 1; drop < clauses.size(); ++drop) {
    auto fewer = clauses;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(drop));
    EXPECT_FALSE(accepted(problem, Safe{InductiveInvariant{fewer}})) << drop;
  }
}

TEST(Certify, NamesTheFailedCheckAndClause) {
  Problem problem = ring(4);
  AigLit first = problem.aig().latch(0);
  EXPECT_NE(why_rejected(problem, Safe{InductiveInvariant{{{!first}}}}).find("initiation"),
            std::string::npos);
  EXPECT_NE(why_rejected(problem, Safe{InductiveInvariant{}}).find("consecution"),
            std::string::npos);
  auto clauses = one_token(problem.aig());
  clauses.push_back({first, problem.aig().latch(1)});
  EXPECT_NE(why_rejected(problem, Safe{InductiveInvariant{clauses}})
                .find("consecution (k = 1) fails for clause 6"),
            std::string::npos);
  EXPECT_NE(why_rejected(problem, Safe{KInductive{2, SimplePath::No, {}}}).find("induction step"),
            std::string::npos);
  EXPECT_NE(why_rejected(problem, Safe{KInductive{0, SimplePath::No, {}}}).find("k is 0"),
            std::string::npos);
}

TEST(Certify, RejectsClausesOverSignalsThatDoNotExist) {
  Problem problem = ring(3);
  EXPECT_FALSE(accepted(problem, Safe{InductiveInvariant{{{AigLit(1000, false)}}}}));
}

TEST(Certify, SimplePathTellsStatesApart) {
  // While x holds, y may wait forever before it rises: only simple paths cut the waiting short.
  AigBuilder builder;
  AigLit go = builder.add_input();
  AigLit x = builder.add_latch(Reset::Zero);
  AigLit y = builder.add_latch(Reset::Zero);
  builder.set_next(x, x);
  AigLit both = builder.raw_and(x, go);
  builder.set_next(y, both);
  AigLit bad = builder.raw_and(x, y);
  Problem problem{std::move(builder).freeze(), {{"bad", bad}}, {}};
  for (std::uint32_t k = 1; k < 5; ++k)
    EXPECT_FALSE(accepted(problem, Safe{KInductive{k, SimplePath::No, {}}}));
  EXPECT_TRUE(accepted(problem, Safe{KInductive{2, SimplePath::Yes, {}}}));
}

TEST(Certify, StopRequestCertifiesUnknown) {
  Problem problem = ring(4);
  std::stop_source source;
  source.request_stop();
  auto result =
      certify(problem, Safe{InductiveInvariant{one_token(problem.aig())}}, source.get_token());
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(std::holds_alternative<Unknown>(result->verdict()));
}

TEST(Certify, TrustUncheckedSaysSo) {
  EXPECT_FALSE(trust_unchecked(Unknown{Reason::GaveUp}).checked());
}

TEST(Certify, RejectsTracesOfTheWrongShape) {
  Problem problem = ring(3);
  EXPECT_FALSE(accepted(problem, Unsafe{Trace{{true, false, false}, {}}}));
  EXPECT_FALSE(accepted(problem, Unsafe{Trace{{true, false}, {{}}}}));
  EXPECT_FALSE(accepted(problem, Unsafe{Trace{{true, false, false}, {{true}}}}));
  EXPECT_FALSE(accepted(problem, Unsafe{Trace{{true, true, false}, {{}}}}));
  EXPECT_NE(why_rejected(problem, Unsafe{Trace{{true, false, false}, {{true}}}})
                .find("step 0 gives 1 values for 0 inputs"),
            std::string::npos);
}

TEST(Certify, AgreesWithExplicitStateSearch) {
  int safe = 0;
  int unsafe = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Problem problem = small_problem(seed);
    ExplicitResult truth = explore(problem);
    InductiveInvariant reachable = test::reachable_as_clauses(problem, truth);
    if (!truth.safe()) {
      ++unsafe;
      ASSERT_TRUE(accepted(problem, Unsafe{*truth.trace})) << seed;
      // Nothing proves an unsafe property.
      ASSERT_FALSE(accepted(problem, Safe{InductiveInvariant{}})) << seed;
      ASSERT_FALSE(accepted(problem, Safe{reachable})) << seed;
      ASSERT_FALSE(accepted(problem, Safe{KInductive{9, SimplePath::Yes, {}}})) << seed;
      continue;
    }
    ++safe;
    ASSERT_TRUE(accepted(problem, Safe{reachable})) << seed;
    // Longer than any simple path, so that the step holds by there being none.
    ASSERT_TRUE(accepted(problem, Safe{KInductive{33, SimplePath::Yes, {}}})) << seed;
  }
  EXPECT_GT(safe, 100);
  EXPECT_GT(unsafe, 100);
}

/// Any clauses, over any signals: accepted exactly if they are inductive by enumeration.
TEST(Certify, AcceptsExactlyWhatIsInductive) {
  int inductive = 0;
  int not_inductive = 0;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    Problem problem = small_problem(seed);
    Random random(seed + 1000);
    ExplicitResult truth = explore(problem);
    for (int round = 0; round < 4; ++round) {
      InductiveInvariant claim = test::reachable_as_clauses(problem, truth);
      auto& clauses = claim.clauses;
      for (std::uint32_t drop = random.below(3); drop > 0 && !clauses.empty(); --drop)
        clauses.erase(clauses.begin() + random.below(static_cast<std::uint32_t>(clauses.size())));
      if (!clauses.empty() && random.percent(40)) {  // a flipped literal
        SignalClause& clause = clauses[random.below(static_cast<std::uint32_t>(clauses.size()))];
        AigLit& lit = clause[random.below(static_cast<std::uint32_t>(clause.size()))];
        lit = !lit;
      }
      if (random.percent(30)) {  // a clause over any signals
        AigLit any(random.below(problem.aig().num_vars()), random.percent(50));
        clauses.push_back(
            {any, AigLit(random.below(problem.aig().num_vars()), random.percent(50))});
      }
      bool expected = test::is_inductive(problem, claim);
      ASSERT_EQ(accepted(problem, Safe{claim}), expected) << seed;
      ++(expected ? inductive : not_inductive);
      KInductive longer{1 + random.below(3), SimplePath::No, clauses};
      ASSERT_EQ(accepted(problem, Safe{longer}), test::is_k_inductive(problem, longer)) << seed;
    }
  }
  EXPECT_GT(inductive, 300);
  EXPECT_GT(not_inductive, 300);
}

TEST(Certify, AcceptsExactlyTracesThatReplay) {
  int kept = 0;
  int broken = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Problem problem = small_problem(seed);
    ExplicitResult truth = explore(problem);
    if (truth.safe()) continue;
    Random random(seed);
    // Breadth first: no shorter trace exists.
    Trace shorter = *truth.trace;
    shorter.inputs.pop_back();
    ASSERT_FALSE(accepted(problem, Unsafe{shorter})) << seed;
    for (int round = 0; round < 4; ++round) {
      Trace trace = *truth.trace;
      auto& bits =
          random.percent(50)
              ? trace.initial
              : trace.inputs[random.below(static_cast<std::uint32_t>(trace.inputs.size()))];
      if (bits.empty()) continue;
      bits[random.below(static_cast<std::uint32_t>(bits.size()))].flip();
      bool expected = test::replays(problem, trace);
      ASSERT_EQ(accepted(problem, Unsafe{trace}), expected) << seed;
      ++(expected ? kept : broken);
    }
  }
  EXPECT_GT(kept, 100);
  EXPECT_GT(broken, 100);
}

}  // namespace
}  // namespace lem::check
