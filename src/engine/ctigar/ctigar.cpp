// CTIGAR: counterexample to induction-guided abstraction refinement [Birgmeier14].
//
// The idea: IC3 over cubes of predicates whose domain is refined at single steps, never along whole
// traces. A predecessor is a concrete state, a counterexample to induction (CTI); its abstraction
// is what the predicates say of it. The abstraction may have states that do not step into the
// successor (a lifting failure), or something steps into the abstraction and not into the concrete
// state (a consecution failure): either may be refined, at once or after some of them in a trace.
//
//   search.cpp        the loops, those of IC3 (section 2.2)
//   obligations.cpp   lifting and consecution of extended obligations (Table 1)
//   triggers.cpp      when the domain is refined, and where (section 3.3)
//   refine.h          interpolation of one-step queries; domain.h, lifting.h, mining.h
//
// Deviations: lifting asks s => pre instead of s & z & T => t', with pre the states that step into
// t as the CTI does (lifting.h says why). Levels are those of the other engines, one more than in
// the paper: the root obligation is Bad itself at the top. Before interpolants, the literals of the
// preimage that the state satisfies are tried. The initial domain also has the conditions of Trans,
// and invariants of Karr's analysis with bounds are part of all frames from the start;
// ctigar.invariants=0 is the paper's use of Karr's equations, as predicates only.
// Tests: tests/unit/engine/ctigar/ctigar_test.cpp, tests/papers/ctigar_example_test.cpp.
#include <array>

#include "engine/ctigar/search.h"
#include "engine/engine.h"

namespace lem::engine {

namespace {

// Section 4.3: the query that is interpolated (L, C); what triggers it (L: lifting failures,
// C: consecution failures, A: those of unlifted states); eager or lazy.
constexpr std::array kPresets = {
    Preset{"LLE", "ctigar.refine=lifting,ctigar.trigger=laf,ctigar.permit=0",
           "lifting refinement of every lifting failure"},
    Preset{"LLL", "ctigar.refine=lifting,ctigar.trigger=laf,ctigar.permit=3",
           "lifting refinement after three lifting failures in a trace"},
    Preset{"LCE", "ctigar.refine=lifting,ctigar.trigger=caf,ctigar.permit=0",
           "lifting refinement of every consecution failure"},
    Preset{"LCL", "ctigar.refine=lifting,ctigar.trigger=caf,ctigar.permit=3",
           "lifting refinement after three consecution failures in a trace"},
    Preset{"CCE",
           "ctigar.refine=consecution,ctigar.trigger=caf,ctigar.permit=0,ctigar.keep-concrete=on",
           "consecution refinement of every consecution failure, of lifted states too"},
    Preset{"CCL",
           "ctigar.refine=consecution,ctigar.trigger=caf,ctigar.permit=3,ctigar.keep-concrete=on",
           "consecution refinement after three consecution failures, of lifted states too"},
    Preset{"CAE", "ctigar.refine=consecution,ctigar.trigger=caf,ctigar.permit=0",
           "consecution refinement of every consecution failure of an unlifted state"},
    Preset{
        "CAL", "ctigar.refine=consecution,ctigar.trigger=caf,ctigar.permit=3",
        "consecution refinement after three consecution failures of unlifted states: the default"},
};

Reason check(const Problem& problem, const OnFound& found, const Context& ctx) {
  return conclude(CtigarSearch(problem, ctx).run(), found);
}

}  // namespace

extern constinit const EngineInfo kCtigarInfo = {
    .id = "ctigar",
    .help = "IC3 modulo theories, the abstraction refined by counterexamples to induction",
    .paper = "[Birgmeier14]",
    .options = kCtigarOptions,
    .presets = kPresets,
    .accepts = {Rung::Terms},
    .check = check,
    // The paper is about integers, and so are its interpolants.
    .settings = "transform.integers=exact"};

}  // namespace lem::engine
