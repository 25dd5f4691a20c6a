// Minimal subsets of the lemmas of accepted proofs, confirmed by the checker. Tests:
// tests/unit/explain/lemmas_test.cpp.
#pragma once

#include <stop_token>
#include <vector>

#include "base/result.h"
#include "explain/bit_lemmas.h"
#include "explain/cfa_lemmas.h"
#include "explain/lemmas.h"
#include "model/transition_system.h"
#include "model/verdict.h"

namespace lem::explain {

/// The conjuncts of an invariant.
std::vector<Term> lemmas_of(const TermStore& terms, const TermInvariant& claim);

/// The needed lemmas of a proof. The checker then checks them as a proof of their own: what it
/// rejects is an Internal error, what it does not decide counts as not minimal.
///   require: the checker accepts all lemmas together
Result<Subset> needed_lemmas(const TransitionSystem& system, Term bad, const TermInvariant& claim,
                             const std::vector<Term>& lemmas, const std::stop_token& stop);
Result<Subset> needed_lemmas(const BitProof& proof, const std::stop_token& stop);
///   require: the claim unwinds no loop
Result<Subset> needed_lemmas(const Cfa& cfa, const LocationInvariants& claim,
                             const std::vector<LocationLemma>& lemmas, const std::stop_token& stop);

}  // namespace lem::explain
