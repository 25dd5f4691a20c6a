// Interpolating PDR [Vizel14; Wolff 4.4]: the frontier is extended by one unrolled query, and its
// refutation, an interpolation sequence, strengthens all frames before IC3's propagation.
//
//   search.cpp         on bits; suffixes.h: the unrolled queries
//   terms_search.cpp   on transition systems, the future work of [Wolff 5]
//
// Deviations on bits: the sequence interpolants come from clause extraction, not from resolution
// proofs: our solvers log none, clauses are what frames are made of (an interpolant would have to
// be brought into CNF, the costly line 92 of the listing), and they can be generalized like any IC3
// lemma. From left to right, with the suffix B_i = F_i(X_i) & T & ... & bad(X_k): once F_i-1 & T &
// B_i is unsatisfiable, every state of B_i is unreachable from F_i-1 in one step, and a clause that
// says so is one conjunct of J_i. When B_i is empty, F_i & T & B_i+1 is unsatisfiable, and i+1 has
// its turn. In contrast to IC3 no obligation ever moves backwards. The refutation starts at the
// last frame that refutes its suffix (`ipdr.shortest`).
//
// Deviations on terms: sequence interpolants say what holds after exactly i steps; frames must hold
// within i steps. The path that is interpolated may therefore start anew at every step (Trans or
// Init'): then every J_i contains Init, and the conjunction of J_i .. J_k is a frame sequence,
// which is what line 92 of the listing computes by a disjunction. Interpolants are brought into
// clauses, and each clause is checked and generalized like a lemma of IC3, so that a wrong
// interpolant costs nothing but time. Tests: tests/unit/engine/ipdr/ipdr_test.cpp,
// tests/unit/engine/ipdr/terms_test.cpp.
#include <array>

#include "engine/engine.h"
#include "engine/ipdr/search.h"
#include "engine/ipdr/terms_search.h"

namespace lem::engine {

namespace {

constexpr std::array kPresets = {
    Preset{"paper", "ipdr.shortest=off", "the whole unrolling is interpolated [Vizel14]"},
};

Reason check(const Problem& problem, const OnFound& found, const Context& ctx) {
  if (!problem.is_bits()) return conclude(IpdrTermsSearch(problem, ctx).run(), found);
  return conclude(IpdrSearch(problem, ctx).run(), found);
}

}  // namespace

extern constinit const EngineInfo kIpdrInfo = {.id = "ipdr",
                                               .help = "interpolation sequences and IC3 frames",
                                               .paper = "[Vizel14] [Wolff 4.4]",
                                               .options = kIpdrOptions,
                                               .presets = kPresets,
                                               .accepts = {Rung::Bits, Rung::Terms},
                                               .check = check};

}  // namespace lem::engine
