#include "check/certify.h"

#include <gtest/gtest.h>

#include "random_aig.h"

namespace lem {
namespace {

using test::below;
using test::Explicit;
using test::random_problem;
using test::Rng;

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
  auto clauses = one_token(problem.aig);
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
  AigLit first = problem.aig.latch(0);
  EXPECT_NE(why_rejected(problem, Safe{InductiveInvariant{{{!first}}}}).find("initiation"),
            std::string::npos);
  EXPECT_NE(why_rejected(problem, Safe{InductiveInvariant{}}).find("consecution"),
            std::string::npos);
  auto clauses = one_token(problem.aig);
  clauses.push_back({first, problem.aig.latch(1)});
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
      certify(problem, Safe{InductiveInvariant{one_token(problem.aig)}}, source.get_token());
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
}

TEST(Certify, AgreesWithExplicitStateSearch) {
  Rng rng(7);
  int safe = 0;
  int unsafe = 0;
  for (int round = 0; round < 1000; ++round) {
    Problem problem = random_problem(rng);
    Explicit model(problem);
    if (!model.safe()) {
      ++unsafe;
      ASSERT_TRUE(accepted(problem, Unsafe{model.trace()})) << round;
      // Nothing proves an unsafe property.
      ASSERT_FALSE(accepted(problem, Safe{InductiveInvariant{}})) << round;
      ASSERT_FALSE(accepted(problem, Safe{KInductive{9, SimplePath::Yes, {}}})) << round;
      ASSERT_FALSE(accepted(problem, Safe{InductiveInvariant{model.reachable_as_clauses()}}));
      continue;
    }
    ++safe;
    auto clauses = model.reachable_as_clauses();
    ASSERT_TRUE(accepted(problem, Safe{InductiveInvariant{clauses}})) << round;
    // Longer than any simple path, so that the step holds by there being none.
    ASSERT_TRUE(accepted(problem, Safe{KInductive{17, SimplePath::Yes, {}}})) << round;
    // No trace of a few random steps violates a safe property.
    Trace trace{*model.reached().begin(), {}};
    for (int step = 0; step < 4; ++step) {
      trace.inputs.push_back(Explicit::unpack(below(rng, 256), problem.aig.num_inputs()));
      ASSERT_FALSE(accepted(problem, Unsafe{trace})) << round;
    }
  }
  EXPECT_GT(safe, 100);
  EXPECT_GT(unsafe, 100);
}

/// Does Inv exclude a reachable state with a legal input, or the bad states not? Then it is wrong.
TEST(Certify, RejectsInvariantsThatExcludeAReachableState) {
  Rng rng(11);
  int rejected = 0;
  for (int round = 0; round < 600; ++round) {
    Problem problem = random_problem(rng);
    if (!problem.aig.constraints().empty()) continue;  // a state may have no legal input
    Explicit model(problem);
    if (!model.safe()) continue;
    auto clauses = model.reachable_as_clauses();
    SignalClause extra;
    auto victim = model.reached().begin();
    std::advance(victim, below(rng, static_cast<std::uint32_t>(model.reached().size())));
    for (std::uint32_t i = 0; i < problem.aig.num_latches(); ++i)
      extra.push_back(problem.aig.latch(i) ^ (*victim)[i]);
    clauses.push_back(extra);
    ASSERT_FALSE(accepted(problem, Safe{InductiveInvariant{clauses}})) << round;
    ++rejected;
  }
  EXPECT_GT(rejected, 100);
}

TEST(Certify, RejectsMutatedTraces) {
  Rng rng(13);
  int shortened = 0;
  for (int round = 0; round < 800; ++round) {
    Problem problem = random_problem(rng);
    Explicit model(problem);
    if (model.safe()) continue;
    Trace trace = model.trace();
    // Breadth first: no shorter trace exists.
    if (trace.inputs.size() > 1) {
      Trace shorter = trace;
      shorter.inputs.pop_back();
      ASSERT_FALSE(accepted(problem, Unsafe{shorter})) << round;
      ++shortened;
    }
    for (std::uint32_t i = 0; i < problem.aig.num_latches(); ++i) {
      if (problem.aig.latches()[i].reset == Reset::Free) continue;
      Trace flipped = trace;
      flipped.initial[i] = !flipped.initial[i];
      ASSERT_FALSE(accepted(problem, Unsafe{flipped})) << round;
    }
  }
  EXPECT_GT(shortened, 30);
}

}  // namespace
}  // namespace lem
