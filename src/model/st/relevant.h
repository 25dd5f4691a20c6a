// Which inputs of a run matter: those that the failure depends on, by going backwards along the run
// and keeping what is needed, as lifting does. Tests: tests/cli/st_test.py.
#pragma once

#include <cstddef>
#include <set>
#include <utility>

#include "model/evidence/cfa.h"
#include "model/st/source.h"

namespace lem {

/// Pairs of a variable (by its place in the automaton) and a cycle, from 1; 0: at the start. Inputs
/// that are in none may have any other value that the assumptions allow: the run still ends in the
/// same place of the same cycle. Values that the program leaves open are kept as they are.
///   require: the trace is a run of the program's automaton
std::set<std::pair<std::size_t, std::size_t>> relevant_inputs(const StProgram& program,
                                                              const CfaTrace& trace);

}  // namespace lem
