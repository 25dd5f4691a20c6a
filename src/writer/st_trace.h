// Counterexamples of PLC programs as control engineers read them: one row per variable with
// direction, type and name, two columns per scan cycle (values at its beginning, when inputs have
// been taken, and at its end), literals as IEC 61131-3 writes them. check/st/table.h reads it back.
// Tests: tests/unit/writer/st_trace_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "check/certify.h"
#include "model/evidence/cfa.h"
#include "model/st/source.h"

namespace lem::writer {

/// A value of the automaton as a literal of the type: TRUE, -5, 16#8A04, T#1s500ms, Color#Red's
/// Red.
std::string st_literal(const TermStore& terms, Term value, const st::Type& type);

struct StTable {
  struct Row {
    /// IN, OUT, IN_OUT, VAR, PARAMETER; TIME: what a timer has waited since its last call, the
    /// clock or the length of the cycle; OPEN: what an expression gave whose value the program
    /// leaves open, by its line and column, all in the column of the cycle's end.
    std::string direction;
    std::string type;
    std::string name;
    std::vector<std::string> values;  // begin and end of each cycle, in turn
    std::vector<bool> relevant{};     // by cycle: the run depends on the value at its beginning
  };
  std::size_t cycles = 0;
  bool ends_within = false;  // the last cycle ends at an assertion, before its end
  std::vector<Row> rows;
};

///   require: the verdict is Unsafe, for the automaton of a PLC program
StTable st_table(const StProgram& program, const check::Certified& certified);

std::string st_table_text(const StTable& table, const StProperty& about);
std::string st_table_csv(const StTable& table);
std::string st_table_json(const StTable& table, const StProperty& about);

}  // namespace lem::writer
