// IC3+IA: IC3 modulo theories by implicit predicate abstraction [Cimatti14].
//
// The idea: IC3 over cubes of predicates, where the abstract transition relation is never computed:
// the queries of relative induction have the abstraction in them (AbsRelInd). An abstract
// counterexample is simulated; if it is spurious, interpolants give new predicates, and the search
// goes on with all it has learnt.
//
//   search.cpp     the loops of Figure 2
//   frames.h       predicates with labels, AbsRelInd; seen_steps.h answers some queries without a
//                  solver
//   refine.h       simulation and refinement (section 3.3), minimization (section 5.1)
//
// Deviations: a queue of obligations instead of recursion; one copy of the states where the paper
// has two under EQ (frames.h; preset `paper` keeps them); equations of next values are asserted
// when a predicate mentions them; the simulated path ends in Bad (docs/errata.md).
//
// Tried and rejected (docs/benchmarks.md): a cache of all answers of solvers, as 3 % to 11 % of the
// queries come back and half of those want a model; interpolating the shortest infeasible piece of
// a spurious path, which changed nothing where paths are short and cost time elsewhere. Invariants
// before the search (ic3ia.invariants) help less than in ctigar: off by default.
// Tests: tests/unit/engine/term_engines_test.cpp, tests/papers/ic3ia_example_test.cpp.
#include <array>

#include "engine/engine.h"
#include "engine/ic3ia/search.h"

namespace lem::engine {

namespace {

constexpr std::array kPresets = {
    Preset{"paper", "ic3ia.encoding=eq,ic3ia.hints=off", "as printed, with EQ [Cimatti14]"},
    Preset{"all-predicates", "ic3ia.minimize=off", "no predicate minimization [Cimatti14 Fig. 5]"},
    Preset{"seeded", "ic3ia.seed-bounds=on,ic3ia.seed-equalities=on,ic3ia.seed-affine=on",
           "with initial predicates beyond Init and the property"},
};

Reason check(const Problem& problem, const OnFound& found, const Context& ctx) {
  return conclude(Ic3iaSearch(problem, ctx).run(), found);
}

}  // namespace

extern constinit const EngineInfo kIc3iaInfo = {
    .id = "ic3ia",
    .help = "IC3 modulo theories by implicit predicate abstraction",
    .paper = "[Cimatti14]",
    .options = kIc3iaOptions,
    .presets = kPresets,
    .accepts = {Rung::Terms},
    .check = check};

}  // namespace lem::engine
