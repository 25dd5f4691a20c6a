// Lowering: a transition system over Bool and BitVec becomes an AIG, so that the bit-level engines
// run on it, and their evidence comes back as evidence about the system.
//
// A state's next value is its update, or fresh inputs if it has none. Relations hold between steps,
// not at them: the last step of a run needs no successor. So the transition relation is not a
// constraint, but feeds a latch `valid` that says whether it held at all steps before, and `valid`
// is the constraint. Initial values that are not constants become a constraint on the first step,
// which a latch `started` identifies. Tests: tests/unit/transform/bitblast_test.cpp.
#pragma once

#include <memory>
#include <vector>

#include "model/problem.h"
#include "transform/transform.h"

namespace lem::transform {

/// Where the signals of the AIG come from.
struct BitMap {
  struct Origin {
    Term term{};  // a term one of whose bits is the signal; none for gates in between
    std::uint32_t bit = 0;
    bool negated = false;
  };
  std::vector<std::uint32_t> first_input;  // by input of the system: index of its lowest bit
  std::vector<std::uint32_t> first_latch;  // by state
  std::vector<Origin> origin;              // by AIG variable
  std::uint32_t started = 0;               // AIG variables of the latches; 0: there is none
  std::uint32_t valid = 0;
};

struct Blasted {
  Problem problem;
  BitMap map;
};

/// All properties, in order.  require: why_no_bits() is empty
Blasted lower_to_bits(const Problem& problem);

/// From evidence for `lowered.problem` to evidence for `original`.
std::unique_ptr<BackTranslator> make_lifting(const Problem& original, const Blasted& lowered);

}  // namespace lem::transform
