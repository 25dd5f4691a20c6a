// Runs and invariants of automata in the names of their source; shared by the reports about
// programs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/problem.h"
#include "model/verdict.h"

namespace lem::writer {

/// One edge of a run.
struct RunRow {
  std::uint32_t line = 0;                                    // 0: unknown
  std::string from, to;                                      // locations
  std::vector<std::pair<std::string, std::string>> changed;  // variables and their new values
  std::vector<std::string> inputs;     // functions that gave values from outside
  std::vector<std::string> given;      // by each of them: the value, and the user's variable if any
  std::vector<std::uint32_t> calls{};  // C: lines of the calls that control is in, outermost first
  std::uint32_t column = 0;            // C: of the first command on that line; 0: unknown
  bool elsewhere = false;              // C: the line is in another file than that of main
  std::string file{};                  // C: the name of that other file; "": unknown
  std::vector<std::pair<std::string, std::string>> kept{};  // assigned the value they had
  std::vector<std::string> read{};  // by each input: the user's variable that has it, if any
  std::vector<EdgeId> edges{};      // of the automaton
};
/// The user's name of a variable of the automaton, main::x; "" for those that are none of the
/// user's.
std::string program_name(const Problem& program, std::size_t variable);
/// The value of that variable as its language writes it.
std::string program_value(const Problem& program, std::size_t variable, Term value);

/// The first row has no edge: it gives the values at the start.
std::vector<RunRow> rows_of(const Problem& program, const CfaTrace& trace);

/// The invariant of a location, unless it is true.
struct InvariantRow {
  std::string location;
  std::uint32_t line = 0;
  std::string formula;
};
std::vector<InvariantRow> rows_of(const Problem& program, const LocationInvariants& invariants);

/// A loop that the proof unwinds.
struct UnwoundRow {
  std::string location;
  std::uint32_t line = 0;
  std::uint32_t rounds = 0;  // at most
};
std::vector<UnwoundRow> unwound_rows(const Problem& program, const LocationInvariants& proof);

}  // namespace lem::writer
