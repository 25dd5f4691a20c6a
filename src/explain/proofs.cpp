#include "explain/proofs.h"

#include <cassert>
#include <string>
#include <utility>

#include "check/cfa.h"
#include "check/induction.h"
#include "check/terms.h"
#include "explain/term_lemmas.h"
#include "term/traverse.h"

namespace lem::explain {

std::vector<Term> lemmas_of(const TermStore& terms, const TermInvariant& claim) {
  std::vector<Term> out;
  for (Term part : conjuncts(terms, claim.invariant))
    if (!terms.is_true(part)) out.push_back(part);
  return out;
}

static Error not_accepted(const std::string& failed) {
  return {{}, "the needed lemmas are no proof: " + failed + " fails", ErrorKind::Internal};
}

static Result<Subset> confirmed(Subset subset, const check::TermFinding& finding) {
  if (finding.holds == check::TermHolds::No) return not_accepted(finding.failed);
  if (finding.holds != check::TermHolds::Yes) subset.minimal = false;
  return subset;
}

Result<Subset> needed_lemmas(const TransitionSystem& system, Term bad, const TermInvariant& claim,
                             const std::vector<Term>& lemmas, const std::stop_token& stop) {
  TermInduction induction(system, bad, lemmas, claim, stop);
  Subset subset = minimal_inductive_subset(induction, stop);
  std::vector<Term> needed;
  for (std::size_t lemma : subset.needed) needed.push_back(lemmas[lemma]);
  TermInvariant smaller{system.terms().make_and(needed), claim.k, claim.simple_path};
  check::TermFinding finding = check::check_safety(system, bad, smaller.invariant, stop);
  if (finding.holds == check::TermHolds::Yes)
    finding = check::check_induction(system, bad, smaller, stop);
  return confirmed(std::move(subset), finding);
}

Result<Subset> needed_lemmas(const BitProof& proof, const std::stop_token& stop) {
  BitInduction induction(proof, stop);
  Subset subset = minimal_inductive_subset(induction, stop);
  BitProof smaller = proof;
  smaller.clauses.clear();
  for (std::size_t lemma : subset.needed) smaller.clauses.push_back(proof.clauses[lemma]);
  check::Finding finding = check::check_induction(
      {proof.circuit, kAigFalse, smaller.clauses, proof.k, proof.simple_path}, stop);
  if (finding.holds == check::Holds::No)
    return not_accepted(finding.failed == check::Obligation::Base ? "initiation" : "consecution");
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < smaller.clauses.size(); ++i) all.push_back(i);
  Support safe = BitInduction(smaller, stop).support(all, all.size());
  if (safe.implied == Implied::No) return not_accepted("safety");
  if (finding.holds != check::Holds::Yes || safe.implied != Implied::Yes) subset.minimal = false;
  return subset;
}

Result<Subset> needed_lemmas(const Cfa& cfa, const LocationInvariants& claim,
                             const std::vector<LocationLemma>& lemmas,
                             const std::stop_token& stop) {
  assert(claim.rounds.empty() && "there is a claim on every loop");
  CfaInduction induction(cfa, claim, lemmas, stop);
  if (!induction.complete()) return Error{{}, "stopped", ErrorKind::Internal};
  Subset subset = minimal_inductive_subset(induction, stop);
  std::vector<LocationLemma> needed;
  for (std::size_t lemma : subset.needed) needed.push_back(lemmas[lemma]);
  return confirmed(std::move(subset),
                   check::check_invariants(cfa, claim_of(cfa, claim, needed), stop));
}

}  // namespace lem::explain
