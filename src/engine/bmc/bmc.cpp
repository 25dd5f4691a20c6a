// Bounded model checking: is a bad state reachable in 0, 1, 2, ... steps? Incremental, with the bad
// step as an assumption [Biere99, Een03].
//
//   search.cpp         on bits: CaDiCaL on an unrolling (parts/bits/unroller.h)
//   terms_search.cpp   on transition systems: the same with an SMT solver
//   program_search.cpp on programs: merging symbolic execution [Clarke04, Kuznetsov12], which also
//                      proves what ends; unwinding.cpp, executor.cpp, paths.cpp, arrays.cpp and
//                      simulation.cpp are its parts (docs/engines.md, How bmc searches programs)
//
// Deviations: on bits, `bmc.step` frames share one query, and the answer is cut at its first bad
// step. To refute the last frames before a counterexample is often the hardest part, and it is not
// needed. On bits and terms it finds counterexamples only, not always the shortest.
//
// Tried and rejected: one frame per query as the default. With 40 frames to a query,
// arbitrated_top_n2_w8_d32 of hwmcc20 takes 0.6 s, with 20 frames 9 s and with one more than 20 s;
// likewise krebs.3, shift_register_top_w64_d8 and circular_pointer_top.
// Tests: tests/unit/engine/bmc/bmc_test.cpp, tests/unit/engine/term_engines_test.cpp.
#include <array>

#include "engine/bmc/program_search.h"
#include "engine/bmc/search.h"
#include "engine/bmc/terms_search.h"
#include "engine/engine.h"

namespace lem::engine {

namespace {

constexpr std::array kPresets = {
    Preset{"shortest", "bmc.step=1", "step by step: the shortest counterexample"},
};

Reason check(const Problem& problem, const OnFound& found, const Context& ctx) {
  if (problem.is_bits()) return conclude(BmcSearch(problem, ctx).run(), found);
  if (problem.is_terms()) return conclude(bmc_on_terms(problem, ctx), found);
  auto each = [&](CfaTrace run) { found({{0}, Unsafe{std::move(run)}}); };
  return conclude(ProgramSearch(problem, ctx).run(each), found);
}

}  // namespace

extern constinit const EngineInfo kBmcInfo = {
    .id = "bmc",
    .help = "bounded model checking: finds counterexamples, proves programs that end",
    .paper = "[Biere99] [Een03] [Clarke04]",
    .options = kBmcOptions,
    .presets = kPresets,
    .accepts = {Rung::Bits, Rung::Terms, Rung::Program},
    .check = check,
    // Symbolic execution merges paths itself, where they meet in the program. Blocks and merged
    // locations make parts of a program that have nothing to do with each other share conditions.
    .settings = "transform.cfa-blocks=off,transform.cfa-bisimulation=off",
    .several_runs = true};

}  // namespace lem::engine
