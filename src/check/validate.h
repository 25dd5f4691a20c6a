// Evidence files checked against a model, without any engine: what `lemmata validate` runs.
// Malformed evidence is a BadInput error with its place; well-formed evidence that does not prove
// its claim is an Internal error (exit 70, a rejected certificate) naming the failed check.
// Tests: tests/unit/check/validate_test.cpp, tests/unit/check/term_evidence_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "check/native_mode.h"
#include "model/c_marks.h"
#include "model/problem.h"
#include "model/verdict.h"

namespace lem::check {

struct EvidenceTask {
  /// The requested property. None: the one that the file names, or each one of the model when the
  /// file names none.
  std::optional<std::size_t> property{};
  std::stop_token stop{};
  Native native = Native::Sandbox;  // of runs of C programs
};

/// An input or latch of a witness circuit and the literal of the model that it simulates.
struct SharedSignal {
  std::uint32_t witness_var;
  AigLit model_lit;
};

/// The proof in a witness circuit: its own property as clauses over its signals.
struct CircuitProof {
  std::vector<SignalClause> clauses;
  std::uint32_t k = 1;
  SimplePath simple_path = SimplePath::No;
  std::vector<SharedSignal> shared;
};

/// What a file contains, in terms of the model (of an AIGER proof: of the witness circuit). Of a
/// program it is about the first accepted property.
using Contents = std::variant<std::monostate, CircuitProof, TermInvariant, LocationInvariants,
                              Interpretation, Run>;

/// The properties that a file is good evidence for, by their place in the model; at least one,
/// unless it is undecided.
struct Accepted {
  std::vector<std::size_t> properties;
  Contents contents{};
  std::string undecided{};  // why it is not known whether the file is good; then that is all
};

/// An AIGER witness: `1`, `b<i>`, latches, inputs per step, `.`; x counts as 0. The trace must
/// start in a reset state, keep all constraints and end in the bad state it names.
Result<Accepted> validate_witness(const Problem& model, const std::string& witness_path,
                                  const EvidenceTask& task = {});
/// The same for text already read; `path` names it in errors.
Result<Accepted> validate_witness_text(const Problem& model, const std::string& path,
                                       std::string_view text, const EvidenceTask& task = {});

/// A witness circuit in the Certifaiger convention: Reset, Transition, Property, Base and Step
/// (docs/formats.md).
Result<Accepted> validate_certificate(const Problem& model, const Problem& witness_circuit,
                                      const EvidenceTask& task = {});

/// The same for transition systems: an SMT-LIB script (writer/smt.h) that defines `inv`; set-info
/// gives the property, k and whether paths are simple. `inv` must imply the property by itself.
/// Other definitions of the system in the file must agree with the model.
Result<Accepted> validate_term_certificate(const Problem& model, const std::string& path,
                                           std::string_view text, const EvidenceTask& task = {});
/// A counterexample table (writer/table.h), replayed by evaluation.
Result<Accepted> validate_term_witness(const Problem& model, const std::string& path,
                                       std::string_view text, const EvidenceTask& task = {});
/// The same as JSON (write_json_witness in writer/json.h).
Result<Accepted> validate_json_witness(const Problem& model, const std::string& path,
                                       std::string_view text, const EvidenceTask& task = {});

/// The same for Horn systems: an SMT-LIB script (writer/horn.h) that defines every predicate.
/// Definitions with quantifiers are taken from the clauses.
Result<Accepted> validate_horn_certificate(const Problem& model, const std::string& path,
                                           std::string_view text, const EvidenceTask& task = {});
/// The steps of a derivation (writer/horn.h), replayed by evaluation.
Result<Accepted> validate_horn_witness(const Problem& model, const std::string& path,
                                       std::string_view text, const EvidenceTask& task = {});

/// A BTOR2 witness: `sat`, `b<i>`, frames `#k` and `@k`, `.`; x counts as 0. The trace is simulated
/// and must be a run that ends in the bad states it names.  require: the model is over Bool, BitVec
/// and arrays of those
Result<Accepted> validate_btor2_witness(const Problem& model, const std::string& path,
                                        std::string_view text, const EvidenceTask& task = {});

/// A BTOR2 witness circuit (docs/formats.md): the negation of its bad state must be inductive for
/// the model and exclude the property; `text` is the file, for the claims in its comments.
Result<Accepted> validate_btor2_certificate(const Problem& model, const Problem& witness_circuit,
                                            const std::string& path, std::string_view text,
                                            const EvidenceTask& task = {});

/// An SV-COMP witness 2.0 of a C program, in YAML (check/c/witness_file.h): an invariant_set whose
/// invariants hold at their places, by induction, and exclude the error. `marks` are those of the
/// program.
Result<Accepted> validate_c_certificate(const Problem& program, const CMarks& marks,
                                        const std::string& path, const std::string& text,
                                        const EvidenceTask& task = {});
/// A violation_sequence whose run is executed on the automaton and natively.
Result<Accepted> validate_c_witness(const Problem& program, const CMarks& marks,
                                    const std::string& path, const std::string& text,
                                    const EvidenceTask& task = {});

/// A table of a run of a PLC program (writer/st_trace.h) as text, CSV or JSON: executed on the
/// automaton with the table's inputs and by the interpreter of Structured Text.
Result<Accepted> validate_st_witness(const Problem& model, const std::string& path,
                                     std::string_view text, const EvidenceTask& task = {});

/// A proof about a PLC program in Structured Text (writer/st_invariant.h), which the front end has
/// read with the program: `model.source.st->claims`. Inductive over one cycle, and enough for the
/// property of that name.
Result<Accepted> validate_st_certificate(const Problem& model, const std::string& path,
                                         const std::string& property,
                                         const EvidenceTask& task = {});

}  // namespace lem::check
