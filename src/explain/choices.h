// Which inputs of a counterexample are needed: a minimal set of values such that every run with
// these values violates the property, whatever the others are. Tests: tests/unit/explain/.
#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

#include "explain/lemmas.h"
#include "explain/oracle.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::explain {

/// A value that a run leaves open and the counterexample chooses.
struct Choice {
  enum class Kind : std::uint8_t {
    Input,    // of a step, or by an edge of a program
    Initial,  // of a state without an initial value
    State,    // of a state that the step before does not determine
  };
  Kind kind = Kind::Input;
  std::size_t step = 0;      // of the trace; of a program, the edge that chooses
  std::uint32_t signal = 0;  // of a circuit: the variable
  Term variable{};           // of the others
  Term value{};              // a Boolean value of a circuit has none
  bool bit = false;          // that value
};

struct NeededChoices {
  std::vector<Choice> all;
  std::vector<std::size_t> needed;  // ascending
  /// Without any one of the needed values the violation can be avoided. False if a solver did not
  /// decide or time was up: then all values that are not named are still free.
  bool minimal = true;
};

/// Runs of as many steps as the trace: those with the needed values fail the property at the last
/// step or before. Runs keep the model's constraints; of a program, they take the trace's path.
///   require: one property; the trace is a run that violates it
///   ensure:  an error if the path has a command without an explanation
Result<NeededChoices> needed_choices(const Problem& problem, const Run& run,
                                     const std::stop_token& stop);

}  // namespace lem::explain
