// Horn systems and evidence about them: the clauses and proofs as SMT-LIB scripts, derivations as a
// tree for people and as steps that check/validate.h reads back. docs/formats.md has the layouts.
// Tests: tests/cli/procedures_test.py.
#pragma once

#include <string>
#include <vector>

#include "check/certify.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::writer {

/// The clauses in the logic HORN.
std::string write_horn(const HornSystem& system);

/// A script that defines every predicate and asks about every clause, each answered with unsat.
std::string write_horn_certificate(const Problem& focused, const check::Certified& certified);

/// A derivation: its tree as comments, then one (step ...) for each of its steps.
std::string write_derivation(const Problem& problem, const check::Certified& certified);

/// One step of a derivation as text.
struct DerivationRow {
  std::string fact;                                         // "(fib 2 1)"; "false" of a query
  std::size_t clause;                                       // its number, from 1
  std::uint32_t line;                                       // in the source, 0: unknown
  std::vector<std::pair<std::string, std::string>> values;  // variables of the clause
  std::vector<std::size_t> premises;                        // numbers of steps, from 1
};
std::vector<DerivationRow> rows_of(const Problem& problem, const Derivation& derivation);

/// One predicate of an interpretation as text.
struct MeaningRow {
  std::string predicate;
  std::string definition;  // (define-fun ...)
};
std::vector<MeaningRow> rows_of(const Problem& problem, const Interpretation& claim);

}  // namespace lem::writer
