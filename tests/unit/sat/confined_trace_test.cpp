// Random circuits and streams of confined queries, judged by an unconfined, fresh CaDiCaL: the
// shape of relative-induction queries, with lemmas and constraints on the variables marked always.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sat/cdcl.h"
#include "sat_support.h"

namespace lem::sat::test {
namespace {

struct Shape {
  Var min_leaves, max_leaves;
  Var min_gates, max_gates;
  std::uint32_t steps;
  std::uint32_t first_lemmas;  // per ten leaves, before the first query
};

/// Variables: leaves first, then gates in topological order. Variable numbers of a Cdcl with
/// dependencies go one further, to its guard.
struct Circuit {
  Circuit(Random& random, const Shape& shape)
      : leaves(random.between(shape.min_leaves, shape.max_leaves)),
        vars(leaves + random.between(shape.min_gates, shape.max_gates)),
        fan_ins(vars) {
    for (Var gate = leaves; gate < vars; ++gate) define(gate, random);
  }

  void define(Var gate, Random& random) {
    Clause in = random.distinct(gate, 2);
    Lit out = pos(gate);
    for (Lit lit : in) fan_ins[gate].push_back(lit.var());
    if (in.size() < 2 || random.percent(65)) {
      Clause all = {out};
      for (Lit lit : in) {
        clauses.push_back({!out, lit});
        all.push_back(!lit);
      }
      clauses.push_back(all);
    } else {
      for (bool left : {false, true}) {
        clauses.push_back({!out, in[0] ^ left, in[1] ^ left});
        clauses.push_back({out, in[0] ^ left, in[1] ^ !left});
      }
    }
  }

  std::vector<bool> cone(const std::vector<bool>& roots) const {
    std::vector<bool> in = roots;
    for (Var var = vars; var-- > 0;) {
      if (!in[var]) continue;
      for (Var next : fan_ins[var]) in[next] = true;
    }
    return in;
  }

  Var leaves, vars;
  std::vector<std::vector<Var>> fan_ins;
  Cnf clauses;
};

/// A solver under test, with what it should know.
struct Side {
  Cdcl solver;
  Cnf clauses;
  std::vector<bool> always;

  void add(const Clause& clause) {
    for (Lit lit : clause) {
      solver.always(lit.var());
      always[lit.var()] = true;
    }
    solver.add_clause(clause);
    clauses.push_back(clause);
  }
};

class ConfinedTrace {
 public:
  ConfinedTrace(std::uint64_t seed, const Shape& shape)
      : random_(seed), shape_(shape), circuit_(random_, shape) {
    Side side{{}, circuit_.clauses, std::vector<bool>(circuit_.vars)};
    add_vars(side.solver, circuit_.vars);
    for (Var leaf = 0; leaf < circuit_.leaves; ++leaf) side.solver.track(leaf);
    for (const Clause& clause : circuit_.clauses) side.solver.add_clause(clause);
    side.solver.set_dependencies(std::make_shared<Dependencies>(circuit_.fan_ins));
    if (random_.percent(50)) side.solver.set_learnt_limit(random_.between(1, 40));
    std::uint32_t lemmas = shape.first_lemmas * circuit_.leaves / 10;
    for (std::uint32_t i = 0; i < lemmas; ++i) side.add(random_.distinct(circuit_.leaves, 3));
    sides_.push_back(std::move(side));
  }

  void run() {
    for (std::uint32_t i = 0; i < shape_.steps && !testing::Test::HasFatalFailure(); ++i) step();
  }
  std::vector<Side>& sides() { return sides_; }

 private:
  void step() {
    Side& side = sides_[random_.below(static_cast<std::uint32_t>(sides_.size()))];
    if (random_.percent(25)) {
      std::uint32_t size = random_.percent(10) ? 1 : random_.between(2, 5);
      side.add(draw_clause(size));
    }
    if (random_.percent(4)) {
      side.add({random_.lit(circuit_.vars)});  // a constraint
    }
    if (random_.percent(8) && sides_.size() < 4) {
      sides_.push_back(side);
      return;
    }
    if (random_.percent(10)) {
      ask_unconfined(side);
    } else {
      ask(side);
    }
  }

  /// Mostly over leaves and well-formed, as lemmas are.
  Clause draw_clause(std::uint32_t size) {
    Var vars = random_.percent(10) ? circuit_.vars : circuit_.leaves;
    return random_.percent(10) ? random_.any(vars, size) : random_.distinct(vars, size);
  }
  Clause draw_temporary() {
    if (random_.percent(20)) return {};
    return draw_clause(random_.percent(30) ? 1 : random_.between(2, 6));
  }
  Clause draw_assumptions() {
    if (random_.percent(5)) return random_.any(circuit_.vars, random_.below(60));
    return random_.distinct(circuit_.vars, random_.below(6));
  }

  void ask(Side& side) {
    Clause assumptions = draw_assumptions();
    Clause temporary = draw_temporary();
    std::unique_ptr<SatSolver> judge = make_judge(circuit_.vars, side.clauses);
    if (!temporary.empty()) judge->add_clause(temporary);
    if (random_.percent(10)) ask_in_vain(side, assumptions, temporary);
    SatResult answer = side.solver.solve_confined(assumptions, temporary);
    ASSERT_EQ(answer, judge->solve(assumptions));
    if (answer == SatResult::Sat) {
      check_model(side, *judge, assumptions, temporary);
    } else {
      ASSERT_EQ(judge->solve(core(side.solver, assumptions)), SatResult::Unsat);
    }
  }

  /// A query cut short leaves the solver fit for the next one.
  void ask_in_vain(Side& side, const Clause& assumptions, const Clause& temporary) {
    side.solver.limit_conflicts(random_.below(4));
    side.solver.solve_confined(assumptions, temporary);
    side.solver.limit_conflicts(UINT64_MAX);
  }

  void check_model(Side& side, SatSolver& judge, const Clause& assumptions,
                   const Clause& temporary) {
    std::vector<bool> roots = side.always;
    for (Lit lit : assumptions) roots[lit.var()] = true;
    for (Lit lit : temporary) roots[lit.var()] = true;
    std::vector<bool> cone = circuit_.cone(roots);
    Clause model;
    for (Var var = 0; var < circuit_.vars; ++var) {
      Truth truth = side.solver.model(pos(var));
      bool fixed = side.solver.fixed(pos(var)) || side.solver.fixed(neg(var));
      ASSERT_EQ(truth != Truth::Unassigned, cone[var] || fixed);
      if (truth != Truth::Unassigned) model.push_back(Lit(var, truth == Truth::False));
    }
    for (Lit lit : assumptions) ASSERT_EQ(side.solver.model(lit), Truth::True);
    ASSERT_EQ(judge.solve(model), SatResult::Sat) << "the cone's values do not extend to a model";
    check_drops(side, cone);
  }

  /// Drops what can be dropped, in random order; clauses within the cone stay satisfied.
  void check_drops(Side& side, const std::vector<bool>& cone) {
    Clause leaves;
    for (Var leaf = 0; leaf < circuit_.leaves; ++leaf) {
      Truth truth = side.solver.model(pos(leaf));
      if (truth != Truth::Unassigned) leaves.push_back(Lit(leaf, truth == Truth::False));
    }
    random_.shuffle(leaves);
    for (Lit lit : leaves) {
      bool dropped = side.solver.drop_from_model(lit);
      ASSERT_EQ(side.solver.model(lit), dropped ? Truth::Unassigned : Truth::True);
    }
    auto inside = [&](Lit lit) { return cone[lit.var()]; };
    auto holds = [&](Lit lit) { return side.solver.model(lit) == Truth::True; };
    auto tautology = [](const Clause& clause) {
      return std::ranges::any_of(
          clause, [&](Lit lit) { return std::ranges::find(clause, !lit) != clause.end(); });
    };
    for (const Clause& clause : side.clauses) {
      if (!std::ranges::all_of(clause, inside) || tautology(clause)) continue;
      ASSERT_TRUE(satisfied(clause, holds));
    }
  }

  void ask_unconfined(Side& side) {
    Clause assumptions = draw_assumptions();
    SatResult answer = side.solver.solve(assumptions);
    bool sat = satisfiable(circuit_.vars, side.clauses, assumptions);
    ASSERT_EQ(answer, sat ? SatResult::Sat : SatResult::Unsat);
    if (!sat) return;
    auto holds = [&](Lit lit) { return side.solver.value(lit); };
    for (const Clause& clause : side.clauses) ASSERT_TRUE(satisfied(clause, holds));
  }

  Random random_;
  Shape shape_;
  Circuit circuit_;
  std::vector<Side> sides_;  // the first, copies of it, copies of copies
};

Cdcl::Counts run_traces(std::uint64_t first_seed, std::uint64_t count, const Shape& shape) {
  Cdcl::Counts total;
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ConfinedTrace trace(seed, shape);
    trace.run();
    if (testing::Test::HasFatalFailure()) break;
    for (const Side& side : trace.sides()) {
      total.restarts += side.solver.counts().restarts;
      total.reductions += side.solver.counts().reductions;
      total.collections += side.solver.counts().collections;
    }
  }
  return total;
}

TEST(ConfinedTrace, AgreesWithCadicalOnTinyCircuits) {
  run_traces(0, traces(14000), {1, 6, 1, 12, 8, 0});
}

TEST(ConfinedTrace, AgreesWithCadicalOnSmallCircuits) {
  Cdcl::Counts total = run_traces(100000, traces(5900), {4, 15, 5, 40, 10, 10});
  EXPECT_GT(total.reductions, 0U);
  EXPECT_GT(total.collections, 0U);
}

TEST(ConfinedTrace, AgreesWithCadicalOnLongStreams) {
  Cdcl::Counts total = run_traces(200000, traces(40), {15, 25, 80, 160, 200, 15});
  EXPECT_GT(total.reductions, 0U);
  EXPECT_GT(total.collections, 0U);
}

TEST(ConfinedTrace, AgreesWithCadicalThroughRestarts) {
  Cdcl::Counts total = run_traces(300000, traces(60), {100, 150, 40, 80, 12, 40});
  EXPECT_GT(total.restarts, 0U);
  EXPECT_GT(total.reductions, 0U);
}

}  // namespace
}  // namespace lem::sat::test
