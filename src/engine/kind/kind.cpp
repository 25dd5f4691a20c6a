// k-induction: no counterexample of fewer than k steps (base case), and k good steps are followed
// by another one (step case) [Sheeran00]; both cases incremental [Een03].
//
//   search.cpp         on bits
//   terms_search.cpp   on transition systems
//
// Deviations: that the states of the step case differ pairwise (simple paths) is demanded of two of
// them after a model repeated a state [Een03], and among the k good steps only, as the certificate
// says. With simple paths the method is complete on bits, though k may be as large as the longest
// path without repetition; over infinite domains they do not make it complete.
// Tests: tests/unit/engine/kind/kind_test.cpp, tests/unit/engine/term_engines_test.cpp.
#include <array>

#include "engine/engine.h"
#include "engine/kind/search.h"
#include "engine/kind/terms_search.h"

namespace lem::engine {

namespace {

constexpr std::array kPresets = {
    Preset{"plain", "kind.simple-path=off", "no simple-path constraints: cheap, incomplete"},
};

Reason check(const Problem& problem, const OnFound& found, const Context& ctx) {
  if (!problem.is_bits()) return conclude(kind_on_terms(problem, ctx), found);
  return conclude(KindSearch(problem, ctx).run(), found);
}

}  // namespace

extern constinit const EngineInfo kKindInfo = {.id = "kind",
                                               .help = "k-induction with simple-path constraints",
                                               .paper = "[Sheeran00] [Een03]",
                                               .options = kKindOptions,
                                               .presets = kPresets,
                                               .accepts = {Rung::Bits, Rung::Terms},
                                               .check = check};

}  // namespace lem::engine
