// The configurations of Table 5.1 of [Lange18], row by row.
#pragma once

#include <array>

#include "engine/engine.h"

namespace lem::engine {

inline constexpr std::array kIc3cfaPresets = {
    // What the table leaves out is as in chapter 4: edges split at choices, exact preimages,
    // blocked
    // again without a query, no unsat cores, no lemma moved but by blocking it anew.
    Preset{"A",
           "ic3cfa.generalize=none,ic3cfa.split=64,ic3cfa.requeue=off,ic3cfa.immediate=on,"
           "ic3cfa.core=off,ic3cfa.weaken=0,ic3cfa.relate=0,ic3cfa.push=off,ic3cfa.propagate=off,"
           "ic3cfa.wep=off,ic3cfa.dont-care=off,ic3cfa.assumed=off,ic3cfa.pre-cubes=off,"
           "ic3cfa.order=smallest,ic3cfa.reuse=off,ic3cfa.edges=incremental,ic3cfa.query-cache=0,"
           "ic3cfa.coverage=off",
           "IC3CFA without generalization"},
    Preset{"B", "ic3cfa.generalize=old,ic3cfa.edges=multi", "IC3-Gen Multi", "A"},
    Preset{"C", "ic3cfa.generalize=old,ic3cfa.edges=single", "IC3-Gen Single", "A"},
    Preset{"D", "ic3cfa.generalize=old", "IC3-Gen Incremental", "A"},
    Preset{"E", "ic3cfa.order=largest", "IC3-Gen Order Largest", "D"},
    Preset{"F", "ic3cfa.order=random", "IC3-Gen Order Random", "D"},
    Preset{"G", "ic3cfa.reuse=on", "IC3-Gen Reuse", "D"},
    Preset{"H", "ic3cfa.generalize=new,ic3cfa.reuse=on,ic3cfa.dont-care=on,ic3cfa.assumed=on",
           "New-Gen Don't care, the baseline", "A"},
    Preset{"I", "ic3cfa.wep=on", "New-Gen RelIndAlt", "H"},
    Preset{"J", "ic3cfa.pre-cubes=on", "New-Gen PreCubes", "H"},
    Preset{"K", "ic3cfa.contexts=10000", "New-Gen Upper Bounds", "H"},
    Preset{"L", "ic3cfa.lower-bounds=on", "New-Gen Lower Bounds", "K"},
    Preset{"M", "ic3cfa.extended=on", "New-Gen Extended Context", "L"},
    Preset{"N", "ic3cfa.interpolate=loops", "New-Gen Interpolation", "H"},
    Preset{"O", "ic3cfa.wep=on,ic3cfa.pre-cubes=on", "New-Gen All", "L"},
    Preset{"P", "ic3cfa.interpolate=loops", "New-Gen All Interpolation", "O"},
    Preset{"Q", "ic3cfa.semantic-blocking=on", "New-Gen All Semantic Blocking", "O"},
};

}  // namespace lem::engine
