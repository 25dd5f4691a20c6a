// Models of one latch, and answers about them.
#pragma once

#include <utility>

#include "model/problem.h"
#include "model/verdict.h"

namespace lem {

/// One latch that starts at 0 and becomes 1; the property fails when it is 1, after one step.
inline Problem rising_latch() {
  AigBuilder builder;
  AigLit latch = builder.add_latch(Reset::Zero);
  builder.set_next(latch, kAigTrue);
  return {
      std::move(builder).freeze(), {{"rises", latch}}, {"rise.aag", "aiger", {}, {"r"}, {}, {}}};
}

/// One latch that stays 0; the property fails when it is 1, which is never.
inline Problem quiet_latch() {
  AigBuilder builder;
  AigLit latch = builder.add_latch(Reset::Zero);
  return {std::move(builder).freeze(), {{"stays", latch}}, {"stay.aag", "aiger", {}, {}, {}, {}}};
}

inline Verdict trace_of_steps(std::size_t steps) {
  return Unsafe{Trace{{false}, std::vector<std::vector<bool>>(steps + 1)}};
}

inline Verdict trivial_invariant() {
  return Safe{InductiveInvariant{}};
}

}  // namespace lem
