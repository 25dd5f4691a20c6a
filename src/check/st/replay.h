// Runs of PLC programs, done again by an interpreter of Structured Text.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "model/evidence/cfa.h"
#include "model/st/source.h"

namespace lem::check {

/// What is wrong with the run; nothing if the program, given the run's inputs, has the run's values
/// at the end of every cycle and does at the end what the property is about.
///   require: the trace is a run of the program's automaton to the property's location
std::optional<std::string> replay_plc(const StProgram& program, const std::string& property,
                                      const CfaTrace& trace, std::stop_token stop);

}  // namespace lem::check
