// Evidence files checked against a model, without any engine: what `lemmata validate` runs.
// Malformed evidence is a BadInput error with its place; well-formed evidence that does not prove
// its claim is an Internal error (exit 70, a rejected certificate) naming the failed check.
// Tests: tests/unit/check/validate_test.cpp, tests/unit/check/term_evidence_test.cpp.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/problem.h"

namespace lem {

/// An AIGER witness: `1`, `b<i>`, latches, inputs per step, `.`; x counts as 0. The trace must
/// start in a reset state, keep all constraints and end in the bad state it names.
Status validate_witness(const Problem& model, const std::string& witness_path);
/// The same for text already read; `path` names it in errors.
Status validate_witness_text(const Problem& model, const std::string& path, std::string_view text);

/// A witness circuit in the Certifaiger convention: Reset, Transition, Property, Base and Step
/// (docs/formats.md) for the property named by its WITNESS comment, else the first.
Status validate_certificate(const Problem& model, const Problem& witness_circuit,
                            std::stop_token stop);

/// The same for transition systems: an SMT-LIB script (writer/smt.h) that defines `inv`; the
/// property, k and whether paths are simple are told by set-info. Nothing else of it is believed.
Status validate_term_certificate(const Problem& model, const std::string& path,
                                 std::string_view text, std::stop_token stop);
/// A counterexample table (writer/table.h), replayed by evaluation.
Status validate_term_witness(const Problem& model, const std::string& path, std::string_view text);
/// The same as JSON (write_json_witness in writer/json.h).
Status validate_json_witness(const Problem& model, const std::string& path, std::string_view text);

/// A BTOR2 witness: `sat`, `b<i>`, frames `#k` and `@k`, `.`; x counts as 0. The trace is simulated
/// and must be a run that ends in the bad states it names.  require: the model is over Bool, BitVec
/// and arrays of those
Status validate_btor2_witness(const Problem& model, const std::string& path, std::string_view text);

/// A BTOR2 witness circuit (docs/formats.md): the negation of its bad state must be inductive for
/// the model and exclude the property; `text` is the file, for the claims in its comments.
Status validate_btor2_certificate(const Problem& model, const Problem& witness_circuit,
                                  const std::string& path, std::string_view text,
                                  std::stop_token stop);

/// An SV-COMP witness 2.0 of a C program, in YAML (check/c_witness_file.h): an invariant_set whose
/// loop invariants are inductive and exclude the error.
Status validate_c_certificate(const Problem& program, const std::string& path,
                              const std::string& text, std::stop_token stop);
/// A violation_sequence whose run is executed on the automaton and natively.
Status validate_c_witness(const Problem& program, const std::string& path, const std::string& text,
                          std::stop_token stop);

}  // namespace lem
