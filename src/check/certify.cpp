#include "check/certify.h"

#include <cassert>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/assert.h"
#include "check/c/confirm.h"
#include "check/cfa.h"
#include "check/horn.h"
#include "check/induction.h"
#include "check/live/lasso.h"
#include "check/live/layers.h"
#include "check/live/product.h"
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

/// Why evidence about a rung proves nothing about this model; none if it is the model's.
std::optional<Error> mismatch(const Problem& original, Rung about, const char* what,
                              const char* of_no_program) {
  if (about == original.rung()) return {};
  switch (original.rung()) {
    case Rung::Bits:
      return rejected(original, what, "it speaks of terms, the model of bits");
    case Rung::Terms:
      return rejected(original, what, "it speaks of bits, the model of terms");
    case Rung::Program:
      return rejected(original, what, of_no_program);
    case Rung::Horn:
      return rejected(original, what, "it does not speak of predicates");
  }
  unreachable();
}

std::optional<Error> mismatch(const Problem& original, const Certificate& certificate) {
  return mismatch(original, rung_of(certificate), "the certificate",
                  "it does not speak of locations");
}

std::optional<Error> mismatch(const Problem& original, const Run& run) {
  return mismatch(original, rung_of(run), "the trace", "it is no run of an automaton");
}

/// The check of every kind of evidence.   require: of the model's kind, about its one property
class Judge {
 public:
  /// Why it is not known whether the evidence is good; none: it is. Bad evidence is an error.
  using Judgement = Result<std::optional<Reason>>;

  Judge(const Problem& original, std::stop_token stop, Native native)
      : original_(original), stop_(std::move(stop)), native_(native) {}

  Judgement of(const Trace& run) const {
    return replayed(replay(original_.aig(), original_.property().bad(), run));
  }
  Judgement of(const TermTrace& run) const {
    return replayed(replay(original_.system(), original_.property().bad_term(), run));
  }
  Judgement of(const CfaTrace& run);
  Judgement of(const Derivation& run) const { return replayed(replay(original_.horn(), run)); }
  Judgement of(const InductiveInvariant& claim) const { return of(as_k_inductive(claim)); }
  Judgement of(const KInductive& claim) const;
  Judgement of(const TermInvariant& claim) const;
  Judgement of(const LocationInvariants& claim) const {
    return settled(check_invariants(original_.cfa(), claim, stop_));
  }
  Judgement of(const Interpretation& claim) const {
    if (auto why = misfit(original_.horn(), claim)) return bad_certificate(*why);
    return settled(check_interpretation(original_.horn(), claim, stop_));
  }
  // A safety property has no such proofs: they go to the judge of justice.
  Judgement of(const LiveProof&) const { return bad_certificate(kForJustice); }
  Judgement of(const TermLiveProof&) const { return bad_certificate(kForJustice); }

  Certification how() const { return how_; }
  std::string note() && { return std::move(note_); }

 private:
  static constexpr const char* kForJustice = "it is one of a justice property";
  Error bad_certificate(const std::string& why) const {
    return rejected(original_, "the certificate", why);
  }
  Judgement replayed(const std::optional<std::string>& wrong) const {
    if (wrong) return rejected(original_, "the trace", *wrong);
    return std::optional<Reason>();
  }
  Judgement settled(const TermFinding& finding) const;
  std::optional<Reason> confirmed(const CfaTrace& run);

  const Problem& original_;
  std::stop_token stop_;
  Native native_;
  Certification how_ = Certification::Checked;
  std::string note_;
};

Judge::Judgement Judge::of(const KInductive& claim) const {
  if (claim.k == 0) return bad_certificate("k is 0");
  if (!names_signals_of(original_.aig(), claim.clauses))
    return bad_certificate("a clause names a signal that the model does not have");
  Finding finding = check_induction(
      {original_.aig(), original_.property().bad(), claim.clauses, claim.k, claim.simple_path},
      stop_);
  if (finding.holds == Holds::No) return bad_certificate(describe(finding, claim));
  return finding.holds == Holds::Stopped ? std::optional(Reason::Stopped) : std::nullopt;
}

Judge::Judgement Judge::of(const TermInvariant& claim) const {
  const TransitionSystem& system = original_.system();
  if (claim.k == 0) return bad_certificate("k is 0");
  if (!is_over_step(system, claim.invariant))
    return bad_certificate("it mentions what is no state and no input");
  return settled(check_induction(system, original_.property().bad_term(), claim, stop_));
}

Judge::Judgement Judge::settled(const TermFinding& finding) const {
  switch (finding.holds) {
    case TermHolds::Yes:
      return std::optional<Reason>();
    case TermHolds::No:
      return bad_certificate(finding.failed + " fails");
    case TermHolds::Undecided:
      return std::optional(Reason::Undecided);
    case TermHolds::Stopped:
      return std::optional(Reason::Stopped);
  }
  unreachable();
}

Judge::Judgement Judge::of(const CfaTrace& run) {
  auto wrong = replay(original_.cfa(), run, stop_);
  if (stop_.stop_requested()) return std::optional(Reason::Stopped);
  if (wrong) return replayed(wrong);
  return confirmed(run);
}

/// Checks that the program itself has this run of its automaton.
std::optional<Reason> Judge::confirmed(const CfaTrace& run) {
  using Outcome = Confirmation::Outcome;
  const SourceMap& source = original_.source;
  if (source.st != nullptr) {
    auto wrong = replay_plc({original_.cfa(), source.st}, original_.property().name, run, stop_);
    if (stop_.stop_requested()) return Reason::Stopped;
    if (!wrong) return {};
    note_ = *wrong;
    return Reason::NotNative;
  }
  if (source.c == nullptr || source.c->module == nullptr) return {};
  Confirmation found = confirm(original_.cfa(), *source.c, run, source.file, native_, stop_,
                               source.c->about(original_.property().name));
  switch (found.outcome) {
    case Outcome::Ran:
      return {};
    case Outcome::Replayed:
      how_ = Certification::Replayed;
      note_ = found.why;
      return {};
    case Outcome::Stopped:
      return Reason::Stopped;
    case Outcome::Refuted:
      note_ = found.why;
      return Reason::NotNative;
  }
  unreachable();
}

/// The check of evidence about a justice property: a lasso of the model itself, or a proof about a
/// product that is built here.   require: of the model's kind
class JusticeJudge {
 public:
  using Judgement = Judge::Judgement;
  JusticeJudge(const Problem& original, std::stop_token stop)
      : original_(original), stop_(std::move(stop)) {}

  Judgement lasso(const Unsafe& unsafe) const {
    if (!unsafe.loop) return rejected(original_, "the trace", "it has no loop");
    std::optional<std::string> wrong =
        original_.is_bits() ? replay_lasso(original_.aig(), original_.property().often(),
                                           std::get<Trace>(unsafe.run), *unsafe.loop)
                            : replay_lasso(original_.system(), original_.property().often_terms(),
                                           std::get<TermTrace>(unsafe.run), *unsafe.loop);
    if (wrong) return rejected(original_, "the lasso", *wrong);
    return std::optional<Reason>();
  }
  template <class Proof>
  Judgement proof(const Proof& claim) const {
    Result<Problem> product = product_of(original_, claim.shape);
    if (!product) return rejected(original_, "the certificate", product.error().message);
    return std::visit([&](const auto& inner) { return about(*product, claim.shape, inner); },
                      claim.proof);
  }

 private:
  template <class Inner>
  Judgement about(const Problem& product, const ProductShape& shape, const Inner& inner) const {
    if constexpr (std::is_same_v<Inner, Layers> || std::is_same_v<Inner, TermLayers>) {
      if (shape.kind != ProductKind::Delayed)
        return rejected(original_, "the certificate", "layers are of the product 'delayed'");
      TermFinding finding = check_layers(product, inner, stop_);
      if (finding.holds == TermHolds::No)
        return rejected(original_, "the certificate", finding.failed + " fails");
      if (finding.holds == TermHolds::Yes) return std::optional<Reason>();
      bool stopped = finding.holds == TermHolds::Stopped;
      return std::optional(stopped ? Reason::Stopped : Reason::Undecided);
    } else {
      return Judge(product, stop_, Native::Sandbox).of(inner);
    }
  }

  const Problem& original_;
  std::stop_token stop_;
};

Judge::Judgement judge_justice(const Problem& original, const Verdict& verdict,
                               std::stop_token stop) {
  JusticeJudge judge(original, std::move(stop));
  if (const Run* run = run_of(verdict)) {
    if (std::optional<Error> wrong = mismatch(original, *run)) return *wrong;
    return judge.lasso(std::get<Unsafe>(verdict));
  }
  const Certificate& claim = *certificate_of(verdict);
  if (std::optional<Error> wrong = mismatch(original, claim)) return *wrong;
  if (const auto* bits = std::get_if<LiveProof>(&claim)) return judge.proof(*bits);
  if (const auto* terms = std::get_if<TermLiveProof>(&claim)) return judge.proof(*terms);
  return rejected(original, "the certificate", "it is none of a justice property");
}

}  // namespace

Result<Certified> certify(const Problem& original, Verdict verdict, std::stop_token stop,
                          Native native) {
  if (is_unknown(verdict)) return Certified(std::move(verdict), Certification::Checked);
  if (original.property().is_justice()) {
    Judge::Judgement judged = judge_justice(original, verdict, std::move(stop));
    if (!judged) return judged.error();
    if (*judged) verdict = Unknown{**judged};
    return Certified(std::move(verdict), Certification::Checked);
  }
  if (loop_of(verdict))
    return rejected(original, "the trace", "a lasso is no violation of a safety property");
  Judge judge(original, std::move(stop), native);
  auto check = [&](const auto& evidence) -> Judge::Judgement {
    if (std::optional<Error> wrong = mismatch(original, evidence)) return *wrong;
    return std::visit([&](const auto& one) { return judge.of(one); }, evidence);
  };
  const Run* run = run_of(verdict);
  Judge::Judgement judged = run != nullptr ? check(*run) : check(*certificate_of(verdict));
  if (!judged) return judged.error();
  if (*judged) verdict = Unknown{**judged};
  Certification how = judge.how();
  return Certified(std::move(verdict), how, std::move(judge).note());
}

namespace {

/// Puts "none of the other properties fails" into a certificate of one of them.
class Others {
 public:
  Others(const Problem& original, std::span<const std::size_t> properties, std::size_t own)
      : original_(original), others_(properties.begin(), properties.end()) {
    std::erase(others_, own);
  }

  void enter(InductiveInvariant& claim) const { enter_clauses(claim.clauses); }
  void enter(KInductive& claim) const { enter_clauses(claim.clauses); }
  void enter(TermInvariant& claim) const {
    TermStore& terms = original_.system().terms();
    std::vector<Term> all{claim.invariant};
    for (std::size_t other : others_)
      all.push_back(terms.make_not(original_.properties[other].bad_term()));
    claim.invariant = terms.make_and(all);
  }
  void enter(LocationInvariants& /*claim*/) const {}  // it is false where any of them fails
  void enter(Interpretation& /*claim*/) const {}      // it makes every query false
  // Justice properties are proved one by one; the check rejects such a claim about several.
  void enter(LiveProof& /*claim*/) const {}
  void enter(TermLiveProof& /*claim*/) const {}

 private:
  void enter_clauses(std::vector<SignalClause>& clauses) const {
    for (std::size_t other : others_) clauses.push_back({!original_.properties[other].bad()});
  }

  const Problem& original_;
  std::vector<std::size_t> others_;
};

}  // namespace

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
  if (std::optional<Error> wrong = mismatch(focus(original, properties.front()), certificate))
    return *wrong;
  for (std::size_t property : properties)
    if (original.is_program() && !is_excluded(original, property, certificate))
      return rejected(focus(original, property), "the certificate",
                      "it does not exclude the error location");
  auto claim_of = [&](std::size_t property) {
    Safe claim{certificate};
    std::visit([&](auto& one) { Others(original, properties, property).enter(one); },
               claim.certificate);
    return Verdict(std::move(claim));
  };
  Result<Certified> first =
      certify(focus(original, properties.front()), claim_of(properties.front()), std::move(stop));
  if (!first) return first.error();
  bool holds = is_safe(first->verdict());
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
