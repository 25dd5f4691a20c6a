// Proofs about PLC programs in Structured Text: what holds between two scan cycles, and at the
// heads of loops within one. frontend/st reads it back. Tests: tests/cli/st_test.py,
// tests/unit/writer/st_invariant_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/certify.h"
#include "model/evidence/cfa.h"
#include "model/st/source.h"

namespace lem::writer {

/// A formula over the automaton's variables as an expression of type BOOL; nothing if the language
/// has no words for it. Variables that no name of the program means are called __ and their number.
std::optional<std::string> st_expression(const StProgram& program, Term formula);

/// Conjuncts that hold between two cycles, those without an expression left out.
std::vector<std::string> st_invariants(const StProgram& program, const LocationInvariants& claim);

/// The whole file. An error if some conjunct has no expression.  require: the verdict is Safe
Result<std::string> st_certificate(const StProgram& program, const StProperty& about,
                                   const check::Certified& certified);

}  // namespace lem::writer
