// Random incremental traces: Cdcl and CaDiCaL agree on every answer, models satisfy every clause,
// and cores are unsatisfiable for a fresh CaDiCaL.
#include <gtest/gtest.h>

#include <memory>

#include "sat/cdcl.h"
#include "sat_support.h"

namespace lem::sat::test {
namespace {

struct Shape {
  Var min_vars, max_vars;
  std::uint32_t queries;
  std::uint32_t percent_odd;  // clauses of lengths other than three; mostly longer
};

/// One trace: 3-SAT that grows past its threshold (4.3 clauses per variable), queried on the way.
class Trace {
 public:
  Trace(std::uint64_t seed, const Shape& shape)
      : random_(seed), shape_(shape), vars_(random_.between(shape.min_vars, shape.max_vars)) {
    add_vars(ours_, vars_);
    add_vars(*theirs_, vars_);
    if (random_.percent(50)) ours_.set_learnt_limit(random_.between(1, 40));
  }

  void run() {
    std::uint32_t last = vars_ * random_.between(40, 48) / 10;
    std::uint32_t first = vars_ * random_.between(10, 40) / 10;
    for (std::uint32_t query = 0; query < shape_.queries; ++query) {
      std::uint32_t goal = first + (last - first) * (query + 1) / shape_.queries;
      while (clauses_.size() < goal) add_clause();
      ask();
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  const Cdcl::Counts& counts() const { return ours_.counts(); }

 private:
  void add_clause() {
    Clause clause = draw_clause();
    ours_.add_clause(clause);
    theirs_->add_clause(clause);
    clauses_.push_back(clause);
  }

  Clause draw_clause() {
    if (!random_.percent(shape_.percent_odd)) return random_.distinct(vars_, 3);
    if (random_.percent(5)) return random_.distinct(vars_, 1);
    if (random_.percent(20)) return random_.any(vars_, random_.between(2, 6));
    return random_.distinct(vars_, random_.between(2, 8));
  }

  void ask() {
    std::uint32_t size = random_.percent(30) ? 0 : random_.below(random_.percent(10) ? 40 : 8);
    Clause assumptions =
        random_.percent(20) ? random_.any(vars_, size) : random_.distinct(vars_, size);
    if (random_.percent(10)) ask_in_vain(assumptions);
    SatResult answer = ours_.solve(assumptions);
    ASSERT_EQ(answer, theirs_->solve(assumptions));
    if (answer == SatResult::Sat) {
      check_model(assumptions);
    } else {
      ASSERT_FALSE(satisfiable(vars_, clauses_, core(ours_, assumptions)));
    }
  }

  /// A query cut short leaves the solver fit for the next one.
  void ask_in_vain(const Clause& assumptions) {
    ours_.limit_conflicts(random_.below(20));
    ours_.solve(assumptions);
    ours_.limit_conflicts(UINT64_MAX);
  }

  void check_model(const Clause& assumptions) {
    auto holds = [&](Lit lit) { return ours_.value(lit); };
    for (const Clause& clause : clauses_) ASSERT_TRUE(satisfied(clause, holds));
    for (Lit lit : assumptions) ASSERT_TRUE(holds(lit));
    for (Var var = 0; var < vars_; ++var) ASSERT_NE(holds(pos(var)), holds(neg(var)));
  }

  Random random_;
  Shape shape_;
  Var vars_;
  Cnf clauses_;
  Cdcl ours_;
  std::unique_ptr<SatSolver> theirs_ = make_cadical();
};

Cdcl::Counts run_traces(std::uint64_t first_seed, std::uint64_t count, const Shape& shape) {
  Cdcl::Counts total;
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Trace trace(seed, shape);
    trace.run();
    if (testing::Test::HasFatalFailure()) break;
    total.queries += trace.counts().queries;
    total.restarts += trace.counts().restarts;
    total.reductions += trace.counts().reductions;
    total.collections += trace.counts().collections;
  }
  return total;
}

TEST(CdclTrace, AgreesWithCadicalOnTinyInstances) {
  run_traces(0, traces(11000), {5, 15, 8, 30});
}

TEST(CdclTrace, AgreesWithCadicalOnSmallInstances) {
  Cdcl::Counts total = run_traces(100000, traces(8800), {16, 60, 8, 15});
  EXPECT_GT(total.reductions, 0U);
  EXPECT_GT(total.collections, 0U);
}

TEST(CdclTrace, AgreesWithCadicalThroughRestartsAndReductions) {
  Cdcl::Counts total = run_traces(200000, traces(200), {100, 150, 6, 5});
  EXPECT_GT(total.restarts, 0U);
  EXPECT_GT(total.reductions, 0U);
  EXPECT_GT(total.collections, 0U);
}

}  // namespace
}  // namespace lem::sat::test
