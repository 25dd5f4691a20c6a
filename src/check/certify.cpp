#include "check/certify.h"

#include <cassert>
#include <utility>

#include "base/assert.h"
#include "check/c/confirm.h"
#include "check/cfa.h"
#include "check/induction.h"
#include "check/replay.h"
#include "check/st/replay.h"
#include "check/terms.h"

namespace lem::check {

namespace {

Error rejected(const Problem& original, const std::string& what, const std::string& why) {
  return {{original.source.file, 0, 0},
          what + " for property '" + original.property().name + "' is rejected: " + why,
          ErrorKind::Internal};
}

bool names_signals_of(const Aig& aig, std::span<const SignalClause> clauses) {
  for (const SignalClause& clause : clauses)
    for (AigLit lit : clause)
      if (lit.var() >= aig.num_vars()) return false;
  return true;
}

std::string describe(const Finding& finding, const KInductive& claim) {
  std::uint32_t k = claim.k;
  bool base = finding.failed == Obligation::Base;
  std::string check = k == 1 ? (base ? "initiation" : "consecution")
                             : (base ? "the base case" : "the induction step");
  check += " (k = " + std::to_string(k) + ") fails for ";
  if (finding.violated == claim.clauses.size()) return check + "the property itself";
  return check + "clause " + std::to_string(finding.violated);
}

Result<Holds> check_certificate(const Problem& original, const Certificate& certificate,
                                std::stop_token stop) {
  if (std::holds_alternative<TermInvariant>(certificate))
    return rejected(original, "the certificate", "it speaks of terms, the model of bits");
  KInductive claim;
  if (const auto* invariant = std::get_if<InductiveInvariant>(&certificate))
    claim.clauses = invariant->clauses;
  else
    claim = std::get<KInductive>(certificate);
  if (claim.k == 0) return rejected(original, "the certificate", "k is 0");
  if (!names_signals_of(original.aig(), claim.clauses))
    return rejected(original, "the certificate",
                    "a clause names a signal that the model does not have");
  Finding finding = check_induction(
      {original.aig(), original.property().bad(), claim.clauses, claim.k, claim.simple_path},
      std::move(stop));
  if (finding.holds == Holds::No)
    return rejected(original, "the certificate", describe(finding, claim));
  return finding.holds;
}

/// The verdict after the check of its certificate.
Result<Verdict> settled(const Problem& original, Verdict verdict, const TermFinding& finding) {
  switch (finding.holds) {
    case TermHolds::Yes:
      return verdict;
    case TermHolds::No:
      return rejected(original, "the certificate", finding.failed + " fails");
    case TermHolds::Undecided:
      return Verdict(Unknown{Reason::Undecided});
    case TermHolds::Stopped:
      return Verdict(Unknown{Reason::Stopped});
  }
  unreachable();
}

/// `certify` for a transition system.
Result<Verdict> certify_terms(const Problem& original, Verdict verdict, std::stop_token stop) {
  const TransitionSystem& system = original.system();
  Term bad = original.property().bad_term();
  if (const auto* unsafe = std::get_if<Unsafe>(&verdict)) {
    if (!std::holds_alternative<TermTrace>(unsafe->run))
      return rejected(original, "the trace", "it speaks of bits, the model of terms");
    if (auto wrong = replay(system, bad, unsafe->term_trace()))
      return rejected(original, "the trace", *wrong);
  }
  if (const auto* safe = std::get_if<Safe>(&verdict)) {
    const auto* claim = std::get_if<TermInvariant>(&safe->certificate);
    if (claim == nullptr)
      return rejected(original, "the certificate", "it speaks of bits, the model of terms");
    if (claim->k == 0) return rejected(original, "the certificate", "k is 0");
    if (!is_over_step(system, claim->invariant))
      return rejected(original, "the certificate", "it mentions what is no state and no input");
    TermFinding finding = check_induction(system, bad, *claim, std::move(stop));
    return settled(original, std::move(verdict), finding);
  }
  return verdict;
}

/// How a program's verdict was certified, and the note about it.
struct Remark {
  Certification how = Certification::Checked;
  std::string note{};
};

/// Checks that the program itself has this run.
Verdict confirmed(const Problem& original, Verdict verdict, const std::stop_token& stop,
                  Native mode, Remark& remark) {
  using Outcome = Confirmation::Outcome;
  const SourceMap& source = original.source;
  if (source.st != nullptr) {
    auto wrong = replay_plc({original.cfa(), source.st}, original.property().name,
                            std::get<Unsafe>(verdict).cfa_trace(), stop);
    if (stop.stop_requested()) return Unknown{Reason::Stopped};
    if (!wrong) return verdict;
    remark.note = *wrong;
    return Unknown{Reason::NotNative};
  }
  if (source.c == nullptr || source.c->module == nullptr) return verdict;
  Confirmation found = confirm(original.cfa(), *source.c, std::get<Unsafe>(verdict).cfa_trace(),
                               source.file, mode, stop, source.c->about(original.property().name));
  switch (found.outcome) {
    case Outcome::Ran:
      return verdict;
    case Outcome::Replayed:
      remark = {Certification::Replayed, found.why};
      return verdict;
    case Outcome::Stopped:
      return Unknown{Reason::Stopped};
    case Outcome::Refuted:
      remark.note = found.why;
      return Unknown{Reason::NotNative};
  }
  unreachable();
}

/// `certify` for an automaton.
Result<Verdict> certify_program(const Problem& original, Verdict verdict, std::stop_token stop,
                                Native mode, Remark& remark) {
  if (const auto* unsafe = std::get_if<Unsafe>(&verdict)) {
    const auto* run = std::get_if<CfaTrace>(&unsafe->run);
    if (run == nullptr) return rejected(original, "the trace", "it is no run of an automaton");
    auto wrong = replay(original.cfa(), *run, stop);
    if (stop.stop_requested()) return Verdict(Unknown{Reason::Stopped});
    if (wrong) return rejected(original, "the trace", *wrong);
    return confirmed(original, std::move(verdict), stop, mode, remark);
  }
  if (const auto* safe = std::get_if<Safe>(&verdict)) {
    const auto* claim = std::get_if<LocationInvariants>(&safe->certificate);
    if (claim == nullptr)
      return rejected(original, "the certificate", "it does not speak of locations");
    TermFinding finding = check_invariants(original.cfa(), *claim, std::move(stop));
    return settled(original, std::move(verdict), finding);
  }
  return verdict;
}

}  // namespace

Result<Certified> certify(const Problem& original, Verdict verdict, std::stop_token stop,
                          Native native) {
  if (!original.is_bits()) {
    Remark remark;
    Result<Verdict> checked =
        original.is_program()
            ? certify_program(original, std::move(verdict), std::move(stop), native, remark)
            : certify_terms(original, std::move(verdict), std::move(stop));
    if (!checked) return checked.error();
    return Certified(*std::move(checked), remark.how, std::move(remark.note));
  }
  if (const auto* unsafe = std::get_if<Unsafe>(&verdict);
      unsafe != nullptr && !std::holds_alternative<Trace>(unsafe->run))
    return rejected(original, "the trace", "it speaks of terms, the model of bits");
  if (const auto* unsafe = std::get_if<Unsafe>(&verdict)) {
    auto wrong = replay(original.aig(), original.property().bad(), unsafe->trace());
    if (wrong) return rejected(original, "the trace", *wrong);
  }
  if (const auto* safe = std::get_if<Safe>(&verdict)) {
    auto holds = check_certificate(original, safe->certificate, std::move(stop));
    if (!holds) return holds.error();
    if (*holds == Holds::Stopped)
      return Certified(Unknown{Reason::Stopped}, Certification::Checked);
  }
  return Certified(std::move(verdict), Certification::Checked);
}

/// The certificate with "none of the other properties fails" in it.
static Certificate with_others(const Problem& original, std::span<const std::size_t> properties,
                               std::size_t own, Certificate certificate) {
  if (original.is_program()) return certificate;
  if (auto* claim = std::get_if<TermInvariant>(&certificate)) {
    TermStore& terms = original.system().terms();
    std::vector<Term> all{claim->invariant};
    for (std::size_t other : properties)
      if (other != own) all.push_back(terms.make_not(original.properties[other].bad_term()));
    claim->invariant = terms.make_and(all);
    return certificate;
  }
  std::vector<SignalClause>& clauses = clauses_of(certificate);
  for (std::size_t other : properties)
    if (other != own) clauses.push_back({!original.properties[other].bad()});
  return certificate;
}

/// Whether invariants of an automaton are false where the property fails, so that they prove it if
/// they are invariants.
static bool is_excluded(const Problem& original, std::size_t property,
                        const Certificate& certificate) {
  const auto* claims = std::get_if<LocationInvariants>(&certificate);
  std::size_t error = index(error_of(original, property));
  return claims != nullptr && error < claims->at.size() && claims->at[error] &&
         original.cfa().terms().is_false(claims->at[error]);
}

Result<std::vector<Certified>> certify_together(const Problem& original,
                                                std::span<const std::size_t> properties,
                                                const Certificate& certificate,
                                                std::stop_token stop) {
  assert(!properties.empty());
  for (std::size_t property : properties)
    if (original.is_program() && !is_excluded(original, property, certificate))
      return rejected(focus(original, property), "the certificate",
                      "it does not exclude the error location");
  auto claim_of = [&](std::size_t property) {
    return Verdict(Safe{with_others(original, properties, property, certificate)});
  };
  Result<Certified> first =
      certify(focus(original, properties.front()), claim_of(properties.front()), std::move(stop));
  if (!first) return first.error();
  bool holds = std::holds_alternative<Safe>(first->verdict());
  std::vector<Certified> outcomes;
  for (std::size_t property : properties)
    outcomes.push_back(holds ? Certified(claim_of(property), Certification::Checked) : *first);
  return outcomes;
}

Certified unknown(Reason reason) {
  return {Unknown{reason}, Certification::Checked};
}

Certified trust_unchecked(Verdict verdict) {
  return {std::move(verdict), Certification::Unchecked};
}

}  // namespace lem::check
