// SV-COMP witnesses 2.0 [Ayaziova24] of C programs, in YAML: invariants at loops, and the inputs
// and the target of a run. Only variables in scope are spoken of. An invariant is a conjunction;
// parts of it that speak of other variables are left out, and what was left out is counted. Tests:
// tests/unit/check/c/witness_test.cpp.
#pragma once

#include <string>

#include "base/result.h"
#include "ctext/places.h"
#include "model/cfa_evidence.h"

namespace lem::writer {

struct CWitnessTask {
  std::string file;  // the program; its name and hash are in the witness
  std::string producer_version;
  std::string creation_time;  // 2026-11-16T08:00:00Z
  std::string specification = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
};

struct CWitness {
  std::string text;
  std::size_t places = 0;      // invariants or waypoints that are written
  std::size_t lost = 0;        // parts of invariants, or inputs, that cannot be said in the source
  std::size_t lost_loops = 0;  // loops that have no place of their own in the source
};

/// `marks` are those of the automaton.
Result<CWitness> write_invariant_set(const Cfa& cfa, const CSource& source, const CMarks& marks,
                                     const ctext::CText& text, const LocationInvariants& invariants,
                                     const CWitnessTask& task);

///   require: the trace is a run of the automaton to its error location
Result<CWitness> write_violation_sequence(const Cfa& cfa, const CSource& source,
                                          const CMarks& marks, const ctext::CText& text,
                                          const CfaTrace& trace, const CWitnessTask& task);

}  // namespace lem::writer
