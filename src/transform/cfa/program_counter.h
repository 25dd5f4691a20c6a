// A control-flow automaton as one transition system: the program counter becomes a state like the
// others, in binary, one Bool a bit (IC3-SMT [Lange18 4.1]). Engines on transition systems then
// run on programs.
//
// The system is functional: every state has an update, which is the symbolic execution of the edges
// out of each location, joined by case distinctions. What commands leave open is an input; inputs
// are shared by what cannot happen in the same step. Where no edge can be taken the system stays as
// it is, which reaches nothing new. Tests: tests/papers/ic3cfa_example_test.cpp,
// tests/fuzz/cfa_fuzz_test.cpp.
#pragma once

#include "model/cfa.h"
#include "model/transition_system.h"

namespace lem::transform {

struct CounterSystem {
  /// What happens at a location, over states and inputs.
  struct Exit {
    Term guard;  // some edge is taken
    Term edge;   // then: its number, an Int
  };
  TransitionSystem system;
  Term bad;                   // at the error location
  std::vector<Term> counter;  // its bits, the lowest first
  std::vector<Term> at;       // by location: the formula over the counter that says so
  std::vector<Exit> exits;    // by location
};

/// States: the counter's bits, then the variables in the order of the automaton.
CounterSystem with_program_counter(const Cfa& cfa);

}  // namespace lem::transform
