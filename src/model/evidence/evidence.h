// Evidence of every kind, and what is asked of each. A new kind is a type with these answers, an
// alternative here, its bytes in codec.cpp, its check in check/certify.cpp and its writers: visits
// are complete, so that the compiler finds what is missing.
// Tests: tests/unit/model/evidence_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "model/evidence/bits.h"
#include "model/evidence/cfa.h"
#include "model/evidence/horn.h"
#include "model/evidence/live.h"
#include "model/evidence/terms.h"
#include "model/rung.h"

namespace lem {

using Run = std::variant<Trace, TermTrace, CfaTrace, Derivation>;
using Certificate = std::variant<InductiveInvariant, KInductive, TermInvariant, LocationInvariants,
                                 Interpretation, LiveProof, TermLiveProof>;

/// The models that such evidence is about.
Rung rung_of(const Run& run);
Rung rung_of(const Certificate& certificate);

/// What a run is made of: steps of a circuit or a system, edges of an automaton.
std::size_t length_of(const Run& run);
/// Transitions between its first state and its last.
std::size_t depth_of(const Run& run);

/// The k of a proof by k-induction; none where single steps suffice.
std::optional<std::uint32_t> induction_depth(const Certificate& certificate);

/// Whether it proves a justice property.
bool is_live(const Certificate& certificate);

///   require: an invariant of an AIG
std::vector<SignalClause>& clauses_of(Certificate& certificate);
const std::vector<SignalClause>& clauses_of(const Certificate& certificate);
/// The same claim; an inductive invariant is 1-inductive.   require: about an AIG
KInductive as_k_inductive(Certificate certificate);

}  // namespace lem
