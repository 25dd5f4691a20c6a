// The running example of [Lange18 ch. 3]: Figure 3.1 with Examples 3.2 to 3.8.
//
// States are x1x2x3x4. The printed T lacks the edge from 1011 to a bad state that Figure 3.1 shows
// and that Examples 3.2 and 3.3 use (1011 is a CTI, and a predecessor of x1x2-states): it is added
// here. As an Aig: next(x) = T(x, i) ? i : x with four inputs i; the self-loops this adds change
// neither reachability nor relative induction.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "check/certify.h"
#include "engine/ic3/search.h"
#include "engine/parts/common/generalizer.h"
#include "engine/registry.h"
#include "support/explicit.h"

namespace lem::engine {
namespace {

using State = unsigned;  // x1 is the most significant bit, as in the thesis

bool x(State state, int k) {
  return (state >> (4 - k) & 1) != 0;
}

/// A conjunction over x1..x4: "1-0-" is x1 and not x3.
bool matches(State state, const char* pattern) {
  for (int k = 1; k <= 4; ++k) {
    char want = pattern[k - 1];
    if (want != '-' && (want == '1') != x(state, k)) return false;
  }
  return true;
}

struct Edge {
  const char* from;
  const char* to;
};
constexpr Edge kEdges[] = {{"-001", "-000"}, {"0-00", "0-10"}, {"0-10", "0100"}, {"0011", "0101"},
                           {"0101", "1110"}, {"1000", "1001"}, {"11-0", "11-1"}, {"1011", "11-1"}};

bool is_initial(State s) {
  return matches(s, "-001");
}
bool is_bad(State s) {
  return matches(s, "11-1");
}
bool steps(State from, State to) {
  for (const Edge& edge : kEdges) {
    if (matches(from, edge.from) && matches(to, edge.to)) return true;
  }
  return false;
}

/// Literal of x_k: SAT variable k.
Lit lit(int k) {
  return Lit(static_cast<sat::Var>(k), false);
}
bool satisfies(State state, std::span<const Lit> cube) {
  for (Lit l : cube) {
    if (x(state, static_cast<int>(l.var())) == l.negative()) return false;
  }
  return true;
}

/// The generalizer's oracle by enumeration, with the frames of the thesis as explicit sets.
struct ExplicitOracle {
  std::vector<std::set<State>> frames;
  int queries = 0;
  State last = 0;
  std::vector<Lit> core = {};

  Induction inductive(Level i, std::span<const Lit> cube) {
    ++queries;
    for (State s : frames[index(i) - 1]) {
      if (satisfies(s, cube)) continue;
      for (State t = 0; t < 16; ++t) {
        if (!steps(s, t) || !satisfies(t, cube)) continue;
        last = s;
        return {Induction::Fails};
      }
    }
    core.assign(cube.begin(), cube.end());
    return {Induction::Holds, core};
  }
  std::vector<Lit> counterexample() const {
    std::vector<Lit> state;
    for (int k = 1; k <= 4; ++k) state.push_back(lit(k) ^ !x(last, k));
    return state;
  }
  bool meets_initial(std::span<const Lit> cube) const {
    for (State s = 0; s < 16; ++s) {
      if (is_initial(s) && satisfies(s, cube)) return true;
    }
    return false;
  }
  void order(std::vector<Lit>&) const {}
  bool block_ctg(Level i, const Effort& effort, std::uint32_t depth) {
    State ctg = last;
    std::vector<Lit> cube = counterexample();
    if (index(i) == 0 || meets_initial(cube)) return false;
    if (!inductive(i, cube).holds()) {
      if (depth >= effort.ctg_depth || !block_ctg(previous(i), effort, depth + 1)) return false;
      if (!inductive(i, cube).holds()) return false;
    }
    for (std::uint32_t k = 1; k <= index(i); ++k) frames[k].erase(ctg);
    blocked.push_back(ctg);
    return true;
  }
  std::vector<State> blocked = {};
};

std::set<State> property_states() {
  std::set<State> states;
  for (State s = 0; s < 16; ++s) {
    if (!is_bad(s)) states.insert(s);
  }
  return states;
}
std::set<State> initial_states() {
  return {0b0001, 0b1001};
}
std::set<State> without(std::set<State> states, const char* pattern) {
  std::erase_if(states, [&](State s) { return matches(s, pattern); });
  return states;
}
std::vector<Lit> cube_1110() {
  return {!lit(4), lit(3), lit(2), lit(1)};
}

TEST(ThesisExample33, DroppingLiteralsRelativeToF1Gives_x1x2) {
  ExplicitOracle oracle{{initial_states(), without(without(property_states(), "-1--"), "1011")}};
  Generalizer generalizer(oracle);
  std::vector<Lit> result = generalizer.generalize(Level{2}, cube_1110(), Effort{Generalize::Drop});
  EXPECT_EQ(Cube(result), Cube({lit(1), lit(2)}));
}

TEST(ThesisExample34, BinarySearchRelativeToF0Gives_x2_InThreeTests) {
  ExplicitOracle oracle{{initial_states()}};
  Generalizer generalizer(oracle);
  std::vector<Lit> result = generalizer.generalize(Level{1}, {lit(1), lit(2), lit(3), !lit(4)},
                                                   Effort{Generalize::Binary});
  EXPECT_EQ(Cube(result), Cube({lit(2)}));
  EXPECT_EQ(oracle.queries, 2) << "x1x2 and x2; the test of x1 ends at the initial states";
}

// Without blocking 0101 (and 0011 before it) no generalization of 1100 exists at all.
TEST(ThesisExample36, CounterexamplesToGeneralizationAreNeededToDropALiteral) {
  std::vector<Lit> cti{!lit(3), !lit(4), lit(2), lit(1)};
  std::vector<std::set<State>> frames{initial_states(), property_states(), property_states(),
                                      property_states()};
  ExplicitOracle plain{frames};
  EXPECT_EQ(Generalizer(plain).generalize(Level{3}, cti, Effort{Generalize::Down}).size(), 4U);
  ExplicitOracle oracle{frames};
  std::vector<Lit> result =
      Generalizer(oracle).generalize(Level{3}, cti, Effort{Generalize::Ctg, 2, 3});
  EXPECT_LT(result.size(), 4U);
  ASSERT_GE(oracle.blocked.size(), 2U);
  EXPECT_EQ(oracle.blocked[0], 0b0011U);
  EXPECT_EQ(oracle.blocked[1], 0b0101U);
}

TEST(ThesisExample37, OnlyTheLemmaOn1011CanBePushedFromF1) {
  ExplicitOracle oracle{{initial_states(), without(without(property_states(), "-1--"), "1011")}};
  EXPECT_TRUE(oracle.inductive(Level{2}, std::vector<Lit>{lit(2)}).fails());
  EXPECT_TRUE(
      oracle.inductive(Level{2}, std::vector<Lit>{lit(1), !lit(2), lit(3), lit(4)}).holds());
}

// docs/errata.md on [Lange18 Alg. 10]: without the initiation test, dropping would reach a cube
// that contains the initial state 1001.
TEST(ThesisErrata, DroppingNeverReachesTheInitialStates) {
  ExplicitOracle oracle{{initial_states(), without(without(property_states(), "-1--"), "1011")}};
  std::vector<Lit> result =
      Generalizer(oracle).generalize(Level{2}, cube_1110(), Effort{Generalize::Drop});
  EXPECT_FALSE(oracle.meets_initial(result));
  EXPECT_TRUE(oracle.meets_initial(std::vector<Lit>{lit(1)}));
}

Problem figure_3_1() {
  AigBuilder builder;
  std::vector<AigLit> in, var;
  for (int k = 0; k < 4; ++k) in.push_back(builder.add_input());
  for (Reset reset : {Reset::Free, Reset::Zero, Reset::Zero, Reset::One})
    var.push_back(builder.add_latch(reset));
  auto conjunction = [&](const std::vector<AigLit>& bits, const char* pattern) {
    AigLit all = kAigTrue;
    for (std::size_t k = 0; k < 4; ++k) {
      if (pattern[k] != '-') all = builder.and_gate(all, bits[k] ^ (pattern[k] == '0'));
    }
    return all;
  };
  AigLit transition = kAigFalse;
  for (const Edge& edge : kEdges) {
    transition = builder.or_gate(
        transition, builder.and_gate(conjunction(var, edge.from), conjunction(in, edge.to)));
  }
  for (std::size_t k = 0; k < 4; ++k)
    builder.set_next(var[k], builder.mux_gate(transition, in[k], var[k]));
  AigLit bad = conjunction(var, "11-1");
  return {std::move(builder).freeze(), {{"not red", bad}}, {}};
}

/// The latches of figure_3_1 follow its four inputs: variable 5 is x1.
bool lemma_holds(State state, const Cube& cube) {
  for (Lit l : cube.lits()) {
    if (x(state, static_cast<int>(l.var()) - 4) == l.negative()) return true;
  }
  return false;
}

class ThesisExample32 : public testing::TestWithParam<const char*> {};

// Frames and lemmas after the run satisfy invariants (3.4) to (3.7) of the thesis state by state.
TEST_P(ThesisExample32, FramesOverapproximateReachabilityAndProveTheProperty) {
  Problem problem = figure_3_1();
  Options options;
  options.declare(kIc3Options);
  ASSERT_TRUE(options.set("ic3.generalize", GetParam()).ok());
  ASSERT_TRUE(options.set("ic3.infinity", "off").ok());
  Stats stats;
  Log log;
  Progress progress;
  Context ctx{options, stats, log, progress, {}};
  Ic3Search search(problem, ctx);
  Verdict verdict = search.run();
  ASSERT_TRUE(std::holds_alternative<Safe>(verdict));
  EXPECT_TRUE(check::certify(problem, verdict, {}).ok());
  EXPECT_TRUE(test::evidence_holds(problem, verdict));

  const Frames& frames = search.frames();
  auto in_frame = [&](State state, Level level) {
    for (Level i = level; i <= frames.top(); ++i) {
      for (const Lemma& lemma : frames.at(i)) {
        if (!lemma_holds(state, lemma.cube)) return false;
      }
    }
    return true;
  };
  ASSERT_GE(index(frames.top()), 2U);
  std::size_t lemmas = 0;
  for (Level i{1}; i <= frames.top(); ++i) {
    lemmas += frames.at(i).size();
    for (State s = 0; s < 16; ++s) {
      if (is_initial(s)) {
        EXPECT_TRUE(in_frame(s, i)) << "(3.4) " << s;
      }
      if (i < frames.top() && in_frame(s, i)) {
        EXPECT_TRUE(in_frame(s, next(i))) << "(3.5) " << s;
        EXPECT_FALSE(is_bad(s)) << "(3.6) " << s;
        for (State t = 0; t < 16; ++t) {
          if (!steps(s, t)) continue;
          EXPECT_TRUE(in_frame(t, next(i))) << "(3.7) " << s << "->" << t;
        }
      }
    }
  }
  EXPECT_GE(lemmas, 2U) << "P alone is not inductive: 1100 and 1011 step into a bad state";
}

INSTANTIATE_TEST_SUITE_P(Generalizations, ThesisExample32,
                         testing::Values("none", "core", "drop", "binary", "down", "ctg",
                                         "dynamic"));

}  // namespace
}  // namespace lem::engine
