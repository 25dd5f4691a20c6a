// The configurations of Table 5.1 of [Lange18], row by row.
#pragma once

#include <array>

#include "engine/engine.h"

namespace lem {

// What the table leaves out is as in chapter 4: edges split at choices, exact preimages, blocked
// again without a query, no unsat cores, no lemma moved but by blocking it anew.
#define LEM_IC3CFA_THESIS                                                                        \
  "ic3cfa.split=64,ic3cfa.requeue=off,ic3cfa.immediate=on,"                                      \
  "ic3cfa.core=off,ic3cfa.weaken=0,ic3cfa.relate=0,ic3cfa.push=off,ic3cfa.propagate=off,ic3cfa." \
  "wep=off,"                                                                                     \
  "ic3cfa.dont-care=off,ic3cfa.assumed=off,ic3cfa.pre-cubes=off,ic3cfa.order=smallest,"          \
  "ic3cfa.reuse=off,ic3cfa.edges=incremental,ic3cfa.query-cache=0,ic3cfa.coverage=off"
#define LEM_IC3CFA_OLD LEM_IC3CFA_THESIS ",ic3cfa.generalize=old"
#define LEM_IC3CFA_BASE \
  LEM_IC3CFA_THESIS ",ic3cfa.generalize=new,ic3cfa.reuse=on,ic3cfa.dont-care=on,ic3cfa.assumed=on"
#define LEM_IC3CFA_ALL \
  LEM_IC3CFA_BASE      \
  ",ic3cfa.wep=on,ic3cfa.pre-cubes=on,ic3cfa.contexts=10000,ic3cfa.lower-bounds=on"

inline constexpr std::array kIc3cfaPresets = {
    Preset{"A", LEM_IC3CFA_THESIS ",ic3cfa.generalize=none", "IC3CFA without generalization"},
    Preset{"B", LEM_IC3CFA_OLD ",ic3cfa.edges=multi", "IC3-Gen Multi"},
    Preset{"C", LEM_IC3CFA_OLD ",ic3cfa.edges=single", "IC3-Gen Single"},
    Preset{"D", LEM_IC3CFA_OLD, "IC3-Gen Incremental"},
    Preset{"E", LEM_IC3CFA_OLD ",ic3cfa.order=largest", "IC3-Gen Order Largest"},
    Preset{"F", LEM_IC3CFA_OLD ",ic3cfa.order=random", "IC3-Gen Order Random"},
    Preset{"G", LEM_IC3CFA_OLD ",ic3cfa.reuse=on", "IC3-Gen Reuse"},
    Preset{"H", LEM_IC3CFA_BASE, "New-Gen Don't care, the baseline"},
    Preset{"I", LEM_IC3CFA_BASE ",ic3cfa.wep=on", "New-Gen RelIndAlt"},
    Preset{"J", LEM_IC3CFA_BASE ",ic3cfa.pre-cubes=on", "New-Gen PreCubes"},
    Preset{"K", LEM_IC3CFA_BASE ",ic3cfa.contexts=10000", "New-Gen Upper Bounds"},
    Preset{"L", LEM_IC3CFA_BASE ",ic3cfa.contexts=10000,ic3cfa.lower-bounds=on",
           "New-Gen Lower Bounds"},
    Preset{"M", LEM_IC3CFA_BASE ",ic3cfa.contexts=10000,ic3cfa.lower-bounds=on,ic3cfa.extended=on",
           "New-Gen Extended Context"},
    Preset{"N", LEM_IC3CFA_BASE ",ic3cfa.interpolate=loops", "New-Gen Interpolation"},
    Preset{"O", LEM_IC3CFA_ALL, "New-Gen All"},
    Preset{"P", LEM_IC3CFA_ALL ",ic3cfa.interpolate=loops", "New-Gen All Interpolation"},
    Preset{"Q", LEM_IC3CFA_ALL ",ic3cfa.semantic-blocking=on", "New-Gen All Semantic Blocking"},
};

#undef LEM_IC3CFA_THESIS
#undef LEM_IC3CFA_OLD
#undef LEM_IC3CFA_BASE
#undef LEM_IC3CFA_ALL

}  // namespace lem
