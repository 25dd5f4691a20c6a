#include <gtest/gtest.h>

#include "check/certify.h"
#include "run/live/product.h"
#include "run/live/search.h"
#include "support/fair_cycles.h"
#include "support/random_aig.h"
#include "support/session.h"
#include "transform/lift.h"

namespace lem::run {
namespace {

/// A random circuit whose bad states, one after the other, are to recur.
Problem random_justice(std::uint64_t seed) {
  test::RandomAigParams params = test::varied_params(seed);
  params.latches = std::min(params.latches, 6U);
  params.inputs = std::min(params.inputs, 3U);
  params.bad_width = seed % 2 == 0 ? 1 : 2;
  params.properties = 1 + static_cast<std::uint32_t>(seed % 3);
  Problem problem = test::random_problem(seed, params);
  Justice<AigLit> justice;
  for (const Property& property : problem.properties) justice.often.push_back(property.bad());
  justice.own = 1;
  problem.properties = {{"live", std::move(justice)}};
  return problem;
}

/// The same circuit as a transition system over Bool.
Problem as_terms(const Problem& bits) {
  Problem safety = bits;
  safety.properties.clear();
  for (AigLit lit : bits.property().often())
    safety.properties.push_back({"p" + std::to_string(safety.properties.size()), lit});
  Problem lifted = transform::lift_to_terms(safety).problem;
  Justice<Term> justice;
  for (const Property& property : lifted.properties) justice.often.push_back(property.bad_term());
  justice.own = 1;
  lifted.properties = {{"live", std::move(justice)}};
  return lifted;
}

std::string answer(const Problem& problem, std::string_view method, std::string_view settings) {
  test::Session session(settings);
  Status done = session.prove(problem, method);
  EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message);
  return session.words()[0];
}

struct Way {
  std::string_view method, settings;
};
constexpr Way kWays[] = {{"l2s", ""},
                         {"l2s", "l2s.copy=constant"},
                         {"l2s", "l2s.prover=kind"},
                         {"klive", ""},
                         {"rlive", ""}};

// Every answer is certified on the way, so a wrong lasso or proof fails here, too.
TEST(Live, RandomCircuitsAgreeWithTheSearchForFairCycles) {
  std::size_t violated = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Problem problem = random_justice(seed);
    bool truth = test::FairCycles(problem).violated();
    violated += truth ? 1 : 0;
    for (const Way& way : kWays)
      EXPECT_EQ(answer(problem, way.method, way.settings), truth ? "unsafe" : "safe")
          << "seed " << seed << " by " << way.method << " " << way.settings;
  }
  EXPECT_GT(violated, 10U);
  EXPECT_LT(violated, 90U);
}

TEST(Live, TransitionSystemsAgreeWithTheirCircuits) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Problem bits = random_justice(seed);
    Problem terms = as_terms(bits);
    bool truth = test::FairCycles(bits).violated();
    for (const Way& way : kWays) {
      if (way.settings == "l2s.prover=kind") continue;  // over terms it may not end
      EXPECT_EQ(answer(terms, way.method, way.settings), truth ? "unsafe" : "safe")
          << "seed " << seed << " by " << way.method << " " << way.settings;
    }
  }
}

/// An input may set a bit once and for all. That it stays unset recurs, unless it is fair that it
/// gets set.
Problem sticky(bool fair) {
  AigBuilder out;
  AigLit input = out.add_input();
  AigLit bit = out.add_latch(Reset::Zero);
  out.set_next(bit, out.or_gate(bit, input));
  Justice<AigLit> unset{{!bit}, 1};
  if (fair) unset.often.push_back(bit);
  return {std::move(out).freeze(), {{"unset", std::move(unset)}}, {}};
}

TEST(Live, FairnessIsPartOfTheProperty) {
  for (const Way& way : kWays) {
    EXPECT_EQ(answer(sticky(false), way.method, way.settings), "unsafe");
    EXPECT_EQ(answer(sticky(true), way.method, way.settings), "safe");
  }
  EXPECT_EQ(answer(sticky(false), "auto", ""), "unsafe");
  EXPECT_EQ(answer(sticky(true), "auto", ""), "safe");
}

TEST(Live, AnEngineForSafetyRefusesJustice) {
  test::Session session;
  Status done = session.prove(sticky(false), "ic3");
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().kind, ErrorKind::Usage);
  EXPECT_DEATH((void)sticky(false).property().bad(), "no bad signal");
}

TEST(Live, AMethodForJusticeRefusesSafety) {
  Problem both = sticky(false);
  both.properties.push_back({"bad", both.property().often().front()});
  test::Session session;
  EXPECT_FALSE(session.prove(both, "l2s").ok());
}

TEST(Live, BothKindsOfPropertyAreAnswered) {
  Problem both = sticky(false);
  both.properties.push_back({"never", kAigFalse});
  test::Session session;
  ASSERT_TRUE(session.prove(both, "auto").ok());
  EXPECT_EQ(session.words()[0], "unsafe");
  EXPECT_EQ(session.words()[1], "safe");
}

/// Counts up to 3 and stays: the lowest bit is seen twice.
Problem saturating() {
  AigBuilder out;
  AigLit low = out.add_latch(Reset::Zero);
  AigLit high = out.add_latch(Reset::Zero);
  AigLit full = out.and_gate(low, high);
  AigLit counting = out.and_gate(low, !full);
  out.set_next(low, out.or_gate(!low, full));
  out.set_next(high, out.or_gate(high, low));
  return {std::move(out).freeze(), {{"counts", Justice<AigLit>{{counting}, 1}}}, {}};
}

TEST(Live, KLivenessCountsAsFarAsItMust) {
  Problem problem = saturating();
  EXPECT_EQ(answer(problem, "klive", "klive.each=on,klive.most=0"), "unknown");
  EXPECT_EQ(answer(problem, "klive", "klive.each=on,klive.most=1"), "safe");
}

TEST(Live, LatchesOutsideTheConeComeBackToo) {
  AigBuilder out;
  AigLit toggles = out.add_latch(Reset::Zero);
  AigLit outside = out.add_latch(Reset::Zero);
  AigLit more = out.add_latch(Reset::Zero);
  out.set_next(outside, !outside);
  out.set_next(more, out.xor_gate(more, outside));
  Problem problem{std::move(out).freeze(), {{"always", Justice<AigLit>{{!toggles}, 1}}}, {}};
  EXPECT_EQ(recurring_states(problem), std::vector<std::uint32_t>{0});
  EXPECT_EQ(answer(problem, "l2s", "l2s.prover=bmc"), "unsafe");
}

}  // namespace
}  // namespace lem::run
