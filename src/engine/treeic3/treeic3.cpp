// TreeIC3 [Cimatti12; Lange18 4.1; Cimatti14 5]: the control-flow automaton is unwound
// into an abstract reachability tree, depth first. Every node has a formula, a set of clauses that
// holds whenever control comes to its location along its path. Where the formula of a node allows a
// step into the error location, the path to the node is an abstract counterexample, and cubes are
// blocked along it as IC3 does, each relative to the formula of the node before (formula 4.1).
// A leaf that claims more than an older node of its location is covered; the program is safe when
// every leaf is covered.
//
//   search.cpp   the loop, coverage, expansion
//   block.cpp    blocking along a path: projected states, or what predicates say of them
//   refine.cpp   predicates and interpolants of infeasible paths
//   tree.h, lemmas.h, queries.h   the tree, its lemmas, and the queries along its steps
//   interpolants.h, congruences.h   formulas that projection does not find
//
// Deviations: a step that no state of a node takes makes no child. A clause that a cover needs is
// asked for along the step into the covered node, which finds more covers than implication by the
// clauses the node happens to have (forced covering [McMillan06]). Lemmas of other nodes at the
// location are tried before new ones are made. An abstract cube that is not blocked does not become
// an obligation; the projected cube does, so that a path of abstract states is never longer than a
// real one and is refined at its first spurious step.
//
// Tried and rejected: small blocks. The tree then has a node for each way through a loop's body,
// thousands on ssh-simplified; with `transform.block-size=5000` it is nearly a chain
// (docs/engines.md). Interpolating paths where congruences are of use: bounds over integers never
// become inductive there. Tests: tests/unit/engine/treeic3/treeic3_test.cpp,
// tests/fuzz/cfa_fuzz_test.cpp.
#include <array>

#include "engine/engine.h"
#include "engine/treeic3/search.h"

namespace lem::engine {

namespace {

constexpr std::array kPresets = {
    Preset{"concrete", "treeic3.cubes=concrete,treeic3.congruences=0",
           "predecessors by projection [Cimatti12]"},
    Preset{"itp", "treeic3.cubes=itp,treeic3.congruences=2",
           "formulas of interpolants where possible [Cimatti12]"},
    Preset{"ia", "treeic3.cubes=ia,treeic3.congruences=2",
           "implicit predicate abstraction [Cimatti14]"},
};

Reason check(const Problem& problem, const OnFound& found, const Context& ctx) {
  return conclude(verdict_of(TreeIc3Search(problem.cfa(), TreeIc3Config(ctx.options), ctx).run()),
                  found);
}

}  // namespace

extern constinit const EngineInfo kTreeIc3Info = {
    .id = "treeic3",
    .help = "IC3 along the paths of an abstract reachability tree",
    .paper = "[Cimatti12] [Cimatti14] [Lange18]",
    .options = kTreeIc3Options,
    .presets = kPresets,
    .accepts = Rung::Program,
    .check = check,
    // A tree with a node for each way through a loop's body grows too fast, and one block is a
    // query of a few milliseconds.
    .settings = "transform.block-size=5000"};

}  // namespace lem::engine
