// Horn clauses by summaries from both sides: RecMC [Komuravelli14], the algorithm of Spacer.
//
// The idea: lemmas over-approximate what a predicate derives within a height (may-summaries), facts
// are tuples that it derives (must-summaries, whatever the height). An obligation is a set of
// tuples of one predicate. A rule that reaches it is looked at with lemmas in its body; if facts
// suffice there, the obligation is met, else one premise without a fact becomes an obligation one
// height lower. Premises are so taken one by one, and no call is ever inlined.
//
//   rules.h             clauses by predicate
//   summaries.h         lemmas and facts
//   predicate_solver.h  one incremental solver for each predicate
//   search.cpp          obligations, premises, facts;   lemmas.cpp  generalization and pushing
//   derivation.h        the ground derivation of a query
//
// Related: GPDR [Hoder12] splits an obligation into one for every premise by one model, and has no
// facts: a premise that was met is looked for again. The "Meta-IC3" of [Lange18, outlook] stores
// refuted calls as partial Hoare triples, which are the lemmas here; it has no facts either. On
// linear clauses, facts are what is reached from the start and the search is that of IC3 over
// locations: an obligation has one premise.
//
// Deviations from [Komuravelli14]: facts are kept without their height; after a premise is met, its
// rule is asked anew with as many positions on facts as possible, instead of a derivation that is
// carried along; lemmas are generalized by interpolants of a proof, then by dropping literals
// [Bradley11]. Limits: over bit-vectors projection gives few tuples at a time; nothing is learned
// about quantified arrays.
// Tests: tests/unit/engine/spacer/spacer_test.cpp, tests/papers/spacer_example_test.cpp.
#include <array>

#include "engine/engine.h"
#include "engine/spacer/search.h"

namespace lem::engine {

namespace {

constexpr std::array kPresets = {
    Preset{"cores", "spacer.interpolate=off", "lemmas from unsat cores alone"},
    Preset{"last", "spacer.premise=last", "premises from the last one on"},
};

Reason check(const Problem& problem, const OnFound& found, const Context& ctx) {
  return conclude(SpacerSearch(problem.horn(), ctx).run(), found);
}

}  // namespace

extern constinit const EngineInfo kSpacerInfo = {
    .id = "spacer",
    .help = "Horn clauses with calls: summaries from above and below",
    .paper = "[Komuravelli14] [Hoder12]",
    .options = kSpacerOptions,
    .presets = kPresets,
    .accepts = {Rung::Horn},
    .check = check};

}  // namespace lem::engine
