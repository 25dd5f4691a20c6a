// SV-COMP witnesses 2.0 [Ayaziova24] of C programs, in YAML: invariants at loops, and the inputs
// and the target of a run. They mention only variables in scope. An invariant is a conjunction;
// conjuncts with other variables are left out and counted. Tests:
// tests/unit/check/c/witness_test.cpp.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "check/certify.h"
#include "ctext/places.h"
#include "model/evidence/cfa.h"

namespace lem::writer {

struct CWitnessTask {
  std::string file;  // the program; its name and hash are in the witness
  std::string producer_version;
  std::string creation_time;  // 2026-11-16T08:00:00Z
  std::string specification = "CHECK( init(main()), LTL(G ! call(reach_error())) )";
  std::function<Term(Term)> readable{};  // an equivalent formula for people; none: as it is
};

struct CWitness {
  std::string text;
  std::size_t places = 0;  // invariants or waypoints that are written
  std::size_t lost = 0;    // parts of invariants, or inputs, that cannot be expressed in the source
  std::size_t lost_loops = 0;  // loops without a distinct place in the source
  std::uint32_t unwound = 0;   // the most rounds of a loop that has no invariant; 0: there is none
};

/// `marks` are those of the automaton.  require: the verdict is Safe
Result<CWitness> write_invariant_set(const Cfa& cfa, const CSource& source, const CMarks& marks,
                                     const ctext::CText& text, const check::Certified& certified,
                                     const CWitnessTask& task);

/// require: the verdict is Unsafe
Result<CWitness> write_violation_sequence(const Cfa& cfa, const CSource& source,
                                          const CMarks& marks, const ctext::CText& text,
                                          const check::Certified& certified,
                                          const CWitnessTask& task);

}  // namespace lem::writer
