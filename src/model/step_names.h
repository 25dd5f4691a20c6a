// How the variables of a transition system are called in evidence files.
#pragma once

#include "model/transition_system.h"
#include "term/smtlib/printer.h"

namespace lem {

/// Different symbols for states, inputs and next states, in that order. Readers and writers of
/// evidence agree because both name the same variables in the same order.
inline smtlib::Naming step_names(const TransitionSystem& system) {
  smtlib::Naming naming;
  for (const StateVar& state : system.states()) naming.add(system.terms(), state.current);
  for (Term input : system.inputs()) naming.add(system.terms(), input);
  for (const StateVar& state : system.states()) naming.add(system.terms(), state.next);
  return naming;
}

}  // namespace lem
