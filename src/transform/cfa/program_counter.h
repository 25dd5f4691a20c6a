// A control-flow automaton as one transition system: the program counter becomes a state like the
// others, in binary, one Bool a bit (IC3-SMT [004 section 4.1]). Engines on transition systems then
// run on programs. Tests: tests/unit/transform/cfa_test.cpp, tests/papers/ic3cfa_example_test.cpp.
#pragma once

#include "model/cfa.h"
#include "model/transition_system.h"

namespace lem {

struct CounterSystem {
  TransitionSystem system;
  Term bad;              // at the error location
  std::vector<Term> at;  // by location: the formula over the counter that says so
};

/// States: the counter's bits, then the variables in the order of the automaton. Inputs: what
/// commands leave open.
CounterSystem with_program_counter(const Cfa& cfa);

}  // namespace lem
