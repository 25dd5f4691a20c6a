#include <gtest/gtest.h>

#include "check/certify.h"
#include "check/live/lasso.h"
#include "check/live/product.h"

namespace lem::check {
namespace {

/// A bit that an input may set once; `recurs` is the signal of the property.
Problem latch_with(AigLit (*recurs)(AigBuilder&, AigLit input, AigLit latch)) {
  AigBuilder out;
  AigLit input = out.add_input();
  AigLit latch = out.add_latch(Reset::Zero);
  AigLit next = out.or_gate(latch, input);
  out.set_next(latch, next);
  AigLit often = recurs(out, input, latch);
  return {std::move(out).freeze(), {{"live", Justice<AigLit>{{often}, 1}}}, {}};
}
Problem stays_unset() {
  return latch_with([](AigBuilder&, AigLit, AigLit latch) { return !latch; });
}
/// The moment at which it is set, which comes once.
Problem being_set() {
  return latch_with(
      [](AigBuilder& out, AigLit input, AigLit latch) { return out.and_gate(input, !latch); });
}

bool accepts(const Problem& problem, Verdict verdict) {
  Result<Certified> outcome = certify(problem, std::move(verdict), {});
  return outcome && !is_unknown(outcome->verdict());
}

TEST(LiveCheck, AcceptsALassoAndNothingLess) {
  Problem problem = stays_unset();
  Trace stay{{false}, {{false}, {false}}};
  EXPECT_TRUE(accepts(problem, Unsafe{stay, 0}));
  EXPECT_TRUE(accepts(problem, Unsafe{stay, 1}));
  EXPECT_FALSE(accepts(problem, Unsafe{stay})) << "no loop";
  EXPECT_FALSE(accepts(problem, Unsafe{stay, 2})) << "a loop of no steps";
  Trace sets{{false}, {{false}, {true}}};
  EXPECT_FALSE(accepts(problem, Unsafe{sets, 0})) << "the state does not come back";
  Trace set{{false}, {{true}, {true}}};
  EXPECT_FALSE(accepts(problem, Unsafe{set, 1})) << "the signal does not hold in the loop";
  EXPECT_FALSE(accepts(problem, Unsafe{Trace{{true}, {{true}}}, 0})) << "not initial";
}

TEST(LiveCheck, ALassoIsNoViolationOfSafety) {
  Problem problem = stays_unset();
  AigLit bad = problem.property().often().front();
  problem.properties = {{"bad", bad}};
  EXPECT_TRUE(accepts(problem, Unsafe{Trace{{false}, {{false}}}}));
  EXPECT_FALSE(accepts(problem, Unsafe{Trace{{false}, {{false}}}, 0}));
}

TEST(LiveCheck, AnInvariantOfTheModelProvesNoJustice) {
  EXPECT_FALSE(accepts(being_set(), Safe{InductiveInvariant{}}));
  EXPECT_FALSE(accepts(being_set(), Safe{KInductive{}}));
}

TEST(LiveCheck, CounterProofsAreCheckedOnAProductOfTheirOwn) {
  Problem problem = being_set();
  ProductShape once{ProductKind::Counter, 1, {}};
  AigLit latch = problem.aig().latch(0);
  AigLit counted(latch.var() + 1, false);
  // Once the round is counted, the latch is set, and stays so.
  LiveProof proof{once, InductiveInvariant{{{!counted, latch}}}};
  EXPECT_TRUE(accepts(problem, Safe{proof}));
  EXPECT_FALSE(accepts(problem, Safe{LiveProof{once, InductiveInvariant{}}}));
  proof.shape.k = 0;
  EXPECT_FALSE(accepts(problem, Safe{proof}));
  EXPECT_FALSE(
      accepts(stays_unset(), Safe{LiveProof{once, InductiveInvariant{{{!counted, latch}}}}}));
}

TEST(LiveCheck, LayersMustBeClosedAndLeft) {
  Problem problem = being_set();
  ProductShape delayed{ProductKind::Delayed, 0, {}};
  AigLit latch = problem.aig().latch(0);
  AigLit d(latch.var() + 1, false);
  // Set and not just now; then set just now; the rest.
  Layers good{{{{latch}, {!d}}, {{latch}, {d}}}, {{!d}}};
  EXPECT_TRUE(accepts(problem, Safe{LiveProof{delayed, good}}));
  Layers unordered{{good.layers[1], good.layers[0]}, good.rest};
  EXPECT_FALSE(accepts(problem, Safe{LiveProof{delayed, unordered}}));
  Layers open{{{{!latch}}}, {}};
  EXPECT_FALSE(accepts(problem, Safe{LiveProof{delayed, open}}));
  Layers none{{}, {}};
  EXPECT_FALSE(accepts(problem, Safe{LiveProof{delayed, none}}));
  EXPECT_FALSE(accepts(problem, Safe{LiveProof{{ProductKind::Counter, 0, {}}, good}}));
  EXPECT_FALSE(accepts(stays_unset(), Safe{LiveProof{delayed, good}}));
}

TEST(LiveCheck, CopiesAreOfLatchesOfTheModel) {
  Problem problem = being_set();
  EXPECT_TRUE(product_of(problem, {ProductKind::Oracle, 0, {0}}).ok());
  EXPECT_FALSE(product_of(problem, {ProductKind::Oracle, 0, {1}}).ok());
  EXPECT_FALSE(product_of(problem, {ProductKind::Constant, 0, {0, 0}}).ok());
}

TEST(LiveCheck, FilesNeedNotSayWhereTheLoopStarts) {
  Problem problem = stays_unset();
  const std::vector<AigLit>& often = problem.property().often();
  EXPECT_FALSE(replay_any_lasso(problem.aig(), often, {{false}, {{false}, {false}}}));
  EXPECT_TRUE(replay_any_lasso(problem.aig(), often, {{false}, {{true}, {false}}}));
  EXPECT_TRUE(replay_any_lasso(problem.aig(), often, {{false}, {{true}}}));
}

}  // namespace
}  // namespace lem::check
