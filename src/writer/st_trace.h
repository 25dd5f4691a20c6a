// Counterexamples of PLC programs as control engineers read them: one row per variable with
// direction, type and name, two columns per scan cycle (values at its beginning, when inputs have
// been taken, and at its end), literals as IEC 61131-3 writes them. Tests:
// tests/unit/writer/st_trace_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "model/cfa_evidence.h"
#include "model/st/source.h"

namespace lem {

/// A value of the automaton as a literal of the type: TRUE, -5, 16#8A04, T#1s500ms, Color#Red's
/// Red.
std::string st_literal(const TermStore& terms, Term value, const st::Type& type);

struct StTable {
  struct Row {
    std::string direction;  // IN, OUT, IN_OUT, VAR, PARAMETER
    std::string type;
    std::string name;
    std::vector<std::string> values;  // begin and end of each cycle, in turn
  };
  std::size_t cycles = 0;
  bool ends_within = false;  // the last cycle ends at an assertion, before its end
  std::vector<Row> rows;
};

///   require: the problem is a PLC program, the trace a run of its automaton
StTable st_table(const StProgram& program, const CfaTrace& trace);

std::string st_table_text(const StProgram& program, const std::string& property,
                          const CfaTrace& trace);
std::string st_table_csv(const StProgram& program, const CfaTrace& trace);
std::string st_table_json(const StProgram& program, const std::string& property,
                          const CfaTrace& trace);

}  // namespace lem
